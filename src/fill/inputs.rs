//! The values of a directive's inputs (Directives, "Inputs and interpolation").

use indexmap::IndexMap;

use crate::decide::request::GivenInput;
use crate::diagnostic::{Diagnostic, InputProblems, Problem};
use crate::prompt::PromptInput;
use crate::read::item::InputDeclaration;
use crate::read::value::Value;
use crate::text::InputFrom;
use crate::text::nearest::nearest;

/// The declared inputs in their order, then the undeclared ones in the order given.
///
/// If a name is given twice, the last value wins. An undeclared input is an error only if the directive declares any. A
/// required input without a value is an error unless `placeholders` is set. One diagnostic reports all problems.
pub fn resolve_inputs(
    declared: &[InputDeclaration],
    given: Vec<GivenInput>,
    placeholders: bool,
) -> Result<Vec<PromptInput>, Diagnostic> {
    // Taking the value is cheaper than removing the entry.
    let mut given: IndexMap<String, Option<GivenInput>> =
        given.into_iter().map(|input| (input.name.clone(), Some(input))).collect();
    // A name may be declared twice: the first declaration with a value wins.
    let mut by_name: IndexMap<&str, PromptInput> = IndexMap::new();
    let mut missing: IndexMap<&str, &InputDeclaration> = IndexMap::new();
    for declaration in declared {
        let name = declaration.name.as_str();
        if by_name.contains_key(name) {
            continue;
        }
        let (value, from) = match (given.get_mut(name).and_then(Option::take), &declaration.default) {
            (Some(input), _) => (input.value, input.from),
            (None, Some(default)) => (Value::from(default.as_str()), InputFrom::Default),
            (None, None) if declaration.required && placeholders => {
                (Value::Str(format!("{{input:{name}}}")), InputFrom::Placeholder)
            }
            (None, None) => {
                if declaration.required {
                    missing.entry(name).or_insert(declaration);
                }
                continue;
            }
        };
        missing.shift_remove(name);
        let default = declaration.default.as_ref().filter(|_| from == InputFrom::Default);
        let default_span = default.map(|default| default.span.clone());
        by_name.insert(name, PromptInput { name: name.into(), value, from, default_span });
    }
    let rest: Vec<GivenInput> = given.into_values().flatten().collect();
    let unknown: Vec<&str> =
        if declared.is_empty() { Vec::new() } else { rest.iter().map(|input| input.name.as_str()).collect() };
    if !missing.is_empty() || !unknown.is_empty() {
        let inputs = InputProblems {
            missing: missing.keys().map(ToString::to_string).collect(),
            unknown: unknown
                .into_iter()
                .map(|name| (name.to_string(), nearest(name, declared.iter().map(|input| input.name.as_str()))))
                .collect(),
            valid: declared.iter().map(with_required).collect(),
        };
        return Err(match missing.values().next() {
            Some(declaration) => Diagnostic::at(Problem::MissingRequiredInput { inputs }, &declaration.span),
            None => Diagnostic::new(Problem::UnknownInput { inputs }),
        });
    }
    let input = |GivenInput { name, value, from }| PromptInput { name: name.into(), value, from, default_span: None };
    let undeclared = rest.into_iter().map(input);
    Ok(by_name.into_values().chain(undeclared).collect())
}

/// `name`, or `name (required)`.
fn with_required(declaration: &InputDeclaration) -> String {
    let required = if declaration.required { " (required)" } else { "" };
    format!("{}{required}", declaration.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::item::ItemField;
    use crate::text::{Source, Traced};

    /// Parses `name` or `name=default`; `!` marks a required input. All are in one file, so that their spans differ.
    fn declared(names: &[&str]) -> Vec<InputDeclaration> {
        let text = names.join(" ");
        let source = Source::read("project".into(), "x.md", text.into_bytes()).unwrap();
        let mut at = 0;
        names
            .iter()
            .map(|written| {
                let span = source.span(at..at + written.len());
                at += written.len() + 1;
                let (name, default) = match written.split_once('=') {
                    Some((name, default)) => (name, Some(default)),
                    None => (*written, None),
                };
                let field = |text: &str| ItemField { text: Traced::protocol(text), span: span.clone() };
                InputDeclaration {
                    name: field(name.trim_start_matches('!')),
                    input_type: "string".to_string(),
                    required: name.starts_with('!'),
                    required_as: None,
                    default: default.map(field),
                    description: None,
                    span,
                }
            })
            .collect()
    }

    fn given(inputs: &[(&str, Value)]) -> Vec<GivenInput> {
        inputs
            .iter()
            .map(|(name, value)| GivenInput { name: name.to_string(), value: value.clone(), from: InputFrom::Flag })
            .collect()
    }

    fn shown_inputs(inputs: &[PromptInput]) -> Vec<(String, Value, InputFrom)> {
        inputs.iter().map(|input| (input.name.to_string(), input.value.clone(), input.from)).collect()
    }

    #[test]
    fn declared_inputs_come_first_in_their_order() {
        let resolved =
            resolve_inputs(&declared(&["a", "!b=x", "c"]), given(&[("c", Value::Null), ("a", Value::from(1))]), false);
        assert_eq!(
            shown_inputs(&resolved.unwrap()),
            [
                ("a".to_string(), Value::from(1), InputFrom::Flag),
                ("b".to_string(), Value::from("x"), InputFrom::Default),
                ("c".to_string(), Value::Null, InputFrom::Flag),
            ]
        );
    }

    #[test]
    fn without_declarations_every_input_is_accepted_and_the_last_value_wins() {
        let resolved =
            resolve_inputs(&[], given(&[("z", Value::from(1)), ("a", Value::from(2)), ("z", Value::from(3))]), false);
        let names: Vec<_> = shown_inputs(&resolved.unwrap());
        assert_eq!(
            names,
            [("z".to_string(), Value::from(3), InputFrom::Flag), ("a".to_string(), Value::from(2), InputFrom::Flag)]
        );
    }

    #[test]
    fn one_error_reports_all_problems() {
        let declared = declared(&["!target", "region", "!who"]);
        let refused = resolve_inputs(&declared, given(&[("tagret", Value::Null), ("zzz", Value::Null)]), false);
        let inputs = InputProblems {
            missing: vec!["target".to_string(), "who".to_string()],
            unknown: vec![("tagret".to_string(), Some("target".to_string())), ("zzz".to_string(), None)],
            valid: vec!["target (required)".to_string(), "region".to_string(), "who (required)".to_string()],
        };
        let expected = Diagnostic::at(Problem::MissingRequiredInput { inputs }, &declared[0].span);
        assert_eq!(refused, Err(expected));
    }

    #[test]
    fn a_placeholder_replaces_a_missing_value() {
        let resolved = resolve_inputs(&declared(&["!a", "b"]), Vec::new(), true).unwrap();
        assert_eq!(shown_inputs(&resolved), [("a".to_string(), Value::from("{input:a}"), InputFrom::Placeholder)]);
    }
}
