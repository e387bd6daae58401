use std::collections::{BTreeSet, HashMap, HashSet};

use memchr::memchr;

use crate::lint::rules::{Directive, Findings, LintFile, Project, Span, has_context};
use crate::text::nearest::nearest;

use super::names::{ancestors, in_prose};
use super::placeholders::{CodeRanges, PlaceholderKind, placeholders, texts};
use super::uses::of_condition;

/// The maximum number of names checked per directive.
const MOST_NAMES: usize = 1_000;

pub fn check(_file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod inherited_tests {
    use crate::lint::pages::RR201 as RULE;
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
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR201 as RULE;
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
