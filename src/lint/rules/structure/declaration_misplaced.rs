use super::misplaced::{self, Reason};
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR045 };

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(Reason::Belongs(parent)) = misplaced::of(part) {
            found.at(&part.span, format!("<{}> stands outside <{parent}>, where nothing reads it", part.tag));
        }
    }
}
