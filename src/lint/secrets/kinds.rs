use std::collections::HashSet;
use std::ops::Range;

pub(super) struct SecretFormat {
    pub what: &'static str,
    /// Text that every such key contains, usually its prefix.
    pub literal: &'static str,
    pub read: fn(&str, Range<usize>) -> Option<SecretMatch>,
}

pub(super) struct SecretMatch {
    pub key: Range<usize>,
    /// Where the secret part begins.
    pub secret: usize,
}

const GITHUB: &str = "a GitHub token";
const SLACK: &str = "a Slack token";
const DIGITAL_OCEAN: &str = "a DigitalOcean token";
const STRIPE: &str = "a Stripe key";

pub(super) const KINDS: &[SecretFormat] = &[
    SecretFormat {
        what: "an AWS access key id",
        literal: "AKIA",
        read: |text, at| fixed(text, at, is_base32, 16..=16),
    },
    SecretFormat {
        what: "an AWS access key id",
        literal: "ASIA",
        read: |text, at| fixed(text, at, is_base32, 16..=16),
    },
    SecretFormat { what: GITHUB, literal: "ghp_", read: checked },
    SecretFormat { what: GITHUB, literal: "gho_", read: checked },
    SecretFormat { what: GITHUB, literal: "ghu_", read: checked },
    SecretFormat { what: GITHUB, literal: "ghs_", read: checked },
    SecretFormat { what: GITHUB, literal: "ghr_", read: checked },
    SecretFormat { what: GITHUB, literal: "github_pat_", read: |text, at| fixed(text, at, is_word, 82..=82) },
    SecretFormat { what: "an npm token", literal: "npm_", read: checked },
    SecretFormat { what: "a GitLab token", literal: "glpat-", read: |text, at| fixed(text, at, is_url, 20..=64) },
    SecretFormat { what: "an OpenAI key", literal: "T3BlbkFJ", read: openai },
    SecretFormat { what: "an Anthropic key", literal: "sk-ant-", read: anthropic },
    SecretFormat { what: "a Google API key", literal: "AIza", read: |text, at| fixed(text, at, is_url, 35..=35) },
    SecretFormat { what: SLACK, literal: "xoxb-", read: slack },
    SecretFormat { what: SLACK, literal: "xoxp-", read: slack },
    SecretFormat { what: SLACK, literal: "xoxa-", read: slack },
    SecretFormat { what: SLACK, literal: "xoxs-", read: slack },
    SecretFormat { what: "a Slack webhook", literal: "hooks.slack.com/services/", read: webhook },
    SecretFormat { what: STRIPE, literal: "sk_live_", read: |text, at| fixed(text, at, is_alphanumeric, 24..=247) },
    SecretFormat { what: STRIPE, literal: "rk_live_", read: |text, at| fixed(text, at, is_alphanumeric, 24..=247) },
    SecretFormat {
        what: "a PyPI token",
        literal: "pypi-AgEIcHlwaS5vcmc",
        read: |text, at| fixed(text, at, is_url, 50..=1000),
    },
    SecretFormat { what: "a Hugging Face token", literal: "hf_", read: |text, at| fixed(text, at, is_letter, 34..=34) },
    SecretFormat { what: "a Groq key", literal: "gsk_", read: |text, at| fixed(text, at, is_alphanumeric, 52..=52) },
    SecretFormat { what: "an xAI key", literal: "xai-", read: |text, at| fixed(text, at, is_word, 80..=80) },
    SecretFormat { what: "an OpenRouter key", literal: "sk-or-v1-", read: |text, at| fixed(text, at, is_hex, 64..=64) },
    SecretFormat { what: DIGITAL_OCEAN, literal: "dop_v1_", read: |text, at| fixed(text, at, is_hex, 64..=64) },
    SecretFormat { what: DIGITAL_OCEAN, literal: "doo_v1_", read: |text, at| fixed(text, at, is_hex, 64..=64) },
    SecretFormat { what: DIGITAL_OCEAN, literal: "dor_v1_", read: |text, at| fixed(text, at, is_hex, 64..=64) },
    SecretFormat { what: "a SendGrid key", literal: "SG.", read: sendgrid },
    SecretFormat { what: "a private key", literal: "-----BEGIN ", read: private },
];

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Lower case.
fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// URL-safe base64.
fn is_url(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

fn is_base32(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'2'..=b'7')
}

/// Limits the search per literal, since a file may consist of literals. Longer than any key except private keys.
const LONGEST: usize = 2_000;

const LONGEST_BLOCK: usize = 20_000;

fn run(text: &str, from: usize, alphabet: fn(u8) -> bool) -> usize {
    text.as_bytes()[from..].iter().take(LONGEST).take_while(|&&byte| alphabet(byte)).count()
}

fn begins(text: &str, at: usize) -> bool {
    !text.as_bytes()[..at].last().is_some_and(|&byte| is_url(byte))
}

