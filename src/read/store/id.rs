use std::fmt;

use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// An item id: parts separated by `/` that cannot leave the folder of the item's kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(String);

impl ItemId {
    /// Checks an id before any disk access (Directives, "Where items are"): relative, no empty part, no `.` or `..`, no
    /// backslash, no NUL, no drive. The error is the reason.
    pub fn parse(id: &str) -> Result<Self, &'static str> {
        Self::check(id).map(|()| Self(id.to_string()))
    }

    pub fn check(id: &str) -> Result<(), &'static str> {
        let drive = matches!(id.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if id.is_empty() {
            Err("it is empty")
        } else if id.contains('\0') {
            Err("it contains a NUL character")
        } else if id.contains('\\') {
            Err("it contains a backslash")
        } else if id.starts_with('/') || drive {
            Err("it is not relative")
        } else if id.split('/').any(|part| matches!(part, "" | "." | "..")) {
            let is_empty = id.split('/').any(str::is_empty);
            Err(if is_empty { "one of its parts is empty" } else { "one of its parts is `.` or `..`" })
        } else {
            Ok(())
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

pub fn last_segment(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray, Serialize,
)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ItemKind {
    Directive,
    Knowledge,
    Tool,
}

impl ItemKind {
    /// Relative to the folder that holds `.ai/`.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Directive => ".ai/directives",
            Self::Knowledge => ".ai/knowledge",
            Self::Tool => ".ai/tools",
        }
    }

    /// Candidate paths within a tier; the first that exists wins.
    pub fn paths(self, id: &ItemId) -> impl Iterator<Item = String> {
        self.extensions().iter().map(move |extension| format!("{}/{id}.{extension}", self.folder()))
    }

    /// The kind of the item at a path, and its id, unchecked.
    pub fn of_path(path: &str) -> Option<(Self, &str)> {
        Self::VARIANTS.iter().copied().find_map(|kind| {
            let (id, extension) = path.strip_prefix(kind.folder())?.strip_prefix('/')?.rsplit_once('.')?;
            kind.extensions().contains(&extension).then_some((kind, id))
        })
    }

    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Directive => &["md"],
            Self::Knowledge => &["md", "yaml", "yml"],
            Self::Tool => &["py", "yaml", "yml", "js", "ts", "sh"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_inside() {
        for good in ["a", "a/b", "ü/…", "a b/c.d", "..a", "ab:c"] {
            assert_eq!(ItemId::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "/a", "a/", "a//b", ".", "../a", "a/./b", "a\\b", "a\0", "C:/a", "c:", "a:b"] {
            assert!(ItemId::parse(bad).is_err(), "{bad:?}");
        }
    }
}
