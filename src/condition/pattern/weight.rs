//! What pieces of a pattern take to compile, as they are written for the library.

use super::alphabet::ANYTHING;

/// What the tables of letters and numbers take to compile.
pub(super) const TABLE: u64 = 900;

/// What a character or a class takes to compile, as measured: every range becomes a machine that reads bytes, and those
/// beyond ASCII many.
pub(super) fn weight(regex: &str) -> u64 {
    const BEYOND_ASCII: u64 = 25;
    let class = regex.strip_prefix("(?i:").unwrap_or(regex);
    // Case folds some letters of ASCII into others beyond it.
    let is_folded = class.len() < regex.len();
    if class == ANYTHING {
        return BEYOND_ASCII;
    }
    if !class.starts_with('[') {
        return 1;
    }
    let beyond = ranges(class).filter(|&(_, high)| is_folded || high > 0x7F).count() as u64;
    // What a negation adds goes up to the last character there is.
    let beyond = beyond + u64::from(class.starts_with("[^"));
    // A range is written with a dash.
    let within = (class.matches('-').count() as u64 + 1).saturating_sub(beyond);
    within + beyond * BEYOND_ASCII + tables(class) * TABLE
}

/// How many characters the other case of is looked up for, before anything is compiled.
pub(super) fn folded(regex: &str) -> u64 {
    /// Behind the last letter that has another case nothing is looked up.
    const LAST: u32 = 0x1E943;
    /// The tables of letters go up in large steps, which are passed over.
    const IN_TABLES: u64 = 10_000;
    let Some(class) = regex.strip_prefix("(?i:") else { return 0 };
    let in_ranges: u64 = ranges(class).map(|(low, high)| u64::from(high.min(LAST).saturating_sub(low))).sum();
    in_ranges + tables(class) * IN_TABLES
}

/// How many classes of letters or numbers a class has, or is.
fn tables(class: &str) -> u64 {
    [r"[\p{", r"[^\p{"].map(|opening| class.matches(opening).count() as u64).iter().sum()
}

/// The ranges of a class that are written with numbers: `\x{41}-\x{5A}`.
fn ranges(class: &str) -> impl Iterator<Item = (u32, u32)> {
    const BETWEEN: &str = r"}-\x{";
    let number = |written: &str| u32::from_str_radix(written, 16).ok();
    class.match_indices(BETWEEN).filter_map(move |(at, _)| {
        let low = class[..at].rsplit('{').next()?;
        let high = class[at + BETWEEN.len()..].split('}').next()?;
        Some((number(low)?, number(high)?))
    })
}