/// A literal and a run of characters of `alphabet`, which together are a whole word.
fn fixed(
    text: &str,
    literal: Range<usize>,
    alphabet: fn(u8) -> bool,
    lengths: std::ops::RangeInclusive<usize>,
) -> Option<SecretMatch> {
    // Checked first, so that a long word of repeated literals is scanned only once.
    if !begins(text, literal.start) {
        return None;
    }
    let length = run(text, literal.end, alphabet);
    let end = literal.end + length;
    let ends = !text.as_bytes().get(end).is_some_and(|&byte| is_url(byte));
    let is_key = ends && lengths.contains(&length);
    (is_key && is_random(&text[literal.end..end]))
        .then_some(SecretMatch { key: literal.start..end, secret: literal.end })
}

fn checked(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    let read = fixed(text, literal, is_alphanumeric, 36..=36)?;
    let (random, check) = text[read.secret..read.key.end].split_at(30);
    (base62(crc32(random.as_bytes())) == check).then_some(read)
}

/// The literal is in the middle.
fn openai(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    const LONGEST_SIDE: usize = 200;
    let before =
        text.as_bytes()[..literal.start].iter().rev().take(LONGEST_SIDE).take_while(|&&byte| is_url(byte)).count();
    let start = literal.start - before;
    let after = text.as_bytes()[literal.end..].iter().take(LONGEST_SIDE).take_while(|&&byte| is_url(byte)).count();
    let end = literal.end + after;
    let prefix =
        ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"].into_iter().find(|it| text[start..].starts_with(it))?;
    let secret = start + prefix.len();
    let is_key = literal.start.checked_sub(secret)? >= 20 && end - literal.end >= 20;
    (is_key && is_random(&text[secret..end])).then_some(SecretMatch { key: start..end, secret })
}

/// `sk-ant-api03-` and a long random part.
fn anthropic(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    let kind = run(text, literal.end, |byte| byte.is_ascii_lowercase());
    let number = run(text, literal.end + kind, |byte| byte.is_ascii_digit());
    let dash = literal.end + kind + number;
    let has_kind = kind > 0 && number == 2 && text[dash..].starts_with('-');
    has_kind.then(|| fixed(text, literal.start..dash + 1, is_url, 80..=200)).flatten()
}

/// Groups of digits, then a random part.
fn slack(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    if !begins(text, literal.start) {
        return None;
    }
    let length = run(text, literal.end, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let end = literal.end + length;
    let groups: Vec<&str> = text[literal.end..end].split('-').collect();
    let (last, numbers) = groups.split_last()?;
    let is_number = |group: &&str| group.len() >= 9 && group.bytes().all(|byte| byte.is_ascii_digit());
    let is_key = !numbers.is_empty() && numbers.iter().all(is_number);
    (is_key && last.len() >= 24 && is_random(last))
        .then_some(SecretMatch { key: literal.start..end, secret: literal.end })
}

fn webhook(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    let length = run(text, literal.end, |byte| byte.is_ascii_alphanumeric() || byte == b'/');
    let end = literal.end + length;
    let mut parts = text[literal.end..end].split('/');
    let (team, channel, secret) = (parts.next()?, parts.next()?, parts.next()?);
    let is_key = team.starts_with('T') && channel.starts_with('B') && secret.len() == 24 && parts.next().is_none();
    let is_in_word = text.as_bytes()[..literal.start].last().is_some_and(|&byte| is_url(byte) || byte == b'.');
    (is_key && !is_in_word && is_random(secret)).then_some(SecretMatch { key: literal.start..end, secret: literal.end })
}

fn sendgrid(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    let first = run(text, literal.end, is_url);
    let dot = literal.end + first;
    if first != 22 || !text[dot..].starts_with('.') || !begins(text, literal.start) {
        return None;
    }
    let second = run(text, dot + 1, is_url);
    let end = dot + 1 + second;
    (second == 43 && is_random(&text[dot + 1..end]))
        .then_some(SecretMatch { key: literal.start..end, secret: literal.end })
}

/// A PEM block. Line endings may be escaped as `\n`.
fn private(text: &str, literal: Range<usize>) -> Option<SecretMatch> {
    /// Ed25519 keys are the shortest.
    const LEAST: usize = 60;
    const NAME: &str = "PRIVATE KEY";
    let rest = &text[literal.end..];
    let name = &rest[..rest.bytes().take(40).position(|byte| byte == b'-')?];
    let kind = name.strip_suffix(" BLOCK").unwrap_or(name).strip_suffix(NAME)?;
    let is_kind =
        kind.is_empty() || (kind.ends_with(' ') && kind.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b' ')));
    let after = literal.end + name.len() + "-----".len();
    let body = text.get(after..)?;
    if !is_kind || !rest[name.len()..].starts_with("-----") {
        return None;
    }
    let body = &body[..body.floor_char_boundary(LONGEST_BLOCK)];
    // Dashes end the block, so repeated openings are scanned once.
    let end = body.find("-----")?;
    if !body[end..].starts_with("-----END") {
        return None;
    }
    let body = &body[..end];
    let lines = body.split('\n').flat_map(|line| line.split("\\n")).map(str::trim).filter(|line| !line.is_empty());
    // Headers of encrypted keys: `DEK-Info: …`.
    let data: String = lines.filter(|line| !line.contains(": ")).collect();
    let is_base64 = data.bytes().all(|byte| is_alphanumeric(byte) || matches!(byte, b'+' | b'/' | b'='));
    (is_base64 && data.len() >= LEAST && is_random(&data))
        .then_some(SecretMatch { key: literal.start..after + body.len(), secret: after })
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
