//! Words that are almost known ones.

use crate::lint::finding::Edit;
use crate::text::Span;

/// The known word that another one surely stands for: the only one that is a slip or two away.
pub(super) fn surely_meant<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    // Two letters of a short word are half of it.
    let allowed = if word.len() < 8 { 1 } else { 2 };
    let near =
        |candidate: &&str| word.len() <= 64 && candidate.len() > 2 && strsim::osa_distance(word, candidate) <= allowed;
    let mut near = known.filter(near);
    let meant = near.next().filter(|meant| *meant != word)?;
    near.next().is_none().then_some(meant)
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
        // Both are as near, and `id` is too short to be sure.
        assert_eq!(surely_meant("actiom", known()), Some("action"));
        assert_eq!(surely_meant("actionz", known()), None);
        assert_eq!(surely_meant("ids", known()), None);
        assert_eq!(surely_meant("owner", known()), None);
    }
}
