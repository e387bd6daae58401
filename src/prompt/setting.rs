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
