//! Inputs that are named but not declared.

use std::collections::{BTreeSet, HashMap, HashSet};

use memchr::memchr;

use crate::decide::condition::Truth;
use crate::lint::placeholders::DirectivePlaceholder;
use crate::lint::rules::{Directive, Findings, ItemKind, LintFile, Project, Span, has_context};
use crate::read::item::{Hook, HookOrigin};
use crate::text::nearest::nearest;

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders, texts};
use super::uses::{self, of_condition};

/// Chains may be long, and every directive walks its own.
const MOST_ANCESTORS: usize = 20;

/// The declared inputs. A directive that declares none accepts any, so the names in its
/// placeholders and the inputs of its ancestors are used.
pub(super) fn names<'p>(directive: &'p Directive, project: &'p Project<'_>) -> HashSet<&'p str> {
    let mut names: HashSet<&str> = declared(directive).collect();
    if names.is_empty() {
        names.extend(in_prose(directive).map(|it| it.name));
        names.extend(ancestors(directive, project).flat_map(|(_, ancestor)| declared(ancestor)));
    }
    names
}

fn declared(directive: &Directive) -> impl Iterator<Item = &str> {
    directive.inputs.iter().map(|input| input.name.as_str())
}

pub(super) fn in_prose(directive: &Directive) -> impl Iterator<Item = DirectivePlaceholder<'_>> {
    let code = CodeRanges::of(directive.body.text());
    placeholders(directive.body.text())
        .filter(move |it| it.kind != PlaceholderKind::Environment && !code.has(it.range.start))
}

/// Nearest first.
fn ancestors<'p>(
    directive: &'p Directive,
    project: &'p Project<'_>,
) -> impl Iterator<Item = (&'p LintFile, &'p Directive)> {
    let parent = move |child: &'p Directive| {
        let file = project.find(ItemKind::Directive, child.extends.as_ref()?.as_str())?;
        Some((file, file.directive()?))
    };
    let first = if !has_context(project) { None } else { parent(directive) };
    std::iter::successors(first, move |(_, child)| parent(child)).take(MOST_ANCESTORS)
}

/// The maximum number of names checked per directive.
const MOST_NAMES: usize = 1_000;

pub fn input_undeclared(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.inputs.is_empty() {
        return inherited(directive, project, found);
    }
    let mut unknown = UndeclaredInputs {
        declared: directive.inputs.iter().map(|input| input.name.as_str()).collect(),
        names: HashMap::new(),
        found,
    };
    for text in texts(directive) {
        let code = CodeRanges::of(text.text());
        for it in placeholders(text.text()).filter(|it| it.kind != PlaceholderKind::Environment) {
            let effect = match it.default {
                None => "the placeholder stays as written",
                Some("") => "it is always empty",
                Some(_) => "its default is always used",
            };
            unknown.check(it.name, effect, &|| code.has(it.range.start), &|| text.slice(it.range.clone()));
        }
    }
    if !has_context(project) {
        return;
    }
    for hook in &directive.hooks {
        let Some(span) = &hook.condition.span else { continue };
        for name in of_condition(hook).into_iter().filter_map(|it| it.of) {
            unknown.check(&name, "the condition never sees it", &|| false, &|| span.clone());
        }
    }
}

/// Reports inputs that only an ancestor declares: they look inherited, but inputs are not.
fn inherited(directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.extends.is_none() || memchr(b'{', directive.body.text().as_bytes()).is_none() {
        return;
    }
    let declared = |name: &str| {
        ancestors(directive, project).find_map(|(file, ancestor)| {
            Some((file, ancestor.inputs.iter().find(|input| input.name.as_str() == name)?))
        })
    };
    let mut seen = HashSet::new();
    // A placeholder with a default works without a declaration.
    for it in in_prose(directive).filter(|it| it.default.is_none()) {
        if !seen.insert(it.name) || seen.len() > MOST_NAMES {
            continue;
        }
        if let Some((file, input)) = declared(it.name) {
            let message = format!("only `{}` declares the input `{}`, and inputs are not inherited", file.id, it.name);
            let finding = found.at(directive.body.slice(it.range), message);
            finding.help("declare it here as well").related(&input.name.span, "declared here");
        }
    }
}

/// Reports each undeclared name of a directive once.
struct UndeclaredInputs<'a, 'f> {
    declared: BTreeSet<&'a str>,
    names: HashMap<String, UndeclaredName>,
    found: &'a mut Findings<'f>,
}

/// The suggestion is cached, because finding it means comparing all declared names.
struct UndeclaredName {
    near: Option<String>,
    is_reported: bool,
}

