//! The repair of front matter that is not YAML: values that need quotes get them.

use serde::de::IgnoredAny;

use crate::read::yaml::read_lenient;

/// The front matter with each `KEY: VALUE` outside of block scalars repaired.
pub(super) fn repaired(text: &str) -> String {
    let mut out = String::new();
    // The indentation of the key whose block scalar goes on.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        if block.is_some_and(|above| line.trim().is_empty() || indentation > above) {
            out.push_str(line);
        } else {
            let (repaired, opens_block) = repaired_line(line);
            block = opens_block.then_some(indentation);
            out.push_str(&repaired);
        }
        out.push('\n');
    }
    out
}

/// The line, and whether its value is a block scalar.
fn repaired_line(line: &str) -> (String, bool) {
    let Some((key, value)) = split(line) else { return (line.to_string(), false) };
    let (written, comment) = value.split_at(comment_start(value));
    let value = written.trim();
    let needs_quotes = !value.starts_with(['\'', '"', '|', '>'])
        && (has_key(value) || value.starts_with(['[', '{', '@', '`']) && !is_yaml(value));
    if !needs_quotes {
        return (line.to_string(), value.starts_with(['|', '>']));
    }
    let space = if comment.is_empty() { "" } else { " " };
    (format!("{key}: '{}'{space}{}", value.replace('\'', "''"), comment.trim()), false)
}

/// Whether a value is valid YAML by itself. A long one is not read: nested brackets take time.
fn is_yaml(value: &str) -> bool {
    value.len() <= 1_000 && read_lenient::<IgnoredAny>(value).is_ok()
}

/// Key and value at the first colon, which white space or the end of the line must follow.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_pair = !key.trim().is_empty() && (value.is_empty() || value.starts_with(char::is_whitespace));
    is_pair.then_some((key, value))
}

fn comment_start(value: &str) -> usize {
    let is_start = |at: &usize| value[..*at].chars().next_back().is_none_or(char::is_whitespace);
    value.match_indices('#').map(|(at, _)| at).find(is_start).unwrap_or(value.len())
}

/// Whether a colon with white space behind it would make the text a map.
fn has_key(value: &str) -> bool {
    value.match_indices(':').any(|(at, _)| value[at + 1..].starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_need_quotes_get_them() {
        for (line, expected) in [
            ("description: Use it: always", "description: 'Use it: always'"),
            ("description: it's: so # why", "description: 'it''s: so' # why"),
            ("description: @home", "description: '@home'"),
            ("description: [a, b]", "description: [a, b]"),
            ("description: [a", "description: '[a'"),
            ("  deep: a: b", "  deep: 'a: b'"),
            ("description: 'a: b", "description: 'a: b"),
            ("just text", "just text"),
            ("a:b: c", "a:b: c"),
            ("description: |\n  a: b: c\nname: x: y", "description: |\n  a: b: c\nname: 'x: y'"),
        ] {
            assert_eq!(repaired(line), format!("{expected}\n"));
        }
    }
}
