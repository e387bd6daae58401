//! What a directive asks for and is given, or a folder is, as fields.

use super::{Field, FieldGroup};
use crate::value::{Map, Value, to_json};

/// What fields are made from, whoever tells it.
pub struct Told<'a> {
    pub protocol: &'a str,
    /// None where a file does not tell.
    pub mode: Option<&'static str>,
    pub name: Option<&'a str>,
    pub version: Option<&'a str>,
    pub model: Option<&'a str>,
    pub tier: Option<&'a str>,
    pub provider: Option<&'a str>,
    /// None of a folder for which nobody names one.
    pub effective: Option<&'a str>,
    pub limits: &'a Map,
    pub permissions: Vec<&'a str>,
    pub capabilities: Vec<&'a str>,
    pub inputs: Vec<Input<'a>>,
    pub outputs: Vec<Output<'a>>,
}

pub struct Input<'a> {
    pub name: &'a str,
    pub value: &'a Value,
    pub from: &'a str,
}

pub struct Output<'a> {
    pub name: &'a str,
    pub output_type: &'a str,
    pub required: bool,
    pub description: &'a str,
}

impl Told<'_> {
    /// The fields in the order of their groups.
    pub fn fields(&self) -> Vec<Field> {
        use FieldGroup::{Capabilities, Directive, Inputs, Limits, Model, Outputs, Permissions, Protocol};
        let mut fields = Vec::new();
        let mut add = |group, name: &str, value: String| fields.push(Field { group, name: name.to_string(), value });
        let declared = [
            (Protocol, "", Some(self.protocol)),
            (Protocol, "mode", self.mode),
            (Directive, "name", self.name),
            (Directive, "version", self.version),
            (Model, "id", self.model),
            (Model, "tier", self.tier),
            (Model, "provider", self.provider),
            (Model, "effective", self.effective),
        ];
        for (group, name, value) in declared {
            value.into_iter().for_each(|value| add(group, name, value.to_string()));
        }
        for (name, value) in self.limits {
            add(Limits, &plain(name), plain(value));
        }
        self.permissions.iter().for_each(|name| add(Permissions, name, String::new()));
        self.capabilities.iter().for_each(|name| add(Capabilities, name, String::new()));
        for Input { name, value, from } in &self.inputs {
            add(Inputs, name, format!("{} ({from})", plain(value)));
        }
        for Output { name, output_type, required, description } in &self.outputs {
            let required = if *required { ", required" } else { "" };
            let colon = if description.is_empty() { "" } else { ": " };
            add(Outputs, name, format!("{output_type}{required}{colon}{description}"));
        }
        fields
    }
}

/// Text as it is and everything else as JSON, so that no two values look the same: text that is JSON is quoted.
fn plain(value: &Value) -> String {
    match value.as_str() {
        Some(text) if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() => text.to_string(),
        _ => to_json(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_values_look_the_same() {
        for (value, expected) in [
            (Value::from("staging"), "staging"),
            (Value::from(""), ""),
            (Value::from("1"), "\"1\""),
            (Value::from(1), "1"),
            (Value::from("a\nb"), "a\nb"),
            (Value::from("\"a\""), r#""\"a\"""#),
            (Value::from(true), "true"),
        ] {
            assert_eq!(plain(&value), expected);
        }
    }
}
