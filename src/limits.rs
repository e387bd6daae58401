//! How much a project of strangers may ask of the program: what one prompt, one file or one command may hold. More is an
//! error that names the limit; `docs/limits.md` has the table of these. A bound of one search or one view stands where it is
//! used.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Source;
use crate::value::beyond;

/// The most bytes of a file.
pub const FILE_BYTES: u64 = 16_000_000;

/// The most bytes of a file that defines a protocol.
pub const PROTOCOL_BYTES: u64 = 1_000_000;

/// The most bytes of a file that the program wrote itself, for all items of a project.
pub const WRITTEN_BYTES: u64 = 30_000_000;

/// The most lines of a file.
pub const LINES: usize = 1_000_000;

/// The most bytes in all files of a prompt that is asked for alone. The text of a prompt is held a few times over.
pub const PROMPT_BYTES: u64 = 50_000_000;

/// The most bytes in all files of a tier where a command keeps all that it reads.
pub const TIER_BYTES: u64 = 100_000_000;

/// The most directives in the chains of all prompts, for a command that puts every prompt together: a chain of twenty
/// thousand stands in two hundred million places.
pub const CHAINED: usize = 100_000;

/// What is allowed for each directive, where that comes to more: large projects have chains of a usual length.
pub const CHAINED_EACH: usize = 100;

/// The same for `lint`, which looks at what a chain says and puts no prompt together.
pub const LINT_CHAINED: usize = 2_000_000;

/// The most items in the `<context>` of a directive, and capabilities in its `<permissions>`: each is looked for in all
/// tiers, and each may be a finding.
pub const ASKED: usize = 20_000;

/// The most placeholders that are filled in in one text: each leaves segments with origins of their own.
pub const PLACEHOLDERS: usize = 200_000;

/// The most bytes that they may make of a text: a placeholder is shorter than its value, and a file from strangers may
/// hold millions of them.
pub const FILLED_BYTES: usize = 64 << 20;

/// The most inputs or variables that a file gives.
pub const INPUTS: usize = 100_000;

/// The most messages of a thread, given or sent.
pub const MESSAGES: usize = 25_000;

/// The most layers, messages and tools in what all prompts of the user get, where extensions change each.
pub const TURN_PARTS: usize = 200_000;

/// The most bytes in all of them.
pub const TURN_BYTES: u64 = PROMPT_BYTES;

/// The most keys and values of JSON in a file whose values are kept: inputs and tools.
pub const JSON_VALUES: usize = 250_000;

/// The same in what was saved or sent, of which most is read over.
pub const SENT_VALUES: usize = 500_000;

/// What all conditions of an event may cost together, in characters that are looked at: about a second of patterns that
/// are as bad as can be, and ten thousand hooks with a pattern each that people write.
pub const CONDITION_WORK: usize = 1 << 28;

/// How much of it one pattern may take that goes back.
pub const PATTERN_WORK: usize = CONDITION_WORK / 4;

/// The most bytes of a pattern.
pub const PATTERN_BYTES: usize = 2_000;

/// The most bytes of what one piece of a pattern is compiled to.
pub const COMPILED_BYTES: usize = 2 << 20;

/// The most instructions of a pattern that goes back.
pub const PATTERN_INSTRUCTIONS: usize = 20_000;

/// Conditions nested deeper are false: `any`, `all` and `not` call each other.
pub const CONDITION_LEVELS: usize = 100;

/// How deep elements of XML may nest.
pub const XML_LEVELS: usize = 1_000;

/// How many pieces a document may fall into: tags, attributes, references, comments, the text between them. Each can
/// take more memory than it has bytes.
pub const XML_PARTS: usize = 200_000;

/// The most bytes of YAML in an item, and likewise of all that its anchors and aliases repeat.
pub const YAML_BYTES: usize = 1_000_000;

/// The most values of YAML, keys included.
pub const YAML_VALUES: usize = 100_000;

/// The most collections within collections of YAML in an item. The parser itself stops at 255 brackets, PyYAML near 490.
pub const YAML_LEVELS: usize = 250;

