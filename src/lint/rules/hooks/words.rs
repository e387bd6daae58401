//! Misspellings of known words.

use crate::lint::rules::{Edit, Span};

/// The known word that was certainly meant: the only one of which `word` is a misspelling.
pub(super) fn surely_meant<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let mut meant = None;
    for candidate in known {
        if candidate == word || is_slip(word, candidate) && meant.replace(candidate).is_some() {
            return None;
        }
    }
    meant
}

/// Longer words are never compared: the distance costs the product of the lengths.
const LONGEST: usize = 64;

/// Whether a word is a misspelling of a known one. The shorter the known word, the fewer misspellings are certain:
/// `note` does not count as one of `not`, nor `later` as one of `layer`.
///
/// - any word: different case;
/// - three letters or more: an extra or missing final `s`;
/// - four: two adjacent letters swapped, or a letter doubled;
/// - five: a letter missing;
/// - six: one letter added, missing or wrong;
/// - eight: two of these.
///
/// The first letter must be right, unless it was swapped.
pub(super) fn is_slip(word: &str, known: &str) -> bool {
    if word == known || word.len() > LONGEST {
        return false;
    }
    if word.eq_ignore_ascii_case(known) {
        return true;
    }
    let length = known.chars().count();
    let distance = || strsim::osa_distance(word, known);
    let is_number = word.strip_suffix('s') == Some(known) || known.strip_suffix('s') == Some(word);
    let has_first = word.chars().next() == known.chars().next();
    match length {
        0..=2 => false,
        3 => is_number,
        4 => is_number || is_swapped(word, known) || is_doubled(word, known),
        5 => {
            let is_short = has_first && word.chars().count() == length - 1 && distance() == 1;
            is_number || is_short || is_swapped(word, known) || is_doubled(word, known)
        }
        6.. => is_swapped(word, known) || has_first && distance() <= if length < 8 { 1 } else { 2 },
    }
}

/// Whether two adjacent letters are swapped.
fn is_swapped(word: &str, known: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    letters(word) == letters(known) && strsim::osa_distance(word, known) == 1
}

/// Whether a letter is there once more than it should be.
fn is_doubled(word: &str, known: &str) -> bool {
    let runs = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.dedup();
        letters
    };
    word.chars().count() == known.chars().count() + 1 && runs(word) == runs(known)
}

/// Replaces a scalar within its quotes; none if it is written with escapes.
pub(super) fn rewrite(written: &Span, word: &str, meant: &str) -> Option<Edit> {
    let text = written.text();
    let inner = text.trim_matches(['"', '\'']);
    let start = text.find(inner)?;
    (inner == word).then(|| Edit::replace(&written.slice(start..start + inner.len()), meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_candidate_is_certain() {
        let known = || ["id", "event", "condition", "action", "actions"].into_iter();
        assert_eq!(surely_meant("conditon", known()), Some("condition"));
        assert_eq!(surely_meant("evnet", known()), Some("event"));
        assert_eq!(surely_meant("acton", known()), Some("action"));
        // `actionz` is as close to `actions` as to `action`.
        assert_eq!(surely_meant("actiom", known()), Some("action"));
        assert_eq!(surely_meant("actionz", known()), None);
        assert_eq!(surely_meant("ids", known()), None);
        assert_eq!(surely_meant("owner", known()), None);
        // A known word is not a misspelling of another.
        assert_eq!(surely_meant("actions", known()), None);
    }

    #[test]
    fn slips_differ_from_other_words() {
        for (word, known) in [
            ("Op", "op"),
            ("NOT", "not"),
            ("nots", "not"),
            ("paths", "path"),
            ("paht", "path"),
            ("apth", "path"),
            ("wrapp", "wrap"),
            ("wwrap", "wrap"),
            ("hook", "hooks"),
            ("hoks", "hooks"),
            ("layr", "layer"),
            ("vaule", "value"),
            ("valuue", "value"),
            ("evnet", "event"),
            ("acton", "action"),
            ("actiom", "action"),
            ("postion", "position"),
            ("pozition", "position"),
            ("set_extend", "set_extends"),
            ("itemtype", "item_type"),
            ("builtinHooks", "builtin_hooks"),
        ] {
            assert!(is_slip(word, known), "{word} of {known}");
        }
        for (word, known) in [
            ("not", "not"),
            ("note", "not"),
            ("notes", "not"),
            ("nor", "not"),
            ("nay", "any"),
            ("many", "any"),
            ("ball", "all"),
            ("call", "all"),
            ("op1", "op"),
            ("ops", "op"),
            ("ids", "id"),
            ("math", "path"),
            ("patch", "path"),
            ("pat", "path"),
            ("trap", "wrap"),
            ("rap", "wrap"),
            ("later", "layer"),
            ("player", "layer"),
            ("vent", "event"),
            ("valve", "value"),
            ("tools", "hooks"),
            ("books", "hooks"),
            ("faction", "action"),
            ("fiction", "action"),
            ("composition", "position"),
            ("owner", "event"),
            ("", "not"),
        ] {
            assert!(!is_slip(word, known), "{word} of {known}");
        }
    }
}
