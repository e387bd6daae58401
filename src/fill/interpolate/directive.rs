//! Placeholders in a directive: in its body and in its fence, which holds the permissions.

use super::{InputValues, Substitution, closing, name_end, replace_inputs, substitute};
use crate::decide::request::{Environment, Redact};
use crate::diagnostic::Diagnostic;
use crate::prompt::PromptInput;
use crate::text::{Origin, Traced};

#[derive(Debug)]
pub struct Values<'a> {
    inputs: InputValues<'a>,
    environment: &'a Environment,
    redact: Redact,
}

impl<'a> Values<'a> {
    pub fn new(inputs: &'a [PromptInput], environment: &'a Environment, redact: Redact) -> Self {
        Self { inputs: InputValues::new(inputs, redact), environment, redact }
    }
}

/// Replaces `{env:…}`, then `{input:…}`, then `${inputs.x}`, each in the previous result, so a value may contain later
/// placeholders (Directives, "Inputs and interpolation"). Nothing is trimmed.
///
/// Fails with `too_large` if the text would exceed 64 MB.
pub fn interpolate(text: Traced, values: &Values<'_>) -> Result<Traced, Diagnostic> {
    let text = replace_environment(text, values)?;
    let text = replace_inputs(text, &values.inputs)?;
    replace_dollar_inputs(text, &values.inputs)
}

/// `{env:X}` and `{env:X:default}`
fn replace_environment(text: Traced, values: &Values<'_>) -> Result<Traced, Diagnostic> {
    substitute(text, "{env:", |text, start| {
        let plain = text.text();
        let name_end = name_end(plain, start)?;
        let name = &plain[start..name_end];
        let hidden = || Traced::of(&format!("‹env:{name}›"), Origin::Env(name.into()));
        let value = values.environment.get(name).map(|value| match values.redact.env {
            true => hidden(),
            false => Traced::of(value, Origin::Env(name.into())),
        });
        let (end, unset) = match plain.as_bytes().get(name_end)? {
            b'}' => (name_end, values.redact.unset_env.then(hidden)),
            b':' => {
                let end = closing(plain, name_end + 1)?;
                (end, value.is_none().then(|| text.slice(name_end + 1..end)))
            }
            _ => return None,
        };
        Some(Substitution { end: end + 1, value: value.or(unset) })
    })
}

