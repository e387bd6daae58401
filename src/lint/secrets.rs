//! Keys in text, recognised by prefix, length and check digits. Placeholders and examples are ignored.

use std::collections::HashSet;
use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::text::constant_pattern;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// `an AWS access key id`
    pub what: &'static str,
    /// The public prefix.
    pub prefix: String,
    /// The offset of the key.
    pub at: usize,
}

/// A kind of key, its form, and whether its secret part is real, not a placeholder. The groups are the public prefix and the
/// secret part.
type SecretFormat = (&'static str, &'static str, fn(&str) -> bool);

const FORMATS: [SecretFormat; 19] = [
    ("an AWS access key id", "(A[KS]IA)([A-Z2-7]{16})", is_random),
    ("a GitHub token", "(gh[pousr]_)([[:alnum:]]{36})", is_checked),
    ("a GitHub token", "(github_pat_)([[:word:]]{82})", is_random),
    ("an npm token", "(npm_)([[:alnum:]]{36})", is_checked),
    ("a GitLab token", "(glpat-)([[:word:]-]{20,64})", is_random),
    ("an OpenAI key", "(sk-(?:(?:proj|svcacct|admin)-)?)([[:word:]-]{20,180}T3BlbkFJ[[:word:]-]{20,200})", is_random),
    ("an Anthropic key", "(sk-ant-[a-z]+[0-9]{2}-)([[:word:]-]{80,200})", is_random),
    ("a Google API key", "(AIza)([[:word:]-]{35})", is_random),
    ("a Slack token", "(xox[bpas]-)(?:[0-9]{9,}-)+([[:alnum:]]{24,})", is_random),
    ("a Slack webhook", "(hooks[.]slack[.]com/services/)T[[:alnum:]]*/B[[:alnum:]]*/([[:alnum:]]{24})", is_random),
    ("a Stripe key", "([sr]k_live_)([[:alnum:]]{24,247})", is_random),
    ("a PyPI token", "(pypi-AgEIcHlwaS5vcmc)([[:word:]-]{50,1000})", is_random),
    ("a Hugging Face token", "(hf_)([[:alpha:]]{34})", is_random),
    ("a Groq key", "(gsk_)([[:alnum:]]{52})", is_random),
    ("an xAI key", "(xai-)([[:word:]]{80})", is_random),
    ("an OpenRouter key", "(sk-or-v1-)([0-9a-f]{64})", is_random),
    ("a DigitalOcean token", "(do[opr]_v1_)([0-9a-f]{64})", is_random),
    ("a SendGrid key", "(SG[.])[[:word:]-]{22}[.]([[:word:]-]{43})", is_random),
    (
        "a private key",
        "(-----BEGIN (?:[A-Z ]* )?PRIVATE KEY(?: BLOCK)?-----)((?:[^-]|-{1,4}[^-])*?)-----END",
        is_private,
    ),
];

/// Every key contains one of these. Few texts do, and this search is faster than one for each format.
static LITERALS: LazyLock<Regex> = LazyLock::new(|| {
    constant_pattern(
        "AKIA|ASIA|gh[pousr]_|github_pat_|npm_|glpat-|T3BlbkFJ|sk-ant-|AIza|xox[bpas]-|hooks[.]slack[.]com|[sr]k_live_|\
         pypi-AgE|hf_|gsk_|xai-|sk-or-v1-|do[opr]_v1_|SG[.]|-----BEGIN ",
    )
});

/// A key is a whole word, the address of a webhook a whole host and path. The dashes around a private key may follow an
/// escaped line end, `\n`.
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let whole = |(what, form, _): &SecretFormat| match *what {
        "a private key" => form.to_string(),
        "a Slack webhook" => format!("(?:^|[^[:word:].-]){form}(?:[^[:alnum:]/]|$)"),
        _ => format!("(?:^|[^[:word:]-]){form}(?:[^[:word:]-]|$)"),
    };
    FORMATS.iter().map(|format| constant_pattern(&whole(format))).collect()
});

