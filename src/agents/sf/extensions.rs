//! The effects of extensions, described in a file: extensions are never run.

use std::iter::repeat;
use std::sync::Arc;

use fancy_regex::Regex;
use serde::{Deserialize, Deserializer};

use super::messages::StoredRole;
use crate::agents::json::{entries, json_or_yaml, place};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::value::Value;
use crate::read::yaml::{Unreadable, YamlNode, read_own};
use crate::text::{Origin, Source, Span, Traced};

const BACKTRACKS: usize = 100_000;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Extensions {
    /// For each user prompt, the effects before the agent starts.
    pub prompts: Vec<Vec<Effect>>,
    pub skills: Vec<String>,
    /// The effects on the messages of each turn.
    pub context: Vec<ContextEffect>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Effect {
    pub name: Option<String>,
    /// Text after the system prompt.
    #[serde(deserialize_with = "given")]
    pub append: Option<Traced>,
    /// Text before the system prompt.
    #[serde(deserialize_with = "given")]
    pub prepend: Option<Traced>,
    /// Text that replaces the system prompt.
    #[serde(deserialize_with = "given")]
    pub replace: Option<Traced>,
    /// A message next to the user's.
    #[serde(deserialize_with = "given")]
    pub message: Option<Traced>,
    /// The extension fails, so its other effects are ignored.
    pub throw: Option<String>,
    /// The tools that are active from the next prompt on.
    #[serde(deserialize_with = "names")]
    pub set_active_tools: Option<Vec<Traced>>,
}

impl Effect {
    pub fn extension(&self) -> &str {
        self.name.as_deref().unwrap_or("extension")
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContextEffect {
    /// Drops the messages that match this pattern.
    pub drop: Option<String>,
    pub inject: Option<Injected>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Injected {
    /// A role, as in a messages file.
    pub role: String,
    #[serde(deserialize_with = "text")]
    pub text: Traced,
    #[serde(default)]
    pub at: InjectionPoint,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InjectionPoint {
    First,
    #[default]
    Last,
}

pub fn read(source: &Arc<Source>) -> Result<Extensions, Diagnostic> {
    let refuse = |reason, at: Span| Diagnostic::at(Problem::InvalidExtensions { reason }, at);
    let mut read: Extensions =
        read_own(source.text()).map_err(|Unreadable { reason, at }| refuse(reason, source.span(at..at)))?;
    let file = json_or_yaml(source).unwrap_or_else(|_| YamlNode::of(&Value::Null));
    for (effect, node) in read.context.iter().zip(entries(file.get("context")).iter().map(Some).chain(repeat(None))) {
        effect.check().map_err(|Mistake { reason, at }| {
            let value = at.iter().try_fold(node, |node, key| Some(node?.get(key))).flatten();
            refuse(reason, value.and_then(|value| value.span.clone()).unwrap_or_else(|| source.span(0..0)))
        })?;
    }
    read.place(&file);
    Ok(read)
}

/// A mistake in an effect, and the path of keys to its value.
struct Mistake {
    reason: String,
    at: &'static [&'static str],
}

impl ContextEffect {
    fn check(&self) -> Result<(), Mistake> {
        if let Some(pattern) = &self.drop {
            compiled(pattern).map_err(|reason| Mistake { reason, at: &["drop"] })?;
        }
        match &self.inject {
            Some(Injected { role, .. }) if role.parse::<StoredRole>().is_err() => {
                let reason = format!("`{role}` is not a valid role; use one of {}", StoredRole::words());
                Err(Mistake { reason, at: &["inject", "role"] })
            }
            _ => Ok(()),
        }
    }
}

impl Extensions {
    fn place(&mut self, file: &YamlNode) {
        for (effects, nodes) in self.prompts.iter_mut().zip(entries(file.get("prompts"))) {
            for (effect, node) in effects.iter_mut().zip(entries(Some(nodes))) {
                let Effect { append, prepend, replace, message, .. } = effect;
                let texts = [(append, "append"), (prepend, "prepend"), (replace, "replace"), (message, "message")];
                for (text, key) in texts {
                    text.iter_mut().for_each(|text| place(text, node.get(key)));
                }
                let names = effect.set_active_tools.iter_mut().flatten();
                names.zip(entries(node.get("set_active_tools"))).for_each(|(name, node)| place(name, Some(node)));
            }
        }
        for (effect, node) in self.context.iter_mut().zip(entries(file.get("context"))) {
            if let Some(injected) = &mut effect.inject {
                place(&mut injected.text, node.get("inject").and_then(|node| node.get("text")));
            }
        }
    }
}

fn traced(text: String) -> Traced {
    Traced::of(&text, Origin::Argument("extensions".into()))
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Traced, D::Error> {
    String::deserialize(deserializer).map(traced)
}

fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Traced>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(traced))
}

fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Traced>>, D::Error> {
    Ok(Option::<Vec<String>>::deserialize(deserializer)?.map(|names| names.into_iter().map(traced).collect()))
}

/// A pattern to search for in messages. The error says what is wrong with it.
pub fn compiled(pattern: &str) -> Result<Regex, String> {
    let mut builder = fancy_regex::RegexBuilder::new(pattern);
    builder
        .backtrack_limit(BACKTRACKS)
        .build()
        .map_err(|error| format!("the pattern `{pattern}` cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Location;

    fn read_text(text: &str) -> Result<Extensions, String> {
        read(&Source::read("".into(), "x.yaml", text.as_bytes().to_vec()).unwrap()).map_err(|error| error.message())
    }

    #[test]
    fn mistakes_are_reported_at_their_values() {
        for (text, mistake) in [
            ("context: [{drop: x}, {drop: '('}]", "'('"),
            ("context:\n- inject:\n    text: robot\n    role: robot\n", "robot"),
            ("context: [{inject: {text: x, role: ''}}]", "''"),
            ("{\"context\": [{\"drop\": \"\\\\(\"}, {\"drop\": \"[\"}]}", "\"[\""),
        ] {
            let source = Source::read("".into(), "x.yaml", text.as_bytes().to_vec()).unwrap();
            let error = read(&source).unwrap_err();
            let Some(Location::Span(at)) = error.at else { panic!("{text} has no location") };
            assert_eq!((at.text(), at.range().start), (mistake, text.rfind(mistake).unwrap()));
        }
    }

    #[test]
    fn effects_are_read_and_mistakes_named() {
        let read = read_text("prompts: [[{append: x}, {}], [{set_active_tools: [read]}]]\nskills: [a]\n").unwrap();
        assert_eq!((read.prompts.len(), read.prompts[0].len(), read.skills.len()), (2, 2, 1));
        let read = read_text("context: [{drop: '^x'}, {inject: {role: custom, text: y, at: first}}]").unwrap();
        assert_eq!(read.context[1].inject.as_ref().map(|it| it.at), Some(InjectionPoint::First));
        for (text, reason) in [
            ("prompts: [[{apend: x}]]", "apend"),
            ("context: [{drop: '('}]", "cannot be read"),
            ("context: [{inject: {role: robot, text: x}}]", "`robot` is not a valid role"),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
