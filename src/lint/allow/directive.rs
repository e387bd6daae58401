use crate::read::item::{Directive, elements};
use crate::text::Span;

use super::comment::{LineCache, PROGRAM, allowance};
use super::{Allowance, Reach};

pub(super) const SHOWN: [&str; 2] = ["<permissions", "</permissions"];

/// The allowances in a directive's comments; all are invalid if `refused` gives a reason.
pub(super) fn allowances(directive: &Directive, refused: Option<&'static str>) -> Vec<Allowance> {
    if !directive.comments.iter().any(|comment| comment.text().contains(PROGRAM)) {
        return Vec::new();
    }
    let block = DirectiveBlock::new(directive);
    let mut line = LineCache::default();
    let mut found = Vec::new();
    for (index, comment) in block.comments.iter().enumerate().filter(|(_, comment)| comment.text().contains(PROGRAM)) {
        let text = comment.slice("<!--".len()..comment.text().len() - "-->".len());
        let refused = refused.or_else(|| why_not(&block, index));
        found.extend(allowance(comment, &text, refused, || reach(&block, index, &mut line)));
    }
    found
}

/// A directive's block, analysed once for all of its comments.
pub(super) struct DirectiveBlock<'d> {
    pub directive: &'d Directive,
    /// Ordered by start, the root first.
    pub elements: Vec<Span>,
    parents: Vec<Option<usize>>,
    comments: Vec<Span>,
    run_of: Vec<usize>,
    runs: Vec<CommentRun>,
    /// The starts of `<permissions` tags, each with its end if it is self-closing.
    opened: Vec<(usize, Option<usize>)>,
    closed: Vec<usize>,
}

/// Comments with only white space between them.
struct CommentRun {
    /// The end of the text before it.
    start: usize,
    /// Whether the run is inside the text of an element.
    is_within_text: bool,
}

impl<'d> DirectiveBlock<'d> {
    pub fn new(directive: &'d Directive) -> Self {
        let text = directive.source.text();
        let mut comments = directive.comments.clone();
        comments.sort_by_key(|comment| comment.range().start);
        let (mut run_of, mut runs) = (Vec::new(), Vec::new());
        let mut rest = comments.iter().map(Span::range).peekable();
        while let Some(first) = rest.next() {
            let mut end = first.end;
            run_of.push(runs.len());
            while let Some(next) = rest.next_if(|next| text.get(end..next.start).is_some_and(|it| it.trim().is_empty()))
            {
                end = next.end;
                run_of.push(runs.len());
            }
            let (before, after) = (text[..first.start].trim_end(), text[end..].trim_start());
            let is_within_text = is_text_between(before, after) || is_all_of_element(directive, before, after);
            runs.push(CommentRun { start: before.len(), is_within_text });
        }
        let (opened, closed) = permissions(&directive.content);
        let elements = elements(directive);
        Self { directive, parents: parents(&elements), elements, comments, run_of, runs, opened, closed }
    }

    /// The elements that contain an offset, except the root, innermost first.
    pub fn around(&self, offset: usize) -> impl Iterator<Item = &Span> {
        let last = self.elements.partition_point(|element| element.range().start <= offset).checked_sub(1);
        let all = std::iter::successors(last, |&index| self.parents[index]).filter(|&index| index > 0);
        all.map(|index| &self.elements[index]).filter(move |element| element.range().contains(&offset))
    }

    /// Whether an offset is in a `<permissions>` block, found by text search, as in a render.
    pub fn is_within_permissions(&self, offset: usize) -> bool {
        let before = self.opened.partition_point(|(at, _)| at + SHOWN[0].len() <= offset);
        let Some(&(at, empty)) = before.checked_sub(1).and_then(|last| self.opened.get(last)) else { return false };
        let closed = self.closed.get(self.closed.partition_point(|closed| *closed < at));
        empty.is_none_or(|end| end >= offset) && closed.is_none_or(|closed| closed + SHOWN[1].len() > offset)
    }

    pub fn is_first(&self, offset: usize) -> bool {
        let first = self.directive.tag.range().end;
        first <= offset && self.before(offset) <= first
    }

    /// The end of the text before an offset, skipping comments and white space.
    fn before(&self, offset: usize) -> usize {
        let end = self.directive.source.text()[..offset].trim_end().len();
        let comment = self.comments.binary_search_by_key(&end, |comment| comment.range().end);
        comment.map_or(end, |index| self.runs[self.run_of[index]].start)
    }

