use std::collections::HashMap;

use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR014 };

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    if directive.outputs.len() < 2 {
        return;
    }
    let mut first = HashMap::with_capacity(directive.outputs.len());
    for name in directive.outputs.iter().filter_map(|output| output.name.as_ref()) {
        if name.text.is_empty() {
            continue;
        }
        match first.get(name.as_str()) {
            None => drop(first.insert(name.as_str(), &name.span)),
            Some(earlier) => {
                let message = format!("there is an output `{}` already, which this one replaces", name.as_str());
                found.at(&name.span, message).related(*earlier, "it is declared here first");
            }
        }
    }
}