pub fn find(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let may_have_key = has_long_word(text.as_bytes()) || memmem::find(text.as_bytes(), b"-----BEGIN ").is_some();
    if !may_have_key || !LITERALS.is_match(text) {
        return found;
    }
    for ((what, _, is_real), pattern) in FORMATS.into_iter().zip(&*PATTERNS) {
        let mut from = 0;
        while let Some(groups) = pattern.captures_at(text, from) {
            let (Some(prefix), Some(secret)) = (groups.get(1), groups.get(2)) else { break };
            // The character after a key may also be the one before the next.
            from = secret.end();
            if is_real(secret.as_str()) {
                found.push(Secret { what, prefix: prefix.as_str().to_string(), at: prefix.start() });
            }
        }
    }
    found.sort_by_key(|secret| secret.at);
    found
}

/// Whether a word is as long as the shortest key, other than a private one, whose lines may be of any length. Most text
/// has only shorter words, and to see that, most of its bytes need not be read.
fn has_long_word(text: &[u8]) -> bool {
    const LEAST: usize = 20;
    let ends_word = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let mut start = 0;
    while let Some(word) = text.get(start..start + LEAST) {
        match word.iter().rposition(ends_word) {
            Some(end) => start += end + 1,
            None => return true,
        }
    }
    false
}

/// Whether text looks random. About one in several thousand random texts fails.
fn is_random(text: &str) -> bool {
    const WORDS: &str = "example your here xxxx redacted placeholder dummy fake sample insert replace secret";
    let bytes = text.as_bytes();
    let distinct = bytes.iter().collect::<HashSet<_>>().len();
    let steps = |by: u8| bytes.windows(5).any(|five| five.windows(2).all(|two| two[1].wrapping_sub(two[0]) == by));
    let lower = text.to_ascii_lowercase();
    // A long block contains any short word by chance.
    let has_word = text.len() < 256 && WORDS.split(' ').any(|word| lower.contains(word));
    let has_row = text.len() < 256 && (steps(0) || steps(1));
    distinct >= 8 && !has_word && !has_row
}

/// Whether the last six characters are the check digits of the others.
fn is_checked(text: &str) -> bool {
    let (random, check) = text.split_at(30);
    is_random(text) && base62(crc32(random.as_bytes())) == check
}

/// Whether text is the content of a PEM block. Line endings may be escaped as `\n`.
fn is_private(text: &str) -> bool {
    /// Ed25519 keys are the shortest.
    const LEAST: usize = 60;
    let lines = text.split('\n').flat_map(|line| line.split("\\n")).map(str::trim).filter(|line| !line.is_empty());
    // Headers of encrypted keys: `DEK-Info: …`.
    let data: String = lines.filter(|line| !line.contains(": ")).collect();
    let is_base64 = data.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    is_base64 && data.len() >= LEAST && is_random(&data)
}

fn crc32(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| shift(crc)))
}

