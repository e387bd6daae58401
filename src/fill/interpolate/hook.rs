//! Placeholders in a hook's item and in the ids of its actions: `${path}` into the hook context.

use std::borrow::Cow;
use std::cell::RefCell;

use super::sources::piped_text;
use super::{InputValues, Substitution, ValueSources, closing, pipes, redacted_input, replace_inputs, substitute};
use crate::decide::request::Redact;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::prompt::PromptInput;
use crate::read::protocol::Protocol;
use crate::read::value::{Map, Value, look_up, python_str};
use crate::text::{Span, Traced, python};

#[derive(Debug)]
pub struct Values<'a> {
    context: &'a Value,
    sources: Cow<'a, ValueSources>,
    inputs: InputValues<'a>,
    protocol: &'a Protocol,
}

impl<'a> Values<'a> {
    /// `context` is the hook context; its `inputs` hold only the given values of `inputs`, not the defaults.
    ///
    /// Only those inputs are redacted here: a `directive_body` in the context must already be redacted. With the
    /// protocol's `fallback_operator`, `a.b || c.d` is the first value that is not null, and each path is trimmed;
    /// without it, the whole expression is one path as written, and a path with spaces finds nothing.
    pub fn new(context: &'a Value, inputs: &'a [PromptInput], protocol: &'a Protocol, redact: Redact) -> Self {
        let (sources, inputs) = (Cow::Owned(ValueSources::default()), InputValues::given(inputs, redact));
        Self { context, sources, inputs, protocol }
    }

    pub fn with_sources(self, sources: &'a ValueSources) -> Self {
        Self { sources: Cow::Borrowed(sources), ..self }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Interpolated {
    /// Not yet trimmed; `None` if the text is exactly one `${path}` with the value null.
    pub text: Option<Traced>,
    /// Whether an `{input:…}` was kept because no inputs were given, which deserves a diagnostic.
    pub input_kept: bool,
    /// Pipes that changed nothing, or failed.
    pub problems: Vec<Diagnostic>,
}

/// Replaces `${path}`, then `{input:…}` if any inputs were given (Directives, "Inputs and interpolation").
///
/// Text that is exactly one `${path}` becomes the value, and a final newline is dropped; elsewhere null prints
/// nothing. The caller trims. Fails with `too_large` if the text would exceed 64 MB.
pub fn interpolate(text: Traced, values: &Values<'_>) -> Result<Interpolated, Diagnostic> {
    let problems = RefCell::default();
    if let Some(expression) = whole_expression(text.text()) {
        let text = values.print(expression, || text.span(), &problems);
        return Ok(Interpolated { text, input_kept: false, problems: problems.into_inner() });
    }
    let text = substitute(text, "${", |text, start| {
        let end = closing(text.text(), start)?;
        let expression = &text.text()[start..end];
        let at = || text.slice(start - "${".len()..end + 1).span();
        let value = || values.print(expression, at, &problems).unwrap_or_default();
        (!expression.is_empty()).then(|| Substitution { end: end + 1, value: Some(value()) })
    })?;
    if values.inputs.by_name.is_empty() {
        let input_kept = text.text().contains("{input:");
        return Ok(Interpolated { text: Some(text), input_kept, problems: problems.into_inner() });
    }
    let text = Some(replace_inputs(text, &values.inputs)?);
    Ok(Interpolated { text, input_kept: false, problems: problems.into_inner() })
}

pub fn has_placeholder(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|open| text.contains(open))
}

const PLACEHOLDERS: [&str; 2] = ["${", "{input:"];

/// Whether the placeholders in a text can expand so that it becomes an id: what is between them must occur in order.
pub fn may_expand_to(written: &str, id: &str) -> bool {
    let Some((mut left, mut rest)) = placeholder(written) else { return false };
    let Some(mut open) = id.strip_prefix(left) else { return false };
    while let Some((literal, behind)) = placeholder(rest) {
        (left, rest) = (literal, behind);
        let Some(at) = open.find(left) else { return false };
        open = &open[at + left.len()..];
    }
    open.ends_with(rest)
}

/// The text before the first placeholder, and the text after it. One that is not closed stays as written.
fn placeholder(written: &str) -> Option<(&str, &str)> {
    let start = PLACEHOLDERS.iter().filter_map(|open| written.find(open)).min()?;
    let end = closing(written, start)? + 1;
    Some((&written[..start], &written[end..]))
}

/// The expression in text that is a single `${…}`, ignoring a final newline.
fn whole_expression(text: &str) -> Option<&str> {
    let inside = text.strip_suffix('\n').unwrap_or(text).strip_prefix("${")?.strip_suffix('}')?;
    (!inside.is_empty() && !inside.contains('}')).then_some(inside)
}

impl Values<'_> {
    /// The printed value; `None` if it is null or the path does not exist.
    fn print(
        &self,
        expression: &str,
        at: impl FnOnce() -> Option<Span>,
        problems: &RefCell<Vec<Diagnostic>>,
    ) -> Option<Traced> {
        let (paths, pipes) = if self.protocol.pipes { pipes::split_pipes(expression) } else { (expression, None) };
        let found = match self.protocol.fallback_operator {
            true => paths.split("||").find_map(|path| self.find(python::trim(path))),
            false => self.find(paths),
        };
        let Some((path, value)) = found else {
            if pipes.is_some_and(pipes::would_print_null) {
                let problem = Problem::PipeNull { expression: python::trim(expression).to_string() };
                problems.borrow_mut().push(Diagnostic { problem, at: at().map(Location::Span) });
            }
            return None;
        };
        let value = self.without_inputs(&path, value);
        let input = path.strip_prefix("inputs.").map(|rest| rest.split('.').next().unwrap_or(rest));
        let printed = input.and_then(|name| self.inputs.print_part(name, &value));
        let printed = printed.unwrap_or_else(|| self.sources.print(&path, &value));
        let Some(pipes) = pipes else { return Some(printed) };

        let mut found = Vec::new();
        let piped = pipes::apply(value.clone().into_owned(), pipes, &mut found);
        let at = at().filter(|_| !found.is_empty()).map(Location::Span);
        problems.borrow_mut().extend(found.into_iter().map(|problem| Diagnostic { problem, at: at.clone() }));
        if piped.is_null() {
            return None;
        }
        // The JSON of a map has an origin for each entry, as the map has.
        let (printed, pipes) = match (&*value, pipes::behind_json(pipes)) {
            (Value::Map(_), Some(rest)) if input.is_none() => (self.sources.print_json(&path, &value), rest),
            _ => (printed, pipes),
        };
        let pipe = |part: &str| python_str(&pipes::apply(part.into(), pipes, &mut Vec::new()));
        Some(piped_text(&path, &printed, &python_str(&piped), pipe))
    }

