use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Directive, IgnoredIn};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == IgnoredIn::Limits) {
        found.at(&part.span, format!("<{}> in <limits> limits nothing", part.tag));
    }
}
