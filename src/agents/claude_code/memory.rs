//! The memory of a project: the start of `MEMORY.md`.

use super::NAME;
use super::clean::{CleanText, too_much, with_line_feeds};
use super::folders::DecidingFolders;
use super::policy::InstructionPolicy;
use super::settings::{EVERYBODY, OwnedSettings, Owner};
use super::texts::{LARGEST, SLOT};
use crate::agents::ecmascript::trimmed;
use crate::agents::ecmascript::{self, TextStart};
use crate::agents::files::{below, resolved};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, FileState};
use crate::read::store::ReadError;
use crate::read::value::Value;
use crate::read::yaml::YamlData;
use crate::text::Traced;

pub(super) const FILE: &str = "MEMORY.md";
const MOST_LINES: usize = 200;
/// In UTF-16 units.
const MOST_UNITS: usize = 25_000;
const LONGEST_SLUG: usize = 200;

pub(super) struct Memory {
    pub path: String,
    kept: Traced,
    pub state: FileState,
}

impl Memory {
    pub const LABEL: &str = "user's auto-memory, persists across conversations";

    /// The memory, if it has a text and is on. Other files of its folder get their state.
    pub fn find(visit: &mut Visit<'_>, policy: &InstructionPolicy<'_>, settings: &OwnedSettings) -> Option<Self> {
        let folder = folder(policy.folders, settings);
        let path = below(&folder, FILE);
        for entry in visit.files.list(&folder).unwrap_or_default() {
            if entry.name != FILE && entry.is_named && entry.name.ends_with(".md") {
                visit.left_out(SLOT, &below(&folder, &entry.name), FileReason::NotRead, None);
            }
        }
        if !visit.is_file(SLOT, &path) {
            return None;
        }
        let is_on = settings
            .get(&EVERYBODY, "autoMemoryEnabled")
            .is_none_or(|node| !matches!(node.data, YamlData::Scalar(Value::Bool(false))));
        if !is_on || policy.is_off {
            visit.left_out(SLOT, &path, FileReason::Excluded, None);
            return None;
        }
        let bytes = match visit.files.read(&path, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) => {
                let is_large = matches!(error, ReadError::TooLarge(_));
                let why = if is_large { FileReason::TooLarge } else { FileReason::Invalid };
                visit.left_out(SLOT, &path, why, None);
                return None;
            }
        };
        let text = trimmed(&clean(visit, &path, &bytes));
        if text.is_empty() {
            visit.left_out(SLOT, &path, FileReason::Empty, None);
            return None;
        }
        let kept = kept(text.text());
        let (sent, behind) = (text.slice(0..kept.end), text.slice(kept.end..text.len()));
        let end = sent.span().map_or(0, |span| span.slice(span.text().len()..span.text().len()).place().start);
        let state = if behind.is_empty() { FileState::Loaded } else { FileState::Cut(end) };
        if !behind.is_empty() {
            let reason = format!("a memory ends after {MOST_LINES} lines or {MOST_UNITS} characters");
            let problem = Problem::AgentLeavesOut { agent: NAME, reason, help: "move details to other files" };
            let next = behind.text().chars().next().map_or(0, char::len_utf8);
            let at = behind.slice(0..next).span();
            visit.report_near(problem, at);
        }
        Some(Self { path, kept: kept.take(&text), state })
    }

    /// The text, with a warning behind a cut.
    pub fn text(&self, visit: &Visit<'_>) -> Traced {
        let mut text = self.kept.clone();
        if self.state != FileState::Loaded {
            text.push_protocol("\n\n").push(&visit.own("memory_warning"));
        }
        text
    }
}

/// The text without front matter and comments. Unlike in other files, all line ends become LF.
fn clean(visit: &mut Visit<'_>, path: &str, bytes: &[u8]) -> Traced {
    let clean = CleanText::of(visit, path, "memory", bytes);
    if clean.is_too_much {
        visit.diagnostics.push(too_much(path, "memory", visit));
    }
    match clean.text.text().contains('\r') {
        true => Traced::raw(&with_line_feeds(visit, &clean.front.body, bytes)),
        false => clean.text,
    }
}

fn folder(folders: &DecidingFolders, settings: &OwnedSettings) -> String {
    let named = settings.get(&[Owner::User], "autoMemoryDirectory").and_then(|node| node.as_str());
    match named.filter(|named| named.starts_with('/') || named.starts_with("~/")) {
        Some(named) => resolved(named, &folders.cwd, &folders.home),
        None => below(&folders.config, &format!("projects/{}/memory", slug(folders.project()))),
    }
}

/// The name of a project's folder.
fn slug(path: &str) -> String {
    let units: String = path.encode_utf16().map(|unit| plain(unit).unwrap_or('-')).collect();
    if units.len() <= LONGEST_SLUG {
        return units;
    }
    let hash = path.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    format!("{}-{}", &units[..LONGEST_SLUG], base_36(hash.unsigned_abs()))
}

fn plain(unit: u16) -> Option<char> {
    u8::try_from(unit).ok().map(char::from).filter(char::is_ascii_alphanumeric)
}

fn base_36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// What of a text is sent.
fn kept(text: &str) -> TextStart {
    let lines = text.match_indices('\n').nth(MOST_LINES - 1).map_or(text.len(), |(at, _)| at);
    let text = &text[..lines];
    if ecmascript::length(text) <= MOST_UNITS {
        return TextStart { end: lines, has_half: false };
    }
    // A line that ends exactly there is whole.
    let within = &text[..TextStart::of(text, MOST_UNITS + 1).end];
    match within.rfind('\n').filter(|line_end| *line_end > 0) {
        Some(end) => TextStart { end, has_half: false },
        None => TextStart::of(text, MOST_UNITS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_has_a_hash() {
        assert_eq!(slug("/home/a.b/é"), "-home-a-b--");
        let long = format!("/{}", "a".repeat(200));
        assert_eq!(slug(&long), format!("-{}-{}", "a".repeat(199), base_36(hash_of(&long))));
        assert_eq!((base_36(0), base_36(35), base_36(36)), ("0".to_string(), "z".to_string(), "10".to_string()));
    }

    /// As `String.hashCode` of Java.
    fn hash_of(text: &str) -> u32 {
        text.bytes()
            .fold(0i64, |hash, byte| (hash * 31 + i64::from(byte)) % (1 << 32))
            .try_into()
            .map_or(0, |it: u32| it.cast_signed().unsigned_abs())
    }

    #[test]
    fn a_memory_is_cut_at_lines_or_characters() {
        for (text, end) in [
            ("a\n".repeat(200), 399),
            ("a\n".repeat(199), 398),
            ("é".repeat(25_001), 50_000),
            (format!("{}\nb", "a".repeat(25_000)), 25_000),
            (format!("a\n{}", "b".repeat(25_000)), 1),
            (format!("\n{}", "b".repeat(25_000)), 25_000),
        ] {
            assert_eq!(kept(&text), TextStart { end, has_half: false });
        }
        let text = format!("a{}", "😀".repeat(12_500));
        assert_eq!(kept(&text), TextStart { end: 49_997, has_half: true });
    }
}