/// The same of what is no item: settings, and files that flags name.
pub const YAML_LEVELS_BESIDE: usize = 100;

/// How deep brackets of a literal in a tool may nest; Python refuses more than that too.
pub const LITERAL_LEVELS: usize = 200;

/// The most bytes of a guideline: nobody says so much twice, and its words are kept.
pub const GUIDELINE_BYTES: usize = 10_000;

/// The most digits of an integer: Python converts no more.
pub const DIGITS: usize = 4_300;

/// The most names in all folders that are searched for skills: a link can lead to a whole disk, and a few objects of git
/// can stand for more files than any disk holds.
pub const SKILL_NAMES: usize = 100_000;

/// The most files and folders that a search for the items of a kind looks at.
pub const SEARCHED: usize = 100_000;

/// The most files and folders of a project that `lint` lists.
pub const LISTED: usize = 1_000_000;

/// What there is too much of in a tier.
pub const OF_A_TIER: &str = "bytes in all files of a tier";

/// Refuses a thread of more messages than a prompt holds.
///
/// # Errors
/// It has more.
pub fn messages(source: &Arc<Source>, count: usize) -> Result<(), Diagnostic> {
    if count <= MESSAGES {
        return Ok(());
    }
    Err(over(source, MESSAGES, "messages", 0))
}

/// Refuses a file of JSON before anything of it is kept: a value takes hundreds of bytes.
///
/// # Errors
/// It holds more keys and values.
pub fn json(source: &Arc<Source>, most: usize) -> Result<(), Diagnostic> {
    match beyond(source.text(), most) {
        Some(at) => Err(over(source, most, "keys and values", at)),
        None => Ok(()),
    }
}

/// A file has more of something than it may, at an offset.
pub fn over(source: &Arc<Source>, most: usize, unit: &'static str, at: usize) -> Diagnostic {
    Diagnostic::at(Problem::OverLimit { limit: most as u64, unit }, source.span(at..at))
}

/// What is wrong with a text of more lines than a file may have.
pub fn too_many_lines(text: &str, max_item_size: u64) -> Option<Problem> {
    let most = lines(max_item_size);
    let is_over = text.len() > most && text.bytes().filter(|&byte| byte == b'\n').count() > most;
    is_over.then_some(Problem::OverLimit { limit: most as u64, unit: "lines" })
}

/// What is wrong with so much in what all prompts of the user get.
pub fn too_large_for_turns(parts: usize, bytes: u64) -> Option<Problem> {
    let over = |limit, unit| Some(Problem::OverLimit { limit, unit });
    match (parts > TURN_PARTS, bytes > TURN_BYTES) {
        (true, _) => over(TURN_PARTS as u64, "layers, messages and tools in all prompts of the user together"),
        (_, true) => over(TURN_BYTES, "bytes in all prompts of the user together"),
        _ => None,
    }
}

/// What is wrong with so many bytes in all files of a prompt.
pub fn too_large_for_a_prompt(bytes: u64, max_item_size: u64) -> Option<Problem> {
    let limit = prompt_bytes(max_item_size);
    (bytes > limit).then_some(Problem::OverLimit { limit, unit: "bytes in all files of a prompt" })
}

/// What is wrong with so many bytes in all files of a tier.
pub fn too_large_for_a_tier(bytes: u64, max_item_size: u64) -> Option<Problem> {
    let limit = tier_bytes(max_item_size);
    (bytes > limit).then_some(Problem::OverLimit { limit, unit: OF_A_TIER })
}

/// What whoever lets a file be larger lets it have, too: lines that have room in it.
fn lines(max_item_size: u64) -> usize {
    LINES.max(usize::try_from(max_item_size / 16).unwrap_or(usize::MAX))
}

/// The same of all files of a prompt.
fn prompt_bytes(max_item_size: u64) -> u64 {
    PROMPT_BYTES.max(max_item_size.saturating_mul(3))
}

