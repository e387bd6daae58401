//! Limits that protect the program from hostile or runaway projects. Exceeding one is an error that names it;
//! `docs/limits.md` lists them. The limit of a single search or view is declared where it is used.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Source;

pub const FILE_BYTES: u64 = 16_000_000;
/// No flag raises the limit above it; a place in a file has 32 bits.
pub const MOST_FILE_BYTES: u64 = 4_000_000_000;
const _: () = assert!(MOST_FILE_BYTES <= u32::MAX as u64);
pub const PROTOCOL_BYTES: u64 = 1_000_000;

/// The body of a request that `record` answers.
pub const REQUEST_BYTES: usize = 32_000_000;

/// The size of a lock or a baseline, which the program itself wrote for a whole project.
pub const WRITTEN_BYTES: u64 = 30_000_000;

/// Per file.
pub const LINES: usize = 1_000_000;

/// In all files of one prompt. The text of a prompt is held several times.
pub const PROMPT_BYTES: u64 = 50_000_000;

/// In all files of a tier, for a command that keeps everything it reads.
pub const TIER_BYTES: u64 = 100_000_000;

/// Directives in the chains of all prompts, for a command that assembles every prompt: a chain of twenty thousand
/// adds up to two hundred million.
pub const CHAINED: usize = 100_000;

/// Raises the limit in large projects: at least this many per directive.
pub const CHAINED_EACH: usize = 100;

/// [`CHAINED`] for `lint`, which reads chains but assembles no prompt.
pub const LINT_CHAINED: usize = 2_000_000;

/// Items in the `<context>` of a directive, and capabilities in its `<permissions>`: each is searched for in all tiers,
/// and may cause a finding.
pub const REQUESTED_ITEMS: usize = 20_000;

/// Per text: each placeholder adds segments with origins.
pub const PLACEHOLDERS: usize = 200_000;

/// The size of a text after replacing placeholders: a value may be much longer than its placeholder.
pub const FILLED_BYTES: usize = 64 << 20;

/// Inputs or variables in a file.
pub const INPUTS: usize = 100_000;

/// Per thread.
pub const MESSAGES: usize = 25_000;

/// Layers, messages and tools in all user prompts together, if extensions change each.
pub const TURN_PARTS: usize = 200_000;
pub const TURN_BYTES: u64 = PROMPT_BYTES;

/// JSON keys and values in a file whose values are kept: inputs and tools.
pub const JSON_VALUES: usize = 250_000;

/// JSON keys and values in a saved or sent prompt, most of which are skipped.
pub const SENT_VALUES: usize = 500_000;

/// Characters that all conditions of an event may inspect: about a second for the worst patterns, and enough for ten
/// thousand hooks with an ordinary pattern each.
pub const CONDITION_WORK: usize = 1 << 28;

/// The share of [`CONDITION_WORK`] for one pattern that backtracks.
pub const PATTERN_WORK: usize = CONDITION_WORK / 4;
pub const PATTERN_BYTES: usize = 2_000;

/// The size of one compiled part of a pattern.
pub const COMPILED_BYTES: usize = 2 << 20;

/// For a pattern that backtracks.
pub const PATTERN_INSTRUCTIONS: usize = 20_000;

/// Deeper conditions are false, because `any`, `all` and `not` recurse.
pub const CONDITION_LEVELS: usize = 100;

pub const XML_LEVELS: usize = 1_000;

/// Tags, attributes, references, comments and texts of a document: each may take more memory than its text.
pub const XML_PARTS: usize = 200_000;

/// The size of an item's YAML, and separately of everything that its anchors and aliases repeat.
pub const YAML_BYTES: usize = 1_000_000;

/// Including keys.
pub const YAML_VALUES: usize = 100_000;

/// In an item. The parser itself stops at 255 brackets, PyYAML near 490.
pub const YAML_LEVELS: usize = 250;

/// In settings and files that flags name.
pub const YAML_LEVELS_OTHER_FILES: usize = 100;

/// Nested brackets in a literal of a tool, as in Python.
pub const LITERAL_LEVELS: usize = 200;

/// A longer guideline is not compared with others.
pub const GUIDELINE_BYTES: usize = 10_000;

/// In an integer, as in Python.
pub const DIGITS: usize = 4_300;

/// In all folders searched for skills: a link can lead to a whole disk, and git trees can name even more files.
pub const SKILL_NAMES: usize = 100_000;

/// Folders searched from an agent's working folder downwards.
pub const FOLDERS_BELOW: usize = 2_000;

/// Files and folders per search for the items of a kind.
pub const SEARCHED: usize = 100_000;

/// Files and folders of a project that `lint` lists.
pub const LISTED: usize = 1_000_000;

