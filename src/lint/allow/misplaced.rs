use std::ops::Range;
use std::sync::Arc;

use super::Allowance;
use super::allowance::{LineCache, allowance, cannot_be_here};
use super::comment::{AllowComment, MARK};
use crate::lint::pages::find;
use crate::lint::project::{FileContent, LintFile};
use crate::read::item::TextPlace;
use crate::text::{Source, Span};

/// Allowances in text or code, where they have no effect. `known` are the valid ones.
///
/// Allowances in code, and those that name no known rule, are treated as examples.
pub(super) fn allowances(file: &LintFile, source: &Arc<Source>, known: &[Allowance]) -> Vec<Allowance> {
    let mut marks = CommentFinder::new(file, source);
    let mut known: Vec<Range<usize>> = known.iter().map(|it| it.span.range()).collect();
    known.sort_by_key(|range| range.start);
    let mut known = known.into_iter().peekable();
    // The end of the comments seen so far.
    let mut done = 0;
    let mut found = Vec::new();
    for (at, _) in source.text().match_indices(MARK) {
        if found.len() == MOST {
            break;
        }
        while let Some(range) = known.next_if(|range| range.start <= at) {
            done = done.max(range.end);
        }
        if at < done {
            continue;
        }
        let Some(comment) = marks.comment(at) else { continue };
        done = comment.range().end;
        let said = source.span(at..comment.range().end);
        let names_rule = AllowComment::read(said.text())
            .and_then(|comment| comment.rules.first().cloned())
            .is_some_and(|rule| find(said.slice(rule).text()).is_some());
        if names_rule {
            let refused = cannot_be_here(&comment, why(file, at));
            found.extend(allowance(comment, &said, Some(refused), || super::Reach::Nowhere));
        }
    }
    found
}

const MOST: usize = 20_000;

struct CommentFinder<'f> {
    file: &'f LintFile,
    source: &'f Arc<Source>,
    line: LineCache,
    /// Where the lines of Markdown code fences begin.
    fences: Vec<usize>,
    /// The end of the next XML comment, or of the text.
    close: usize,
}

impl<'f> CommentFinder<'f> {
    fn new(file: &'f LintFile, source: &'f Arc<Source>) -> Self {
        let mut fences = Vec::new();
        let mut at = 0;
        for line in source.text().split_inclusive('\n') {
            if line.trim_start().starts_with("```") {
                fences.push(at);
            }
            at += line.len();
        }
        Self { file, source, line: LineCache::default(), fences, close: 0 }
    }

    fn comment(&mut self, at: usize) -> Option<Span> {
        let text = self.source.text();
        let line = self.line.of(self.source, at);
        let before = text[line.start..at].trim_end();
        let opening = ["<!--", "#", "//"].into_iter().find(|opening| before.ends_with(opening))?;
        let start = line.start + before.len() - opening.len();
        let end = line.start + text[line.clone()].trim_end().len();
        if opening == "<!--" {
            let is_code = text[..start].ends_with('`') || self.is_in_code_block(line.start);
            if self.close < at {
                self.close = text[at..].find("-->").map_or(text.len(), |found| at + found);
            }
            let end = if self.close < text.len() { self.close } else { end };
            return (!is_code).then(|| self.source.span(start..end));
        }
        // In Markdown, `#` begins a heading.
        let is_code =
            matches!(self.file.content, FileContent::Tool | FileContent::Configuration(_) | FileContent::Nothing);
        is_code.then(|| self.source.span(start..end))
    }

    /// Whether a line is in a code block of its part of the file.
    fn is_in_code_block(&self, line: usize) -> bool {
        let part = match &self.file.content {
            FileContent::Directive(it) | FileContent::Refused(it) => {
                [&it.body, &it.content].into_iter().find(|part| part.range().contains(&line))
            }
            FileContent::Knowledge(it) => match &it.place {
                TextPlace::Block(text) if text.range().contains(&line) => Some(text),
                _ => None,
            },
            _ => None,
        };
        let before = |offset: usize| self.fences.partition_point(|fence| *fence < offset);
        (before(line) - before(part.map_or(0, |part| part.range().start))) % 2 == 1
    }
}

fn why(file: &LintFile, at: usize) -> &'static str {
    match &file.content {
        FileContent::Directive(directive) | FileContent::Refused(directive)
            if directive.content.range().contains(&at) =>
        {
            "it is in an opaque section"
        }
        FileContent::Directive(directive) | FileContent::Refused(directive) if directive.body.range().contains(&at) => {
            "the body is sent to the model"
        }
        FileContent::Directive(_) | FileContent::Refused(_) => "it is outside the xml block",
        FileContent::Knowledge(_) => "the text is sent to the model",
        FileContent::Markdown => "it is in code or never closed",
        FileContent::Tool => "comments in tools are not read",
        FileContent::Configuration(_) | FileContent::Nothing => "only YAML comments are read",
    }
}
