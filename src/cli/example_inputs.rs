//! Example inputs from the settings, for commands that render every directive.

use super::inputs::from_yaml;
use crate::decide::request::GivenInput;
use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::palette::fnmatch;
use crate::read::settings::{Settings, SettingsFile};
use crate::read::value::{Map, Value};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::nearest::nearest;
use crate::text::{InputFrom, Span};

const KEY: &str = "examples";

/// Each entry is matched against each directive.
const MAX_ENTRIES: usize = 1_000;

const HELP: &str = "write a directive's id, or a pattern such as `web/*`, and below it `name: value` for each input";

/// In order of precedence, lowest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ExampleInputs {
    all: Vec<Example>,
}

#[derive(Debug)]
struct Example {
    /// An id, or a pattern as in capabilities.
    directives: String,
    inputs: Vec<GivenInput>,
    at: Span,
}

/// Ignores the position.
impl PartialEq for Example {
    fn eq(&self, other: &Self) -> bool {
        (&self.directives, &self.inputs) == (&other.directives, &other.inputs)
    }
}

impl Example {
    fn is_pattern(&self) -> bool {
        self.directives.contains(['*', '?', '['])
    }

    fn is_for(&self, id: &str) -> bool {
        if self.is_pattern() { fnmatch::matches(id, &self.directives) } else { self.directives == id }
    }
}

impl ExampleInputs {
    /// Reads `examples` of all settings files, which must map directives to inputs.
    pub fn read(settings: &Settings) -> Result<Self, Diagnostic> {
        let mut all = Vec::new();
        for file in settings.files().iter().filter(|file| file.node.get(KEY).is_some()) {
            read(file, &mut all)?;
        }
        // An id takes precedence over a pattern, so it comes later.
        all.sort_by_key(|example: &Example| !example.is_pattern());
        Ok(Self { all })
    }

    /// The inputs for a directive; the last value of a name wins.
    pub fn of(&self, id: &str) -> impl Iterator<Item = &GivenInput> {
        self.all.iter().filter(move |example| example.is_for(id)).flat_map(|example| &example.inputs)
    }

    /// A warning for each example that matches no directive: its id is likely misspelt.
    pub fn unused<'a>(&self, ids: impl Iterator<Item = &'a str> + Clone) -> Vec<Diagnostic> {
        let unused = self.all.iter().filter(|example| !ids.clone().any(|id| example.is_for(id)));
        let warnings = unused.map(|example| {
            let directives = example.directives.clone();
            let problem = Problem::UnusedExample { nearest: nearest(&directives, ids.clone()), directives };
            Diagnostic::at(problem, &example.at)
        });
        warnings.collect()
    }
}

fn read(file: &SettingsFile, all: &mut Vec<Example>) -> Result<(), Diagnostic> {
    // As in a file of --inputs, values have the types of YAML 1.2.
    let document =
        serde_yaml::from_str::<serde_yaml::Value>(file.source.text()).map_err(|error| not_read(file, &error))?;
    let examples = document.get(KEY).cloned().map(from_yaml).unwrap_or_default();
    let examples = as_map(examples, "`examples` is", "directives to inputs").map_err(|what| wrong(file, &[], what))?;
    if examples.len() > MAX_ENTRIES {
        let what = format!("`examples` has {} entries, more than the limit of {MAX_ENTRIES}", examples.len());
        return Err(wrong(file, &[MAX_ENTRIES], what));
    }
    for (at, (directives, inputs)) in examples.into_iter().enumerate() {
        let wrong = |what| wrong(file, &[at], what);
        let directives = as_text(directives, "the id of a directive").map_err(wrong)?;
        let whose = format!("the examples for `{directives}` are");
        let inputs = as_map(inputs, &whose, "names to values").map_err(wrong)?;
        let given = |(nth, (name, value))| {
            let name = as_text(name, "the name of an input").map_err(|what| self::wrong(file, &[at, nth], what))?;
            Ok(GivenInput { name, value, from: InputFrom::File })
        };
        let inputs = inputs.into_iter().enumerate().map(given).collect::<Result<_, Diagnostic>>()?;
        all.push(Example { directives, inputs, at: place(file, &[at]) });
    }
    Ok(())
}

