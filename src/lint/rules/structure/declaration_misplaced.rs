use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

use super::misplaced::{self, MisplacedReason};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(MisplacedReason::Belongs(parent)) = misplaced::of(part) {
            found.at(&part.span, format!("<{}> is outside <{parent}>, so it is ignored", part.tag));
        }
    }
}
