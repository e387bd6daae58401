use memchr::memmem;

use super::comment::PROGRAM;
use super::sent_whole::SentWhole;
use super::{Allowance, directive, markdown, misplaced, yaml};
use crate::lint::project::{FileContent, LintFile};
use crate::read::item::{Knowledge, TextPlace, is_signed};
use crate::text::Span;

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
    found.extend(misplaced::allowances(file, source, &found));
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

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}
