//! The lock file has a line per prompt, so that branches merge line by line.
//!
//! ```text
//! rye-render.lock/1
//! # ...
//! protocol rye-3
//! tokenizer chars4
//! tiers project builtin
//! flags "--model sonnet"
//!
//! deploy 1214 9f86d081… 1640 60303ae2…
//! ```
//!
//! A lock of agents has the line `agents` instead of `protocol` and `tiers`, and the digests of files instead of those of
//! tools. A single space separates words. A word that contains a space or would be ambiguous is written as a JSON string.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::{Digest, FORMAT, Lock, LockSetup, Locked};
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Source;
use crate::text::tokens::Tokenizer;

const COMMENT: &str = "# Written by `rye-render lock`; `rye-render lock --check` fails when a prompt changes.";

/// The words for a prompt without tools.
const NO_TOOLS: [&str; 2] = ["-", "-"];

/// More tokens than any prompt has. The limit keeps sums from overflowing.
const MOST_TOKENS: usize = 1_000_000_000;

const WRITE_AGAIN: &str = "write it again with `rye-render lock`";

/// Whether a text is a lock file, of any format version. Other files must not be overwritten.
pub fn is_lock(text: &str) -> bool {
    text.starts_with("rye-render.lock/")
}

/// Makes many small writes, so `out` should be buffered.
pub fn write(lock: &Lock, out: &mut dyn io::Write) -> io::Result<()> {
    let line = |out: &mut dyn io::Write, words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        writeln!(out, "{}", words.join(" "))
    };
    writeln!(out, "{FORMAT}\n{COMMENT}")?;
    if let Some(protocol) = &lock.setup.protocol {
        line(out, &["protocol", protocol])?;
    }
    line(out, &["tokenizer", lock.tokenizer.into_str()])?;
    for (key, values) in [lock.setup.listed(), ("flags", &lock.flags)] {
        let words: Vec<&str> = [key].into_iter().chain(values.iter().map(String::as_str)).collect();
        line(out, &words)?;
    }
    writeln!(out)?;
    for (id, Locked { messages, tools, files }) in &lock.prompts {
        let tokens = messages.tokens.to_string();
        let second = tools.as_ref().or(files.as_ref()).map(|part| [part.tokens.to_string(), part.sha256.clone()]);
        let [second_tokens, second_digest] = second.unwrap_or_else(|| NO_TOOLS.map(str::to_string));
        line(out, &[id, &tokens, &messages.sha256, &second_tokens, &second_digest])?;
    }
    Ok(())
}

/// Reads the file.
///
/// # Errors
/// The file is not a lock, has a different version, or has an invalid line, which the error names.
pub fn read(source: &Arc<Source>) -> Result<Lock, Diagnostic> {
    let mut at = 0;
    let lines = source.text().split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches('\n'))
    });
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("# "));
    let (start, first) = lines.next().unwrap_or((0, ""));
    let refuse = |start: usize, line: &str, what: String, help: &'static str| {
        Diagnostic::at(Problem::InvalidLock { what, help }, source.span(start..start + line.len()))
    };
    if first != FORMAT {
        let (what, help) = match is_lock(first) {
            true => (
                format!("the lock has the format {first}, but this rye-render reads {FORMAT}"),
                "use the version of rye-render that wrote it, or write it again with `rye-render lock`",
            ),
            false => (format!("not a prompt lock: the first line is not {FORMAT}"), WRITE_AGAIN),
        };
        return Err(refuse(start, first, what, help));
    }
    let mut read = Reading::default();
    for (start, line) in lines {
        read.line(line).map_err(|what| refuse(start, line, what, WRITE_AGAIN))?;
    }
    read.finish().map_err(|what| refuse(0, first, what, WRITE_AGAIN))
}

#[derive(Default)]
struct Reading {
    protocol: Option<String>,
    tokenizer: Option<Tokenizer>,
    tiers: Option<Vec<String>>,
    agents: Option<Vec<String>>,
    flags: Option<Vec<String>>,
    prompts: BTreeMap<String, Locked>,
}

