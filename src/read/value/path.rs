use std::borrow::Cow;

use serde::Deserialize;

use super::Value;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathSyntax {
    #[default]
    Dots,
    /// `[0]` is also `.0`, and empty segments are skipped.
    Brackets,
}

impl PathSyntax {
    /// The path with only a dot between two segments.
    pub fn dotted(self, path: &str) -> Cow<'_, str> {
        if self == Self::Dots {
            return Cow::Borrowed(path);
        }
        let with_dots = dots_for_brackets(path);
        let is_plain = with_dots == path && path.split('.').all(|part| !part.is_empty());
        if is_plain {
            return Cow::Borrowed(path);
        }
        Cow::Owned(with_dots.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("."))
    }
}

/// Replaces each `[digits]` with `.digits`; other brackets stay.
fn dots_for_brackets(path: &str) -> String {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let index = after
            .split_once(']')
            .filter(|(index, _)| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()));
        match index {
            Some((index, after)) => {
                out.push('.');
                out.push_str(index);
                rest = after;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

/// Follows a dotted path: keys of maps, indices of lists (negative ones from the end); an empty path returns `value`.
pub fn look_up<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return Some(value);
    }
    path.split('.').try_fold(value, |value, part| match value {
        Value::Map(_) => value.get(part),
        Value::List(list) => list.get(index(part, list.len())?),
        _ => None,
    })
}

pub fn index(part: &str, length: usize) -> Option<usize> {
    let index: isize = part.parse().ok()?;
    if index < 0 { length.checked_add_signed(index) } else { Some(index.unsigned_abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_empty_segments_are_only_another_way_to_write_dots() {
        for (written, dotted) in [
            ("inputs.items[0].name", "inputs.items.0.name"),
            ("a[0][12]", "a.0.12"),
            ("limits..turns", "limits.turns"),
            (".directive.", "directive"),
            ("...", ""),
            ("", ""),
            ("a[-1]", "a[-1]"),
            ("a[\"b\"]", "a[\"b\"]"),
            ("a [0].b", "a .0.b"),
            ("a[[1]", "a[.1"),
            ("a[1", "a[1"),
        ] {
            assert_eq!(PathSyntax::Brackets.dotted(written), dotted, "{written}");
            assert_eq!(PathSyntax::Dots.dotted(written), written);
        }
    }
}
