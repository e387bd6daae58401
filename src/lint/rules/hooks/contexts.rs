//! The contents of hook contexts, and conditions that ask for what these never hold (Directives, "Hook context").

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::decide::condition::{Truth, words};
use crate::fill::interpolate::split_pipes;
use crate::lint::rules::{Findings, ItemKind, LintFile, Project};
use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::item::{Directive, Hook, ItemField, ROUTING_EVENT, TextPlace};
use crate::read::protocol::KnowledgeText;
use crate::read::value::Value;
use crate::read::yaml::NodeMap;
use crate::text::nearest::nearest;
use crate::text::{Span, python};

/// The type of a value in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContextValue {
    Text,
    Number,
    Truth,
    /// A map of limits.
    Limits,
    /// A map of the given inputs.
    Inputs,
    /// A number or text; in some releases a map.
    Anything,
}

type ContextKeys = &'static [(&'static str, ContextValue)];

/// The keys of every event that builds messages.
const COMMON: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("directive_body", ContextValue::Text),
    ("model", ContextValue::Text),
    ("limits", ContextValue::Limits),
    ("inputs", ContextValue::Inputs),
];

const STARTED: ContextKeys = &[
    ("project_path", ContextValue::Text),
    ("depth", ContextValue::Number),
    ("parent_thread_id", ContextValue::Text),
    ("spend_limit", ContextValue::Anything),
    ("max_turns", ContextValue::Anything),
    ("capabilities_summary", ContextValue::Text),
];

const CONTINUED: ContextKeys = &[("previous_thread_id", ContextValue::Text)];

const ROUTING: ContextKeys = &[
    ("directive", ContextValue::Text),
    ("has_extends", ContextValue::Truth),
    ("category", ContextValue::Text),
    ("inputs", ContextValue::Inputs),
    // The released package holds the attributes of `<model>` here.
    ("model", ContextValue::Anything),
];

/// Contexts of events within a running thread are not documented.
fn of_event(event: &str) -> Option<impl Iterator<Item = (&'static str, ContextValue)> + Clone> {
    let (common, own): (ContextKeys, ContextKeys) = match event {
        "build_system_prompt" => (COMMON, &[]),
        "thread_started" => (COMMON, STARTED),
        "thread_continued" => (COMMON, CONTINUED),
        ROUTING_EVENT => (&[], ROUTING),
        _ => return None,
    };
    Some(common.iter().chain(own).copied())
}

pub(super) fn value_at(event: &str, path: &str) -> Option<ContextValue> {
    let first = path.split('.').next().unwrap_or_default();
    of_event(event)?.find(|(key, _)| *key == first).map(|(_, value)| value)
}

/// Why a path leads nowhere, and the name that was probably meant.
pub(super) struct Lack {
    pub why: String,
    pub nearest: Option<String>,
}

/// None unless the path certainly leads nowhere. `directive` is the one that contains the hook.
fn lacks(event: &str, path: &str, project: &Project<'_>, directive: Option<&Directive>) -> Option<Lack> {
    let context = of_event(event)?;
    if path.is_empty() {
        return None;
    }
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let Some((_, value)) = context.clone().find(|(key, _)| *key == first) else {
        let near = nearest(first, context.map(|(key, _)| key));
        return Some(Lack { why: format!("the context of {event} has no `{first}`"), nearest: near });
    };
    let part = rest?.split('.').next().unwrap_or_default();
    let known = |names: Vec<&str>, what: &str| {
        let is_known = names.is_empty() || names.contains(&part);
        let lack =
            || Lack { why: format!("there is no {what} `{part}`"), nearest: nearest(part, names.iter().copied()) };
        (!is_known).then(lack)
    };
    let without_parts =
        |what: &str| Some(Lack { why: format!("`{first}` is {what}, which has no parts"), nearest: None });
    match value {
        ContextValue::Text => without_parts("text"),
        ContextValue::Number => without_parts("a number"),
        ContextValue::Truth => without_parts("true or false"),
        ContextValue::Limits => {
            let defaults = project.configuration.as_ref().and_then(|it| it.limit_defaults.as_ref());
            known(defaults.map(text_keys).unwrap_or_default(), "limit")
        }
        ContextValue::Inputs => {
            let declared = directive.map_or(&[][..], |directive| &directive.inputs);
            known(declared.iter().map(|input| input.name.as_str()).collect(), "input")
        }
        ContextValue::Anything => None,
    }
}

fn text_keys(map: &NodeMap) -> Vec<&str> {
    map.keys().filter_map(Value::as_str).collect()
}

pub(super) fn never_by_type(hook: &Hook) -> Option<String> {
    if evaluate(&hook.condition, &hook.event) != Truth::False {
        return None;
    }
    let explain = |comparison: &Comparison| {
        let what = match always_holds(&hook.event, &comparison.path)? {
            ContextValue::Number => "a whole number",
            _ => "text",
        };
        Some(format!("`{}` is false, because `{}` is always {what}", words(&hook.condition)?, comparison.path))
    };
    Some(decisive(&hook.condition).and_then(explain).unwrap_or_else(|| "no value makes its condition true".to_string()))
}

