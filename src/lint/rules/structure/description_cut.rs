use crate::item::{Directive, IgnoredIn};
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

pub const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR049 };

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in &directive.unread {
        if matches!(part.within, IgnoredIn::Description | IgnoredIn::Output) {
            found.at(&part.span, format!("the description ends before <{}>", part.tag));
        }
    }
}
