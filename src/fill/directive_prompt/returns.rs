use std::io::{self, Write};

use indexmap::IndexMap;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context, filters};

use super::Outputs;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::tool::ReturnSentence;
use crate::text::{Origin, Traced};

#[derive(Debug, Clone)]
pub(super) struct ReturnField {
    name: Traced,
    label: Traced,
}

/// The named outputs with their labels; a repeated name keeps its position and takes the last value.
pub(super) fn fields(outputs: &Outputs) -> Vec<ReturnField> {
    let labelled: Vec<ReturnField> = match outputs {
        Outputs::List(list) => list
            .iter()
            .map(|output| {
                let mut label = output.description.clone();
                if label.is_empty() {
                    label = output.output_type.clone();
                } else {
                    label.push_protocol(" (").push(&output.output_type).push_protocol(")");
                }
                label.push(&output.required);
                ReturnField { name: output.name.clone(), label }
            })
            .filter(|field| !field.name.is_empty())
            .collect(),
        #[cfg(any(test, feature = "internals"))]
        Outputs::Map(map) => {
            map.iter().map(|(name, label)| ReturnField { name: name.clone(), label: label.clone() }).collect()
        }
    };
    let mut fields: IndexMap<String, ReturnField> = IndexMap::new();
    for mut field in labelled {
        if field.label.is_empty() {
            field.label = field.name.clone();
        }
        fields.insert(field.name.text().to_string(), field);
    }
    fields.into_values().collect()
}

/// The call of `directive_return` (Prompt Rendering 1.2.0).
pub(super) fn call(fields: &[ReturnField]) -> Traced {
    let mut text = Traced::new();
    if fields.is_empty() {
        return text;
    }
    text.push_protocol(
        "When you have completed all steps, return structured results:\n\
         `rye_execute(item_type=\"tool\", item_id=\"rye/agent/threads/directive_return\", parameters={",
    );
    push_fields(&mut text, fields, ["\"", ", \""]);
    text.push_protocol("})`");
    text
}

pub(super) fn sentence(sentence: &ReturnSentence, fields: &[ReturnField]) -> Traced {
    if fields.is_empty() {
        return Traced::new();
    }
    let mut text = sentence.before.clone();
    push_fields(&mut text, fields, ["  \"", "\n  \""]);
    text.push(&sentence.after);
    text
}

/// `first` and `next`: what stands before the first name, and before each other one.
fn push_fields(text: &mut Traced, fields: &[ReturnField], [first, next]: [&str; 2]) {
    for (index, field) in fields.iter().enumerate() {
        text.push_protocol(if index > 0 { next } else { first }).push(&field.name);
        text.push_protocol("\": \"<").push(&field.label).push_protocol(">\"");
    }
}

/// `<returns>` with an element per output, unnamed ones included (Prompt Rendering 1.0.0).
pub(super) fn elements(outputs: &Outputs) -> Traced {
    let rows: Vec<(&Traced, Option<&Traced>)> = match outputs {
        Outputs::List(list) => list
            .iter()
            .map(|output| (&output.name, Some(&output.description).filter(|description| !description.is_empty())))
            .collect(),
        #[cfg(any(test, feature = "internals"))]
        Outputs::Map(map) => map.iter().map(|(name, text)| (name, Some(text))).collect(),
    };
    let mut text = Traced::new();
    if rows.is_empty() {
        return text;
    }
    text.push_protocol("<returns>");
    for (name, description) in rows {
        text.push_protocol("\n  <output name=\"").push(name);
        match description {
            Some(description) => text.push_protocol("\">").push(description).push_protocol("</output>"),
            None => text.push_protocol("\" />"),
        };
    }
    text.push_protocol("\n</returns>");
    text
}

/// Limits on templates, which may come from projects: instructions executed, bytes of source, bytes of output.
const FUEL: u64 = 100_000;
const MAX_TEMPLATE: usize = 16_000;
const MAX_OUTPUT: usize = 1_000_000;