/// The only comparison of a condition.
fn decisive(condition: &Condition) -> Option<&Comparison> {
    match &condition.form {
        Form::Comparison(comparison) => Some(comparison),
        Form::Not(child) => decisive(child),
        Form::All(children) | Form::Any(children) => match children.as_slice() {
            [only] => decisive(only),
            _ => None,
        },
        _ => None,
    }
}

/// Unknown if the result depends on values.
fn evaluate(condition: &Condition, event: &str) -> Truth {
    let of = |child: &Arc<Condition>| evaluate(child, event);
    match &condition.form {
        Form::Always => Truth::True,
        Form::Comparison(comparison) => compared(comparison, event).map_or(Truth::Unknown, Truth::from),
        Form::Not(child) => of(child).negated(),
        Form::All(children) => children.iter().map(of).min().unwrap_or(Truth::True),
        Form::Any(children) => children.iter().map(of).max().unwrap_or(Truth::False),
        Form::Invalid(_) => Truth::Unknown,
    }
}

/// None if the result depends on values.
fn compared(comparison: &Comparison, event: &str) -> Option<bool> {
    let holds = always_holds(event, &comparison.path)?;
    // In Python, True equals 1.
    let may_equal = |value: &Value| match holds {
        ContextValue::Text => value.as_str().is_some(),
        _ => matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_)),
    };
    match (comparison.operator?, &comparison.expected) {
        (Operator::Exists, _) => Some(true),
        (Operator::Eq, value) if !may_equal(value) => Some(false),
        (Operator::Ne, value) if !may_equal(value) => Some(true),
        (Operator::In, Value::List(list)) if !list.iter().any(may_equal) => Some(false),
        _ => None,
    }
}

/// The type of a value that is in every context of an event and never null.
fn always_holds(event: &str, path: &str) -> Option<ContextValue> {
    // A thread may be continued without naming the previous one.
    let holds = value_at(event, path).filter(|_| !path.contains('.') && path != "previous_thread_id")?;
    matches!(holds, ContextValue::Text | ContextValue::Number).then_some(holds)
}

pub fn path_unknown(project: &Project<'_>, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod types_tests {
    use crate::lint::rule::RR311 as RULE;
    use crate::lint::testing::messages_of;

    /// The reason that the finding gives.
    fn why(event: &str, condition: &str) -> Option<String> {
        let files = format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: {event}\n    condition: {condition}\n    \
             action: {{primary: fetch, item_type: knowledge, item_id: r, set_extends: b}}\n=== .ai/directives/a.md\n\
             ```xml\n<directive name=\"a\" version=\"1\"/>\n```\n\nGo.\n"
        );
        let found = messages_of(&RULE, &files, "rye-3").pop()?;
        Some(found.split_once("never applies: ").expect("it says why").1.to_string())
    }

    #[test]
    fn text_is_not_a_number() {
        for condition in [
            "{path: model, op: eq, value: 5}",
            "{path: model, value: true}",
            "{path: model, op: in, value: [1, 2]}",
            "{not: {path: model, op: exists}}",
            "{not: {path: model, op: ne, value: 5}}",
            "{any: [{path: model, value: 5}]}",
        ] {
            for event in ["build_system_prompt", "thread_started", "thread_continued"] {
                let why = why(event, condition).unwrap_or_default();
                assert!(why.ends_with(" is false, because `model` is always text"), "{condition}: {why}");
            }
            assert_eq!(why("resolve_extends", condition), None, "the released package holds a map there");
            assert_eq!(why("after_step", condition), None, "its context is not documented");
        }
        let number = "`depth eq \"0\"` is false, because `depth` is always a whole number";
        assert_eq!(why("thread_started", r#"{path: depth, value: "0"}"#).as_deref(), Some(number));
        let both = "{all: [{path: model, value: a}, {path: depth, value: a}]}";
        assert_eq!(why("thread_started", both).as_deref(), Some("no value makes its condition true"));
    }

    #[test]
    fn conditions_that_depend_on_values_pass() {
        for fine in [
            "{path: model, value: '5'}",
            "{path: model, op: in, value: [1, fast]}",
            "{path: depth, value: 0}",
            "{path: depth, value: 0.0}",
            "{path: depth, value: true}",
            "{path: model, op: exists}",
            "{path: model, op: contains, value: '5'}",
            "{path: max_turns, value: '5'}",
            "{path: spend_limit, value: 5}",
            "{path: limits.turns, value: '5'}",
            "{path: inputs.x, value: 5}",
            "{not: {path: inputs.x, op: exists}}",
            "{any: [{path: model, value: 5}, {path: inputs.x, value: 5}]}",
            "{all: [{path: model, op: exists}, {path: inputs.x, value: 5}]}",
        ] {
            assert_eq!(why("thread_started", fine), None, "{fine}");
        }
        assert_eq!(why("thread_continued", "{not: {path: previous_thread_id, op: exists}}"), None);
    }
}