impl Reading {
    /// Reads a line. The error is a sentence.
    fn line(&mut self, line: &str) -> Result<(), String> {
        if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark)) {
            return Err("this line is an unresolved merge conflict".to_string());
        }
        let words = words(line).ok_or("a quoted word is not a valid JSON string")?;
        // The header ends with the flags. After that, any word may be an id.
        if self.flags.is_some() {
            let (id, locked) = prompt(&words, self.agents.is_some())?;
            return match self.prompts.insert(id.clone(), locked) {
                None => Ok(()),
                Some(_) => Err(format!("duplicate prompt `{id}`")),
            };
        }
        let (key, values) = words.split_first().ok_or("this line is blank")?;
        match (key.as_str(), values) {
            ("protocol", [name]) => self.protocol = Some(name.clone()),
            ("tokenizer", [name]) => {
                self.tokenizer = Some(name.parse().map_err(|_| {
                    let known = crate::text::words::words::<Tokenizer>().join(", ");
                    format!("unknown tokenizer `{name}`; use one of: {known}")
                })?)
            }
            ("tiers", labels) => self.tiers = Some(labels.to_vec()),
            ("agents", agents) => self.agents = Some(agents.to_vec()),
            ("flags", flags) => self.flags = Some(flags.to_vec()),
            _ => return Err(format!("invalid line `{key}`")),
        }
        Ok(())
    }

    fn finish(self) -> Result<Lock, String> {
        let missing = |what: &str| format!("the line `{what}` is missing");
        Ok(Lock {
            setup: match self.agents {
                Some(agents) => LockSetup { agents, ..LockSetup::default() },
                None => LockSetup {
                    protocol: Some(self.protocol.ok_or_else(|| missing("protocol"))?),
                    tiers: self.tiers.ok_or_else(|| missing("tiers"))?,
                    agents: Vec::new(),
                },
            },
            tokenizer: self.tokenizer.ok_or_else(|| missing("tokenizer"))?,
            flags: self.flags.ok_or_else(|| missing("flags"))?,
            prompts: self.prompts,
        })
    }
}

fn prompt(words: &[String], is_of_agent: bool) -> Result<(String, Locked), String> {
    let wrong =
        || "expected an id, the tokens and digest of the messages, then those of the tools or files".to_string();
    let [id, tokens, sha256, second @ ..] = words else { return Err(wrong()) };
    let second = match second {
        second if *second == NO_TOOLS => None,
        [tokens, sha256] => Some(digest(tokens, sha256).ok_or_else(wrong)?),
        _ => return Err(wrong()),
    };
    let (tools, files) = if is_of_agent { (None, second) } else { (second, None) };
    Ok((id.clone(), Locked { messages: digest(tokens, sha256).ok_or_else(wrong)?, tools, files }))
}

fn digest(tokens: &str, sha256: &str) -> Option<Digest> {
    let is_digest = sha256.len() == 64 && sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let tokens = tokens.parse().ok().filter(|&tokens| tokens <= MOST_TOKENS)?;
    is_digest.then(|| Digest { sha256: sha256.to_string(), tokens })
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '"';
    // A word that would begin a comment or a conflict marker.
    let is_other = word.starts_with(['#', '<', '|', '=', '>']);
    if !word.is_empty() && !is_other && word.chars().all(is_plain) {
        return word.to_string();
    }
    serde_json::Value::from(word).to_string()
}

