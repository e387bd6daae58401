//! The inputs that hooks use.

use std::collections::HashSet;
use std::ops::Range;

use crate::decide::condition::Truth;
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::placeholders::of_hook;
use crate::lint::rules::{
    Composed, Directive, Findings, Hook, LintFile, Location, Project, Span, applies_to, has_context,
};
use crate::read::item::condition::{Comparison, Operator};
use crate::read::item::{InputDeclaration, TextPlace};
use crate::read::protocol::Protocol;
use crate::read::value::{Value, look_up, map};

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders};

/// Deeper parameters are ignored.
const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone)]
pub(super) struct InputUse<'p> {
    /// None for all inputs, or for one that is only known at run time.
    pub of: Option<String>,
    pub by: InputUser<'p>,
}

#[derive(Debug, Clone)]
pub(super) enum InputUser<'p> {
    Condition {
        comparison: &'p Comparison,
    },
    /// `${inputs.x}` in an id, a parameter or text, and whether it has a fallback.
    Variable {
        has_other: bool,
    },
    /// `{input:x}` in an id or text, which stays as written if no input is given.
    Placeholder {
        default: Option<&'p str>,
        at: Span,
    },
}

pub(super) struct HookUses<'p> {
    pub hook: &'p Hook,
    /// First those in its condition, then those in ids, parameters and texts.
    pub all: Vec<InputUse<'p>>,
    /// The inputs used by name.
    names: HashSet<String>,
    looks_at_all: bool,
}

impl<'p> HookUses<'p> {
    pub fn of(hook: &'p Hook, project: &'p Project<'_>) -> Self {
        let mut all = of_condition(hook);
        all.extend(of_actions(hook, project));
        let names = all.iter().filter_map(|it| it.of.clone()).collect();
        let looks_at_all = all.iter().any(|it| it.of.is_none());
        Self { hook, all, names, looks_at_all }
    }

    pub fn names(&self, input: &str) -> bool {
        self.names.contains(input)
    }

    /// Whether the hook uses an input, by name or together with all others.
    pub fn looks_at(&self, input: &str) -> bool {
        self.looks_at_all || self.names(input)
    }

    pub fn may_apply(&self, composed: &Composed<'_>) -> bool {
        composed.truth(self.hook) != Truth::False
    }
}

/// The hooks in the configuration that use inputs.
pub(super) fn configured<'p>(project: &'p Project<'_>) -> Vec<HookUses<'p>> {
    if !has_context(project) {
        return Vec::new();
    }
    let all = project.configured_hooks().map(|hook| HookUses::of(hook, project));
    all.filter(|uses| !uses.all.is_empty()).collect()
}

pub(super) fn own<'p>(directive: &'p Directive, project: &'p Project<'_>) -> Vec<HookUses<'p>> {
    let hooks = directive.hooks.iter().filter(|_| has_context(project));
    hooks.map(|hook| HookUses::of(hook, project)).collect()
}

pub(super) fn of_condition(hook: &Hook) -> Vec<InputUse<'_>> {
    let uses = hook.condition.comparisons().filter_map(|(_, comparison)| {
        Some(InputUse { of: of_path(&comparison.path)?, by: InputUser::Condition { comparison } })
    });
    uses.collect()
}

/// None for a path outside of the inputs; `Some(None)` for all inputs.
fn of_path(path: &str) -> Option<Option<String>> {
    let mut parts = path.trim().split('.');
    match (parts.next(), parts.next()) {
        (Some("" | "inputs"), None) => Some(None),
        (Some("inputs"), name) => Some(name.map(str::to_string)),
        _ => None,
    }
}

fn of_actions<'p>(hook: &'p Hook, project: &'p Project<'_>) -> Vec<InputUse<'p>> {
    let mut uses = Vec::new();
    let protocol = project.protocol;
    for action in &hook.actions {
        if let Some(id) = &action.item_id {
            let place = |range| id.text.slice(range).span().unwrap_or_else(|| id.span.clone());
            of_text(id.as_str(), protocol, &place, &mut uses);
        }
        for value in action.params.values() {
            if let Some(span) = action.span.as_ref().or(hook.span.as_ref()) {
                of_value(value, protocol, span, 0, &mut uses);
            }
        }
    }
    uses.extend(items(hook, project).flat_map(|(_, file)| of_file(file, protocol)));
    uses
}

/// The items whose text a hook inserts, each with the id in the hook.
pub(super) fn items<'p>(hook: &'p Hook, project: &'p Project<'_>) -> impl Iterator<Item = (&'p Span, &'p LintFile)> {
    hook.actions.iter().filter_map(|action| {
        let id = action.item_id.as_ref().filter(|id| !has_placeholder(id.as_str()))?;
        Some((&id.span, project.inserted(action)?))
    })
}

/// The uses in the text of an item that a hook inserts.
fn of_file<'p>(file: &'p LintFile, protocol: &Protocol) -> Vec<InputUse<'p>> {
    let mut uses = Vec::new();
    if let Some(source) = &file.source {
        // For most items, hooks insert the text without the metadata.
        let start = match file.knowledge().map(|knowledge| &knowledge.place) {
            Some(TextPlace::Block(text)) if !text.text().is_empty() => text.range().start,
            _ => 0,
        };
        let place = |range: Range<usize>| source.span(start + range.start..start + range.end);
        of_text(&source.text()[start..], protocol, &place, &mut uses);
    }
    uses
}

