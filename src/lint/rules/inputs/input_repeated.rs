use std::collections::HashMap;

use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR211 };

fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.inputs.len() < 2 {
        return;
    }
    let mut first = HashMap::with_capacity(directive.inputs.len());
    for name in directive.inputs.iter().map(|input| &input.name).filter(|name| !name.text.is_empty()) {
        match first.get(name.as_str()) {
            None => drop(first.insert(name.as_str(), &name.span)),
            Some(earlier) => {
                let message = format!("there is an input `{}` already", name.as_str());
                found.at(&name.span, message).related(*earlier, "it is declared here first");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    #[test]
    fn each_repetition_is_found_in_its_own_directive() {
        let directive = |id: &str, extends: &str, names: &[&str]| {
            let inputs: String = names.iter().map(|name| format!("<input name=\"{name}\"/>\r\n")).collect();
            format!(
                "=== .ai/directives/{id}.md\n```xml\r\n<directive name=\"{id}\" version=\"1\"{extends}><metadata>\
                 <description>D</description></metadata><inputs>\r\n{inputs}</inputs></directive>\r\n```\r\n\r\nGo.\r\n"
            )
        };
        let files = directive("a", "", &["x", "y", "x", "X", "x", "", ""]) + &directive("b", " extends=\"a\"", &["x"]);
        let expected = [5, 7].map(|line| format!(".ai/directives/a.md:{line}: there is an input `x` already"));
        assert_eq!(said(&RULE, &files, "rye-3"), expected);
    }
}
