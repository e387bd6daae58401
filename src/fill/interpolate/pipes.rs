//! Pipes in a `${path | pipe}` of hook text (Directives, "Paths and pipes").

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Problem;
use crate::read::value::{Value, python_str, read_json, to_python_json};
use crate::text::python;
use crate::text::words::words;

/// The paths, and the pipes that begin at the first `|` without another beside it.
pub(crate) fn split_pipes(expression: &str) -> (&str, Option<&str>) {
    let bytes = expression.as_bytes();
    let is_pipe = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        bytes[at] == b'|' && before != Some(&b'|') && bytes.get(at + 1) != Some(&b'|')
    };
    match (0..bytes.len()).find(|&at| is_pipe(at)) {
        Some(at) => (&expression[..at], Some(&expression[at + 1..])),
        None => (expression, None),
    }
}

pub(crate) fn unknown_pipes(pipes: &str) -> impl Iterator<Item = Problem> {
    names(pipes).filter(|name| name.parse::<Pipe>().is_err()).map(unknown)
}

fn unknown(pipe: &str) -> Problem {
    Problem::PipeUnknown { pipe: pipe.to_string(), known: words::<Pipe>().join(", ") }
}

fn names(pipes: &str) -> impl Iterator<Item = &str> {
    pipes.split('|').map(python::trim).filter(|pipe| !pipe.is_empty())
}

#[derive(Debug, Clone, Copy, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
enum Pipe {
    Json,
    FromJson,
    Length,
    Keys,
    Upper,
    Lower,
}

/// The value after all pipes; null if one fails. An unknown pipe changes nothing.
pub(super) fn apply(mut value: Value, pipes: &str, problems: &mut Vec<Problem>) -> Value {
    for name in names(pipes) {
        let Ok(pipe) = name.parse() else {
            problems.push(unknown(name));
            continue;
        };
        let found = value.type_name();
        let piped = match pipe {
            Pipe::Json => Some(json(&value).into()),
            Pipe::FromJson => match &value {
                Value::Str(text) => read_json(text).ok(),
                _ => Some(value),
            },
            Pipe::Length => length(&value),
            Pipe::Keys => {
                Some(Value::List(value.as_map().map(|map| map.keys().cloned().collect()).unwrap_or_default()))
            }
            Pipe::Upper => Some(python_str(&value).to_uppercase().into()),
            Pipe::Lower => Some(python_str(&value).to_lowercase().into()),
        };
        let Some(piped) = piped else {
            problems.push(Problem::PipeFailed { pipe: name.to_string(), found });
            return Value::Null;
        };
        value = piped;
    }
    value
}

/// The pipes after the first one, if that is `json`.
pub(super) fn behind_json(pipes: &str) -> Option<&str> {
    let (first, rest) = pipes.split_once('|').unwrap_or((pipes, ""));
    matches!(python::trim(first).parse(), Ok(Pipe::Json)).then_some(rest)
}

/// As `json.dumps` prints it: `, ` and `: `, and only ASCII.
pub(super) fn json(value: &Value) -> String {
    let mut out = String::new();
    for c in to_python_json(value).chars() {
        match c {
            ' '..='~' => out.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}")),
        }
    }
    out
}

fn length(value: &Value) -> Option<Value> {
    let length = match value {
        Value::Str(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        Value::Null => 0,
        _ => return None,
    };
    Some(Value::Int(length.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piped(json: &str, pipes: &str) -> (String, Vec<&'static str>) {
        let mut problems = Vec::new();
        let value = apply(read_json(json).unwrap(), pipes, &mut problems);
        (python_str(&value), problems.into_iter().map(|problem| problem.into_str()).collect())
    }

    #[test]
    fn the_first_single_bar_begins_the_pipes() {
        assert_eq!(split_pipes("a || b | json | upper"), ("a || b ", Some(" json | upper")));
        assert_eq!(split_pipes("a|b || c"), ("a", Some("b || c")));
        assert_eq!(split_pipes("a||b|||c"), ("a||b|||c", None));
        assert_eq!(split_pipes("a |"), ("a ", Some("")));
    }

    #[test]
    fn every_pipe_works_as_in_python() {
        for (json, pipes, expected) in [
            (r#"{"a": 1.5, "b": [true, null]}"#, "json", r#"{"a": 1.5, "b": [true, null]}"#),
            (r#""Größe 😀 \u007f""#, "json", r#""Gr\u00f6\u00dfe \ud83d\ude00 \u007f""#),
            (r#""{\"p\": 1, \"p\": 2}""#, "from_json", "{'p': 2}"),
            ("5", "from_json", "5"),
            (r#""Größe""#, "length", "5"),
            ("[1, 2]", "length", "2"),
            (r#"{"a": 1}"#, "keys", "['a']"),
            ("[1]", "keys", "[]"),
            (r#""straße""#, "upper", "STRASSE"),
            ("true", " lower | ", "true"),
        ] {
            assert_eq!(piped(json, pipes), (expected.to_string(), vec![]), "{json} | {pipes}");
        }
    }

    #[test]
    fn unknown_pipes_and_failures_are_reported() {
        assert_eq!(piped("\"A\"", "shout | Upper | lower"), ("a".to_string(), vec!["pipe_unknown"; 2]));
        assert_eq!(piped("5", "length | json"), ("None".to_string(), vec!["pipe_failed"]));
        assert_eq!(piped("\"{\"", "from_json"), ("None".to_string(), vec!["pipe_failed"]));
    }
}
