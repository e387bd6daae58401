use std::collections::{HashMap, HashSet};

use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::nearest::nearest;
use crate::protocol::ContextScope;
use crate::text::Span;

use super::names::{ancestors, in_prose};
use super::placeholders::{CodeRanges, PlaceholderKind, placeholders, texts};
use super::uses::{UsedInputs, of_condition};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR201 };

/// The most names of one directive that are asked about.
const MOST_NAMES: usize = 1_000;

fn check(_file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.inputs.is_empty() {
        return inherited(directive, project, found);
    }
    let mut unknown = UndeclaredInputs {
        declared: directive.inputs.iter().map(|input| input.name.as_str()).collect(),
        asked: HashMap::new(),
        found,
    };
    for text in texts(directive) {
        let code = CodeRanges::of(text.text());
        for it in placeholders(text.text()).filter(|it| it.kind != PlaceholderKind::Environment) {
            let comes_to = match it.default {
                None => "it stays as written",
                Some("") => "nothing ever stands there",
                Some(_) => "its default always stands",
            };
            unknown.ask(it.name, comes_to, &|| code.has(it.range.start), &|| text.slice(it.range.clone()));
        }
    }
    if project.protocol.context == ContextScope::None {
        return;
    }
    for hook in &directive.hooks {
        let Some(span) = &hook.condition_span else { continue };
        for it in of_condition(hook) {
            if let UsedInputs::One(name) = it.of {
                unknown.ask(name, "the condition never sees one", &|| false, &|| span.clone());
            }
        }
    }
}

/// What an ancestor declares, for whom nothing is declared: it looks as if it were inherited.
fn inherited(directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.extends.is_none() || !directive.body.text().contains('{') {
        return;
    }
    let declared = |name: &str| {
        ancestors(directive, project).find_map(|(file, ancestor)| {
            Some((file, ancestor.inputs.iter().find(|input| input.name.as_str() == name)?))
        })
    };
    let mut seen = HashSet::new();
    // A default stands for itself, wherever the input is declared.
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

/// What is found in one directive: each name once, where it first stands.
struct UndeclaredInputs<'a, 'f> {
    declared: HashSet<&'a str>,
    asked: HashMap<String, UndeclaredName>,
    found: &'a mut Findings<'f>,
}

/// A name that was asked about: it costs a look at everything that is declared.
struct UndeclaredName {
    near: Option<String>,
    is_told: bool,
}

impl UndeclaredInputs<'_, '_> {
    fn ask(&mut self, name: &str, comes_to: &str, is_code: &dyn Fn() -> bool, at: &dyn Fn() -> Span) {
        if self.declared.contains(name) {
            return;
        }
        if !self.asked.contains_key(name) {
            if self.asked.len() == MOST_NAMES {
                return;
            }
            let near = nearest(name, self.declared.iter().copied());
            self.asked.insert(name.to_string(), UndeclaredName { near, is_told: false });
        }
        let Some(UndeclaredName { near, is_told: is_told @ false }) = self.asked.get_mut(name) else { return };
        if near.is_none() && is_code() {
            return;
        }
        *is_told = true;
        let finding = self.found.at(at(), format!("no input `{name}` is declared, so {comes_to}"));
        if let Some(near) = near {
            finding.help(format!("did you mean `{near}`?"));
        }
    }
}

#[cfg(test)]
mod inherited_tests {
    use super::RULE;
    use crate::lint::testing::said;

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
        said(&RULE, &files, protocol)
    }

    #[test]
    fn what_an_ancestor_declares_is_not_inherited() {
        let told = ".ai/directives/child.md:5: only `root` declares the input `topic`, and inputs are not inherited";
        for parent in ["root", "base"] {
            assert_eq!(of(parent, "On {input:topic}, ${inputs.topic}.", "rye-3"), [told]);
        }
        for fine in ["On {input:other}.", "On {input:topic|all}.", "On {input:topic?}.", "On `{input:topic}`."] {
            assert_eq!(of("base", fine, "rye-3"), [""; 0], "{fine}");
        }
        assert_eq!(of("base", "On {input:topic}.", "rye-1"), [""; 0], "nothing is extended");
        assert_eq!(of("child", "On {input:topic}.", "rye-3"), [""; 0], "a circle has no root");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    /// What is told of a body under so many inputs.
    fn told(inputs: usize, body: &str) -> Vec<String> {
        let inputs: String = (0..inputs).map(|number| format!("<input name=\"input_{number:05}\"/>")).collect();
        let root = format!("<directive name=\"a\" version=\"1.0.0\"><inputs>{inputs}</inputs></directive>");
        let text = format!("=== .ai/directives/a.md\n```xml\n{root}\n```\n\n{body}\n");
        let found = found(Example(text.leak()), &LintOptions::default());
        found.into_iter().filter(|it| it.rule.code == RULE.code).map(|it| it.message).collect()
    }

    #[test]
    fn a_name_in_code_is_asked_about_once() {
        for count in [20_000, 40_000] {
            let code = format!("```sh\n{}\n```\n", "{input:unlike_them_all} ".repeat(count));
            assert_eq!(told(1_000, &code), [""; 0]);
            // In prose it is told all the same.
            let told = told(1_000, &format!("{code}\nGo to {{input:unlike_them_all}}."));
            assert_eq!(told, ["no input `unlike_them_all` is declared, so it stays as written"]);
        }
    }
}
