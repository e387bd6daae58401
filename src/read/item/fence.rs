use std::sync::Arc;

use memchr::memchr_iter;

use crate::diagnostic::{Diagnostic, NoXmlBlock, Problem};
use crate::text::python::is_blank;
use crate::text::{Source, Span};

/// The parts of a file around its fence, trimmed.
pub(super) struct Fence {
    pub preamble: Span,
    /// From the opening to the closing line, inclusive; not trimmed.
    pub block: Span,
    pub content: Span,
    pub body: Span,
}

pub(super) struct NoFence {
    pub reason: NoXmlBlock,
    pub at: Span,
}

/// Finds the first line of three backticks and `word` outside longer fences, and splits the file there (Directives,
/// "Reading a directive"). Longer fences are counted, not matched: a line that begins with four or more backticks opens
/// one, and if it has no info string, it also closes one. So a single line with an info string hides every later fence,
/// and lines without one hide nothing.
pub(super) fn split(source: &Arc<Source>, word: &str, diagnostics: &mut Vec<Diagnostic>) -> Result<Fence, NoFence> {
    let text = source.text();
    let opens = |line: &str| {
        let rest = line.strip_prefix("```").and_then(|rest| rest.strip_prefix(word));
        rest.is_some_and(is_blank_line)
    };
    let byte_order_mark = text.strip_prefix('\u{feff}');
    let mut hidden_by = None;
    let mut hidden = None;
    // The longer fence that a reader would consider open. By the count, one without an info string is closed.
    let mut around: Option<usize> = None;
    let mut lines = lines(text);
    while let Some(line) = lines.next() {
        let ticks = line.text.bytes().take_while(|&byte| byte == b'`').count();
        if ticks >= 4 {
            let bare = is_blank_line(&line.text[ticks..]);
            if !bare && hidden_by.is_none() {
                hidden_by = Some(line.number);
            }
            around = match around {
                None => Some(ticks),
                Some(open) if bare && ticks >= open => None,
                open => open,
            };
        } else if opens(line.text) {
            let fence = source.span(line.start..line.start + line.text.len());
            if let Some(by) = hidden_by {
                // The intended block is the first one outside longer fences, if any.
                if hidden.is_none() || around.is_none() {
                    hidden = Some(NoFence { reason: NoXmlBlock::Hidden { line: line.number, by }, at: fence });
                }
                if around.is_none() {
                    break;
                }
                continue;
            }
            let Some(end) = lines.find(|line| line.text.strip_prefix("```").is_some_and(is_blank_line)) else {
                return Err(NoFence { reason: NoXmlBlock::NeverClosed { line: line.number }, at: fence });
            };
            if byte_order_mark.is_some() {
                diagnostics.push(Diagnostic::at(Problem::ByteOrderMark, source.span(0..'\u{feff}'.len_utf8())));
            }
            if around.is_some() {
                diagnostics.push(Diagnostic::at(Problem::TransparentFence, fence));
            }
            return Ok(Fence {
                preamble: source.span(0..line.start).trim(),
                block: source.span(line.start..end.next),
                content: source.span(line.next..end.start).trim(),
                body: source.span(end.start + end.text.len()..text.len()).trim(),
            });
        }
    }
    let start = source.span(0..0);
    if byte_order_mark.and_then(|rest| rest.lines().next()).is_some_and(opens) {
        return Err(NoFence { reason: NoXmlBlock::ByteOrderMark, at: start });
    }
    Err(hidden.or_else(|| almost(source, word)).unwrap_or_else(|| {
        let reason = if is_for_people(source) { NoXmlBlock::ForPeople } else { NoXmlBlock::Absent };
        NoFence { reason, at: start }
    }))
}

/// The first line that was probably intended as the fence: it names the word, or typical content of the block follows.
fn almost(source: &Arc<Source>, word: &str) -> Option<NoFence> {
    let text = source.text();
    if !text.contains("```") && !text.contains("~~~") {
        return None;
    }
    let first = first_words(text);
    let mut named = None;
    for line in lines(text) {
        let Some((fault, is_named)) = fault(line.text, word) else { continue };
        let next = text[line.start + line.text.len()..].trim_start();
        let begins = |start: &str| next.get(..start.len()).is_some_and(|next| next.eq_ignore_ascii_case(start));
        let is_meant = match word {
            "xml" => begins("<directive"),
            // A block elsewhere is an example.
            _ => (line.start..line.start + line.text.len()).contains(&first) && (is_named || begins("name:")),
        };
        if is_meant || is_named && word == "xml" && named.is_none() {
            let reason = NoXmlBlock::Almost { line: line.number, fault };
            let at = source.span(line.start..line.start + line.text.len()).trim();
            named = Some(NoFence { reason, at });
        }
        if is_meant {
            break;
        }
    }
    named
}

