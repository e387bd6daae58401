use super::{FieldGroup, SideField};
use crate::read::value::{Map, Value, to_json};

/// Collects the fields of a side, in the order of their groups.
#[derive(Default)]
pub struct Fields(pub Vec<SideField>);

impl Fields {
    pub fn add(&mut self, group: FieldGroup, name: &str, value: String) {
        self.0.push(SideField { group, name: name.to_string(), value });
    }

    /// Adds the fields that have a value.
    pub fn declared<const N: usize>(&mut self, declared: [(FieldGroup, &str, Option<&str>); N]) {
        for (group, name, value) in declared {
            value.into_iter().for_each(|value| self.add(group, name, value.to_string()));
        }
    }

    pub fn limits(&mut self, limits: &Map) {
        for (name, value) in limits {
            self.add(FieldGroup::Limits, &plain(name), plain(value));
        }
    }

    pub fn input(&mut self, name: &str, value: &Value, from: &str) {
        self.add(FieldGroup::Inputs, name, format!("{} ({from})", plain(value)));
    }

    pub fn output(&mut self, name: &str, output_type: &str, required: bool, description: &str) {
        let required = if required { ", required" } else { "" };
        let colon = if description.is_empty() { "" } else { ": " };
        self.add(FieldGroup::Outputs, name, format!("{output_type}{required}{colon}{description}"));
    }
}

/// Text as it is and any other value as JSON. Text that is valid JSON is quoted, so that no two values look the same.
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
