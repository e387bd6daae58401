//! Characters that nobody sees, and secrets.

use std::collections::{BTreeMap, HashSet};

use crate::lint::project::{FileKind, InvisibleText};
use crate::lint::rules::{Findings, LintFile, Location, Project};
use crate::lint::secrets;
use crate::text::characters::{self, CharacterClass};

/// The maximum number of lines that a rule reports per file. The last finding says how many are omitted.
pub(super) const MOST: usize = 200;

/// The first place of each line, with a note about the others on that line. The last note also gives
/// the number of all omitted places, including `more`.
fn by_line<T>(places: impl IntoIterator<Item = T>, line: impl Fn(&T) -> usize, mut more: usize) -> Vec<(T, String)> {
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
fn is_shown(file: &LintFile) -> bool {
    match file.kind {
        FileKind::Item(_) | FileKind::Agents(_) => true,
        FileKind::Configuration => file.path.ends_with("/hooks.yaml") || file.path.ends_with("/hook_conditions.yaml"),
    }
}

/// The characters of a class in text that can reach a prompt, and the number of runs that were not kept.
fn of_class(file: &LintFile, class: CharacterClass) -> (Vec<&InvisibleText>, usize) {
    let all: &[InvisibleText] = if is_shown(file) { file.invisible_characters() } else { &[] };
    let of_class: Vec<&InvisibleText> = all.iter().filter(|invisible| invisible.class == class).collect();
    let omitted = of_class.iter().map(|invisible| invisible.more).sum();
    (of_class, omitted)
}

fn report(file: &LintFile, class: CharacterClass, found: &mut Findings<'_>) {
    let (places, omitted) = of_class(file, class);
    for (invisible, more) in by_line(places, |invisible| invisible.span.line(), omitted) {
        found.at(&invisible.span, characters::phrase(class, &invisible.characters) + &more);
    }
}

pub fn hidden_character(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    report(file, CharacterClass::Hidden, found);
}

pub fn tag_character(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    report(file, CharacterClass::Tag, found);
}

pub fn direction_character(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let (invisible, omitted) = of_class(file, CharacterClass::Direction);
    if invisible.is_empty() {
        return;
    }
    let ends = ends(&invisible);
    let is_end: HashSet<usize> = ends.iter().flatten().copied().collect();
    let begun = invisible.iter().enumerate().filter(|(index, _)| !is_end.contains(index));
    for ((index, place), more) in by_line(begun, |(_, place)| place.span.line(), omitted) {
        let name = characters::named(&place.characters);
        match (closer(&place.characters), ends[index]) {
            (Some(_), Some(end)) => {
                let finding = found.at(&place.span, format!("{name} changes the direction of what follows{more}"));
                finding.related(&invisible[end].span, "up to here");
            }
            (closer, _) => {
                let effect = if closer.is_some() {
                    "changes the direction of the rest of its line"
                } else if ENDS.contains(&place.characters.as_str()) {
                    "ends a change of direction that was never started"
                } else {
                    "is a direction mark, but no text near it is written from right to left"
                };
                found.at(&place.span, format!("{name} {effect}{more}")).help(ALONE);
            }
        }
    }
}

const ALONE: &str = "remove it: the text does not need it";

/// The character that ends embeddings and overrides, and the one that ends isolates.
const ENDS: [&str; 2] = ["\u{202c}", "\u{2069}"];

/// The character that ends the effect of this one, if there is one.
fn closer(character: &str) -> Option<&'static str> {
    match character {
        "\u{202a}" | "\u{202b}" | "\u{202d}" | "\u{202e}" => Some(ENDS[0]),
        "\u{2066}" | "\u{2067}" | "\u{2068}" => Some(ENDS[1]),
        _ => None,
    }
}

