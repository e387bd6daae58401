//! Keys in text, recognised by prefix, length and check digits. Placeholders and examples are ignored.

mod kinds;

use std::sync::LazyLock;

use regex::Regex;

use kinds::KINDS;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// `an AWS access key id`
    pub what: &'static str,
    /// The public prefix.
    pub prefix: String,
    /// The offset of the key.
    pub at: usize,
}

/// All literals in one pattern, which is faster than one search for each.
static BEGINNINGS: LazyLock<Regex> = LazyLock::new(|| {
    let literals: Vec<String> = KINDS.iter().flat_map(|kind| kind.literals).map(|it| regex::escape(it)).collect();
    Regex::new(&literals.join("|")).expect("constant literals that a test compiles")
});

pub fn find(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut done = 0;
    for literal in BEGINNINGS.find_iter(text) {
        if literal.start() < done {
            continue;
        }
        let of_literal = KINDS.iter().filter(|kind| kind.literals.contains(&literal.as_str()));
        let key = of_literal.into_iter().find_map(|kind| Some((kind, kind.read(text, literal.range())?)));
        if let Some((kind, range)) = key {
            done = range.key.end;
            let prefix = text[range.key.start..range.secret].to_string();
            found.push(Secret { what: kind.what, prefix, at: range.key.start });
        }
    }
    found
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
