//! Rules about characters, and their helpers.

use std::sync::Arc;

use crate::lint::project::{FileKind, InvisibleText};
use crate::lint::rules::{Findings, LintFile, Location, Project};
use crate::text::Source;
use crate::text::characters::{self, CharacterClass};

/// The maximum number of lines that a rule reports per file. The last finding says how many are omitted.
pub(super) const MOST: usize = 200;

/// The first place of each line, with a note about the others on that line. The last note also gives
/// the number of all omitted places, including `more`.
pub(super) fn by_line<T>(
    places: impl IntoIterator<Item = T>,
    line: impl Fn(&T) -> usize,
    mut more: usize,
) -> Vec<(T, String)> {
    let mut lines: Vec<(T, usize, usize)> = Vec::new();
    for place in places {
        let number = line(&place);
        let is_full = lines.len() == MOST;
        match lines.last_mut() {
            Some((_, last, count)) if *last == number => *count += 1,
            _ if is_full => more += 1,
            _ => lines.push((place, number, 1)),
        }
    }
    let last = lines.len().saturating_sub(1);
    let reported = lines.into_iter().enumerate().map(|(index, (place, _, count))| {
        let mut note = if count > 1 { format!(", the first of {count} on this line") } else { String::new() };
        if index == last && more > 0 {
            note += &format!("; {more} more in this file");
        }
        (place, note)
    });
    reported.collect()
}

/// Whether text in a file can reach a prompt: items, and the texts of hooks.
pub(super) fn is_shown(file: &LintFile) -> bool {
    match file.kind {
        FileKind::Item(_) | FileKind::Agents(_) => true,
        FileKind::Configuration => file.path.ends_with("/hooks.yaml") || file.path.ends_with("/hook_conditions.yaml"),
    }
}

fn report(file: &LintFile, class: CharacterClass, found: &mut Findings<'_>) {
    if !is_shown(file) {
        return;
    }
    let of_class = |invisible: &&InvisibleText| invisible.class == class;
    let places = file.invisible_characters().iter().filter(of_class);
    for (invisible, more) in by_line(places, |invisible| invisible.span.line(), count_omitted(file, class)) {
        found.at(&invisible.span, characters::phrase(class, &invisible.characters) + &more);
    }
}

pub fn hidden_character(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    report(file, CharacterClass::Hidden, found);
}

pub fn tag_character(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    report(file, CharacterClass::Tag, found);
}

/// Counts the runs that were not kept.
pub(super) fn count_omitted(file: &LintFile, class: CharacterClass) -> usize {
    file.invisible_characters()
        .iter()
        .filter(|invisible| invisible.class == class)
        .map(|invisible| invisible.more)
        .sum()
}

pub(super) fn is_page_break(invisible: &InvisibleText) -> bool {
    invisible.class == CharacterClass::Control
        && characters::is_page_break(invisible.span.source().text(), &invisible.span.range())
}

/// A location with line and column, but without text.
pub(super) fn place_without_text(source: &Arc<Source>, at: usize) -> Location {
    Location::File {
        tier: source.tier().into(),
        path: source.path().to_string(),
        revision: source.revision().map(Into::into),
        position: Some(source.position(at)),
    }
}
