use std::sync::Arc;

use super::comment::{self, AllowComment, PROGRAM};
use super::sent::Sent;
use super::{Allowance, Fault, Named, Reach, directive, markdown, stray, yaml};
use crate::item::{Knowledge, TextPlace, is_signed};
use crate::lint::project::{Content, File, FileKind};
use crate::lint::rule::Group;
use crate::lint::rules::{RULES, find};
use crate::nearest::nearest;
use crate::text::{Source, Span};

/// Whoever hides something in a file could as well write the comment that lets it be.
pub const TRUST: &str = "trust findings are allowed in the settings alone";

const TRUST_HELP: &str = "take it away, and look at what is found";

/// Whether it is worth a look.
pub(super) fn may_hold_one(file: &File) -> bool {
    file.source.as_ref().is_some_and(|source| source.text().contains(PROGRAM))
}

/// The allowances of a file, those included that stand where none may.
pub(super) fn allowances(file: &File, sent: &Sent) -> Vec<Allowance> {
    let Some(source) = &file.source else { return Vec::new() };
    let signed = is_signed(source).then_some("the file is signed, and a comment would break its signature");
    let mut found = match &file.content {
        Content::Directive(it) | Content::Refused(it) => {
            directive::allowances(it, signed.or_else(|| sent.directive(&file.id)))
        }
        Content::Knowledge(it) => {
            let refused = signed.or_else(|| sent.knowledge(it));
            metadata(it).map(|at| yaml::allowances(&at, refused)).unwrap_or_default()
        }
        Content::Configuration(_) => yaml::allowances(&source.whole(), signed),
        Content::Markdown => markdown::allowances(source, signed),
        // What cannot be read tells nothing of its comments.
        Content::Nothing if !source.path().ends_with(".toml") => return Vec::new(),
        Content::Tool | Content::Nothing => Vec::new(),
    };
    found.extend(stray::allowances(file, source, &found));
    found
}

/// The YAML of a knowledge item that is neither text nor fence.
pub(super) fn metadata(knowledge: &Knowledge) -> Option<Span> {
    use crate::item::DeclarationKind::Block;
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

/// What a comment allows. `text` is the comment without what makes it one; where it stands it is wrong for a reason, or
/// it reaches as `reach` says.
pub(super) fn allowance(
    span: Span,
    text: &Span,
    refused: Option<Fault>,
    reach: impl FnOnce() -> Reach,
) -> Option<Allowance> {
    let Some(comment) = AllowComment::read(text.text()) else { return meant(span, text) };
    let mut faults: Vec<Fault> = refused.into_iter().collect();
    let is_misplaced = !faults.is_empty();
    if comment.rules.is_empty() {
        faults.push(fault(&span, "this allowance names no rule", "write the rule's code, and then why"));
    } else if comment.reason.is_empty() {
        faults.push(fault(&span, "this allowance gives no reason", "say behind the rule why it may be"));
    }
    let is_nothing = is_misplaced || !faults.is_empty();
    let mut rules = Vec::new();
    for at in comment.rules {
        let span = text.slice(at);
        match find(span.text()) {
            Some(rule) if rule.group == Group::Lint => {
                let help = "take it away; --ignore and the settings can turn the rule off";
                faults.push(fault(&span, format!("{} is about allowances and cannot be allowed", rule.code), help));
            }
            Some(rule) if rule.group == Group::Trust => {
                faults.push(fault(&span, format!("{} is about trust: {TRUST}", rule.code), TRUST_HELP));
            }
            Some(rule) => rules.push(Named { rule, span, is_used: false }),
            None => faults.push(unknown(&span)),
        }
    }
    let reach = if is_nothing { Reach::Nowhere } else { reach() };
    Some(Allowance { span, rules, reach, faults })
}

/// A comment that is meant as an allowance and is written otherwise.
fn meant(span: Span, text: &Span) -> Option<Allowance> {
    let rule = find(comment::nearly(text.text())?)?;
    let help = format!("write `rye-render: allow {} reason`", rule.code);
    let faults = vec![fault(&span, "this is meant as an allowance and allows nothing", help)];
    Some(Allowance { span, rules: Vec::new(), reach: Reach::Nowhere, faults })
}

fn unknown(at: &Span) -> Fault {
    let name = at.text();
    let is_group =
        name == "ALL" || RULES.iter().any(|rule| rule.group.into_str() == name || rule.code.starts_with(name));
    if is_group {
        return fault(
            at,
            format!("`{name}` is a group, and a group cannot be allowed"),
            "name its rules, separated by commas",
        );
    }
    let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
    let help = match nearest(at.text(), names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`rye-render lint --explain ALL` lists the rules; several are separated by commas".to_string(),
    };
    fault(at, format!("there is no rule `{}`", at.text()), help)
}

/// That an allowance cannot stand where it does.
pub(super) fn misplaced(at: &Span, why: &str) -> Fault {
    fault(at, format!("no allowance may stand here: {why}"), "allow it for the path in .ai/config/rye-render.yaml")
}

fn fault(at: &Span, message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault { at: at.clone(), message: message.into(), help: help.into() }
}

/// From the start of the line of an offset to its end, the line feed included.
pub(super) fn line_of(source: &Arc<Source>, offset: usize) -> std::ops::Range<usize> {
    let text = source.text();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    start..text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

/// The line that was asked for last, since whoever asks for one asks for it again.
#[derive(Default)]
pub(super) struct Line(std::ops::Range<usize>);

impl Line {
    /// The line of an offset, as [`line_of`] has it.
    pub fn of(&mut self, source: &Arc<Source>, offset: usize) -> std::ops::Range<usize> {
        if !self.0.contains(&offset) {
            self.0 = line_of(source, offset);
        }
        self.0.clone()
    }
}

/// Whether a file is one of those whose comments nothing reads.
pub(super) fn is_tool(file: &File) -> bool {
    matches!(file.kind, FileKind::Item(crate::store::ItemKind::Tool))
}
