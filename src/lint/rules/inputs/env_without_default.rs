use std::collections::HashSet;

use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

use super::placeholders::{PlaceholderKind, placeholders, texts};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR205 };

fn check(_file: &LintFile, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for text in texts(directive) {
        let open =
            placeholders(text.text()).filter(|it| it.kind == PlaceholderKind::Environment && it.default.is_none());
        for it in open {
            let span = text.slice(it.range);
            // Each variable once, however often it is named.
            if !seen.insert(it.name.to_string()) {
                continue;
            }
            let message = format!("where {} is not set, `{}` stays as written", it.name, span.text());
            found.at(&span, message).help(format!("write {{env:{}:default}}", it.name));
        }
    }
}