/// A map, or an empty one for null.
fn as_map(value: Value, what: &str, of: &str) -> Result<Map, String> {
    match value {
        Value::Map(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        other => Err(format!("{what} a {}, not a map of {of}", other.type_name())),
    }
}

fn as_text(value: Value, what: &str) -> Result<String, String> {
    match value {
        Value::Str(text) => Ok(text),
        other => Err(format!("{what} is of type {}, not text: put it in quotes", other.type_name())),
    }
}

/// An error about the value at a position.
fn wrong(file: &SettingsFile, place: &[usize], what: String) -> Diagnostic {
    let problem = Problem::InvalidSetting { what, help: Some(HELP.to_string()) };
    Diagnostic::at(problem, self::place(file, place))
}

/// YAML 1.2 rejects what YAML 1.1 accepted.
fn not_read(file: &SettingsFile, error: &serde_yaml::Error) -> Diagnostic {
    let problem = Problem::InvalidSetting { what: format!("the examples cannot be read: {error}"), help: None };
    Diagnostic::at(problem, place(file, &[]))
}

/// The position of a value by its index among the examples, and then among the inputs.
fn place(file: &SettingsFile, place: &[usize]) -> Span {
    let found = file.node.get(KEY).and_then(|node| place.iter().try_fold(node, child));
    found.and_then(|node| node.span.clone()).unwrap_or_else(|| file.source.span(0..0))
}

fn child<'a>(node: &'a YamlNode, at: &usize) -> Option<&'a YamlNode> {
    match &node.data {
        YamlData::Map(map) => map.get_index(*at).map(|(_, value)| value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Location;
    use crate::read::store::TierKind;
    use crate::read::value::python_str;

    fn settings(text: &str) -> Settings {
        Settings::of(&[(TierKind::Project, text)])
    }

    fn given(text: &str, id: &str) -> Vec<String> {
        given_by(&settings(text), id)
    }

    fn given_by(settings: &Settings, id: &str) -> Vec<String> {
        let examples = ExampleInputs::read(settings).unwrap();
        examples.of(id).map(|input| format!("{}={}", input.name, python_str(&input.value))).collect()
    }

    #[test]
    fn an_id_overrides_a_pattern() {
        let text = "examples:\n  web/shop: {n: 1, deep: [1.0, true]}\n  web/*: {n: yes}\n  '*': {all: null}\n";
        assert_eq!(given(text, "web/shop"), ["n=yes", "all=None", "n=1", "deep=[1.0, True]"]);
        assert_eq!(given(text, "web/a/b"), ["n=yes", "all=None"]);
        assert_eq!(given(text, "web"), ["all=None"]);
    }

    #[test]
    fn the_project_overrides_lower_tiers() {
        let project = "examples: {'web/*': {n: project}, web/shop: {n: own}}\n";
        let user = "examples: {'web/*': {n: user, m: user}, web/shop: {m: below}}\n";
        let settings = Settings::of(&[(TierKind::Project, project), (TierKind::User, user)]);
        assert_eq!(given_by(&settings, "web/x"), ["n=user", "m=user", "n=project"]);
        assert_eq!(given_by(&settings, "web/shop"), ["n=user", "m=user", "n=project", "m=below", "n=own"]);
    }

    #[test]
    fn empty_examples_are_valid() {
        for text in ["", "# nothing\n", "examples:\n", "examples:\n  x:\n", "protocols: []\n"] {
            assert_eq!(given(text, "x"), [""; 0], "{text}");
        }
        assert!(ExampleInputs::read(&Settings::default()).unwrap().of("x").next().is_none());
    }

    #[test]
    fn entries_are_bounded() {
        let text: String = (0..1_001).map(|number| format!("  d{number}: {{}}\n")).collect();
        let error = ExampleInputs::read(&settings(&format!("examples:\n{text}"))).unwrap_err();
        assert_eq!(error.message(), "`examples` has 1001 entries, more than the limit of 1000");
    }

    #[test]
    fn an_example_without_a_directive_is_a_warning() {
        let text = "examples:\n  web/*: {n: 1}\n  deplo: {n: 2}\n  a: {n: 3}\n  none/*: {}\n";
        let warnings = ExampleInputs::read(&settings(text)).unwrap().unused(["a", "deploy", "web/x"].into_iter());
        let reported: Vec<_> = warnings.iter().map(|warning| (warning.message(), warning.help().unwrap())).collect();
        let sentence = |what: &str| format!("the example inputs for `{what}` match no directive");
        let expected = [("none/*", "remove them"), ("deplo", "did you mean `deploy`?")];
        assert_eq!(reported, expected.map(|(what, help)| (sentence(what), help.to_string())));
        let Some(Location::Span(span)) = &warnings[1].at else { panic!("it has a position") };
        assert_eq!((span.line(), span.text()), (3, "{n: 2}"));
    }

    #[test]
    fn a_wrong_shape_is_an_error_with_its_position() {
        for (text, message, line, shown) in [
            ("examples: [1]\n", "`examples` is a list, not a map of directives to inputs", 1, "[1]"),
            ("examples:\n  a: {}\n  x: eu\n", "the examples for `x` are a str, not a map of names to values", 3, "eu"),
            (
                "examples:\n  1: {n: 2}\n",
                "the id of a directive is of type int, not text: put it in quotes",
                2,
                "{n: 2}",
            ),
            ("examples:\n  x:\n    1: v\n", "the name of an input is of type int, not text: put it in quotes", 3, "v"),
        ] {
            let error = ExampleInputs::read(&settings(text)).unwrap_err();
            let Some(Location::Span(span)) = &error.at else { panic!("{error:?}") };
            assert_eq!((error.message().as_str(), span.line(), span.text()), (message, line, shown));
            assert_eq!(error.help().as_deref(), Some(HELP));
        }
    }
}
