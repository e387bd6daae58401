use crate::lint::characters::{self, CharacterClass};
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

use super::text;

pub const RULE: Rule = Rule { check: Check::File(check), ..pages::RR611 };

fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    text::report(file, CharacterClass::Hidden, found, |invisible| {
        format!("{} cannot be seen", characters::named(invisible))
    });
}
