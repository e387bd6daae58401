//! Where files may hold allowances, which of them reach a model, and which are in the wrong place.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem;
use regex::Regex;

use crate::lint::project::{FileContent, LintFile, Project};
use crate::lint::rule::find;
use crate::read::item::{Directive, HookAction, Knowledge, TextPlace, is_signed, is_yaml};
use crate::read::protocol::KnowledgeText;
use crate::read::store::ItemKind;
use crate::text::{Source, Span, constant_pattern};

use super::comment::{AllowComment, MARK, PROGRAM, allowance};
use super::{Allowance, directive, markdown, yaml};

pub(super) fn may_hold_one(file: &LintFile) -> bool {
    file.source.as_ref().is_some_and(|source| memmem::find(source.text().as_bytes(), PROGRAM.as_bytes()).is_some())
}

pub(super) fn allowances(file: &LintFile, sent: &SentWhole) -> Vec<Allowance> {
    let Some(source) = &file.source else { return Vec::new() };
    let signed = is_signed(source).then_some("the file is signed, and a comment would break its signature");
    let mut found = match &file.content {
        FileContent::Directive(it) | FileContent::Refused(it) => {
            directive::allowances(it, signed.or_else(|| sent.directive(&file.id)))
        }
        FileContent::Knowledge(it) => {
            let refused = signed.or_else(|| sent.knowledge(it));
            metadata(it).map(|at| yaml::allowances(&at, refused)).unwrap_or_default()
        }
        FileContent::Configuration(_) => yaml::allowances(&source.whole(), signed),
        FileContent::Markdown => markdown::allowances(source, signed),
        // The comments of an unreadable file are unknown.
        FileContent::Nothing if !source.path().ends_with(".toml") => return Vec::new(),
        FileContent::Tool | FileContent::Nothing => Vec::new(),
    };
    found.extend(misplaced(file, source, &found));
    found
}

/// The YAML of a knowledge item, without the fence.
pub(super) fn metadata(knowledge: &Knowledge) -> Option<Span> {
    use crate::read::item::DeclarationKind::Block;
    let source = &knowledge.source;
    match &knowledge.place {
        TextPlace::Block(_) => {
            let block = &knowledge.declarations.iter().find(|it| it.kind == Block)?.span;
            let text = block.text().trim_end_matches('\n');
            let (first, last) = (text.find('\n')? + 1, text.rfind('\n')? + 1);
            (first <= last).then(|| block.slice(first..last))
        }
        TextPlace::Key(_) | TextPlace::Nowhere(_) if is_yaml(source.path()) => {
            let text = source.text();
            let comment = text.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
            Some(source.span(text.len() - comment.map_or(text, |(_, after)| after).len()..text.len()))
        }
        TextPlace::Key(_) | TextPlace::Nowhere(_) => None,
    }
}

/// The files that may be sent to a model byte for byte, including comments.
pub(in crate::lint) struct SentWhole {
    /// Directives that a hook inserts.
    directives: HashSet<String>,
    /// Whether a hook inserts a directive whose id contains a placeholder.
    any_directive: bool,
    /// Whether hooks insert knowledge items as whole files.
    knowledge: bool,
}

impl SentWhole {
    pub fn of(project: &Project<'_>) -> Self {
        let knowledge = project.protocol.knowledge == KnowledgeText::File;
        let mut sent = Self { directives: HashSet::new(), any_directive: false, knowledge };
        let items = project.hooks().flat_map(|hook| &hook.actions).filter_map(HookAction::item);
        for (_, id) in items.filter(|(kind, _)| *kind == ItemKind::Directive) {
            sent.any_directive |= id.as_str().contains("${");
            sent.directives.insert(id.as_str().to_string());
        }
        sent
    }

