use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Directive, IgnoredIn};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.is_repeated) {
        found.at(
            &part.span,
            match part.within {
                IgnoredIn::Root => format!("another <{}> precedes this one, which is ignored", part.tag),
                _ => format!("another <{}> follows this one, which is ignored", part.tag),
            },
        );
    }
}