/// The same of all files of a tier.
fn tier_bytes(max_item_size: u64) -> u64 {
    TIER_BYTES.max(max_item_size.saturating_mul(6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::thousands;

    #[test]
    fn a_larger_file_raises_what_is_about_files() {
        assert_eq!((lines(1), prompt_bytes(1), tier_bytes(1)), (LINES, PROMPT_BYTES, TIER_BYTES));
        assert_eq!((lines(160_000_000), prompt_bytes(160_000_000)), (10_000_000, 480_000_000));
        assert_eq!(tier_bytes(u64::MAX), u64::MAX);
    }

    /// What stands in the second column of the page, for each row that the program decides.
    #[test]
    fn the_page_has_them() {
        let number = |limit: usize| thousands(limit);
        let bytes = |limit: u64| thousands(limit as usize);
        let or_each = |limit: usize, each: &str| format!("{}, or {CHAINED_EACH} for each {each}", thousands(limit));
        let rows = [
            ("bytes of a file", bytes(FILE_BYTES)),
            ("lines of a file", number(LINES)),
            ("bytes in all files of a prompt", bytes(PROMPT_BYTES)),
            ("bytes in all files of a tier, for `lint`", bytes(TIER_BYTES)),
            (
                "directives in the chains of all prompts together, for `lock`, `render --all` and, of those that a change \
                 reaches, `diff --all`",
                or_each(CHAINED, "directive"),
            ),
            ("the same for `lint`", or_each(LINT_CHAINED, "file")),
            ("items in `<context>`, and capabilities in `<permissions>`", number(ASKED)),
            ("placeholders that are filled in, in one text", number(PLACEHOLDERS)),
            ("bytes of a text in which they are filled in", number(FILLED_BYTES)),
            ("inputs or variables that a file gives", number(INPUTS)),
            ("keys and values of JSON in a file of inputs or tools", number(JSON_VALUES)),
            ("keys and values of JSON in what was saved or sent", number(SENT_VALUES)),
            ("messages of a thread", number(MESSAGES)),
            ("layers, messages and tools in what extensions make of all prompts of the user", number(TURN_PARTS)),
            ("bytes in them", bytes(TURN_BYTES)),
            ("characters that the conditions of one event look at", number(CONDITION_WORK)),
            ("characters that the patterns of a file take to compile, for `lint`", number(CONDITION_WORK)),
            ("characters that one pattern looks at that goes back", number(PATTERN_WORK)),
            ("bytes of a pattern", number(PATTERN_BYTES)),
            ("bytes of what one piece of a pattern is compiled to", number(COMPILED_BYTES)),
            ("instructions of a pattern that goes back", number(PATTERN_INSTRUCTIONS)),
            ("levels of conditions", number(CONDITION_LEVELS)),
            ("levels of XML", number(XML_LEVELS)),
            ("tags, attributes and references of XML", number(XML_PARTS)),
            ("bytes of YAML", number(YAML_BYTES)),
            ("values of YAML, counting again what aliases repeat", number(YAML_VALUES)),
            (
                "levels of YAML",
                format!("{YAML_LEVELS}; {YAML_LEVELS_BESIDE} of settings and of a file that a flag names"),
            ),
            // The library's own.
            ("levels of JSON", number(127)),
            ("levels of brackets in a literal of a tool", number(LITERAL_LEVELS)),
            ("bytes of a guideline that is compared, for `lint`", number(GUIDELINE_BYTES)),
            ("digits of an integer", number(DIGITS)),
            (
                "bytes of a file that a flag names",
                format!(
                    "{}; {} of a protocol file; {} of a lock or a baseline",
                    bytes(FILE_BYTES),
                    bytes(PROTOCOL_BYTES),
                    bytes(WRITTEN_BYTES)
                ),
            ),
            (
                "names in all folders that are searched for skills, a pattern of an ignore file counting as ten",
                number(SKILL_NAMES),
            ),
            ("files and folders that are searched for items of a kind, in each tier", number(SEARCHED)),
            ("files and folders of a project that `lint` lists", number(LISTED)),
        ];
        let page = include_str!("../docs/limits.md").lines().filter_map(|line| line.strip_prefix("| "));
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
}
