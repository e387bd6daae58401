//! "Did you mean": the known name closest to a mistyped one.

use std::fmt::Display;

/// In bytes. Longer names are not compared, since the cost is the product of the lengths.
const MAX_LENGTH: usize = 128;

const MAX_CANDIDATES: usize = 5_000;

/// The candidate closest to `name`, with at most one edit per three characters. Case is ignored, and the first of
/// equally close candidates wins. A one-letter name never matches a different letter.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    candidates
        .filter(|candidate| candidate.len() <= MAX_LENGTH)
        .take(MAX_CANDIDATES)
        .map(|candidate| (strsim::osa_distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, candidate)| {
            let longest = wanted.chars().count().max(candidate.chars().count());
            distance <= allowed && (distance < longest || distance == 0)
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_string())
}

/// The help for a mistyped name: the closest known one, else what to do without one.
pub fn did_you_mean(nearest: Option<impl Display>, otherwise: impl Into<String>) -> String {
    nearest.map_or_else(|| otherwise.into(), |nearest| format!("did you mean `{nearest}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_to(name: &str) -> Option<String> {
        nearest(name, ["target", "targets", "region", "n"].into_iter())
    }

    #[test]
    fn a_typo_is_recognised() {
        assert_eq!(nearest_to("tagret").as_deref(), Some("target"));
        assert_eq!(nearest_to("TARGETS").as_deref(), Some("targets"));
        assert_eq!(nearest_to("nn").as_deref(), Some("n"));
        assert_eq!(nearest_to("N").as_deref(), Some("n"));
    }

    #[test]
    fn an_unrelated_word_is_not_recognised() {
        assert_eq!(nearest_to("colour"), None);
        assert_eq!(nearest_to("m"), None, "they have nothing in common");
        assert_eq!(nearest_to(""), None);
        assert_eq!(nearest_to(&"target".repeat(1000)), None);
    }
}
