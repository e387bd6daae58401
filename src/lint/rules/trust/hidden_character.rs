use super::text;
use crate::lint::characters::{self, CharacterClass};
use crate::lint::finding::Findings;
use crate::lint::project::{LintFile, Project};
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;

pub(super) const RULE: Rule = Rule { check: Check::File(check), ..pages::RR611 };

fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    text::report(file, CharacterClass::Hidden, found, |odd| format!("{} cannot be seen", characters::named(odd)));
}