/// The allowed statements. Others could make a value grow without writing a byte.
const STATEMENTS: [&str; 7] = ["for", "endfor", "if", "elif", "else", "endif", "raw"];

/// Noncharacters that mark values: `OPEN`, the index, `BEGIN`, the value, `END`.
const OPEN: char = '\u{fdd0}';
const BEGIN: char = '\u{fdd1}';
const END: char = '\u{fdd2}';

/// The return instruction of a protocol file; empty without named outputs.
///
/// It is rendered with plain values, then with marked values to find where each one ends up. If the results differ, the
/// template inspects values.
pub(super) fn from_template(template: &str, fields: &[ReturnField]) -> Result<Traced, Diagnostic> {
    if fields.is_empty() {
        return Ok(Traced::new());
    }
    check(template)?;
    let values: Vec<&Traced> = fields.iter().flat_map(|field| [&field.name, &field.label]).collect();
    let plain: Vec<String> = values.iter().map(|value| value.text().to_string()).collect();
    let text = write(template, &plain)?;
    let marked: Vec<String> =
        plain.iter().enumerate().map(|(index, value)| format!("{OPEN}{index}{BEGIN}{value}{END}")).collect();
    let traced = match write(template, &marked) {
        Ok(marked) if !plain.iter().any(|value| value.contains([OPEN, BEGIN, END])) => unmark(&marked, &values),
        _ => None,
    };
    Ok(traced.filter(|traced| traced.text() == text).unwrap_or_else(|| derived(&text, &values)))
}

fn derived(text: &str, values: &[&Traced]) -> Traced {
    let origin = values.iter().find_map(|value| value.span()).map_or(Origin::Protocol, Origin::Derived);
    Traced::of(text, origin)
}

fn invalid(reason: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Problem::InvalidTemplate { reason: reason.into() })
}

/// Refuses templates that could use unlimited memory before writing a byte.
fn check(template: &str) -> Result<(), Diagnostic> {
    if template.len() > MAX_TEMPLATE {
        return Err(invalid(format!("it is longer than {MAX_TEMPLATE} bytes")));
    }
    for (at, _) in template.match_indices("{%") {
        let statement = template[at + 2..].trim_start_matches(['-', '+']).trim_start();
        let word: &str = statement.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if !word.is_empty() && !STATEMENTS.contains(&word) && word != "endraw" {
            return Err(invalid(format!("it may not use `{word}`; use one of: {}", STATEMENTS.join(", "))));
        }
    }
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        for (at, _) in template.match_indices(open) {
            let inside = template[at + 2..].trim_start_matches('+');
            let inside = inside.split(close).next().unwrap_or_default();
            if inside.trim_end_matches('+').contains(['~', '+']) {
                return Err(invalid("it may not join text with `~` or `+`; write the parts one after the other"));
            }
        }
    }
    Ok(())
}

/// Renders a template; `values` alternates names and labels.
fn write(template: &str, values: &[String]) -> Result<String, Diagnostic> {
    let syntax = SyntaxConfig::builder().keep_trailing_newline(true).build().map_err(refused)?;
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.add_filter("upper", filters::upper);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("title", filters::title);
    environment.add_filter("capitalize", filters::capitalize);
    environment.add_filter("trim", filters::trim);
    environment.add_filter("length", filters::length);
    environment.add_template("returns", template).map_err(refused)?;
    let template = environment.get_template("returns").map_err(refused)?;
    let fields: Vec<_> = values.chunks(2).map(|pair| context! { name => &pair[0], label => &pair[1] }).collect();
    let mut out = Bounded(Vec::new());
    template.render_captured_to(context! { fields }, &mut out).map_err(refused)?;
    String::from_utf8(out.0).map_err(|_| invalid("its output is not UTF-8"))
}