    fn is_behind_something(&self, comment: usize, line: usize) -> bool {
        let before = self.comments.partition_point(|it| it.range().start < line);
        let reaches_in = before.checked_sub(1).is_some_and(|last| self.comments[last].range().end > line);
        reaches_in || self.runs[self.run_of[comment]].start > line
    }
}

fn parents(elements: &[Span]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        while open.pop_if(|last| elements[*last].range().end <= element.range().start).is_some() {}
        parents.push(open.last().copied());
        open.push(index);
    }
    parents
}

type Permissions = (Vec<(usize, Option<usize>)>, Vec<usize>);

fn permissions(content: &Span) -> Permissions {
    let (text, start) = (content.text(), content.range().start);
    let mut opened = Vec::new();
    let (mut next, mut tag_end) = (text.len(), None);
    for (at, _) in text.rmatch_indices(SHOWN[0]) {
        tag_end = text[at..next].find('>').map(|end| at + end).or(tag_end);
        next = at;
        let empty = tag_end.filter(|end| text[..*end].ends_with('/'));
        opened.push((start + at, empty.map(|end| start + end)));
    }
    opened.reverse();
    (opened, text.match_indices(SHOWN[1]).map(|(at, _)| start + at).collect())
}

fn why_not(block: &DirectiveBlock<'_>, index: usize) -> Option<&'static str> {
    let (comment, tag) = (&block.comments[index], block.directive.tag.range());
    let start = comment.range().start;
    if start < tag.start {
        return Some("a comment before the root element hides its attributes");
    }
    if SHOWN.iter().any(|mark| comment.text().contains(mark)) {
        return Some("it contains a <permissions> tag, which is found even in comments");
    }
    if comment.text().contains("${") || comment.text().contains("{input:") || comment.text().contains("{env:") {
        return Some("it contains a placeholder, which is filled in even in comments");
    }
    if block.is_within_permissions(start) {
        return Some("the prompt shows the content of <permissions>");
    }
    let is_within_text = block.runs[block.run_of[index]].is_within_text;
    is_within_text.then_some("it is inside text and would change its white space")
}

/// Whether an element contains only comments, so that the whitespace around them is its text. The
/// root's text is never read.
fn is_all_of_element(directive: &Directive, before: &str, after: &str) -> bool {
    let tag = before.rfind('<').unwrap_or_default();
    let opens = !before[tag..].starts_with("</") && !before[tag..].ends_with("/>");
    after.starts_with("</") && opens && tag != directive.tag.range().start
}

/// Whether a comment between two parts of a file would be in the text of an element.
pub(super) fn is_text_between(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let after = after.trim_start();
    let ends_element = before.ends_with('>') && !before.ends_with("]]>") && !before.ends_with("?>");
    let begins_element = after.starts_with('<') && !after.starts_with("<![CDATA[") && !after.starts_with("<?");
    !ends_element || !begins_element
}

/// What a comment applies to: first in the root, the file; on its own line, the next element; otherwise, its line.
fn reach(block: &DirectiveBlock<'_>, index: usize, line: &mut LineCache) -> Reach {
    let start = block.comments[index].range().start;
    if block.is_first(start) {
        return Reach::File;
    }
    let line = line.of(&block.directive.source, start);
    if block.is_behind_something(index, line.start) {
        return Reach::Range(line);
    }
    let next = block.elements.get(block.elements.partition_point(|element| element.range().start < start));
    next.map_or(Reach::Nowhere, |element| Reach::Range(element.range()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::item::parse_directive;
    use crate::read::protocol::Protocols;
    use crate::text::Source;

    #[test]
    fn the_elements_around_an_offset_contain_it() {
        let text = "```xml\n<directive name=\"a\" version=\"1\"><metadata><context><before>a</before>\n<after/> </context>\
                    </metadata><inputs><input name=\"b\">B</input><input name=\"c\"/></inputs></directive>\n```\n\nGo.\n";
        let source = Source::read("project".into(), ".ai/directives/a.md", text.as_bytes().to_vec()).unwrap();
        let protocol = Protocols::default().get("rye-3").unwrap();
        let directive = parse_directive(&source, &protocol).unwrap().item;
        let block = DirectiveBlock::new(&directive);
        assert_eq!(block.elements.len(), 8);
        for offset in 0..text.len() {
            let mut holding: Vec<&Span> =
                block.elements[1..].iter().filter(|it| it.range().contains(&offset)).collect();
            holding.reverse();
            assert_eq!(block.around(offset).collect::<Vec<_>>(), holding, "{offset}");
        }
    }
}