/// For each character, the index of the one that ends it on the same line.
fn ends(invisible: &[&InvisibleText]) -> Vec<Option<usize>> {
    let mut ends = vec![None; invisible.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut done = 0;
    for (index, place) in invisible.iter().enumerate() {
        let range = place.span.range();
        // A character written as a reference may precede one that was found earlier.
        let between = place.span.source().text().get(done..range.start);
        if between.is_none_or(|between| between.contains('\n')) {
            open.clear();
        }
        done = range.end;
        if closer(&place.characters).is_some() {
            open.push(index);
        } else if let Some(at) =
            open.iter().rposition(|&at| closer(&invisible[at].characters) == Some(&place.characters))
        {
            ends[open[at]] = Some(index);
            open.truncate(at);
        }
    }
    ends
}

pub fn terminal_escape(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let (controls, omitted) = of_class(file, CharacterClass::Control);
    let is_page_break =
        |control: &InvisibleText| characters::is_page_break(control.span.source().text(), &control.span.range());
    // Colours come in pairs and boxes in dozens, so each line gets one finding.
    let mut lines: BTreeMap<usize, Vec<&InvisibleText>> = BTreeMap::new();
    for control in controls.into_iter().filter(|control| !is_page_break(control)) {
        lines.entry(control.span.line()).or_default().push(control);
    }
    let rest: usize = lines.values().skip(MOST).map(Vec::len).sum();
    let more = rest + omitted;
    let last = lines.len().min(MOST).saturating_sub(1);
    for (index, line) in lines.values().take(MOST).enumerate() {
        // A character written as a reference may precede one that was found earlier.
        let Some(first) = line.iter().min_by_key(|invisible| invisible.span.range().start) else { continue };
        let count: usize = line.iter().map(|invisible| invisible.characters.chars().count()).sum();
        let of_line = if count > 1 { format!(", the first of {count} on its line") } else { String::new() };
        let rest = match more {
            1.. if index == last => format!("; {more} more in this file"),
            _ => String::new(),
        };
        found.at(&first.span, characters::phrase(CharacterClass::Control, &first.characters) + &of_line + &rest);
    }
}

pub fn secret_in_text(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|_| is_shown(file)) else { return };
    let line = |secret: &secrets::Secret| source.position(secret.at).line;
    for (secret, more) in by_line(secrets::find(source.text()), line, 0) {
        let message = format!("{} is written here (`{}…`){more}", secret.what, secret.prefix);
        // A location without a range, so that no view shows the secret.
        found.at(Location::without_text(source, Some(source.position(secret.at))), message);
    }
}

#[cfg(test)]
mod direction_character_tests {
    use super::ALONE;
    use crate::lint::LintOptions;
    use crate::lint::rule::RR612 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn the_help_depends_on_a_closing_character() {
        let help = |text: &'static str| {
            let found = found(Example(text), &LintOptions::default());
            let of_rule = found.into_iter().filter(|finding| finding.rule.code == RULE.code);
            of_rule.map(|finding| finding.help).collect::<Vec<_>>()
        };
        assert_eq!(help("=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n\u{202e}a\n\u{202c}b\n"), [ALONE, ALONE]);
        assert_eq!(help("=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n\u{202e}a\u{202c}b\n"), [RULE.help]);
    }
}

#[cfg(test)]
mod terminal_escape_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR614 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn a_line_is_reported_once() {
        let text = "=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n\u{1b}[31mred\u{1b}[0m\u{8}\u{8}\n\u{7}\n";
        let found = found(Example(text), &LintOptions::default());
        let of_rule = found.iter().filter(|finding| finding.rule.code == RULE.code);
        let messages: Vec<&str> = of_rule.map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            messages,
            ["U+001B is a terminal escape, the first of 4 on its line", "U+0007 is a control character"]
        );
    }

    #[test]
    fn omitted_characters_are_counted() {
        let last = |text: String| {
            let text = format!("=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n{text}");
            let found = found(Example(text.leak()), &LintOptions::default());
            let of_rule: Vec<_> = found.into_iter().filter(|finding| finding.rule.code == RULE.code).collect();
            (of_rule.len(), of_rule.last().map(|finding| finding.message.clone()).unwrap_or_default())
        };
        let message = "U+0007 is a control character";
        assert_eq!(last("a\u{7}\n".repeat(200)), (200, message.to_string()));
        assert_eq!(last("a\u{7}\n".repeat(203)), (200, format!("{message}; 3 more in this file")));
        assert_eq!(last("a\u{7}\n".repeat(3_000)), (200, format!("{message}; 2800 more in this file")));
    }
}

#[cfg(test)]
mod secret_in_text_tests {
    use strum::VariantArray;

    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;
    use crate::lint::view::tests::of_one;
    use crate::lint::view::{self, LintFormat, LintView, ListedNotes};
    use crate::write::screen::Screen;

    /// Two keys on one line, and a third below.
    fn three() -> Example {
        let text = examples(&crate::lint::rule::RR616).bad.0;
        let key = text.split("with ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        Example(text.replace("then deploy.", &format!("then with {key}.\n{key}")).leak())
    }

    #[test]
    fn each_key_is_reported_and_no_format_shows_it() {
        let findings = found(three(), &LintOptions::default());
        let places = findings.iter().map(|finding| (finding.rule.code, finding.message.as_str()));
        let message = "an AWS access key id is written here (`AKIA…`)";
        let two = format!("{message}, the first of 2 on this line");
        assert_eq!(places.collect::<Vec<_>>(), [("RR616", &*two), ("RR616", message)]);
        let report = of_one(findings);
        for &format in LintFormat::VARIANTS {
            let mut out = Vec::new();
            let view = LintView { format, statistics: false, screen: Screen::plain(120), lists: ListedNotes::All };
            view::write(&report, &view, &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.contains("AKIA") && !out.contains("ODZDOCIS"), "{format}:\n{out}");
        }
    }
}
