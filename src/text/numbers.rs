//! Numbers for people.

/// `1,214`
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `+1.2%`, `less than 0.1%`; `None` if nothing changed, or if `before` is 0.
pub fn growth(before: usize, after: usize) -> Option<String> {
    let (by, whole) = (before.abs_diff(after) as u128, before as u128);
    if by == 0 || whole == 0 {
        return None;
    }
    let sign = if before < after { '+' } else { '-' };
    Some(match (by * 2000 + whole) / (whole * 2) {
        0 => "less than 0.1%".to_string(),
        tenths => format!("{sign}{}.{}%", thousands(usize::try_from(tenths / 10).unwrap_or(usize::MAX)), tenths % 10),
    })
}

/// `1 token`, `1,214 tokens`.
pub fn count(number: usize, unit: &str) -> String {
    format!("{} {unit}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// [`count`], or `? tokens` if the number is unknown.
pub fn count_if_known(number: Option<usize>, unit: &str) -> String {
    number.map_or_else(|| format!("? {unit}s"), |number| count(number, unit))
}

/// In lower-case digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let all = [0, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn counts_have_separators_and_a_plural() {
        assert_eq!([count(1, "token"), count(1214, "token")], ["1 token", "1,214 tokens"]);
    }

    #[test]
    fn growth_is_rounded_but_never_to_zero() {
        let all = [(1000, 1012), (1000, 988), (100_000, 100_001), (3, 4), (0, 5), (5, 5), (1, 3001), (10_000, 9_999)];
        assert_eq!(
            all.map(|(left, right)| growth(left, right)),
            [
                Some("+1.2%"),
                Some("-1.2%"),
                Some("less than 0.1%"),
                Some("+33.3%"),
                None,
                None,
                Some("+300,000.0%"),
                Some("less than 0.1%")
            ]
            .map(|text| text.map(str::to_string))
        );
    }
}
