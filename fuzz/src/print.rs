//! Prints values in the plainest form of a format, to be read back.

use rye_render::internals::read::value::Value;

/// A value as YAML; none if YAML has no equivalent form.
pub fn yaml_of(value: &Value) -> Option<String> {
    let mut out = String::new();
    write(value, &mut out, &|out, text| yaml_text(out, text), "? ")?;
    Some(out)
}

/// A value as a Python literal; none if it has no literal.
pub fn python_of(value: &Value) -> Option<String> {
    let mut out = String::new();
    write(value, &mut out, &|out, text| yaml_text(out, text), "")?;
    Some(out.replace("\u{1}null", "None").replace("\u{1}true", "True").replace("\u{1}false", "False"))
}

fn yaml_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c => *out += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    out.push('"');
}

fn write(value: &Value, out: &mut String, text: &dyn Fn(&mut String, &str), key: &str) -> Option<()> {
    // Marks the words that `python_of` replaces.
    let word = if key.is_empty() { "\u{1}" } else { "" };
    match value {
        Value::Null => *out += &format!("{word}null"),
        Value::Bool(value) => *out += &format!("{word}{value}"),
        Value::Int(value) => *out += &value.to_string(),
        Value::Str(value) => text(out, value),
        Value::List(list) => {
            out.push('[');
            for item in list {
                write(item, out, text, key)?;
                *out += ", ";
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (name, item) in map {
                *out += key;
                write(name, out, text, key)?;
                *out += " : ";
                write(item, out, text, key)?;
                *out += ", ";
            }
            out.push('}');
        }
        Value::Float(_) | Value::Time(_) | Value::Bytes(_) => return None,
    }
    Some(())
}
