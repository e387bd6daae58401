use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

pub(super) struct SecretFormat {
    pub what: &'static str,
    /// Each such key contains one of them, usually as its prefix.
    pub literals: &'static [&'static str],
    form: SecretForm,
}

enum SecretForm {
    /// A literal, then characters of an alphabet; the range limits their number.
    Fixed(fn(u8) -> bool, RangeInclusive<usize>),
    Own(fn(&str, Range<usize>) -> Option<SecretMatch>),
}

pub(super) struct SecretMatch {
    pub key: Range<usize>,
    /// Where the secret part begins.
    pub secret: usize,
}

impl SecretFormat {
    pub fn read(&self, text: &str, literal: Range<usize>) -> Option<SecretMatch> {
        match &self.form {
            SecretForm::Fixed(alphabet, lengths) => fixed(text, literal, *alphabet, lengths),
            SecretForm::Own(read) => read(text, literal),
        }
    }
}

const fn row(what: &'static str, literals: &'static [&'static str], form: SecretForm) -> SecretFormat {
    SecretFormat { what, literals, form }
}

pub(super) const KINDS: &[SecretFormat] = &[
    row("an AWS access key id", &["AKIA", "ASIA"], SecretForm::Fixed(is_base32, 16..=16)),
    row("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], SecretForm::Own(checked)),
    row("a GitHub token", &["github_pat_"], SecretForm::Fixed(is_word, 82..=82)),
    row("an npm token", &["npm_"], SecretForm::Own(checked)),
    row("a GitLab token", &["glpat-"], SecretForm::Fixed(is_url, 20..=64)),
    row("an OpenAI key", &["T3BlbkFJ"], SecretForm::Own(openai)),
    row("an Anthropic key", &["sk-ant-"], SecretForm::Own(anthropic)),
    row("a Google API key", &["AIza"], SecretForm::Fixed(is_url, 35..=35)),
    row("a Slack token", &["xoxb-", "xoxp-", "xoxa-", "xoxs-"], SecretForm::Own(slack)),
    row("a Slack webhook", &["hooks.slack.com/services/"], SecretForm::Own(webhook)),
    row("a Stripe key", &["sk_live_", "rk_live_"], SecretForm::Fixed(is_alphanumeric, 24..=247)),
    row("a PyPI token", &["pypi-AgEIcHlwaS5vcmc"], SecretForm::Fixed(is_url, 50..=1000)),
    row("a Hugging Face token", &["hf_"], SecretForm::Fixed(is_letter, 34..=34)),
    row("a Groq key", &["gsk_"], SecretForm::Fixed(is_alphanumeric, 52..=52)),
    row("an xAI key", &["xai-"], SecretForm::Fixed(is_word, 80..=80)),
    row("an OpenRouter key", &["sk-or-v1-"], SecretForm::Fixed(is_hex, 64..=64)),
    row("a DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], SecretForm::Fixed(is_hex, 64..=64)),
    row("a SendGrid key", &["SG."], SecretForm::Own(sendgrid)),
    row("a private key", &["-----BEGIN "], SecretForm::Own(private)),
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
    lengths: &RangeInclusive<usize>,
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
    let read = fixed(text, literal, is_alphanumeric, &(36..=36))?;
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
    has_kind.then(|| fixed(text, literal.start..dash + 1, is_url, &(80..=200))).flatten()
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
