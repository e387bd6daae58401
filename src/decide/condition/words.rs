//! Writes conditions and values as text for people.

use std::sync::Arc;

use crate::read::item::condition::{Comparison, Condition, Form, Operator};
use crate::read::value::{Value, python_repr, write_items};

/// Deeper conditions, and those beyond this many bytes, become `…`.
const MAX_DEPTH: usize = 6;
const MAX_LENGTH: usize = 300;

/// A readable condition, `directive contains "deploy" and model is "fast"`; `None` if it always holds.
pub fn words(condition: &Condition) -> Option<String> {
    (!condition.is_empty()).then(|| {
        let mut out = String::new();
        write(&mut out, condition, 0);
        out
    })
}

fn write(out: &mut String, condition: &Condition, depth: usize) {
    match &condition.form {
        _ if depth > MAX_DEPTH || out.len() > MAX_LENGTH => out.push('…'),
        Form::Always => out.push_str("always"),
        Form::Invalid(reason) => {
            out.push_str(&format!("never, since {}", reason.replace("a condition", "the condition")))
        }
        Form::Any(children) if children.is_empty() => out.push_str("never"),
        Form::All(children) if children.is_empty() => out.push_str("always"),
        Form::Any(children) => list(out, children, " or ", depth),
        Form::All(children) => list(out, children, " and ", depth),
        Form::Not(child) => {
            out.push_str("not (");
            write(out, child, depth + 1);
            out.push(')');
        }
        Form::Comparison(comparison) => out.push_str(&question(comparison, Some(&comparison.expected))),
    }
}

/// Children of `any` or `all`, in parentheses when nested.
fn list(out: &mut String, children: &[Arc<Condition>], joiner: &str, depth: usize) {
    let brackets = depth > 0 && children.len() > 1;
    out.push_str(if brackets { "(" } else { "" });
    for (index, child) in children.iter().enumerate() {
        if out.len() > MAX_LENGTH {
            out.push_str(" …");
            break;
        }
        out.push_str(if index > 0 { joiner } else { "" });
        write(out, child, depth + 1);
    }
    out.push_str(if brackets { ")" } else { "" });
}

/// `directive contains "deploy"`; a hidden value becomes `…`.
pub(super) fn question(comparison: &Comparison, expected: Option<&Value>) -> String {
    let asked = format!("{} {}", subject(&comparison.path), cut(&comparison.op));
    match expected {
        _ if comparison.operator == Some(Operator::Exists) => asked,
        Some(expected) => format!("{asked} {}", shown(expected)),
        None => format!("{asked} …"),
    }
}

pub(super) fn subject(path: &str) -> String {
    if path.is_empty() { "the context".to_string() } else { cut(path) }
}

const MAX_SHOWN: usize = 60;

/// A value in a sentence: text in double quotes, null, true and false as in JSON, cut to length.
pub(crate) fn shown(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    cut(&out)
}

pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Stops when there is more than can be shown: values may be large or deeply nested.
fn write_value(out: &mut String, value: &Value) {
    match value {
        _ if out.len() > 4 * MAX_SHOWN => {}
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Str(text) => {
            out.push('"');
            for c in text.chars().take(MAX_SHOWN) {
                match c {
                    '\'' => out.push(c),
                    _ => out.extend(c.escape_debug()),
                }
            }
            out.push('"');
        }
        Value::List(list) => write_items(out, ['[', ']'], list.iter().take(MAX_SHOWN), write_value),
        Value::Map(map) => write_items(out, ['{', '}'], map.iter().take(MAX_SHOWN), |out, (key, item)| {
            write_value(out, key);
            out.push_str(": ");
            write_value(out, item);
        }),
        Value::Int(_) | Value::Float(_) | Value::Time(_) | Value::Bytes(_) => out.push_str(&python_repr(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::{PathSyntax, read_json};
    use crate::read::yaml::YamlNode;

    fn of(json: &str) -> Option<String> {
        words(&Condition::of(Some(&YamlNode::of(&read_json(json).unwrap())), PathSyntax::Dots))
    }

    #[test]
    fn conditions_are_clauses() {
        let clause = |json| of(json).unwrap();
        assert_eq!(
            clause(r#"{"path": "directive", "op": "contains", "value": "deploy"}"#),
            "directive contains \"deploy\""
        );
        assert_eq!(clause(r#"{"path": "model"}"#), "model eq null");
        assert_eq!(clause(r#"{"not": {"path": "inputs.x", "op": "exists"}}"#), "not (inputs.x exists)");
        let nested = r#"{"all": [{"path": "a", "value": 1}, {"any": [{"path": "b", "op": "ne", "value": 2}, {}]}]}"#;
        assert_eq!(clause(nested), "a eq 1 and (b ne 2 or always)");
        assert_eq!(clause(r#"{"any": []}"#), "never");
        assert_eq!(clause(r#"{"path": "a", "op": "near", "value": 1}"#), "a near 1");
        assert_eq!(clause(r#"{"not": "a"}"#), "not (never, since the condition is not a map)");
        assert_eq!(clause(r#"{"all": {}}"#), "always");
        let not_list = "never, since the value of any or all is not a list";
        assert_eq!(clause(r#"{"all": {"path": "a"}}"#), not_list);
        assert_eq!(of("{}"), None);
        assert_eq!(of("null"), None);
    }

    #[test]
    fn large_conditions_are_shortened() {
        let mut deep = "{\"path\": \"a\"}".to_string();
        for _ in 0..50 {
            deep = format!("{{\"not\": {deep}}}");
        }
        assert!(of(&deep).unwrap().ends_with("…)))))))"));
        let wide = format!("{{\"any\": [{}]}}", vec!["{\"path\": \"a\"}"; 10_000].join(","));
        assert!(of(&wide).unwrap().len() < MAX_LENGTH + 100);
    }
}
