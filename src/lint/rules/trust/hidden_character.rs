use crate::lint::characters::{self, CharacterClass};
use crate::lint::rules::{Check, Findings, LintFile, Project};

use super::text;

pub const CHECK: Check = Check::File(check);

fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    text::report(file, CharacterClass::Hidden, found, |invisible| {
        format!("{} cannot be seen", characters::named(invisible))
    });
}
