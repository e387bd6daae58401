use crate::value::{Value, python_repr};

/// The most characters of a value that a sentence shows.
const MAX_SHOWN: usize = 60;

/// A value in a sentence: text in double quotes, null, true and false as in JSON, at most 60 characters and a `…`.
pub(crate) fn shown(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    cut(&out)
}

/// At most 60 characters and a `…`.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Writes until there is more than can be shown: a value may be large, or nested deeply.
fn write(out: &mut String, value: &Value) {
    let full = |out: &String| out.len() > 4 * MAX_SHOWN;
    match value {
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
        Value::List(list) => {
            out.push('[');
            for (index, item) in list.iter().enumerate() {
                if full(out) {
                    return;
                }
                out.push_str(if index > 0 { ", " } else { "" });
                write(out, item);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (index, (key, item)) in map.iter().enumerate() {
                if full(out) {
                    return;
                }
                out.push_str(if index > 0 { ", " } else { "" });
                write(out, key);
                out.push_str(": ");
                write(out, item);
            }
            out.push('}');
        }
        Value::Int(_) | Value::Float(_) | Value::Time(_) | Value::Bytes(_) => out.push_str(&python_repr(value)),
    }
}