    /// Why the whole file of a directive may be sent.
    pub fn directive(&self, id: &str) -> Option<&'static str> {
        (self.any_directive || self.directives.contains(id)).then_some("a hook puts this whole file into a prompt")
    }

    /// Why the whole file of a knowledge item may be sent (Directives, "Knowledge").
    pub fn knowledge(&self, knowledge: &Knowledge) -> Option<&'static str> {
        let has_content = knowledge.metadata.get("content").is_some_and(|node| node.value().is_true());
        if self.knowledge {
            return Some("with this protocol a hook puts the whole file into a prompt");
        }
        let is_whole = !has_content && knowledge.text().is_empty();
        is_whole.then_some("it has no text, so a hook puts the whole file into a prompt")
    }
}

/// Allowances in text or code, where they have no effect. `known` are the valid ones.
///
/// Allowances in code, and those that name no known rule, are treated as examples.
fn misplaced(file: &LintFile, source: &Arc<Source>, known: &[Allowance]) -> Vec<Allowance> {
    static OPENING: LazyLock<Regex> = LazyLock::new(|| constant_pattern(&format!(r"(?:<!--|#|//)[^\S\n]*({MARK})")));
    let mut comments = CommentFinder::new(file, source);
    let mut known: Vec<Range<usize>> = known.iter().map(|it| it.span.range()).collect();
    known.sort_by_key(|range| range.start);
    let mut known = known.into_iter().peekable();
    // The end of the comments seen so far.
    let mut done = 0;
    let mut found = Vec::new();
    for opening in OPENING.captures_iter(source.text()) {
        let (Some(opening), Some(mark)) = (opening.get(0), opening.get(1)) else { continue };
        let at = mark.start();
        while let Some(range) = known.next_if(|range| range.start <= at) {
            done = done.max(range.end);
        }
        if at < done || found.len() == MOST {
            continue;
        }
        let Some(end) = comments.end(opening.start(), at) else { continue };
        done = end;
        let (comment, said) = (source.span(opening.start()..end), source.span(at..end));
        let names_rule = AllowComment::read(said.text())
            .and_then(|comment| comment.rules.first().cloned())
            .is_some_and(|rule| find(said.slice(rule).text()).is_some());
        if names_rule {
            found.extend(allowance(&comment, &said, Some(why(file, at)), || super::Reach::Nowhere));
        }
    }
    found
}

const MOST: usize = 20_000;

struct CommentFinder<'f> {
    file: &'f LintFile,
    source: &'f Arc<Source>,
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
        Self { file, source, fences, close: 0 }
    }

    /// The end of the comment that begins at `start` and has the mark of an allowance at `at`; `None` if it is none.
    fn end(&mut self, start: usize, at: usize) -> Option<usize> {
        let text = self.source.text();
        let end_of_line = || at + text[at..].split('\n').next().unwrap_or_default().trim_end().len();
        if !text[start..].starts_with("<!--") {
            // In Markdown, `#` begins a heading.
            let is_code =
                matches!(self.file.content, FileContent::Tool | FileContent::Configuration(_) | FileContent::Nothing);
            return is_code.then(end_of_line);
        }
        let is_code = text[..start].ends_with('`') || self.is_in_code_block(self.source.line_start(at));
        if self.close < at {
            self.close = text[at..].find("-->").map_or(text.len(), |found| at + found);
        }
        (!is_code).then(|| if self.close < text.len() { self.close } else { end_of_line() })
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
    let is_in = |part: fn(&Directive) -> &Span| file.readable().is_some_and(|it| part(it).range().contains(&at));
    match &file.content {
        _ if is_in(|it| &it.content) => "it is in an opaque section",
        _ if is_in(|it| &it.body) => "the body is sent to the model",
        FileContent::Directive(_) | FileContent::Refused(_) => "it is outside the xml block",
        FileContent::Knowledge(_) => "the text is sent to the model",
        FileContent::Markdown => "it is in code or never closed",
        FileContent::Tool => "comments in tools are not read",
        FileContent::Configuration(_) | FileContent::Nothing => "only YAML comments are read",
    }
}