fn of_value<'p>(value: &'p Value, protocol: &Protocol, span: &'p Span, depth: usize, uses: &mut Vec<InputUse<'p>>) {
    match value {
        _ if depth > MAX_DEPTH => {}
        Value::Str(text) => of_text(text, protocol, &|_| span.clone(), uses),
        Value::List(list) => list.iter().for_each(|value| of_value(value, protocol, span, depth + 1, uses)),
        Value::Map(map) => map.values().for_each(|value| of_value(value, protocol, span, depth + 1, uses)),
        _ => {}
    }
}

fn of_text<'p>(text: &'p str, protocol: &Protocol, place: &dyn Fn(Range<usize>) -> Span, uses: &mut Vec<InputUse<'p>>) {
    for it in of_hook(text, protocol).filter(|it| text[it.range.start..].starts_with("${")) {
        let by = InputUser::Variable { has_other: it.paths.len() > 1 };
        let uses_of = it.paths.iter().filter_map(|path| of_path(path));
        uses.extend(uses_of.map(|of| InputUse { of, by: by.clone() }));
    }
    for it in placeholders(text).filter(|it| it.kind == PlaceholderKind::Input) {
        let by = InputUser::Placeholder { default: it.default, at: place(it.range) };
        uses.push(InputUse { of: Some(it.name.to_string()), by });
    }
}

pub fn default_unseen_by_hooks(project: &Project<'_>, found: &mut Findings<'_>) {
    let configured = configured(project);
    for (file, directive) in project.linted_directives() {
        let mut defaulted = directive.inputs.iter().filter(|input| input.default.is_some()).peekable();
        if defaulted.peek().is_none() || (configured.is_empty() && directive.hooks.is_empty()) {
            continue;
        }
        let own = own(directive, project);
        let is_ever_given = directive.inputs.iter().any(|input| input.required && input.default.is_none());
        for input in defaulted {
            let mut blind = configured.iter().chain(&own).filter(|uses| misses(uses, input, is_ever_given));
            if let Some(uses) = blind.find(|uses| uses.may_apply(&project.composed(file, directive))) {
                let default = input.default.as_ref().map(|default| Location::from(&default.span));
                let at = default.unwrap_or_else(|| project.location(file));
                let (hook, name) = (uses.hook, input.name.as_str());
                let finding = found.at(at, format!("hook {} does not see the default of `{name}`", hook.name()));
                let span = hook.condition.span.as_ref().or(hook.span.as_ref());
                finding.related_if(span, "the hook sees only inputs that are given");
            }
        }
    }
}

/// Whether a hook would act differently if it saw the default of an input.
fn misses(uses: &HookUses<'_>, input: &InputDeclaration, is_ever_given: bool) -> bool {
    if !uses.names(input.name.as_str()) {
        return false;
    }
    let is_of_prompt = uses.hook.shapes_messages();
    let has_effect = is_of_prompt || uses.hook.routes();
    uses.all.iter().filter(|it| it.of.as_deref() == Some(input.name.as_str())).any(|it| match it.by {
        InputUser::Condition { comparison } => has_effect && differs(comparison, input),
        InputUser::Variable { has_other } => is_of_prompt && !has_other,
        // If no input is given at all, RR206 reports the placeholder.
        InputUser::Placeholder { default, .. } => is_of_prompt && default.is_none() && is_ever_given,
    })
}

/// Whether a comparison gives a different result with the default. `exists` is meant to test whether a value is given.
fn differs(comparison: &Comparison, input: &InputDeclaration) -> bool {
    if comparison.operator == Some(Operator::Exists) {
        return false;
    }
    let holds = |value: Value| {
        let inputs = Value::Map(map([(input.name.as_str(), value)]));
        let context = Value::Map(map([("inputs", inputs)]));
        comparison.holds_for(look_up(&context, &comparison.path).unwrap_or(&Value::Null)) == Some(true)
    };
    let default = input.default.as_ref().map(|default| Value::from(default.as_str()));
    default.is_some_and(|default| holds(default) != holds(Value::Null))
}

pub fn input_placeholder_kept(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() || !has_context(project) {
        return;
    }
    for (item_id, item) in items(hook, project) {
        let code = CodeRanges::of(item.source.as_ref().map_or("", |source| source.text()));
        for it in of_file(item, project.protocol) {
            let (Some(name), InputUser::Placeholder { at, .. }) = (it.of, it.by) else { continue };
            let is_example = || code.has(at.range().start);
            if !applies_to(hook, file, project, |directive| may_keep(directive, &name, is_example)) {
                continue;
            }
            let message = format!("`{}` in `{}` stays as written when no input is given", at.text(), item.id);
            let finding = match project.is_of_project(item) {
                true => found.at(&at, message).related(item_id, "a hook inserts it here"),
                // The item is in another tier, so only the hook can be changed here.
                false => found.at(item_id, message),
            };
            finding.help(format!(
                "write ${{inputs.{name}}}, which then prints nothing, or give the hook a condition on inputs.{name}"
            ));
        }
    }
}

/// Whether a directive may run without inputs. Code may be an example, so only declared names are reported in it.
fn may_keep(directive: &Directive, name: &str, is_example: impl Fn() -> bool) -> bool {
    let is_free = directive.inputs.iter().all(|input| !input.required || input.default.is_some());
    is_free && (!is_example() || directive.inputs.iter().any(|input| input.name.as_str() == name))
}

#[cfg(test)]
mod default_unseen_by_hooks_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR207 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn a_condition_that_the_default_does_not_change_is_not_reported() {
        let files = r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata><hooks><hook id="careful" event="thread_started">
    <condition path="inputs.target" op="eq" value="production"/>
  </hook></hooks></metadata>
  <inputs><input name="target" default="staging"/></inputs>
</directive>
```
"#;
        let findings = found(Example(files), &LintOptions::default());
        assert!(findings.iter().all(|finding| finding.rule.code != RULE.code));
    }
}