impl UndeclaredInputs<'_, '_> {
    fn check(&mut self, name: &str, effect: &str, is_code: &dyn Fn() -> bool, at: &dyn Fn() -> Span) {
        if self.declared.contains(name) {
            return;
        }
        if !self.names.contains_key(name) {
            if self.names.len() == MOST_NAMES {
                return;
            }
            let near = nearest(name, self.declared.iter().copied());
            self.names.insert(name.to_string(), UndeclaredName { near, is_reported: false });
        }
        let Some(UndeclaredName { near, is_reported: is_reported @ false }) = self.names.get_mut(name) else { return };
        if near.is_none() && is_code() {
            return;
        }
        *is_reported = true;
        let finding = self.found.at(at(), format!("no input `{name}` is declared, so {effect}"));
        finding.suggest(near.as_ref());
    }
}

pub fn inputs_not_declared(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    // RR201 reports names that an ancestor declares.
    let declares = |ancestor: &Directive, name: &str| ancestor.inputs.iter().any(|input| input.name.as_str() == name);
    let is_inherited = |name: &str| ancestors(directive, project).any(|(_, ancestor)| declares(ancestor, name));
    if !directive.inputs.is_empty() || memchr(b'{', directive.body.text().as_bytes()).is_none() {
        return;
    }
    let mut seen = HashSet::new();
    for it in in_prose(directive).filter(|it| it.default.is_none()) {
        if seen.insert(it.name) && !is_inherited(it.name) {
            let message = format!("no inputs are declared, so `{}` is never requested", it.name);
            found.at(directive.body.slice(it.range), message);
        }
    }
}

pub fn input_unknown_to_all(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_routed = hook.routes() && project.protocol.routing.is_some();
    let is_run = is_routed || hook.shapes_messages() && has_context(project);
    let Some(at) = hook.condition.span.as_ref().filter(|_| is_run) else { return };
    // A hook of a directive only applies to that directive, and one of another tier does not belong to the project.
    if hook.origin == HookOrigin::Directive || !project.is_project_tier(at.source().tier()) {
        return;
    }
    let mut open: HashSet<String> = uses::of_condition(hook).into_iter().filter_map(|it| it.of).collect();
    if open.is_empty() {
        return;
    }
    let (mut declared, mut has_any) = (HashSet::new(), false);
    for (file, directive) in project.directives() {
        let names = || directive.inputs.iter().map(|input| input.name.as_str());
        declared.extend(names());
        // After the first, only a directive that declares an `open` name, or no inputs at all, changes the result.
        if open.is_empty() || has_any && !directive.inputs.is_empty() && !names().any(|name| open.contains(name)) {
            continue;
        }
        if project.composed(file, directive).truth(hook) == Truth::False {
            continue;
        }
        if directive.inputs.is_empty() {
            return;
        }
        has_any = true;
        for name in names() {
            open.remove(name);
        }
    }
    let mut open: Vec<String> = open.into_iter().filter(|_| has_any).collect();
    open.sort_unstable();
    for name in open {
        let message = format!("hook {} applies to no directive that declares the input `{name}`", hook.name());
        let finding = found.at(at, message);
        finding.suggest(nearest(&name, declared.iter().copied()));
    }
}

#[cfg(test)]
mod inherited_tests {
    use crate::lint::rule::RR201 as RULE;
    use crate::lint::testing::messages_of;

    fn of(parent: &str, body: &str, protocol: &str) -> Vec<String> {
        let directive = |name: &str, extends: &str, inputs: &str, body: &str| {
            format!(
                "=== .ai/directives/{name}.md\n```xml\n<directive name=\"{name}\" version=\"1\"{extends}><metadata>\
                 <description>D</description></metadata>{inputs}</directive>\n```\n\n{body}\n"
            )
        };
        let files = directive("root", "", "<inputs><input name=\"topic\"/></inputs>", "On {input:topic}.")
            + &directive("base", " extends=\"root\"", "", "Go.")
            + &directive("child", &format!(" extends=\"{parent}\""), "", body);
        messages_of(&RULE, &files, protocol)
    }

    #[test]
    fn inputs_of_an_ancestor_are_not_inherited() {
        let reported =
            ".ai/directives/child.md:5: only `root` declares the input `topic`, and inputs are not inherited";
        for parent in ["root", "base"] {
            assert_eq!(of(parent, "On {input:topic}, ${inputs.topic}.", "rye-3"), [reported]);
        }
        for fine in ["On {input:other}.", "On {input:topic|all}.", "On {input:topic?}.", "On `{input:topic}`."] {
            assert_eq!(of("base", fine, "rye-3"), [""; 0], "{fine}");
        }
        assert_eq!(of("base", "On {input:topic}.", "rye-1"), [""; 0], "nothing is extended");
        assert_eq!(of("child", "On {input:topic}.", "rye-3"), [""; 0], "a cycle has no root");
    }
}

