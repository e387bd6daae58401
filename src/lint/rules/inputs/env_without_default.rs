use std::collections::HashSet;

use memchr::memmem;

use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::placeholders::{PlaceholderKind, placeholders, texts};

pub fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for text in texts(directive).filter(|text| memmem::find(text.text().as_bytes(), b"{env:").is_some()) {
        for it in placeholders(text.text()).filter(|it| it.kind == PlaceholderKind::Environment) {
            // Once per variable.
            if it.default.is_none() && seen.insert(it.name.to_string()) {
                let span = text.slice(it.range);
                let message = format!("if {} is not set, `{}` stays as written", it.name, span.text());
                found.at(&span, message).help(format!("write {{env:{}:default}}", it.name));
            }
        }
    }
}
