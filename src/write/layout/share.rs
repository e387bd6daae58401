/// [`per_cent`] of sizes.
pub fn share(part: usize, whole: usize) -> String {
    per_cent(part as u64, whole as u64)
}

/// `26%`; `<1%` for a small part, `-` if `whole` is 0.
pub fn per_cent(part: u64, whole: u64) -> String {
    let (part, whole) = (u128::from(part), u128::from(whole));
    match (part * 200 + whole).checked_div(whole * 2) {
        Some(0) if part > 0 => "<1%".to_string(),
        Some(rounded) => format!("{rounded}%"),
        None => "-".to_string(),
    }
}

/// A bar of at most `columns`, in eighths of a column. Any part above 0 is visible.
pub fn bar(part: usize, whole: usize, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let full = columns * 8;
    let filled = (part as u128 * full as u128).checked_div(whole as u128).unwrap_or(0);
    let filled = usize::try_from(filled).unwrap_or(full).clamp(usize::from(part > 0), full);
    "█".repeat(filled / 8) + EIGHTHS[filled % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_are_visible() {
        let all = [(0, 10), (1, 1000), (1, 8), (4, 8), (8, 8), (16, 8), (0, 0), (usize::MAX, usize::MAX)];
        assert_eq!(
            all.map(|(part, whole)| (share(part, whole), bar(part, whole, 2))),
            [
                ("0%", ""),
                ("<1%", "▏"),
                ("13%", "▎"),
                ("50%", "█"),
                ("100%", "██"),
                ("200%", "██"),
                ("-", ""),
                ("100%", "██")
            ]
            .map(|(share, bar)| (share.to_string(), bar.to_string()))
        );
    }
}
