//! What a skill or command says about itself.

use std::sync::LazyLock;

use regex::Regex;

use crate::agents::claude_code::front_matter::SplitText;
use crate::agents::ecmascript::{self, TextStart};
use crate::text::{Span, Traced, constant_pattern};

/// In UTF-16 units.
const LONGEST: usize = 1_536;
const LONGEST_FIRST_LINE: usize = 100;

/// `nothing` stands for a file without any text. Older releases keep line breaks and tags (`is_cleaned`).
pub(super) fn of(front: &SplitText, nothing: &'static str, is_cleaned: bool) -> Traced {
    let given = front.scalar("description").map(|given| ecmascript::trimmed(&given)).filter(|given| !given.is_empty());
    let mut description = given.unwrap_or_else(|| first_line(&front.body, nothing));
    if let Some(when) = front.scalar("when_to_use").filter(|when| !when.is_empty()) {
        description.push_protocol(" - ").push(&when);
    }
    let description = if is_cleaned { cleaned(&description) } else { description };
    shortened(description, LONGEST, "…")
}

/// The first line that is not blank, without the marks of a heading.
fn first_line(body: &Span, nothing: &'static str) -> Traced {
    let text = body.text().trim_start_matches(ecmascript::is_white_space);
    let start = body.text().len() - text.len();
    let line = ecmascript::trim(text.split('\n').next().unwrap_or_default());
    let unmarked = line.trim_start_matches('#').trim_start_matches(ecmascript::is_white_space);
    let marks = &line[..line.len() - unmarked.len()];
    let is_heading = marks.starts_with('#') && marks.ends_with(ecmascript::is_white_space);
    let skipped = if is_heading { marks.len() } else { 0 };
    match line {
        "" => Traced::protocol(nothing),
        _ => shortened(Traced::raw(&body.slice(start + skipped..start + line.len())), LONGEST_FIRST_LINE, "..."),
    }
}

/// Without control and format characters, which would break the line, and without tags.
fn cleaned(value: &Traced) -> Traced {
    static REPLACED: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+|[<>]"));
    value.replace_all(&REPLACED, |found| match found {
        "<" => "&lt;",
        ">" => "&gt;",
        _ => " ",
    })
}

/// A text of more than `most` UTF-16 units, cut so that it has as many with the mark.
fn shortened(value: Traced, most: usize, mark: &str) -> Traced {
    if ecmascript::length(value.text()) <= most {
        return value;
    }
    let mut cut = TextStart::of(value.text(), most - ecmascript::length(mark)).take(&value);
    cut.push_protocol(mark);
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    fn description(text: &str) -> String {
        let source = Source::read_raw(None, "cwd".into(), "/x/SKILL.md", text.as_bytes());
        of(&SplitText::read(&source.whole()), "Skill", true).text().to_string()
    }

    #[test]
    fn the_first_line_stands_for_a_missing_description() {
        for (body, expected) in [
            ("", "Skill"),
            (" \n\r\n", "Skill"),
            ("\n  ## A heading \r\nmore", "A heading"),
            ("#tag", "#tag"),
            ("#", "#"),
            ("# # b", "# b"),
        ] {
            assert_eq!(description(body), expected, "{body:?}");
            assert_eq!(description(&format!("---\ndescription: ' '\n---\n{body}")), expected, "{body:?}");
        }
        assert_eq!(description(&"a".repeat(100)), "a".repeat(100));
        assert_eq!(description(&"a".repeat(101)), format!("{}...", "a".repeat(97)));
    }

    #[test]
    fn a_description_is_one_line_without_tags() {
        let text = "---\ndescription: \"\\n a\\t\\u200b\\u2028b\\u00a0 <c> & d\\n\"\nwhen_to_use: ' x '\n---\n";
        assert_eq!(description(text), "a b\u{a0} &lt;c&gt; & d -  x ");
    }

    #[test]
    fn a_long_description_is_cut() {
        let of = |text: &str| description(&format!("---\ndescription: {text}\n---\n"));
        assert_eq!(of(&"a".repeat(1_536)), "a".repeat(1_536));
        assert_eq!(of(&"a".repeat(1_537)), format!("{}…", "a".repeat(1_535)));
        assert_eq!(of(&"😀".repeat(769)), format!("{}\u{fffd}…", "😀".repeat(767)));
    }
}