    fn find<'p>(&self, path: &'p str) -> Option<(Cow<'p, str>, &Value)> {
        let path = self.protocol.paths.dotted(path);
        let value = look_up(self.context, &path).filter(|value| !value.is_null())?;
        Some((path, value))
    }

    fn without_inputs<'v>(&self, path: &str, value: &'v Value) -> Cow<'v, Value> {
        if !self.inputs.redact {
            return Cow::Borrowed(value);
        }
        match (path, value) {
            ("inputs", Value::Map(inputs)) => Cow::Owned(Value::Map(
                inputs.keys().map(|name| (name.clone(), Value::Str(redacted_input(&python_str(name))))).collect(),
            )),
            ("", Value::Map(context)) => {
                let item = |(key, item): (&Value, &Value)| {
                    let item = self.without_inputs(key.as_str().unwrap_or("-"), item).into_owned();
                    (key.clone(), item)
                };
                Cow::Owned(Value::Map(context.iter().map(item).collect::<Map>()))
            }
            _ => Cow::Borrowed(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::interpolate::as_value;
    use crate::read::value::from_json;
    use crate::read::yaml;
    use crate::text::testing::source;
    use crate::text::{InputFrom, Origin, TextSegment};

    fn given() -> Vec<PromptInput> {
        let input = |name: &str, value: Value, from| PromptInput { name: name.into(), value, from, default_span: None };
        vec![
            input("who", Value::from("you"), InputFrom::Flag),
            input("list", Value::List(vec![Value::from(1), Value::from("b")]), InputFrom::File),
            input("dflt", Value::from("d"), InputFrom::Default),
        ]
    }

    fn context() -> Value {
        let json = r#"{"model": "m", "depth": 0, "none": null, "limits": {"spend": 0.5},
            "inputs": {"who": "you", "list": [1, "b"]}}"#;
        from_json(serde_json::from_str(json).unwrap())
    }

    fn run(text: &str, inputs: &[PromptInput], fallback_operator: bool, redact: bool) -> Interpolated {
        let context = context();
        let redact = Redact { inputs: redact, ..Redact::default() };
        let protocol = Protocol::builtin(if fallback_operator { "rye-3" } else { "rye-2" }).unwrap();
        let values = Values::new(&context, inputs, &protocol, redact);
        interpolate(Traced::protocol(text), &values).unwrap()
    }

    fn text_of(text: &str) -> Option<String> {
        run(text, &given(), true, false).text.map(|text| text.text().to_string())
    }

    #[test]
    fn placeholders_may_expand_to_any_text() {
        for (written, id) in [
            ("${inputs.item}", "deploy/freeze"),
            ("deploy/${x}", "deploy/freeze"),
            ("${x}/freeze", "deploy/freeze"),
            ("d${x}/f${y}e", "deploy/freeze"),
            ("deploy/{input:x}eze", "deploy/freeze"),
            ("${a}/x/${b}-end", "one/x/two-end"),
            ("é${x}é", "éé"),
        ] {
            assert!(may_expand_to(written, id), "{written}");
        }
        for (written, id) in [
            ("deploy/freeze", "deploy/freeze"),
            ("rules/${x}", "deploy/freeze"),
            ("${x}/rules", "deploy/freeze"),
            ("deploy/fre${x}reeze", "deploy/freeze"),
            ("ab${x}bc", "abc"),
            ("${a}z${b}z", "deploy/freeze"),
            ("${a}/x/${b}-end", "one/y/two-end"),
            // A placeholder that is not closed is kept.
            ("deploy/${x", "deploy/freeze"),
            ("${open", "anything"),
        ] {
            assert!(!may_expand_to(written, id), "{written}");
        }
    }

    #[test]
    fn paths_are_replaced_by_their_values() {
        for (text, expected) in [
            ("${model} ${ limits.spend }|${nope}|${none}|${}", "m 0.5|||${}"),
            ("${inputs.list.-1} ${inputs.list.7}x", "b x"),
            ("{input:who} {input:dflt} {input:dflt|e} {input:nope?}x", "you {input:dflt} e x"),
            ("${nope || none||inputs.who} x", "you x"),
            ("${model", "${model"),
            ("${inputs}x", "{'who': 'you', 'list': [1, 'b']}x"),
            (
                "${ \n} x ${model}",
                "{'model': 'm', 'depth': 0, 'none': None, 'limits': {'spend': 0.5}, \
              'inputs': {'who': 'you', 'list': [1, 'b']}} x m",
            ),
        ] {
            assert_eq!(text_of(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn one_path_alone_is_its_value() {
        assert_eq!(text_of("${depth}\n").as_deref(), Some("0"));
        assert_eq!(text_of("${none}"), None);
        assert_eq!(text_of("${none}\n\n").as_deref(), Some("\n\n"));
        assert_eq!(text_of(" ${none}").as_deref(), Some(" "));
        assert_eq!(text_of("${none || depth}").as_deref(), Some("0"));
    }

    #[test]
    fn without_the_operator_the_expression_is_one_path() {
        assert_eq!(run("${none || depth}", &given(), false, false).text, None);
        assert_eq!(run("${ depth }", &given(), false, false).text, None);
        let text = run("${depth}${ depth }${ }", &given(), false, false).text.unwrap();
        assert_eq!(text.text(), "0");
    }

    #[test]
    fn input_placeholders_need_an_input_that_was_given() {
        let only_default = &given()[2..];
        let kept = run("a {input:dflt}", only_default, true, false);
        assert_eq!(
            kept,
            Interpolated { text: Some(Traced::protocol("a {input:dflt}")), input_kept: true, problems: vec![] }
        );
        assert!(!run("a", only_default, true, false).input_kept);
    }

    #[test]
    fn origins_distinguish_inputs_from_variables() {
        let text = run("${inputs.who}${inputs.list.1}${model}${nope || model}", &given(), true, false).text.unwrap();
        let origins: Vec<_> = text.segments().map(|segment| segment.origin.clone()).collect();
        let input = |name: &str, from| Origin::Input { name: name.into(), from, source: None };
        assert_eq!(
            origins,
            [
                input("who", InputFrom::Flag),
                input("list", InputFrom::File),
                Origin::Variable { name: "model".into(), source: None },
                Origin::Variable { name: "model".into(), source: None },
            ]
        );
    }

    #[test]
    fn a_pipe_changes_the_text_and_is_reported_where_it_stands() {
        let (context, protocol) = (context(), Protocol::builtin("rye-4").unwrap());
        let sources = ValueSources::new([], [("model", as_value("model", &Traced::protocol("m")))]);
        let values = Values::new(&context, &[], &protocol, Redact::default()).with_sources(&sources);
        let file = source("project", ".ai/knowledge/a.md", "${model}${model | upper}${depth | Upper}");
        let shown = interpolate(Traced::file(&file.whole()), &values).unwrap();
        assert_eq!(shown.text.unwrap().text(), "mM0");
        let [Diagnostic { at: Some(Location::Span(at)), .. }] = &shown.problems[..] else { panic!() };
        assert_eq!(at.text(), "${depth | Upper}");
    }

    #[test]
    fn a_piped_value_names_what_decides_it() {
        let (context, protocol) = (context(), Protocol::builtin("rye-4").unwrap());
        let file = source("project", ".ai/directives/a.md", "Go \"to\" x");
        let mut body = Traced::file(&file.span(0..8));
        body.push_str("ΟΔΟΣ", Origin::Input { name: "where".into(), from: InputFrom::Flag, source: None });
        body.push(&Traced::file(&file.span(8..9)));
        let Value::Map(mut values) = context else { panic!() };
        values.insert("directive_body".into(), body.text().into());
        let context = Value::Map(values);
        let setting = source("user", "resilience.yaml", "spend: 0.5");
        let limits = yaml::load(&setting.whole()).unwrap().node;
        let sources = ValueSources::new([("limits", limits)], [("directive_body", as_value("directive_body", &body))]);
        let values = Values::new(&context, &[], &protocol, Redact::default()).with_sources(&sources);
        let piped = |expression: &str| -> Vec<String> {
            let text = interpolate(Traced::protocol(expression), &values).unwrap().text.unwrap();
            let part = |part: TextSegment<'_>| match part.origin {
                Origin::Input { name, .. } => format!("{} from input {name}", part.text),
                origin => format!("{} from `{}`", part.text, origin.span().map(Span::text).unwrap_or_default()),
            };
            text.segments().map(part).collect()
        };
        let go = "`Go \"to\" `";
        assert_eq!(
            piped("${directive_body | upper}"),
            [format!("GO \"TO\"  from {go}"), "ΟΔΟΣ from input where".into(), "X from `x`".into()]
        );
        let input = r"\u039f\u0394\u039f\u03a3 from input where".to_string();
        assert_eq!(
            piped("${directive_body | json}"),
            [format!(r#""Go \"to\"  from {go}"#), input, "x\" from `x`".into()]
        );
        let whole = "`Go \"to\" x`";
        assert_eq!(piped("${directive_body | length}"), [format!("13 from {whole}")]);
        // A sigma at the end of a word has a different lower case.
        assert_eq!(piped("${directive_body | lower}"), [format!("go \"to\" οδοσx from {whole}")]);
        assert_eq!(piped("${limits | json | upper}"), [r#"{"SPEND": 0.5 from `0.5`"#, "} from `spend: 0.5`"]);
        assert_eq!(piped("${limits | length}"), ["1 from `spend: 0.5`"]);
    }

    #[test]
    fn inputs_are_redacted_wherever_they_appear() {
        let shown = |text| run(text, &given(), true, true).text.unwrap().text().to_string();
        assert_eq!(shown("${inputs.who} {input:who}"), "‹input:who› ‹input:who›");
        assert_eq!(shown("${inputs.list.1}"), "‹input:list›");
        assert_eq!(shown("${inputs}"), "{'who': '‹input:who›', 'list': '‹input:list›'}");
        assert!(shown("${ }").ends_with("'inputs': {'who': '‹input:who›', 'list': '‹input:list›'}}"));
    }
}
