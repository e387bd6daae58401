use std::collections::BTreeMap;
use std::ops::Range;

use crate::fill::interpolate::split_pipes;
use crate::lint::rules::{Findings, ItemKind, LintFile, Project};
use crate::read::item::condition::Comparison;
use crate::read::item::{Directive, Hook, ItemField, ROUTING_EVENT, TextPlace};
use crate::read::protocol::KnowledgeText;
use crate::text::{Span, python};

use super::contexts::{Lack, lacks, of_event};

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let configured = project.configured_hooks().map(|hook| HookInScope { hook, directive: None });
    let own = project.directives().flat_map(|(_, directive)| {
        directive.hooks.iter().map(move |hook| HookInScope { hook, directive: Some(directive) })
    });
    let mut inserted: BTreeMap<&str, Vec<HookInScope<'_>>> = BTreeMap::new();
    for scoped in configured.chain(own).filter(|scoped| of_event(&scoped.hook.event).is_some()) {
        scoped.condition(project, found);
        // A routing hook adds no text.
        let actions = scoped.hook.actions.iter().filter(|_| scoped.hook.event != ROUTING_EVENT);
        for (action, id) in actions.filter_map(|action| Some((action, action.item_id.as_ref()?))) {
            scoped.item_id(id, project, found);
            if action.kind() == Some(ItemKind::Knowledge) {
                inserted.entry(id.as_str()).or_default().push(scoped);
            }
        }
    }
    for (id, by) in inserted {
        if let Some(file) = project.find(ItemKind::Knowledge, id).filter(|file| file.is_linted) {
            item_text(file, &by, project, found);
        }
    }
}

/// A hook, and the directive that declares it.
#[derive(Clone, Copy)]
struct HookInScope<'p> {
    hook: &'p Hook,
    directive: Option<&'p Directive>,
}

impl HookInScope<'_> {
    fn condition(self, project: &Project<'_>, found: &mut Findings<'_>) {
        for (part, Comparison { path, .. }) in self.hook.condition.comparisons() {
            let Some(lack) = lacks(&self.hook.event, path, project, self.directive) else { continue };
            if let Some(at) = part.place("path") {
                found.at(at, format!("`{path}` is always null: {}", lack.why)).suggest(lack.nearest);
            }
        }
    }

    fn item_id(self, id: &ItemField, project: &Project<'_>, found: &mut Findings<'_>) {
        for (_, expression) in expressions(id.as_str()) {
            if let Some(lack) = self.prints_nothing(expression, project) {
                let message = format!("`${{{expression}}}` in an item id prints nothing: {}", lack.why);
                found.at(&id.span, message).suggest(lack.nearest);
            }
        }
    }

    /// None unless the expression certainly prints nothing: one of several paths may print something.
    fn prints_nothing(self, expression: &str, project: &Project<'_>) -> Option<Lack> {
        let why = |path: &str| lacks(&self.hook.event, &project.protocol.paths.dotted(path), project, self.directive);
        let expression = if project.protocol.pipes { split_pipes(expression).0 } else { expression };
        match project.protocol.fallback_operator {
            true => expression.split("||").map(|path| why(python::trim(path))).collect::<Option<Vec<_>>>()?.pop(),
            false if python::trim(expression) != expression => Some(Lack {
                why: "spaces in a placeholder are part of the path".to_string(),
                nearest: Some(python::trim(expression).to_string()),
            }),
            false => why(expression),
        }
    }
}

/// Reports the placeholders in an item's text that print nothing, whichever hook inserts the text.
fn item_text(file: &LintFile, by: &[HookInScope<'_>], project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(text) = text_of(file, project) else { return };
    for (range, expression) in expressions(text.text()) {
        let mut lacks = by.iter().map(|scoped| scoped.prints_nothing(expression, project));
        let Some(Some(first)) = lacks.next() else { continue };
        if lacks.all(|lack| lack.is_some()) {
            let hook = by[0].hook;
            let placeholder = &text.text()[range.clone()];
            let (name, why) = (hook.name(), &first.why);
            let message = format!("`{placeholder}` prints nothing in the text that hook {name} inserts: {why}");
            let finding = found.at(text.slice(range), message).related_if(hook.span.as_ref(), "inserted here");
            finding.suggest(first.nearest);
        }
    }
}

/// The part of a knowledge item that a hook inserts.
fn text_of(file: &LintFile, project: &Project<'_>) -> Option<Span> {
    let knowledge = file.knowledge()?;
    match &knowledge.place {
        _ if project.protocol.knowledge == KnowledgeText::File => Some(knowledge.source.whole()),
        TextPlace::Block(span) => Some(span.clone()),
        TextPlace::Key(node) => node.span.clone(),
        TextPlace::Nowhere(_) => Some(knowledge.source.whole()),
    }
}

/// Every `${…}` in `text` with its content, except empty ones, which stay as written.
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