/// Six digits in base 62.
fn base62(mut number: u32) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Random-looking characters, the same in each run. No complete key is written in this file.
    fn random(alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut state = 0x2545_f491_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        (0..length).map(|_| alphabet[next() % alphabet.len()]).collect()
    }

    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    fn word(length: usize) -> String {
        random(&format!("{LETTERS}0123456789"), length)
    }

    fn hex(length: usize) -> String {
        random("0123456789abcdef", length)
    }

    fn whats(text: &str) -> Vec<(&'static str, String)> {
        find(text).into_iter().map(|secret| (secret.what, secret.prefix)).collect()
    }

    fn keys() -> Vec<(&'static str, &'static str, String)> {
        let digits = |length: usize| format!("1{}", random("0123456789", length - 1));
        vec![
            ("an AWS access key id", "AKIA", format!("AKIA{}", random("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16))),
            // The example from a published description of the check digits.
            ("a GitHub token", "ghp_", ["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()),
            ("a GitHub token", "github_pat_", format!("github_pat_{}_{}", word(22), word(59))),
            ("a GitLab token", "glpat-", format!("glpat-{}", word(20))),
            ("an OpenAI key", "sk-", format!("sk-{}T3BlbkFJ{}", word(20), word(20))),
            ("an OpenAI key", "sk-proj-", format!("sk-proj-{}T3BlbkFJ{}", word(74), word(74))),
            ("an Anthropic key", "sk-ant-api03-", format!("sk-ant-api03-{}AA", word(93))),
            ("a Google API key", "AIza", format!("AIza{}", word(35))),
            ("a Slack token", "xoxb-", format!("xoxb-{}-{}-{}", digits(12), digits(13), word(24))),
            (
                "a Slack webhook",
                "hooks.slack.com/services/",
                format!(
                    "https://hooks.slack.com/services/T{}/B{}/{}",
                    random("ABCDEF01234", 9),
                    random("ABCDE01", 10),
                    word(24)
                ),
            ),
            ("a Stripe key", "sk_live_", format!("sk_live_{}", word(24))),
            ("a PyPI token", "pypi-AgEIcHlwaS5vcmc", format!("pypi-AgEIcHlwaS5vcmc{}", word(120))),
            ("a SendGrid key", "SG.", format!("SG.{}.{}", word(22), word(43))),
            ("a Hugging Face token", "hf_", format!("hf_{}", random(LETTERS, 34))),
            ("a Groq key", "gsk_", format!("gsk_{}", word(52))),
            ("an xAI key", "xai-", format!("xai-{}", word(80))),
            ("an OpenRouter key", "sk-or-v1-", format!("sk-or-v1-{}", hex(64))),
            ("a DigitalOcean token", "dop_v1_", format!("dop_v1_{}", hex(64))),
            ("a DigitalOcean token", "dor_v1_", format!("dor_v1_{}", hex(64))),
        ]
    }

    #[test]
    fn keys_are_found_anywhere() {
        for (what, prefix, key) in keys() {
            for text in [key.clone(), format!("KEY=\"{key}\"\n"), format!("use {key}, please"), format!("a\n{key}\nb")]
            {
                assert_eq!(whats(&text), [(what, prefix.to_string())], "{text}");
            }
            if !key.starts_with("https:") {
                assert_eq!(whats(&format!("x{key}")), [], "in a word: {key}");
                assert_eq!(whats(&key[..prefix.len() + 12]), [], "cut: {key}");
            }
        }
    }

    #[test]
    fn a_private_key_needs_a_body() {
        let line = word(64);
        for (name, body) in
            [("RSA ", format!("{line}\n{line}")), ("", line.clone()), ("OPENSSH ", format!("{line}\\n{line}"))]
        {
            let text = format!("    -----BEGIN {name}PRIVATE KEY-----\n{body}\n-----END {name}PRIVATE KEY-----");
            assert_eq!(whats(&text), [("a private key", format!("-----BEGIN {name}PRIVATE KEY-----"))], "{text}");
        }
        let key = format!("-----BEGIN PRIVATE KEY-----\n{line}\n-----END PRIVATE KEY-----");
        for text in [
            format!(r#"{{"key": "x\n{key}"}}"#),
            format!("Never paste `-----BEGIN PRIVATE KEY-----`.\n{key}"),
            format!("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n{key}"),
        ] {
            assert_eq!(whats(&text), [("a private key", "-----BEGIN PRIVATE KEY-----".to_string())], "{text}");
        }
        for text in [
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_string(),
            "-----BEGIN PRIVATE KEY-----\nMIIEvQ...\n-----END PRIVATE KEY-----".to_string(),
            "a file that begins with `-----BEGIN PRIVATE KEY-----` is refused".to_string(),
            format!("-----BEGIN PUBLIC KEY-----\n{line}\n-----END PUBLIC KEY-----"),
            format!("-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----"),
        ] {
            assert_eq!(whats(&text), [], "{text}");
        }
    }

    #[test]
    fn placeholders_for_keys_are_ignored() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "AKIAXXXXXXXXXXXXXXXX",
            "AKIA1234567890123456",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-ant-api03-...",
            "sk-ant-your-key-here",
            "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "AIzaSyYourGoogleApiKeyGoesHere000000000",
            "xoxb-your-token",
            "xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx",
            "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "glpat-<token>",
            "hf_transformers_are_all_you_need_here",
            "gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "gsk_your_groq_api_key",
            "xai-your-key-here",
            "xai-sdk-python",
            "sk-or-v1-0000000000000000000000000000000000000000000000000000000000000000",
            "sk-or-v1-...",
            "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            "${OPENAI_API_KEY}",
        ] {
            assert_eq!(whats(text), [], "{text}");
        }
    }

    #[test]
    fn two_keys_on_one_line_are_both_found() {
        let key = &keys()[0].2;
        assert_eq!(find(&format!("{key} {key}")).len(), 2);
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "(AKIA|sk-ant-|T3BlbkFJ|SG\\.|-----BEGIN |PRIVATE KEY-----|\n|ghp_|xoxb-|[a-zA-Z0-9_.é-]{0,40}){0,8}") {
            for secret in find(&text) {
                prop_assert!(text.is_char_boundary(secret.at));
            }
        }
    }
}