/// `${inputs.x}`
fn replace_dollar_inputs(text: Traced, inputs: &InputValues<'_>) -> Result<Traced, Diagnostic> {
    substitute(text, "${inputs.", |text, start| {
        let plain = text.text();
        let end = name_end(plain, start)?;
        let closed = plain[end..].starts_with('}');
        closed.then(|| Substitution { end: end + 1, value: inputs.print(&plain[start..end]) })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::{Arc, LazyLock};

    use proptest::prelude::*;
    use regex::{Captures, Regex};

    use super::*;
    use crate::read::value::Value;
    use crate::text::{InputFrom, Source};

    fn input(name: &str, value: impl Into<Value>, from: InputFrom) -> PromptInput {
        PromptInput { name: name.into(), value: value.into(), from, default_span: None }
    }

    fn file(text: &str) -> Traced {
        Traced::file(&Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap().whole())
    }

    fn render(text: Traced, inputs: &[PromptInput], environment: &Environment, redact: bool) -> Traced {
        let redact = Redact { env: redact, unset_env: false, inputs: redact };
        interpolate(text, &Values::new(inputs, environment, redact)).unwrap()
    }

    #[test]
    fn every_form_has_its_rule() {
        let inputs = [
            input("x", "1", InputFrom::Flag),
            input("none", Value::Null, InputFrom::Flag),
            input("empty", "", InputFrom::Flag),
        ];
        let environment: Environment = [("E".to_string(), "{input:x}".to_string())].into();
        for (text, expected) in [
            ("{input:x} {input:x?} {input:x:d} {input:x|d} ${inputs.x}", "1 1 1 1 1"),
            ("{input:y} {input:y?}| {input:y:a:b} {input:y|} ${inputs.y}", "{input:y} | a:b  ${inputs.y}"),
            ("{input:none}{input:empty|d}", "None"),
            ("{env:E} {env:F} {env:F:} {env:F:d}", "1 {env:F}  d"),
            ("${inputs.x.y} {input:} {input:x??} {env:E?}", "${inputs.x.y} {input:} {input:x??} {env:E?}"),
            ("{input:y:{input:x}}", "{input:x}"),
            ("{input:{input:x}}", "{input:1}"),
            ("{env:F:{input:}x}", "1"),
            ("{input:x", "{input:x"),
        ] {
            assert_eq!(render(Traced::protocol(text), &inputs, &environment, false).text(), expected, "{text}");
        }
    }

    #[test]
    fn a_placeholder_may_straddle_origins() {
        let mut text = file("a {inp");
        text.push(&file("ut:x} b"));
        let inputs = [input("x", "1", InputFrom::Stdin)];
        let rendered = render(text, &inputs, &Environment::new(), false);
        let segments: Vec<_> = rendered.segments().map(|segment| (segment.text, segment.origin.clone())).collect();
        assert_eq!(segments.len(), 3);
        let origin = Origin::Input { name: "x".into(), from: InputFrom::Stdin, source: None };
        assert_eq!(segments[1], ("1", origin));
        assert!(matches!(&segments[2], (" b", Origin::File(span)) if span.range() == (5..7)));
    }

    #[test]
    fn a_written_default_keeps_its_own_origin() {
        let rendered = render(file("<{input:x|dé}>"), &[], &Environment::new(), false);
        let segments: Vec<_> = rendered.segments().collect();
        assert!(matches!(segments[1].origin, Origin::File(span) if span.range() == (10..13)));
        assert_eq!(segments[1].text, "dé");
    }

    #[test]
    fn values_are_redacted_but_defaults_and_placeholders_are_not() {
        let inputs = [input("x", "secret", InputFrom::File), input("p", "{input:p}", InputFrom::Placeholder)];
        let environment: Environment = [("E".to_string(), "secret".to_string())].into();
        let text = "{input:x} ${inputs.x} {env:E} {env:F:d} {input:p}";
        let rendered = render(Traced::protocol(text), &inputs, &environment, true);
        assert_eq!(rendered.text(), "‹input:x› ‹input:x› ‹env:E› d {input:p}");
    }

    #[test]
    fn unset_variables_can_be_redacted() {
        let redact = Redact { env: true, unset_env: true, inputs: false };
        let text = Traced::protocol("{env:F} {env:F:d} {env:F:}|");
        let environment = Environment::new();
        let rendered = interpolate(text, &Values::new(&[], &environment, redact)).unwrap();
        assert_eq!(rendered.text(), "‹env:F› d |");
    }

    #[test]
    fn too_much_text_is_refused() {
        let inputs = [input("x", "v".repeat(1 << 20), InputFrom::Flag)];
        let environment = Environment::new();
        let values = Values::new(&inputs, &environment, Redact::default());
        let refused = interpolate(Traced::protocol(&"{input:x}".repeat(100)), &values).unwrap_err();
        assert_eq!(refused.code(), "too_large");
    }

    #[test]
    fn unclosed_placeholders_cost_no_more_than_others() {
        let text = format!("}}{}", "{input:x:{env:x:${inputs.".repeat(40_000));
        let rendered = render(Traced::protocol(&text), &[], &Environment::new(), false);
        assert_eq!(rendered.text(), text);
    }

    /// The same rules, with regular expressions on a plain string.
    fn oracle(text: &str, inputs: &HashMap<&str, &str>, environment: &Environment) -> String {
        static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
            [r"\{env:(\w+)(?::([^}]*))?\}", r"\{input:(\w+)(\?|[:|][^}]*)?\}", r"\$\{inputs\.(\w+)\}"]
                .map(|pattern| Regex::new(&pattern.replace(r"\w", r"[\p{L}\p{N}_]")).unwrap())
        });
        let [env, input, dollar] = &*PATTERNS;
        let text = env.replace_all(text, |found: &Captures<'_>| {
            let default = found.get(2).map(|default| default.as_str().to_string());
            environment.get(&found[1]).cloned().or(default).unwrap_or_else(|| found[0].to_string())
        });
        let text = input.replace_all(&text, |found: &Captures<'_>| {
            let default = found.get(2).map(|default| default.as_str()[1..].to_string());
            let value = inputs.get(&found[1]).map(ToString::to_string);
            value.or(default).unwrap_or_else(|| found[0].to_string())
        });
        let text = dollar.replace_all(&text, |found: &Captures<'_>| {
            inputs.get(&found[1]).map_or_else(|| found[0].to_string(), ToString::to_string)
        });
        text.into_owned()
    }

    proptest! {
        #[test]
        fn interpolation_matches_regular_expressions(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "{input:", "{env:", "${inputs.", "${", "}", "}}", "?", ":", "|", "x", "é", "Y", " ", "\n",
                    "{input:x}", "{env:Y}", "{env:x:", "\u{301}",
                ]),
                0..14,
            ),
            cuts in prop::collection::vec(any::<bool>(), 14),
            x in "[x}{:é]{0,3}|\\{input:é\\}|\\$\\{inputs\\.é\\}",
        ) {
            // Origins change anywhere, so that placeholders straddle them.
            let whole = pieces.concat();
            let mut text = Traced::new();
            for (piece, cut) in pieces.iter().zip(&cuts) {
                text.push(&if *cut { file(piece) } else { Traced::protocol(piece) });
            }
            let inputs = [input("x", x.as_str(), InputFrom::Flag), input("é", "v", InputFrom::File)];
            let environment: Environment = [("Y".to_string(), x.clone())].into();
            let rendered = render(text, &inputs, &environment, false);
            let plain: HashMap<&str, &str> = [("x", x.as_str()), ("é", "v")].into();
            let expected = oracle(&whole, &plain, &environment);
            prop_assert_eq!(rendered.text(), expected);
            for segment in rendered.segments() {
                prop_assert!(!segment.text.is_empty());
                if let Origin::File(span) = segment.origin {
                    prop_assert_eq!(span.text(), segment.text);
                }
            }
        }
    }

    #[test]
    fn a_declared_default_names_its_attribute() {
        let source = Source::read("project".into(), "x.md", b"default=\"v\"".to_vec()).unwrap();
        let mut default = input("x", "v", InputFrom::Default);
        default.default_span = Some(source.span(9..10));
        let rendered = render(Traced::protocol("{input:x}"), &[default], &Environment::new(), false);
        let expected =
            Origin::Input { name: Arc::from("x"), from: InputFrom::Default, source: Some(source.span(9..10)) };
        assert_eq!(*rendered.segments().next().unwrap().origin, expected);
    }
}
