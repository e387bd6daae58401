use crate::lint::characters::{self, CharacterClass};
use crate::lint::rules::{Check, Findings, LintFile, Project};

use super::text;

pub const CHECK: Check = Check::File(check);

/// The maximum number of letters of hidden text that are shown.
const MOST: usize = 60;

fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    text::report(file, CharacterClass::Tag, found, |invisible| {
        let (count, spelled) = (invisible.chars().count(), characters::spelled(invisible));
        let characters = if count == 1 { "a tag character".to_string() } else { format!("{count} tag characters") };
        let shown: String = spelled.chars().take(MOST).collect();
        let more = if spelled.len() > MOST { "…" } else { "" };
        match spelled.is_empty() {
            true => characters,
            false => format!("{characters} spell `{shown}{more}`"),
        }
    });
}
