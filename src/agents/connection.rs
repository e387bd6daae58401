//! How an agent is led to another address than that of its provider.

use serde_json::{Map, Value};

/// What makes the agent send its requests to another address, without a change to its files.
#[derive(Debug, Clone, Copy)]
pub struct Connection {
    /// What its name in a request begins with. Its release follows behind a slash.
    pub product: &'static str,
    /// Variables of its environment.
    pub variables: fn(&Leading<'_>) -> Vec<(&'static str, String)>,
    /// What it is started with before its other arguments.
    pub arguments: fn(&Leading<'_>) -> Vec<String>,
    /// The text of a file that these arguments name.
    pub file: Option<fn(&Leading<'_>) -> String>,
}

impl Connection {
    /// One that needs nothing.
    pub const fn of(product: &'static str) -> Self {
        Self { product, variables: |_| Vec::new(), arguments: |_| Vec::new(), file: None }
    }
}

/// Where an agent is led, and what it is started with.
pub struct Leading<'a> {
    pub url: &'a str,
    /// The variables of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Its other arguments.
    pub arguments: &'a [String],
    /// The path of the file.
    pub file: &'a str,
    /// Whether the variables are printed, for which those that are set may hold secrets.
    pub is_shown: bool,
}

/// What the providers' programs take for a key.
pub const KEY: &str = "dummy";

impl Leading<'_> {
    /// A key that opens nothing, unless one is set.
    pub fn key(&self, name: &'static str) -> Option<(&'static str, String)> {
        let is_set = (self.variable)(name).is_some_and(|value| !value.is_empty());
        (!is_set).then(|| (name, KEY.to_string()))
    }

    /// The value of one of these flags of the agent.
    pub fn flag(&self, names: &[&str]) -> Option<&str> {
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            match word.split_once('=') {
                Some((name, value)) if names.contains(&name) => return Some(value),
                _ if names.contains(&word.as_str()) => return words.next().map(String::as_str),
                _ => {}
            }
        }
        None
    }

    /// A variable that holds a JSON object, with these keys in the place of those that it has. What is shown has these
    /// alone.
    pub fn settings(&self, name: &'static str, settings: Value) -> (&'static str, String) {
        let set = Some(name)
            .filter(|_| !self.is_shown)
            .and_then(self.variable)
            .and_then(|text| serde_json::from_str(&text).ok());
        let settings = match set {
            Some(Value::Object(set)) => merged(set, settings),
            _ => settings,
        };
        (name, settings.to_string())
    }
}

/// The base with what is over it in the place of equal keys.
fn merged(mut base: Map<String, Value>, over: Value) -> Value {
    let Value::Object(over) = over else { return over };
    for (key, value) in over {
        let value = match base.shift_remove(&key) {
            Some(Value::Object(inner)) => merged(inner, value),
            _ => value,
        };
        base.insert(key, value);
    }
    Value::Object(base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{claude_code, opencode};

    fn variables(connection: Connection, arguments: &[&str], set: &[(&str, &str)]) -> Vec<(&'static str, String)> {
        let variable = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_string());
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let leading = Leading {
            url: "http://127.0.0.1:1",
            variable: &variable,
            arguments: &arguments,
            file: "",
            is_shown: false,
        };
        (connection.variables)(&leading)
    }

    #[test]
    fn a_key_that_is_set_is_not_shown() {
        let of = |set: &[(&str, &str)]| variables(claude_code::CLAUDE_CODE.connection, &[], set);
        let url = ("ANTHROPIC_BASE_URL", "http://127.0.0.1:1".to_string());
        assert_eq!(of(&[]), [url.clone(), ("ANTHROPIC_API_KEY", "dummy".to_string())]);
        assert_eq!(of(&[("ANTHROPIC_API_KEY", "sk-1")]), [url]);
    }

    #[test]
    fn settings_are_added_to_those_that_are_set() {
        let of = |arguments: &[&str], set: &str| {
            let set = variables(opencode::OPENCODE.connection, arguments, &[("OPENCODE_CONFIG_CONTENT", set)]);
            serde_json::from_str::<Value>(&set[0].1).unwrap()
        };
        let merged = of(&[], r#"{"instructions": ["a.md"], "model": "x/y", "provider": {"x": {}}}"#);
        assert_eq!(merged["instructions"][0], "a.md");
        assert_eq!(merged["model"], "rye-render/m");
        assert!(merged["provider"]["x"].is_object() && merged["provider"]["rye-render"].is_object());
        assert_eq!(of(&[], "not JSON")["model"], "rye-render/m");
        for arguments in [["run", "--model=anthropic/claude"].as_slice(), &["run", "-m", "anthropic/claude"]] {
            let named = of(arguments, "");
            assert_eq!(named["provider"]["anthropic"]["options"]["baseURL"], "http://127.0.0.1:1/v1");
            assert_eq!(named.get("model"), None);
        }
    }
}
