//! Where the values of inputs and the environment come from and appear, according to the origins of the segments.

use indexmap::IndexMap;
use serde::Serialize;

use crate::prompt::{Prompt, PromptInput, Role};
use crate::read::item::InputDeclaration;
use crate::text::{InputFrom, Origin, Position, Span};

/// The values that come from outside the items: their provider controls this part of the prompt.
#[derive(Debug)]
pub struct OutsideValues<'a> {
    /// Declared ones in order of declaration, then others.
    pub inputs: Vec<ValuePlaces<'a>>,
    /// In the order in which they first appear.
    pub environment: Vec<ValuePlaces<'a>>,
}

/// An input, or an environment variable, which no file declares.
#[derive(Debug, Default)]
pub struct ValuePlaces<'a> {
    pub name: &'a str,
    pub declared: Option<&'a InputDeclaration>,
    /// `None` without a value.
    pub given: Option<&'a PromptInput>,
    pub places: Vec<ValuePlace<'a>>,
}

impl<'a> ValuePlaces<'a> {
    /// The declaration of the default in use, else that of the input.
    pub fn source(&self) -> Option<&'a Span> {
        let default = self.given.and_then(|input| input.default_span.as_ref());
        default.or_else(|| self.declared.map(|declaration| &declaration.span))
    }
}

/// Where a value appears.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ValuePlaceJson"))]
pub struct ValuePlace<'a> {
    /// Index into `messages`.
    pub message: usize,
    /// First byte in the message.
    pub at: usize,
    /// One past the last byte.
    pub end: usize,
    /// 1-based line in the message.
    pub line: usize,
    /// 1-based column, in Unicode scalar values.
    pub column: usize,
    /// Index into `layers`; null for text between layers.
    pub layer: Option<usize>,
    #[serde(skip)]
    pub role: Role,
    #[serde(skip)]
    pub text: &'a str,
}

impl<'a> OutsideValues<'a> {
    pub fn new(prompt: &'a Prompt) -> Self {
        let directive = prompt.chain.last().and_then(|member| member.directive.as_ref());
        let mut inputs: IndexMap<&str, ValuePlaces> = IndexMap::new();
        let mut environment: IndexMap<&str, ValuePlaces> = IndexMap::new();
        for declaration in directive.iter().flat_map(|directive| &directive.inputs) {
            let name = declaration.name.as_str();
            inputs.entry(name).or_insert(ValuePlaces { name, declared: Some(declaration), ..Default::default() });
        }
        for input in &prompt.inputs {
            let entry = inputs.entry(&input.name).or_insert(ValuePlaces { name: &input.name, ..Default::default() });
            entry.given.get_or_insert(input);
        }
        for (index, message) in prompt.messages.iter().enumerate() {
            let mut position = Position { line: 1, column: 1 };
            for segment in message.segments() {
                let found = match segment.origin {
                    Origin::Input { name, .. } => Some((&mut inputs, name)),
                    Origin::Env(name) => Some((&mut environment, name)),
                    _ => None,
                };
                if let Some((values, name)) = found {
                    let value = values.entry(name).or_insert(ValuePlaces { name, ..Default::default() });
                    value.places.push(ValuePlace {
                        message: index,
                        at: segment.at,
                        end: segment.at + segment.text.len(),
                        line: position.line,
                        column: position.column,
                        layer: segment.layer,
                        role: message.role,
                        text: segment.text,
                    });
                }
                position = advance(position, segment.text);
            }
        }
        Self { inputs: inputs.into_values().collect(), environment: environment.into_values().collect() }
    }
}

fn advance(start: Position, text: &str) -> Position {
    match text.rfind('\n') {
        Some(last) => {
            Position { line: start.line + text.matches('\n').count(), column: text[last + 1..].chars().count() + 1 }
        }
        None => Position { column: start.column + text.chars().count(), ..start },
    }
}

/// The kinds of values that messages replace with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HiddenValues {
    inputs: bool,
    env: bool,
}

impl HiddenValues {
    pub fn of(prompt: &Prompt) -> Self {
        let holds = |is: fn(&Origin) -> bool| {
            prompt.messages.iter().any(|message| message.segments().any(|segment| is(segment.origin)))
        };
        let is_given =
            |origin: &Origin| matches!(origin, Origin::Input { from, .. } if *from != InputFrom::Placeholder);
        Self {
            inputs: prompt.redact.inputs && holds(is_given),
            env: prompt.redact.env && holds(|origin| matches!(origin, Origin::Env(_))),
        }
    }

    pub fn or(self, other: Self) -> Self {
        Self { inputs: self.inputs || other.inputs, env: self.env || other.env }
    }

    /// Which values are hidden; `None` if none are.
    pub fn sentence(self) -> Option<String> {
        let whose = match (self.inputs, self.env) {
            (true, true) => "inputs and of the environment",
            (true, false) => "inputs",
            (false, true) => "the environment",
            (false, false) => return None,
        };
        Some(format!("Values of {whose} are replaced with their names, including in token counts."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Message;
    use crate::prompt::testing::{deploy, user};
    use crate::text::{InputFrom, Traced};

    #[test]
    fn a_value_is_found_at_its_line_and_column() {
        let prompt = deploy();
        let outside = OutsideValues::new(&prompt);
        let [target] = outside.inputs.as_slice() else { panic!("{outside:?}") };
        assert_eq!((target.name, target.source().map(Span::line)), ("target", Some(12)));
        let [occurrence] = target.places.as_slice() else { panic!("{target:?}") };
        assert_eq!((occurrence.message, occurrence.layer, occurrence.text), (1, Some(3), "staging"));
        assert_eq!(&prompt.messages[1].text()[occurrence.at..][..7], "staging");
        let line = prompt.messages[1].text().lines().nth(occurrence.line - 1).unwrap();
        let column = line.chars().take_while(|c| *c != 's').count();
        assert_eq!(occurrence.column, column + 1);
        assert!(outside.environment.is_empty());
    }

    #[test]
    fn every_place_is_found_and_columns_count_characters() {
        let mut prompt = user("");
        let mut message = Message::new(Role::System);
        let env = |value: &str| Traced::of(value, Origin::Env("HOME".into()));
        let input = Origin::Input { name: "x".into(), from: InputFrom::Flag, source: None };
        message.push(&Traced::protocol("é\nü "), None);
        message.push(&env("a\nb"), None);
        message.push(&Traced::of("1", input), None);
        message.push(&env("a\nb"), None);
        prompt.messages = vec![message];
        let outside = OutsideValues::new(&prompt);
        let at = |places: &[ValuePlace]| -> Vec<_> { places.iter().map(|it| (it.line, it.column)).collect() };
        assert_eq!(at(&outside.environment[0].places), [(2, 3), (3, 3)]);
        // An input that is neither declared nor given is shown, too.
        assert_eq!(at(&outside.inputs[0].places), [(3, 2)]);
        assert!(outside.inputs[0].given.is_none());
    }
}
