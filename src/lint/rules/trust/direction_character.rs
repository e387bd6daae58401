use std::collections::HashSet;

use crate::lint::project::InvisibleText;
use crate::lint::rules::{Findings, LintFile, Project};
use crate::text::characters::{self, CharacterClass};

use super::text;

pub fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    if !text::is_shown(file) {
        return;
    }
    let invisible: Vec<&InvisibleText> =
        file.invisible_characters().iter().filter(|invisible| invisible.class == CharacterClass::Direction).collect();
    if invisible.is_empty() {
        return;
    }
    let ends = ends(&invisible);
    let is_end: HashSet<usize> = ends.iter().flatten().copied().collect();
    let begun = invisible.iter().enumerate().filter(|(index, _)| !is_end.contains(index));
    let omitted = text::count_omitted(file, CharacterClass::Direction);
    for ((index, place), more) in text::by_line(begun, |(_, place)| place.span.line(), omitted) {
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

#[cfg(test)]
mod tests {
    use super::ALONE;
    use crate::lint::LintOptions;
    use crate::lint::pages::RR612 as RULE;
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
