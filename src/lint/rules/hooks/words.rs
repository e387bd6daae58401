//! Words that are almost known ones.

use crate::lint::rules::Edit;
use crate::text::Span;

/// The known word that another one surely stands for: the only one of which it is a slip.
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

/// Whether a word is a known one but for a slip. The shorter the known word, the fewer slips are told from words of their
/// own: `note` is no slip of `not`, nor `later` one of `layer`.
///
/// - of any word: another case;
/// - from three letters on: one `s` at the end too much or too little;
/// - from four: two neighbours that changed places, or a letter written twice;
/// - from five: a letter left out;
/// - from six: one letter more, less or another one;
/// - from eight: two of these.
///
/// The first letter is as it should be, unless it changed places.
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

/// Whether two neighbouring letters changed places.
fn is_swapped(word: &str, known: &str) -> bool {
    let mut letters: Vec<char> = word.chars().collect();
    let Some(first) = letters.iter().zip(known.chars()).position(|(left, right)| *left != right) else { return false };
    first + 1 < letters.len() && {
        letters.swap(first, first + 1);
        letters.into_iter().eq(known.chars())
    }
}

/// Whether a letter stands twice that should stand once.
fn is_doubled(word: &str, known: &str) -> bool {
    let mut letters: Vec<char> = word.chars().collect();
    let Some(twice) = letters.iter().zip(known.chars()).position(|(left, right)| *left != right) else {
        // All of the known word stands there, and its last letter again.
        return letters.pop() == known.chars().last() && letters.into_iter().eq(known.chars());
    };
    twice > 0 && letters[twice] == letters[twice - 1] && {
        letters.remove(twice);
        letters.into_iter().eq(known.chars())
    }
}

/// Puts another word in the place of a scalar, whose quotes stay. None where it is not written as it reads.
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
    fn only_a_slip_is_certain() {
        let known = || ["id", "event", "condition", "action", "actions"].into_iter();
        assert_eq!(surely_meant("conditon", known()), Some("condition"));
        assert_eq!(surely_meant("evnet", known()), Some("event"));
        assert_eq!(surely_meant("acton", known()), Some("action"));
        // Of `actionz` both are as near.
        assert_eq!(surely_meant("actiom", known()), Some("action"));
        assert_eq!(surely_meant("actionz", known()), None);
        assert_eq!(surely_meant("ids", known()), None);
        assert_eq!(surely_meant("owner", known()), None);
        // What is known is no slip of another one.
        assert_eq!(surely_meant("actions", known()), None);
    }

    #[test]
    fn slips_are_told_from_words_of_their_own() {
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
