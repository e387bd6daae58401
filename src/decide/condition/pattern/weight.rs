//! The cost of compiling pieces of a pattern, judged by their rewritten form.

use super::alphabet::ANYTHING;

pub(super) const TABLE: usize = 900;

/// The measured cost of a character or a class: every range becomes a byte automaton, which is large beyond ASCII.
pub(super) fn weight(regex: &str) -> usize {
    const BEYOND_ASCII: usize = 25;
    let class = regex.strip_prefix("(?i:").unwrap_or(regex);
    // Some ASCII letters have case variants beyond ASCII.
    let is_folded = class.len() < regex.len();
    if class == ANYTHING {
        return BEYOND_ASCII;
    }
    if !class.starts_with('[') {
        return 1;
    }
    let beyond = ranges(class).filter(|&(_, high)| is_folded || high > 0x7F).count();
    // A negated class extends to the last Unicode character.
    let beyond = beyond + usize::from(class.starts_with("[^"));
    // Each range has a dash.
    let within = (class.matches('-').count() + 1).saturating_sub(beyond);
    within + beyond * BEYOND_ASCII + tables(class) * TABLE
}

/// The number of characters whose other case is looked up before anything is compiled.
pub(super) fn folded(regex: &str) -> usize {
    /// No character beyond this one has another case.
    const LAST: u32 = 0x1E943;
    /// For a letter table; most of it is skipped, because its ranges are large.
    const IN_TABLES: usize = 10_000;
    let Some(class) = regex.strip_prefix("(?i:") else { return 0 };
    let in_ranges: usize = ranges(class).map(|(low, high)| high.min(LAST).saturating_sub(low) as usize).sum();
    in_ranges + tables(class) * IN_TABLES
}

fn tables(class: &str) -> usize {
    [r"[\p{", r"[^\p{"].map(|opening| class.matches(opening).count()).iter().sum()
}

/// The ranges of a class, written as `\x{41}-\x{5A}`.
fn ranges(class: &str) -> impl Iterator<Item = (u32, u32)> {
    const BETWEEN: &str = r"}-\x{";
    let number = |written: &str| u32::from_str_radix(written, 16).ok();
    class.match_indices(BETWEEN).filter_map(move |(at, _)| {
        let low = class[..at].rsplit('{').next()?;
        let high = class[at + BETWEEN.len()..].split('}').next()?;
        Some((number(low)?, number(high)?))
    })
}
