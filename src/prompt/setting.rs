use super::Declared;
use crate::read::value::Value;

/// A setting in effect, and the values that it overrides.
#[derive(Debug, Clone)]
pub struct Setting {
    /// `limits.spend`, `model`, `tool_preload.max_tokens`.
    pub name: String,
    /// Whether a text, an id, a condition or the palette depends on it.
    pub is_used: bool,
    pub set: SettingValue,
    pub overrides: Vec<SettingValue>,
}

#[derive(Debug, Clone)]
pub struct SettingValue {
    pub value: Value,
    /// A flag, a directive, the tier of a configuration file, or `the default of rye-3`.
    pub by: Declared,
}

/// The limits with a path that is `unlimited` if nothing sets them.
pub const UNLIMITED: [(&str, &str); 2] = [("limits.spend", "spend_limit"), ("limits.turns", "max_turns")];

/// Whether a path into a hook context reads a setting, a part of it, or all settings of its kind.
pub fn reads_setting(path: &str, setting: &str) -> bool {
    let contains = |outer: &str, inner: &str| {
        outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let path = UNLIMITED.iter().find(|(_, of)| *of == path).map_or(path, |(limit, _)| limit);
    contains(path, setting) || contains(setting, path)
}
