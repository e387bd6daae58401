use crate::item::{Directive, IgnoredIn};
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

pub const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR048 };

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == IgnoredIn::Limits) {
        found.at(&part.span, format!("<{}> in <limits> limits nothing", part.tag));
    }
}
