use crate::lint::rules::{Directive, Findings, LintFile, Project};

use super::misplaced::{self, MisplacedReason};

pub fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(MisplacedReason::Misspelt(meant)) = misplaced::of(part) {
            let finding = found.at(&part.span, format!("nothing reads <{}>", part.tag));
            finding.help(format!("did you mean <{meant}>?"));
        }
    }
}