/// Why a line that opens a fence does not open the block, and whether it names the word.
fn fault(line: &str, word: &str) -> Option<(&'static str, bool)> {
    let unindented = line.trim_start_matches(is_blank);
    let mark = unindented.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = unindented.trim_start_matches(mark);
    let length = unindented.len() - rest.len();
    // Inline code may begin with three backticks.
    if length < 3 || rest.contains('`') {
        return None;
    }
    let mut words = rest.split(is_blank).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let is_short = word == "yaml" && first.eq_ignore_ascii_case("yml");
    let is_named = is_short || first.eq_ignore_ascii_case(word);
    let fault = match first {
        _ if mark == '~' => "it uses tildes, not backticks",
        _ if length > 3 => "it has more than three backticks",
        "" => "it does not name a language",
        _ if is_short => "it says `yml`, not `yaml`",
        _ if !is_named => "it names a different language",
        _ if first != word => "its language is not in lower case",
        _ if unindented.len() < line.len() => "it is indented",
        _ if rest.starts_with(is_blank) => "a space follows its backticks",
        _ if words.next().is_some() => "more than one word follows its backticks",
        _ => return None,
    };
    Some((fault, is_named))
}

/// The offset after leading white space and comments.
fn first_words(text: &str) -> usize {
    let mut rest = text.trim_start_matches(['\u{feff}']).trim_start_matches(is_blank);
    while let Some((_, after)) = rest.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")) {
        rest = after.trim_start_matches(is_blank);
    }
    text.len() - rest.len()
}

/// Whether the file only describes a folder, such as a README without code blocks.
fn is_for_people(source: &Source) -> bool {
    let name = source.path().rsplit('/').next().unwrap_or_default();
    let is_called = ["readme.md", "changelog.md", "index.md"].iter().any(|known| name.eq_ignore_ascii_case(known));
    is_called && !["```", "~~~"].iter().any(|fence| source.text().contains(fence))
}

/// Why a file has no usable block, if there is more to report than its absence.
pub(crate) fn unusable(source: &Arc<Source>, word: &str) -> Option<(NoXmlBlock, Span)> {
    let NoFence { reason, at } = split(source, word, &mut Vec::new()).err()?;
    (!matches!(reason, NoXmlBlock::Absent | NoXmlBlock::ForPeople)).then_some((reason, at))
}

fn is_blank_line(text: &str) -> bool {
    text.chars().all(is_blank)
}

struct SourceLine<'a> {
    text: &'a str,
    start: usize,
    next: usize,
    /// 1-based.
    number: usize,
}

