use std::ops::Range;
use std::sync::Arc;

use crate::text::{Source, Span, markdown};

use super::comment::{allowance, line_of};
use super::{Allowance, Reach, yaml};

/// The allowances in HTML comments outside of code and in front matter. Most agents send every byte of these files, so no
/// comment can be kept from them.
pub(super) fn allowances(source: &Arc<Source>, refused: Option<&'static str>) -> Vec<Allowance> {
    let front = front_matter(source);
    let mut found = front.as_ref().map(|at| yaml::allowances(at, refused)).unwrap_or_default();
    let start = front.map_or(0, |front| front.range().end + "---".len());
    for comment in comments(source, start) {
        let text = comment.slice("<!--".len()..comment.text().len() - "-->".len());
        found.extend(allowance(&comment, &text, refused, || reach(&comment, start)));
    }
    found
}

fn front_matter(source: &Arc<Source>) -> Option<Span> {
    const OPENING: &str = "---\n";
    let end = source.text().strip_prefix(OPENING)?.find("\n---")? + OPENING.len() + 1;
    Some(source.span(OPENING.len()..end))
}

/// The comments from `start` on that are not in code and have an end.
fn comments(source: &Arc<Source>, start: usize) -> impl Iterator<Item = Span> {
    let comment = move |range: Range<usize>| source.span(start + range.start..start + range.end);
    let is_whole = |comment: &Span| comment.text().strip_prefix("<!--").is_some_and(|rest| rest.ends_with("-->"));
    markdown::unseen(&source.text()[start..]).into_iter().map(comment).filter(is_whole)
}

/// What a comment applies to: before all text, the file; on its own line, the next line with text; otherwise, its line.
fn reach(comment: &Span, start: usize) -> Reach {
    let (source, range) = (comment.source(), comment.range());
    let text = source.text();
    if text[start..range.start].trim().is_empty() {
        return Reach::File;
    }
    let line = line_of(source, range.start);
    let end = line_of(source, range.end.saturating_sub(1)).end;
    let is_alone = text[line.start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    if !is_alone {
        return Reach::Range(line);
    }
    let blank = text[end..].len() - text[end..].trim_start().len();
    if end + blank == text.len() { Reach::Nowhere } else { Reach::Range(line_of(source, end + blank)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Reach)> {
        let source = Source::read("project".into(), "AGENTS.md", text.as_bytes().to_vec()).unwrap();
        let found = allowances(&source, None).into_iter();
        found.map(|it| (it.span.text().to_string(), it.reach)).collect()
    }

    #[test]
    fn a_comment_applies_to_the_file_the_next_line_or_its_own() {
        let comment = "<!-- rye-render: allow RR712 it is meant -->";
        let reach = |text: &str| read(text).into_iter().map(|(_, reach)| reach).collect::<Vec<_>>();
        assert_eq!(reach(&format!("{comment}\nA.\n")), [Reach::File]);
        assert_eq!(reach(&format!("---\nname: a\n---\n\n{comment}\nA.\n")), [Reach::File]);
        let text = format!("A.\n\n{comment}\n\n- B.\n- C.\n");
        let next = text.find("- B").unwrap();
        assert_eq!(reach(&text), [Reach::Range(next..next + 5)]);
        assert_eq!(reach(&format!("A.\nB. {comment}\nC.\n")), [Reach::Range(3..3 + 4 + comment.len())]);
        assert_eq!(reach(&format!("A.\n{comment}\n\n")), [Reach::Nowhere]);
        assert_eq!(reach("---\n# rye-render: allow RR701 an old name\nname: a\n---\n"), [Reach::File]);
    }

    #[test]
    fn examples_are_not_allowances() {
        let comment = "<!-- rye-render: allow RR712 it is meant -->";
        assert_eq!(read(&format!("A.\n```\n{comment}\n```\nB `{comment}` C.\n<!-- rye-render: allow RR712 x")), []);
        assert_eq!(read(&format!("A.\n<!-- other --> {comment}\n")).len(), 1);
        // Only the same mark closes a fence.
        assert_eq!(read(&format!("A.\n````\n```\n{comment}\n```\n````\n~~~\n```\n{comment}\n~~~\n")), []);
        assert_eq!(read(&format!("A.\n~~~\n~~~\n{comment}\n")).len(), 1);
        assert_eq!(read(&format!("A.\n<!-- other\n--> ```\n{comment}\n")).len(), 1);
    }
}