pub const OF_A_TIER: &str = "bytes in all files of a tier";

/// # Errors
/// The thread has more than [`MESSAGES`] messages.
pub fn messages(source: &Arc<Source>, count: usize) -> Result<(), Diagnostic> {
    if count <= MESSAGES { Ok(()) } else { Err(over(source, MESSAGES, "messages", 0)) }
}

/// Checks a JSON file before any of it is kept: a value takes hundreds of bytes.
///
/// # Errors
/// It has more than `most` keys and values.
pub fn json(source: &Arc<Source>, most: usize) -> Result<(), Diagnostic> {
    match beyond(source.text(), most) {
        Some(at) => Err(over(source, most, "keys and values", at)),
        None => Ok(()),
    }
}

/// The offset of the first key or value beyond the limit; approximate for invalid JSON. Only scans bytes, since a
/// parsed value takes hundreds of bytes of memory.
fn beyond(text: &str, most: usize) -> Option<usize> {
    let mut left = most;
    let (mut in_string, mut is_escaped, mut is_next) = (false, false, true);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            (in_string, is_escaped) = (is_escaped || byte != b'"', !is_escaped && byte == b'\\');
            continue;
        }
        if byte.is_ascii_whitespace() {
            continue;
        }
        if is_next && !matches!(byte, b']' | b'}') {
            if left == 0 {
                return Some(at);
            }
            left -= 1;
        }
        is_next = matches!(byte, b'[' | b'{' | b',' | b':');
        in_string = byte == b'"';
    }
    None
}

/// The error that a file exceeds a limit at an offset.
pub fn over(source: &Arc<Source>, most: usize, unit: &'static str, at: usize) -> Diagnostic {
    Diagnostic::at(Problem::OverLimit { limit: most as u64, unit }, source.span(at..at))
}

pub fn too_many_lines(text: &str, max_item_size: u64) -> Option<Problem> {
    let most = lines(max_item_size);
    let is_over = text.len() > most && text.bytes().filter(|&byte| byte == b'\n').count() > most;
    is_over.then_some(Problem::OverLimit { limit: most as u64, unit: "lines" })
}

/// Checks all user prompts together.
pub fn too_large_for_turns(parts: usize, bytes: u64) -> Option<Problem> {
    let over = |limit, unit| Some(Problem::OverLimit { limit, unit });
    match (parts > TURN_PARTS, bytes > TURN_BYTES) {
        (true, _) => over(TURN_PARTS as u64, "layers, messages and tools in all user prompts together"),
        (_, true) => over(TURN_BYTES, "bytes in all user prompts together"),
        _ => None,
    }
}

pub fn too_large_for_a_prompt(bytes: u64, max_item_size: u64) -> Option<Problem> {
    let limit = prompt_bytes(max_item_size);
    (bytes > limit).then_some(Problem::OverLimit { limit, unit: "bytes in all files of a prompt" })
}

pub fn too_large_for_a_tier(bytes: u64, max_item_size: u64) -> Option<Problem> {
    let limit = tier_bytes(max_item_size);
    (bytes > limit).then_some(Problem::OverLimit { limit, unit: OF_A_TIER })
}

// A larger --max-item-size raises the limits that depend on the size of files.

fn lines(max_item_size: u64) -> usize {
    LINES.max(usize::try_from(max_item_size / 16).unwrap_or(usize::MAX))
}

fn prompt_bytes(max_item_size: u64) -> u64 {
    PROMPT_BYTES.max(max_item_size.saturating_mul(3))
}

