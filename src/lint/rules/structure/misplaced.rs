//! Ignored elements of the `xml` block that are in the wrong place or misspelt.

use crate::read::item::{Directive, IgnoredIn, IgnoredPart};

#[derive(Debug, PartialEq)]
pub(super) enum MisplacedReason {
    /// It belongs in a different element.
    Belongs(&'static str),
    /// It is a misspelling of a known element.
    Misspelt(&'static str),
}

/// The elements of `<metadata>` and of the root.
const METADATA: [&str; 10] =
    ["name", "version", "extends", "category", "model", "model_class", "limits", "permissions", "context", "hooks"];
const ROOT: [&str; 3] = ["metadata", "inputs", "outputs"];

/// Elements with the section that they belong in.
const ENTRIES: [(&str, &str); 9] = [
    ("input", "inputs"),
    ("output", "outputs"),
    ("system", "context"),
    ("before", "context"),
    ("after", "context"),
    ("suppress", "context"),
    ("acknowledge", "permissions"),
    ("hook", "hooks"),
    ("tool", "permissions"),
];

/// The names of all elements of the `xml` block.
pub fn element_names() -> impl Iterator<Item = &'static str> {
    ROOT.into_iter().chain(METADATA).chain(ENTRIES.map(|(name, _)| name))
}

/// Words that resemble a known one but differ in meaning.
const OWN_WORDS: [&str; 1] = ["content"];

pub(super) fn of(part: &IgnoredPart) -> Option<MisplacedReason> {
    let tag = part.tag.as_str();
    if !matches!(part.within, IgnoredIn::Root | IgnoredIn::Metadata) {
        return None;
    }
    if let Some((_, parent)) = ENTRIES.into_iter().find(|(entry, _)| *entry == tag) {
        return Some(MisplacedReason::Belongs(parent));
    }
    let (here, elsewhere): (&[&str], _) = match part.within {
        IgnoredIn::Root => (&ROOT, METADATA.contains(&tag).then_some("metadata")),
        _ => (&METADATA, ROOT[1..].contains(&tag).then_some("directive")),
    };
    if let Some(parent) = elsewhere {
        return Some(MisplacedReason::Belongs(parent));
    }
    let other: &[&str] = if part.within == IgnoredIn::Metadata { &["description"] } else { &METADATA };
    let mut meant = here.iter().chain(other);
    meant.find(|known| is_slip(tag, known)).copied().map(MisplacedReason::Misspelt)
}

/// Whether a word differs only in case, in number or in one letter.
pub(super) fn is_slip(word: &str, known: &str) -> bool {
    let (long, short) = if word.len() > known.len() { (word, known) } else { (known, word) };
    let is_number = long.strip_suffix('s') == Some(short);
    let is_letter = || known.len() > 5 && word.len() > 5 && strsim::osa_distance(word, known) == 1;
    word.eq_ignore_ascii_case(known) || is_number || !OWN_WORDS.contains(&word) && word.len() < 64 && is_letter()
}

pub(super) fn root_name(directive: &Directive) -> &str {
    let tag = directive.tag.text().trim_start_matches('<');
    tag.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_apart_from_other_words() {
        for (word, known) in [("permission", "permissions"), ("Limits", "limits"), ("contxet", "context")] {
            assert!(is_slip(word, known), "{word}");
        }
        for (word, known) in [("content", "context"), ("mode", "model"), ("persons", "version"), ("team", "name")] {
            assert!(!is_slip(word, known), "{word}");
        }
    }
}