fn refused(error: minijinja::Error) -> Diagnostic {
    let line = error.line().map_or(String::new(), |line| format!(" (line {line})"));
    match error.detail() {
        Some(detail) => invalid(format!("{}: {detail}{line}", error.kind())),
        None => invalid(format!("{}{line}", error.kind())),
    }
}

struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT {
            return Err(io::Error::other(format!("its output is longer than {MAX_OUTPUT} bytes")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Turns marked text into text with origins; `None` if a mark is broken.
fn unmark(marked: &str, values: &[&Traced]) -> Option<Traced> {
    let mut out = Traced::new();
    let mut rest = marked;
    while let Some(at) = rest.find(OPEN) {
        out.push_protocol(&rest[..at]);
        let (index, after) = rest[at + OPEN.len_utf8()..].split_once(BEGIN)?;
        let (written, after) = after.split_once(END)?;
        let value = values.get(index.parse::<usize>().ok()?)?;
        match value.span() {
            _ if written == value.text() => out.push(value),
            Some(span) => out.push(&Traced::of(written, Origin::Derived(span))),
            None => out.push_protocol(written),
        };
        rest = after;
    }
    out.push_protocol(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    fn field(name: &str, label: &str) -> ReturnField {
        let file =
            |text: &str| Traced::file(&Source::read("project".into(), "x", text.as_bytes().to_vec()).unwrap().whole());
        ReturnField { name: file(name), label: file(label) }
    }

    fn origins(traced: &Traced) -> Vec<(String, &'static str)> {
        let word = |origin: &Origin| match origin {
            Origin::File(_) => "file",
            Origin::Derived(_) => "derived",
            _ => "protocol",
        };
        traced.segments().map(|segment| (segment.text.to_string(), word(segment.origin))).collect()
    }

    #[test]
    fn values_keep_their_origins() {
        let template = "Return:\n{% for f in fields %}- {{ f.name }}={{ f.label|upper }}\n{% endfor %}";
        let text = from_template(template, &[field("a", "a"), field("b", "B")]).unwrap();
        let expected = [
            ("Return:\n- ", "protocol"),
            ("a", "file"),
            ("=", "protocol"),
            ("A", "derived"),
            ("\n- ", "protocol"),
            ("b", "file"),
            ("=", "protocol"),
            ("B", "file"),
            ("\n", "protocol"),
        ];
        assert_eq!(origins(&text), expected.map(|(text, word)| (text.to_string(), word)));
    }

    #[test]
    fn a_result_computed_from_a_value_is_derived() {
        let text = from_template(
            "{{ fields[0].name|length }}{% if fields[0].name == 'abc' %}!{% endif %}",
            &[field("abc", "x")],
        );
        assert_eq!(origins(&text.unwrap()), [("3!".to_string(), "derived")]);
    }

    #[test]
    fn templates_cannot_grow_without_bound() {
        for template in [
            "{% set x = fields %}",
            "{{ fields[0].name ~ fields[0].name }}",
            "{{ 'a' + 'b' }}",
            "{% for a in fields %}{% for b in [a.name~a.name] %}{% endfor %}{% endfor %}",
            "{% for i in fields %}{{ 'x' * 100000000000 }}{% endfor %}",
            "{{ fields[0].nmae }}",
            "{% for f in fields %}",
            "{{ fields|tojson }}",
        ] {
            let refused = from_template(template, &[field("a", "b")]).unwrap_err();
            assert_eq!(refused.code(), "invalid_template", "{template}");
        }
        let long = field(&"n".repeat(600_000), "x");
        assert_eq!(
            from_template("{{ fields[0].name }}{{ fields[0].name }}", &[long]).unwrap_err().code(),
            "invalid_template"
        );
    }

    #[test]
    fn the_last_newline_is_kept() {
        assert_eq!(
            from_template("{% for f in fields -%}\n {{ f.name }} {%- endfor %}\n", &[field("a", "b")]).unwrap().text(),
            "a\n"
        );
    }
}
