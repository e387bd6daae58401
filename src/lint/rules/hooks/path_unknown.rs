use std::collections::BTreeMap;
use std::ops::Range;

use crate::condition::{Comparison, Form};
use crate::item::{Directive, Hook, ItemField, ROUTING_EVENT, TextPlace};
use crate::lint::rules::{Check, Finding, Findings, LintFile, Project, Rule, pages};
use crate::protocol::KnowledgeText;
use crate::store::ItemKind;
use crate::text::{Span, python};

use super::conditions::each_part;
use super::contexts::{Lack, lacks, of_event};

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR306 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let configured = project.configured_hooks().map(|hook| Asking { hook, directive: None });
    let own = project
        .directives()
        .flat_map(|(_, directive)| directive.hooks.iter().map(move |hook| Asking { hook, directive: Some(directive) }));
    let mut brought: BTreeMap<&str, Vec<Asking<'_>>> = BTreeMap::new();
    for asking in configured.chain(own).filter(|asking| of_event(&asking.hook.event).is_some()) {
        asking.condition(project, found);
        // A routing hook brings nothing in.
        let actions = asking.hook.actions.iter().filter(|_| asking.hook.event != ROUTING_EVENT);
        for (action, id) in actions.filter_map(|action| Some((action, action.item_id.as_ref()?))) {
            asking.item_id(id, project, found);
            if action.item_type.as_deref() == Some(ItemKind::Knowledge.into_str()) {
                brought.entry(id.as_str()).or_default().push(asking);
            }
        }
    }
    for (id, by) in brought {
        if let Some(file) = project.find(ItemKind::Knowledge, id).filter(|file| file.is_linted) {
            item_text(file, &by, project, found);
        }
    }
}

/// A hook, and the directive that it stands in.
#[derive(Clone, Copy)]
struct Asking<'p> {
    hook: &'p Hook,
    directive: Option<&'p Directive>,
}

impl Asking<'_> {
    fn condition(self, project: &Project<'_>, found: &mut Findings<'_>) {
        each_part(self.hook, &mut |form, part| {
            let Form::Comparison(Comparison { path, .. }) = form else { return };
            let Some(lack) = lacks(&self.hook.event, path, project, self.directive) else { return };
            if let Some(at) = part.place("path") {
                advise(found.at(at, format!("`{path}` is always null: {}", lack.why)), &lack);
            }
        });
    }

    fn item_id(self, id: &ItemField, project: &Project<'_>, found: &mut Findings<'_>) {
        for (_, expression) in expressions(id.as_str()) {
            if let Some(lack) = self.prints_nothing(expression, project) {
                let message = format!("`${{{expression}}}` in the id of an item prints nothing: {}", lack.why);
                advise(found.at(&id.span, message), &lack);
            }
        }
    }

    /// Why an expression prints nothing, if that is certain; one of several paths is enough to print something.
    fn prints_nothing(self, expression: &str, project: &Project<'_>) -> Option<Lack> {
        let why = |path: &str| lacks(&self.hook.event, path, project, self.directive);
        match project.protocol.fallback_operator {
            true => expression.split("||").map(|path| why(python::trim(path))).collect::<Option<Vec<_>>>()?.pop(),
            false if python::trim(expression) != expression => Some(Lack {
                why: "blanks in a placeholder are part of the path".to_string(),
                nearest: Some(python::trim(expression).to_string()),
            }),
            false => why(expression),
        }
    }
}

/// The placeholders of a text that print nothing, whichever hook brings it in.
fn item_text(file: &LintFile, by: &[Asking<'_>], project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(text) = text_of(file, project) else { return };
    for (range, expression) in expressions(text.text()) {
        let mut lacks = by.iter().map(|asking| asking.prints_nothing(expression, project));
        let Some(Some(first)) = lacks.next() else { continue };
        if lacks.all(|lack| lack.is_some()) {
            let hook = by[0].hook;
            let placeholder = &text.text()[range.clone()];
            let message = format!(
                "`{placeholder}` prints nothing in the text that hook {} brings in: {}",
                hook.name(),
                first.why
            );
            let finding = found.at(text.slice(range), message);
            if let Some(at) = &hook.span {
                finding.related(at, "it is brought in here");
            }
            advise(finding, &first);
        }
    }
}

/// What of a knowledge item a hook brings in.
fn text_of(file: &LintFile, project: &Project<'_>) -> Option<Span> {
    let knowledge = file.knowledge()?;
    match &knowledge.place {
        _ if project.protocol.knowledge == KnowledgeText::File => Some(knowledge.source.whole()),
        TextPlace::Block(span) => Some(span.clone()),
        TextPlace::Key(node) => node.span.clone(),
        TextPlace::Nowhere(_) => Some(knowledge.source.whole()),
    }
}

fn advise(finding: &mut Finding, lack: &Lack) {
    if let Some(nearest) = &lack.nearest {
        finding.help(format!("did you mean `{nearest}`?"));
    }
}

/// Every `${…}` of a text, and what stands in it; an empty one stays as it is.
fn expressions(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("${").map(|start| at + start) {
        let Some(length) = text[start..].find('}') else { break };
        let end = start + length + 1;
        if end - start > 3 {
            found.push((start..end, &text[start + 2..end - 1]));
        }
        at = end;
    }
    found
}
