use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::Value;
use crate::text::constant_pattern;

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
        static INDEX: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"\[([0-9]+)\]"));
        if self == Self::Dots {
            return path.into();
        }
        let path = if path.contains('[') { INDEX.replace_all(path, ".$1") } else { path.into() };
        if path.split('.').all(|part| !part.is_empty()) {
            return path;
        }
        path.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".").into()
    }
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
