use std::collections::HashSet;

use memchr::memchr;

use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::names::{ancestors, in_prose};

pub fn check(_file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
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