fn tier_bytes(max_item_size: u64) -> u64 {
    TIER_BYTES.max(max_item_size.saturating_mul(6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::numbers::thousands;

    #[test]
    fn a_larger_item_size_raises_the_limits_of_files() {
        assert_eq!((lines(1), prompt_bytes(1), tier_bytes(1)), (LINES, PROMPT_BYTES, TIER_BYTES));
        assert_eq!((lines(160_000_000), prompt_bytes(160_000_000)), (10_000_000, 480_000_000));
        assert_eq!(tier_bytes(u64::MAX), u64::MAX);
    }

    /// The first two columns of the page.
    #[test]
    fn the_page_lists_the_limits() {
        let number = |limit: usize| thousands(limit);
        let bytes = |limit: u64| thousands(limit as usize);
        let or_each =
            |limit: usize, each: &str| format!("{} or {CHAINED_EACH} per {each}, whichever is more", thousands(limit));
        let rows = [
            ("bytes of a file", bytes(FILE_BYTES)),
            ("lines of a file", number(LINES)),
            ("bytes in all files of a prompt", bytes(PROMPT_BYTES)),
            ("bytes in all files of a tier, for `lint`", bytes(TIER_BYTES)),
            (
                "directives in all extends chains together, for `lock`, `render --all` and `diff --all`",
                or_each(CHAINED, "directive"),
            ),
            ("directives in all extends chains together, for `lint`", or_each(LINT_CHAINED, "file")),
            ("items in `<context>`, and capabilities in `<permissions>`", number(REQUESTED_ITEMS)),
            ("placeholders replaced in one text", number(PLACEHOLDERS)),
            ("bytes of a text in which placeholders are replaced", number(FILLED_BYTES)),
            ("inputs or variables in a file", number(INPUTS)),
            ("JSON keys and values in a file of inputs or tools", number(JSON_VALUES)),
            ("JSON keys and values in a saved prompt, transcript or request", number(SENT_VALUES)),
            ("messages of a thread", number(MESSAGES)),
            ("layers, messages and tools that extensions produce, for all user prompts", number(TURN_PARTS)),
            ("bytes that extensions produce, for all user prompts", bytes(TURN_BYTES)),
            ("characters examined by the conditions of one event", number(CONDITION_WORK)),
            ("cost of compiling the patterns of a file, in characters, for `lint`", number(CONDITION_WORK)),
            ("characters examined by one backtracking pattern", number(PATTERN_WORK)),
            ("bytes of a pattern", number(PATTERN_BYTES)),
            ("bytes of one compiled part of a pattern", number(COMPILED_BYTES)),
            ("instructions of a backtracking pattern", number(PATTERN_INSTRUCTIONS)),
            ("nesting of conditions", number(CONDITION_LEVELS)),
            ("nesting of XML", number(XML_LEVELS)),
            ("tags, attributes and references in XML", number(XML_PARTS)),
            ("bytes of YAML", number(YAML_BYTES)),
            ("values in YAML, with aliases expanded", number(YAML_VALUES)),
            (
                "nesting of YAML",
                format!("{YAML_LEVELS}; {YAML_LEVELS_OTHER_FILES} for settings and files named by a flag"),
            ),
            // A limit of `serde_json`.
            ("nesting of JSON", number(127)),
            ("nesting of brackets in a tool's literal", number(LITERAL_LEVELS)),
            ("bytes of a guideline that `lint` compares with others", number(GUIDELINE_BYTES)),
            ("digits of an integer", number(DIGITS)),
            (
                "bytes of a file named by a flag",
                format!(
                    "{}; {} for a protocol file; {} for a lock or a baseline",
                    bytes(FILE_BYTES),
                    bytes(PROTOCOL_BYTES),
                    bytes(WRITTEN_BYTES)
                ),
            ),
            ("bytes of a request that `record` answers", number(REQUEST_BYTES)),
            ("files and folders searched for skills, with each ignore pattern counted as ten", number(SKILL_NAMES)),
            ("files and folders searched for items of one kind, per tier", number(SEARCHED)),
            ("files and folders of a project that `lint` lists", number(LISTED)),
        ];
        let page = include_str!("../../docs/limits.md").lines().filter_map(|line| line.strip_prefix("| "));
        let page: Vec<(&str, &str)> = page
            .skip(2)
            .map(|row| {
                let mut cells = row.split(" | ");
                (cells.next().unwrap(), cells.next().unwrap())
            })
            .collect();
        let rows: Vec<(&str, &str)> = rows.iter().map(|(what, most)| (*what, most.as_str())).collect();
        assert_eq!(page, rows);
    }

    #[test]
    fn only_keys_and_values_are_counted() {
        for (text, count) in [
            ("", 0),
            ("1", 1),
            (" [ ] ", 1),
            ("{}", 1),
            ("[{}, {}]", 3),
            (r#"{"a": 1}"#, 3),
            (r#"{"a": [1, "b"], "c": {}}"#, 7),
            (r#"["[1, 2]", "\"{,", "\\", "é"]"#, 5),
            ("[\n  -1.5e3,\n  true,\n  null\n]\n", 4),
        ] {
            assert_eq!(beyond(text, count), None, "{text}");
            let last = count.checked_sub(1).and_then(|most| beyond(text, most));
            assert_eq!(last.is_some(), count > 0, "{text}");
        }
    }

    #[test]
    fn the_offset_is_that_of_the_first_part_beyond_the_limit() {
        let text = r#"{"a": [1, "b"]}"#;
        let places: Vec<_> = (0..5).map(|most| beyond(text, most).map(|at| &text[at..])).collect();
        assert_eq!(places, [Some(text), Some(&text[1..]), Some(&text[6..]), Some(&text[7..]), Some(&text[10..])]);
    }
}
