//! Placeholders of directives and of hooks: the text, a line `=====`, and the values as JSON
//! `{"inputs": {}, "env": {}, "context": {}}`.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use regex::{Captures, Regex};
use rye_render::internals::decide::request::{Environment, Redact};
use rye_render::internals::fill::interpolate::{directive, hook};
use rye_render::internals::prompt::PromptInput;
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::value::{Value, python_str, read_json};
use rye_render::internals::text::{InputFrom, Source, Traced};
use rye_render_fuzz::{check_traced, source, split};

static ENVIRONMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{env:(\w+)(?::([^}]*))?\}").expect("a valid pattern"));
static DOLLAR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\$\{inputs\.(\w+)\}").expect("a valid pattern"));

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let [text, values] = split(text);
    let Some(source) = source("one.md", text.as_bytes()) else { return };
    let values = read_json(values).unwrap_or_default();
    let inputs = inputs(&values);
    let environment = environment(&values);
    let bytes = |_: &Source| Some(text.as_bytes());
    for redact in [Redact::default(), Redact { env: true, unset_env: true, inputs: true }] {
        let own = directive::Values::new(&inputs, &environment, redact);
        let Ok(out) = directive::interpolate(Traced::file(&source.whole()), &own) else { continue };
        check_traced(&out, &bytes);
        if !source.text().contains('{') {
            assert_eq!(out.text(), source.text());
        }
        if redact == Redact::default() && source.text().is_ascii() && !source.text().contains("{input:") {
            check_plain(source.text(), &out, &inputs, &environment);
        }
        let context = values.get("context").unwrap_or(&Value::Null);
        for name in ["rye-2", "rye-3", "rye-4"] {
            let protocol = Protocol::builtin(name).expect("it is built in");
            let seen = hook::Values::new(context, &inputs, &protocol, redact);
            let Ok(out) = hook::interpolate(Traced::file(&source.whole()), &seen) else { continue };
            if let Some(out) = &out.text {
                check_traced(out, &bytes);
                if !hook::has_placeholder(source.text()) {
                    assert_eq!(out.text(), source.text());
                }
            }
        }
    }
});

/// Compares the output with that of regex replacement, unless a value might contain a placeholder.
fn check_plain(text: &str, out: &Traced, inputs: &[PromptInput], environment: &Environment) {
    let given = |name: &str| inputs.iter().rfind(|input| &*input.name == name).map(|input| python_str(&input.value));
    let is_harmless = |value: &str| value.is_ascii() && !value.contains(['{', '}', '$']);
    if !environment.values().all(|value| is_harmless(value))
        || !inputs.iter().all(|it| is_harmless(&python_str(&it.value)))
    {
        return;
    }
    let set = ENVIRONMENT.replace_all(text, |found: &Captures| {
        let default = found.get(2).map(|default| default.as_str().to_string());
        environment.get(&found[1]).cloned().or(default).unwrap_or_else(|| found[0].to_string())
    });
    if set.contains("{input:") {
        return;
    }
    let plain = DOLLAR.replace_all(&set, |found: &Captures| given(&found[1]).unwrap_or_else(|| found[0].to_string()));
    assert_eq!(out.text(), plain);
}

fn inputs(values: &Value) -> Vec<PromptInput> {
    let map = values.get("inputs").and_then(Value::as_map);
    let input = |(name, value): (&Value, &Value)| PromptInput {
        name: Arc::from(name.as_str().unwrap_or_default()),
        value: value.clone(),
        from: InputFrom::Flag,
        default_span: None,
    };
    map.into_iter().flatten().map(input).collect()
}

fn environment(values: &Value) -> Environment {
    let map = values.get("env").and_then(Value::as_map);
    map.into_iter().flatten().map(|(name, value)| (python_str(name), python_str(value))).collect()
}