/// The words of a line; `None` if a quoted word is invalid.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = if rest.starts_with('"') {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            words.push(values.next()?.ok()?);
            values.byte_offset()
        } else {
            let end = rest.find(' ').unwrap_or(rest.len());
            words.push(rest[..end].to_string());
            end
        };
        rest = &rest[end..];
        rest = match rest.strip_prefix(' ') {
            Some(next) if !next.is_empty() => next,
            None if rest.is_empty() => rest,
            _ => return None,
        };
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::answer::lock::testing::{lock, prompt};
    use crate::diagnostic::Location;

    fn text(lock: &Lock) -> String {
        let mut out = Vec::new();
        write(lock, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn parsed(text: &str) -> Result<Lock, Diagnostic> {
        read(&Source::read("".into(), "rye-render.lock", text.as_bytes().to_vec()).unwrap())
    }

    /// The message and the line.
    fn refused(text: &str) -> (String, usize) {
        let error = parsed(text).unwrap_err();
        let Some(Location::Span(span)) = &error.at else { panic!("{error:?}") };
        (error.message(), span.line())
    }

    #[test]
    fn each_prompt_is_one_line() {
        let lock = Lock {
            flags: vec!["--model sonnet".to_string()],
            ..lock(&[("b", prompt(1214, Some(2))), ("a c", prompt(0, None))])
        };
        let (zero, two) = ("0".repeat(64), format!("{:0>64}", 2));
        let expected = format!(
            "rye-render.lock/1\n{COMMENT}\nprotocol rye-3\ntokenizer chars4\ntiers project builtin\n\
             flags \"--model sonnet\"\n\n\"a c\" 0 {zero} - -\nb 1214 {:0>64} 2 {two}\n",
            1214
        );
        assert_eq!(text(&lock), expected);
        assert_eq!(parsed(&expected).unwrap(), lock);
        assert_eq!(parsed(&expected.replace('\n', "\r\n")).unwrap(), lock, "a checkout may convert newlines");
    }

    #[test]
    fn a_lock_of_agents_has_digests_of_files() {
        let Locked { messages, tools, .. } = prompt(12, Some(3));
        let lock = Lock {
            setup: LockSetup { agents: vec!["codex@0.169.0".to_string(), "sf".to_string()], ..LockSetup::default() },
            ..lock(&[("codex api", Locked { messages, tools: None, files: tools })])
        };
        let expected = format!(
            "rye-render.lock/1\n{COMMENT}\ntokenizer chars4\nagents codex@0.169.0 sf\nflags\n\n\
             \"codex api\" 12 {:0>64} 3 {:0>64}\n",
            12, 3
        );
        assert_eq!(text(&lock), expected);
        assert_eq!(parsed(&expected).unwrap(), lock);
    }

    #[test]
    fn every_error_names_its_line() {
        let good = text(&lock(&[("a", prompt(1, None))]));
        let digest = format!("{:0>64}", 1);
        let of = |from: &str, to: &str| refused(&good.replace(from, to));
        assert_eq!(refused("").0, "not a prompt lock: the first line is not rye-render.lock/1");
        let newer = "the lock has the format rye-render.lock/2, but this rye-render reads rye-render.lock/1";
        assert_eq!(of("lock/1", "lock/2"), (newer.to_string(), 1));
        assert_eq!(of("\n\na", "\n\n<<<<<<< HEAD\na"), ("this line is an unresolved merge conflict".to_string(), 8));
        assert_eq!(of("a 1", "a x").1, 8);
        assert_eq!(of("a 1", "a 18446744073709551615").1, 8);
        assert_eq!(of(&digest, &digest[1..]).1, 8);
        assert_eq!(of("a 1", "\"a 1").0, "a quoted word is not a valid JSON string");
        assert_eq!(of(" - -\n", " - -\na 1 x - -\n").1, 9);
        let twice = good.clone() + good.lines().last().unwrap() + "\n";
        assert_eq!(refused(&twice), ("duplicate prompt `a`".to_string(), 9));
        assert_eq!(of("tokenizer chars4\n", ""), ("the line `tokenizer` is missing".to_string(), 1));
        assert_eq!(of("chars4", "chars5").1, 4);
        assert_eq!(of("protocol", "protokoll").1, 3);
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(ids in proptest::collection::btree_set("\\PC{1,8}|[a-z \"\\n\\u{85}#-]{1,8}", 0..8)) {
            let prompts: Vec<_> = ids.iter().map(|id| (id.as_str(), prompt(id.len(), Some(1)))).collect();
            let lock = lock(&prompts);
            prop_assert_eq!(parsed(&text(&lock)).unwrap(), lock);
        }

        #[test]
        fn no_text_causes_a_panic(text in "(rye-render.lock/1\n)?(\\PC|[ \"\n]){0,80}") {
            let _ = parsed(&text);
        }
    }
}
