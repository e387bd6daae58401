//! What the structure of a Markdown text decides: which comments are cut, and where imports are looked for.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

const OPENS: &str = "<!--";
const CLOSES: &str = "-->";

/// The ranges of a text whose lines end in LF.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// Blocks outside of all others that begin with a comment which ends.
    pub comments: Vec<Range<usize>>,
    /// Runs of plain text, between anything that is more.
    pub runs: Vec<Range<usize>>,
    /// Where each block that begins with a comment is, and what stands around its comments.
    pub behind_comments: Vec<(usize, String)>,
}

impl Structure {
    pub fn of(text: &str) -> Self {
        let mut structure = Self::default();
        // How many blocks are open, and how many of the open elements hide their text.
        let (mut depth, mut hidden) = (0usize, 0usize);
        let (mut text_end, mut paragraph_end) = (None, None);
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(Tag::HtmlBlock) => {
                    structure.html_block(text, range, depth == 0, paragraph_end);
                    depth += 1;
                    hidden += 1;
                }
                Event::Start(tag) => {
                    depth += 1;
                    hidden += usize::from(hides(&tag.to_end()));
                }
                Event::End(tag) => {
                    depth -= 1;
                    hidden -= usize::from(hides(&tag));
                    if tag == TagEnd::Paragraph {
                        paragraph_end = Some(range.end);
                    }
                }
                Event::Text(_) if hidden == 0 => structure.text(text, range, &mut text_end),
                _ => {}
            }
        }
        structure
    }

    /// Adds plain text. An escaped character belongs to no run.
    fn text(&mut self, text: &str, range: Range<usize>, end: &mut Option<usize>) {
        let is_next = end.replace(range.end) == Some(range.start);
        let is_escaped = !is_next
            && text[..range.start].ends_with('\\')
            && text[range.start..].starts_with(|c: char| c.is_ascii_punctuation());
        match self.runs.last_mut() {
            Some(run) if is_next && run.end == range.start => run.end = range.end,
            _ => self.runs.push(range.start + usize::from(is_escaped)..range.end),
        }
    }

    fn html_block(&mut self, text: &str, range: Range<usize>, is_outside: bool, paragraph_end: Option<usize>) {
        let start = range.end - text[range.clone()].trim_start_matches([' ', '\n']).len();
        let Some(end) = comment_end(&text[start..range.end]).map(|length| start + length) else { return };
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let blank = text[line_end..].len() - text[line_end..].trim_start_matches('\n').len();
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        // The agent's parser lets an indented comment not interrupt a paragraph.
        let is_in_paragraph = line_start < start && paragraph_end == Some(line_start);
        if is_outside && !is_in_paragraph {
            self.comments.push(line_start..line_end + blank);
        }
        let rest = without_comments(&text[start..line_end]).map(|range| &text[start..][range]).collect();
        self.behind_comments.push((start, rest));
    }
}

/// Whether the text in an element is not searched.
fn hides(tag: &TagEnd) -> bool {
    matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Strikethrough | TagEnd::Image)
}

/// The length of the comment at the start of a text, if it ends. `<!-->` and `<!--->` are comments.
fn comment_end(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(OPENS)?;
    let short = [">", "->"].into_iter().find(|short| rest.starts_with(short)).map(str::len);
    Some(OPENS.len() + short.or_else(|| Some(rest.find(CLOSES)? + CLOSES.len()))?)
}

/// The ranges of a text around its comments.
pub(super) fn without_comments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = Some(0);
    std::iter::from_fn(move || {
        let start = at?;
        let comment = text[start..].find(OPENS).and_then(|opens| {
            let inside = start + opens + OPENS.len();
            Some((start + opens, inside + text[inside..].find(CLOSES)? + CLOSES.len()))
        });
        at = comment.map(|(_, end)| end);
        Some(start..comment.map_or(text.len(), |(opens, _)| opens))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_outside_of_other_blocks() {
        let comments =
            |text: &str| Structure::of(text).comments.iter().map(|it| text[it.clone()].to_string()).collect::<Vec<_>>();
        for (text, expected) in [
            ("<!-- a -->\n\n\nb", vec!["<!-- a -->\n\n\n"]),
            ("a\n<!-- b\nc --> d\n \ne", vec!["<!-- b\nc --> d\n"]),
            ("a\n\n  <!-- b -->\n", vec!["  <!-- b -->\n"]),
            ("a\n  <!-- b -->\nc", vec![]),
            ("- a\n<!-- b -->\n", vec!["<!-- b -->\n"]),
            ("- a\n\n  <!-- b -->\n", vec![]),
            ("> <!-- b -->\n", vec![]),
            ("    <!-- b -->\n", vec![]),
            ("<div>\n<!-- b -->\n</div>\n", vec![]),
            ("<!-- b\n\nc", vec![]),
            ("<!-->\na -->", vec!["<!-->\n"]),
            ("<!-- a --><!-- b", vec!["<!-- a --><!-- b"]),
            ("| a |\n|---|\n<!-- b -->", vec!["<!-- b -->"]),
        ] {
            assert_eq!(comments(text), expected, "{text:?}");
        }
    }

    #[test]
    fn runs_end_at_whatever_is_more_than_text() {
        let runs =
            |text: &str| Structure::of(text).runs.iter().map(|it| text[it.clone()].to_string()).collect::<Vec<_>>();
        for (text, expected) in [
            ("a **b** c_d & e &amp; f", vec!["a ", "b", " c_d & e &amp; f"]),
            (r"a \@b c\\ d\e", vec!["a ", "b c", " d\\e"]),
            (r"\@a", vec!["a"]),
            ("a\nb `c` [d](e) ![f](g) ~~h~~ <b>i</b>", vec!["a", "b ", " ", "d", " ", " ", " ", "i"]),
            ("- [ ] a\n\n> b\n\n| c |\n|---|\n| d |\n", vec!["a", "b", "c", "d"]),
            ("    a\n\n```\nb\n```\n\n<div>c</div>\n\n[d]: e\n", vec![]),
        ] {
            assert_eq!(runs(text), expected, "{text:?}");
        }
        let behind = Structure::of("<!-- a --> b <!-- c -->\n\n- <!-- d --> e").behind_comments;
        assert_eq!(behind, [(0, " b ".to_string()), (27, " e".to_string())]);
    }
}
