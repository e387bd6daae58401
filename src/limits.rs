//! How much a project of strangers may ask of the program: what one prompt, one file or one command may hold. More is an
//! error that names the limit; `docs/limits.md` has the table of all of them.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Source;
use crate::value::beyond;

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

/// The most placeholders that are filled in in one text: each leaves segments with origins of their own.
pub const PLACEHOLDERS: usize = 200_000;

/// The most inputs or variables that a file gives.
pub const INPUTS: usize = 100_000;

/// The most bytes of a lock or a baseline, which has a line for each prompt or finding.
pub const LIST_BYTES: u64 = 40_000_000;

/// The most messages of a thread, given or sent.
pub const MESSAGES: usize = 25_000;

/// The most keys and values of JSON in a file whose values are kept: inputs, tools, what extensions do.
pub const JSON_VALUES: usize = 250_000;

/// The same in what was saved or sent, of which most is read over.
pub const SENT_VALUES: usize = 500_000;

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
pub fn over(source: &Arc<Source>, most: usize, of: &'static str, at: usize) -> Diagnostic {
    Diagnostic::at(Problem::OverLimit { limit: most as u64, of }, source.span(at..at))
}

/// What whoever lets a file be larger lets it have, too: lines that have room in it.
pub fn lines(max_item_size: u64) -> usize {
    LINES.max(usize::try_from(max_item_size / 16).unwrap_or(usize::MAX))
}

/// The same of all files of a prompt.
pub fn prompt_bytes(max_item_size: u64) -> u64 {
    PROMPT_BYTES.max(max_item_size.saturating_mul(3))
}

/// The same of all files of a tier.
pub fn tier_bytes(max_item_size: u64) -> u64 {
    TIER_BYTES.max(max_item_size.saturating_mul(6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Work;
    use crate::tokens::thousands;

    #[test]
    fn a_larger_file_raises_what_is_about_files() {
        assert_eq!((lines(1), prompt_bytes(1), tier_bytes(1)), (LINES, PROMPT_BYTES, TIER_BYTES));
        assert_eq!((lines(160_000_000), prompt_bytes(160_000_000)), (10_000_000, 480_000_000));
        assert_eq!(tier_bytes(u64::MAX), u64::MAX);
    }

    #[test]
    fn the_page_has_them() {
        let page = include_str!("../docs/limits.md");
        for (what, limit) in [
            ("lines of a file", LINES),
            ("bytes in all files of a prompt", PROMPT_BYTES as usize),
            ("bytes in all files of a tier, for `lint`", TIER_BYTES as usize),
            ("directives in the chains of all prompts together, for `lock` and `render --all`", CHAINED),
            ("the same for `lint`", LINT_CHAINED),
            ("placeholders that are filled in, in one text", PLACEHOLDERS),
            ("inputs or variables that a file gives", INPUTS),
            ("bytes of a lock or a baseline", LIST_BYTES as usize),
            ("messages of a thread", MESSAGES),
            ("keys and values of JSON in a file of inputs, tools or extensions", JSON_VALUES),
            ("keys and values of JSON in what was saved or sent", SENT_VALUES),
            ("characters that the conditions of one event look at", Work::MOST),
            ("characters that one pattern looks at that goes back", Work::MOST / 4),
        ] {
            let row = format!("| {what} | {}", thousands(limit));
            assert!(page.contains(&row), "{row}");
        }
        assert_eq!(page.matches(&format!("or {CHAINED_EACH} for each")).count(), 2);
    }
}