fn lines(text: &str) -> impl Iterator<Item = SourceLine<'_>> {
    let mut next = 0;
    let ends =
        memchr_iter(b'\n', text.as_bytes()).chain((!text.is_empty() && !text.ends_with('\n')).then_some(text.len()));
    ends.enumerate().map(move |(index, end)| {
        let start = next;
        next = text.len().min(end + 1);
        SourceLine { text: &text[start..end], start, next, number: index + 1 }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn source(text: &str) -> Arc<Source> {
        Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap()
    }

    fn parts(text: &str) -> Result<(String, String, String, Vec<&'static str>), NoXmlBlock> {
        let mut diagnostics = Vec::new();
        let fence = split(&source(text), "xml", &mut diagnostics).map_err(|none| none.reason)?;
        let codes = diagnostics.iter().map(Diagnostic::code).collect();
        Ok((fence.preamble.text().into(), fence.content.text().into(), fence.body.text().into(), codes))
    }

    fn plain(preamble: &str, content: &str, body: &str) -> (String, String, String, Vec<&'static str>) {
        (preamble.into(), content.into(), body.into(), Vec::new())
    }

    #[test]
    fn a_fence_splits_the_file() {
        assert_eq!(parts("# T\n\n```xml \u{1f}\n\n <a/>\n```\t\n\u{a0}body\n"), Ok(plain("# T", "<a/>", "body")));
        assert_eq!(parts("```xml\n```"), Ok(plain("", "", "")));
    }

    #[test]
    fn the_fence_must_stand_alone_at_the_line_start() {
        for text in ["", "text ```xml\n<a/>\n```", " ```xml\n<a/>\n```", "```xml foo\n<a/>\n```", "```xmlx\n```"] {
            let refused = parts(text);
            assert!(
                matches!(refused, Err(NoXmlBlock::Absent | NoXmlBlock::Almost { line: 1, .. })),
                "{text:?}: {refused:?}"
            );
        }
        // U+2028 and U+0085 are white space and do not end lines.
        assert_eq!(parts("```xml\u{2028}\u{85}\n<a/>\n```"), Ok(plain("", "<a/>", "")));
        assert_eq!(parts("x\u{2028}```xml\n<a/>\n```"), Err(NoXmlBlock::Absent));
    }

    #[test]
    fn a_fence_must_close() {
        assert_eq!(parts("x\n```xml\n<a/>\n``` no\n````\n"), Err(NoXmlBlock::NeverClosed { line: 2 }));
    }

    #[test]
    fn a_closed_outer_fence_with_an_info_string_hides_every_later_block() {
        let text = "````md\n```xml\n<in/>\n```\n````\n\n```xml\n<a/>\n```\n";
        assert_eq!(parts(text), Err(NoXmlBlock::Hidden { line: 7, by: 1 }));
        assert_eq!(parts("````md\n```xml\n<in/>\n```\n"), Err(NoXmlBlock::Hidden { line: 2, by: 1 }));
    }

    #[test]
    fn an_outer_fence_without_an_info_string_is_transparent() {
        let (_, content, body, codes) = parts("`````\n````\n```xml\n<in/>\n```\n`````\n").unwrap();
        assert_eq!((content.as_str(), body.as_str()), ("<in/>", "`````"));
        assert_eq!(codes, ["transparent_fence"]);
        // A closed fence no longer surrounds the block.
        assert_eq!(parts("````\nx\n`````\n```xml\n<a/>\n```"), Ok(plain("````\nx\n`````", "<a/>", "")));
    }

    #[test]
    fn a_byte_order_mark_hides_a_fence_on_the_first_line() {
        assert_eq!(parts("\u{feff}```xml\n<a/>\n```\n"), Err(NoXmlBlock::ByteOrderMark));
        let (preamble, _, _, codes) = parts("\u{feff}\n```xml\n<a/>\n```\n").unwrap();
        assert_eq!(preamble, "\u{feff}");
        assert_eq!(codes, ["byte_order_mark"]);
    }

    proptest! {
        /// Compares the result with the literal rule.
        #[test]
        fn fences_follow_the_count(
            lines in prop::collection::vec(
                prop::sample::select(vec!["```xml", "```xml ", "```", "``` ", "````", "`````", "````md", "x", ""]),
                0..12,
            ),
        ) {
            let mut expected = None;
            for (index, line) in lines.iter().enumerate() {
                let before = &lines[..index];
                let opening = before.iter().filter(|line| line.starts_with("````")).count();
                let closing =
                    before.iter().filter(|line| line.starts_with("````") && line.trim().trim_matches('`').is_empty());
                if line.trim() == "```xml" && opening <= closing.count() {
                    let close = lines[index + 1..].iter().position(|line| line.trim() == "```");
                    expected = close.map(|close| (index, index + 1 + close));
                    break;
                }
            }
            let text = lines.join("\n");
            match (expected, split(&source(&text), "xml", &mut Vec::new())) {
                (None, Err(_)) => {}
                (Some((open, close)), Ok(fence)) => {
                    let parts = [&lines[..open], &lines[open + 1..close], &lines[close + 1..]];
                    let parts = parts.map(|lines| lines.join("\n").trim().to_string());
                    prop_assert_eq!([fence.preamble, fence.content, fence.body].map(|part| part.text().to_string()), parts);
                }
                (expected, found) => prop_assert!(false, "{expected:?} but {}", found.is_ok()),
            }
        }

        #[test]
        fn no_text_causes_a_panic(text in "[`xmlé\n\u{feff} ]{0,40}") {
            let _ = split(&source(&text), "xml", &mut Vec::new());
        }
    }
}