#[cfg(test)]
mod input_undeclared_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR201 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    fn reported(inputs: usize, body: &str) -> Vec<String> {
        let inputs: String = (0..inputs).map(|number| format!("<input name=\"input_{number:05}\"/>")).collect();
        let root = format!("<directive name=\"a\" version=\"1.0.0\"><inputs>{inputs}</inputs></directive>");
        let text = format!("=== .ai/directives/a.md\n```xml\n{root}\n```\n\n{body}\n");
        let found = found(Example(text.leak()), &LintOptions::default());
        found.into_iter().filter(|it| it.rule.code == RULE.code).map(|it| it.message).collect()
    }

    #[test]
    fn a_name_in_code_is_checked_once() {
        for count in [20_000, 40_000] {
            let code = format!("```sh\n{}\n```\n", "{input:unlike_them_all} ".repeat(count));
            assert_eq!(reported(1_000, &code), [""; 0]);
            // In prose it is still reported.
            let reported = reported(1_000, &format!("{code}\nGo to {{input:unlike_them_all}}."));
            assert_eq!(reported, ["no input `unlike_them_all` is declared, so the placeholder stays as written"]);
        }
    }
}

#[cfg(test)]
mod input_unknown_to_all_tests {
    use crate::lint::rule::RR210 as RULE;
    use crate::lint::testing::messages_of;

    const DIRECTIVE: &str = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                             <description>D</description></metadata>\n<inputs><input name=\"x\"/></inputs></directive>\n\
                             ```\n\nGo, {input:x}.\n=== .ai/knowledge/r.md\n```yaml\nname: r\n```\n\nR.\n";

    fn of(file: &str, key: &str, event: &str, condition: &str, protocol: &str) -> Vec<String> {
        let action = match event {
            "resolve_extends" => "{set_extends: a}",
            _ => "{primary: fetch, item_type: knowledge, item_id: r}",
        };
        let hook = format!("{key}:\n  - id: h\n    event: {event}\n    condition: {condition}\n    action: {action}\n");
        messages_of(&RULE, &format!("=== {file}\n{hook}{DIRECTIVE}"), protocol)
    }

    const HOOKS: &str = ".ai/config/agent/hooks.yaml";

    fn at(file: &str, input: &str) -> String {
        format!("{file}:4: hook h applies to no directive that declares the input `{input}`")
    }

    #[test]
    fn hooks_of_the_project_are_reported_wherever_it_declares_them() {
        let y = "{path: inputs.y.z, op: exists}";
        assert_eq!(of(HOOKS, "hooks", "thread_started", y, "rye-3"), [at(HOOKS, "y")]);
        let conditions = ".ai/config/agent/hook_conditions.yaml";
        assert_eq!(of(conditions, "infra_hooks", "thread_started", y, "rye-2"), [at(conditions, "y")]);
        assert_eq!(of(&format!("user:{HOOKS}"), "hooks", "thread_started", y, "rye-3"), [""; 0]);
        assert_eq!(of(HOOKS, "hooks", "thread_started", y, "rye-1"), [""; 0]);
        assert_eq!(of(HOOKS, "hooks", "resolve_extends", y, "rye-3"), [at(HOOKS, "y")]);
        assert_eq!(of(HOOKS, "hooks", "resolve_extends", y, "rye-2"), [""; 0], "it never runs");
        assert_eq!(of(HOOKS, "hooks", "after_complete", y, "rye-3"), [""; 0], "its context is not documented");
    }

    #[test]
    fn every_input_of_a_condition_gets_a_finding() {
        let nested = "{any: [{path: inputs.z}, {not: {all: [{path: inputs.y}, {path: inputs.x}, {path: inputs.y}]}}]}";
        assert_eq!(of(HOOKS, "hooks", "thread_started", nested, "rye-3"), [at(HOOKS, "y"), at(HOOKS, "z")]);
        for fine in [
            "{path: inputs}",
            "{path: ''}",
            "{path: model}",
            "{}",
            "{all: [{path: directive, value: b}, {path: inputs.y}]}",
        ] {
            assert_eq!(of(HOOKS, "hooks", "thread_started", fine, "rye-3"), [""; 0], "{fine}");
        }
    }
}
