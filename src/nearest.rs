//! Did you mean: the known name that a mistyped one is closest to.

/// Longer names, in bytes, are never compared: nobody mistypes one, and the distance costs the product of the lengths.
const MAX_LENGTH: usize = 128;

/// At most this many candidates are compared.
const MAX_CANDIDATES: usize = 5_000;

/// The candidate that is closest to `name`, if any is close enough to be meant: at most one edit in three characters.
///
/// Case does not count, and of equally close candidates the first one wins. A name of one letter is like no other one.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<String> {
        nearest(name, ["target", "targets", "region", "n"].into_iter())
    }

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(of("tagret").as_deref(), Some("target"));
        assert_eq!(of("TARGETS").as_deref(), Some("targets"));
        assert_eq!(of("nn").as_deref(), Some("n"));
        assert_eq!(of("N").as_deref(), Some("n"));
    }

    #[test]
    fn another_word_is_not() {
        assert_eq!(of("colour"), None);
        assert_eq!(of("m"), None, "they have nothing in common");
        assert_eq!(of(""), None);
        assert_eq!(of(&"target".repeat(1000)), None);
    }
}
