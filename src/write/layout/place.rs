use std::ops::Range;

/// `line 4`, `lines 4-6`; `after line 3` for an empty range. The range is 0-based.
pub fn line_place(lines: &Range<usize>) -> String {
    match (lines.is_empty(), lines.start) {
        (false, _) => line_numbers(lines),
        (true, 0) => "before line 1".to_string(),
        (true, line) => format!("after line {line}"),
    }
}

/// `line 4`, `lines 4-6`. The range is 0-based.
pub fn line_numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => format!("line {}", lines.start + 1),
        _ => format!("lines {}-{}", lines.start + 1, lines.end),
    }
}
