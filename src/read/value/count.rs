/// The offset of the first key or value beyond the limit; approximate for invalid JSON. Only scans bytes, since a
/// parsed value takes hundreds of bytes of memory.
pub fn beyond(text: &str, most: usize) -> Option<usize> {
    let mut left = most;
    let (mut in_string, mut is_escaped, mut is_next) = (false, false, true);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            (in_string, is_escaped) = (is_escaped || byte != b'"', !is_escaped && byte == b'\\');
            continue;
        }
        if byte.is_ascii_whitespace() {
            continue;
        }
        if is_next && !matches!(byte, b']' | b'}') {
            if left == 0 {
                return Some(at);
            }
            left -= 1;
        }
        is_next = matches!(byte, b'[' | b'{' | b',' | b':');
        in_string = byte == b'"';
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_and_values_are_counted() {
        for (text, count) in [
            ("", 0),
            ("1", 1),
            (" [ ] ", 1),
            ("{}", 1),
            ("[{}, {}]", 3),
            (r#"{"a": 1}"#, 3),
            (r#"{"a": [1, "b"], "c": {}}"#, 7),
            (r#"["[1, 2]", "\"{,", "\\", "é"]"#, 5),
            ("[\n  -1.5e3,\n  true,\n  null\n]\n", 4),
        ] {
            assert_eq!(beyond(text, count), None, "{text}");
            let last = count.checked_sub(1).and_then(|most| beyond(text, most));
            assert_eq!(last.is_some(), count > 0, "{text}");
        }
    }

    #[test]
    fn the_offset_is_that_of_the_first_part_beyond_the_limit() {
        let text = r#"{"a": [1, "b"]}"#;
        let places: Vec<_> = (0..5).map(|most| beyond(text, most).map(|at| &text[at..])).collect();
        assert_eq!(places, [Some(text), Some(&text[1..]), Some(&text[6..]), Some(&text[7..]), Some(&text[10..])]);
    }
}
