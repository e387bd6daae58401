use crate::text::Span;

/// The key of a value: the last occurrence of `key` before it that is written as a key and not in a comment.
pub fn key_place(whole: &Span, value: &Span, key: &str) -> Option<Span> {
    let before = value.range().start.checked_sub(whole.range().start).filter(|_| !key.is_empty())?;
    let text = whole.text();
    let is_key = |&(start, _): &(usize, &str)| {
        let line = text[..start].rsplit('\n').next().unwrap_or_default();
        let is_comment = line.starts_with('#') || line.contains(" #") || line.contains("\t#");
        let after = text[start + key.len()..].trim_start_matches(['"', '\'', ' ']);
        !is_comment && !line.ends_with(char::is_alphanumeric) && after.starts_with([':', '='])
    };
    let (start, _) = text.get(..before)?.rmatch_indices(key).find(is_key)?;
    Some(whole.slice(start..start + key.len()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::{Position, Source};

    /// The line and column of the key `rules` of the last value `off`.
    fn place(text: &str) -> Option<(usize, usize)> {
        let source: Arc<Source> = Source::read("project".into(), "a.yaml", text.as_bytes().to_vec()).unwrap();
        let value = text.rfind("off").unwrap();
        key_place(&source.whole(), &source.span(value..value + 3), "rules").map(|at| {
            let Position { line, column } = source.position(at.range().start);
            (line, column)
        })
    }

    #[test]
    fn a_key_is_found_before_its_value() {
        assert_eq!(place("rules: off\n"), Some((1, 1)));
        assert_eq!(place("a: {'rules': off}\n"), Some((1, 6)));
        assert_eq!(place("a: {b: '#1', \"rules\" : off}\n"), Some((1, 15)));
        assert_eq!(place("rules:\n  # rules of us: few\n  # rules\n  off\n"), Some((1, 1)));
        assert_eq!(place("rules:\n  # a\n  off # rules: x\n"), Some((1, 1)));
        assert_eq!(place("overrules: off\n"), None);
        assert_eq!(place("\"r\\u0075les\": off\n"), None);
    }
}
