use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Directive, IgnoredIn};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in &directive.unread {
        if matches!(part.within, IgnoredIn::Description | IgnoredIn::Output) {
            found.at(&part.span, format!("the description ends before <{}>", part.tag));
        }
    }
}
