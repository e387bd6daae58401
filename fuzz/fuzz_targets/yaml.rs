//! YAML in both dialects.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::value::{python_repr, python_str};
use rye_render::internals::read::yaml::{
    Loaded, Outline, YamlData, YamlLimits, YamlNode, load_core, load_within, read_own,
};
use rye_render::internals::text::Source;
use rye_render_fuzz::{check_diagnostics, check_span, check_traced, source, yaml_of};

fuzz_target!(|data: &[u8]| {
    let Some(source) = source(".ai/knowledge/one.yaml", data) else { return };
    let text = source.text();
    for load in [load_within, load_core] {
        match load(&source.whole(), YamlLimits::default()) {
            Ok(loaded) => check(&loaded, data),
            Err(error) => check_diagnostics(&[error], &|_: &Source| Some(data)),
        }
    }
    if let Some(outline) = Outline::of(text) {
        let mut end = 0;
        for scalar in &outline.scalars {
            assert!(end <= scalar.start && text.get(scalar.clone()).is_some(), "{scalar:?} after {end}");
            end = scalar.end;
        }
        for comment in &outline.comments {
            assert!(text[comment.clone()].starts_with('#') && !text[comment.clone()].contains('\n'));
        }
    }
    if let Err(error) = read_own::<serde_json::Value>(text) {
        assert!(text.is_char_boundary(error.at));
    }
});

fn check(loaded: &Loaded, data: &[u8]) {
    let bytes = |_: &Source| Some(data);
    check_diagnostics(&loaded.diagnostics, &bytes);
    check_node(&loaded.node, data);
    for key in &loaded.keys {
        check_span(&key.span, data);
    }
    let value = loaded.node.value();
    // The printed value reads back as the same value.
    if let Some(printed) = yaml_of(&value) {
        let again = source("again.yaml", printed.as_bytes()).expect("it is UTF-8");
        let limits = YamlLimits { bytes: usize::MAX, nodes: usize::MAX, depth: 250 };
        if let Ok(again) = load_within(&again.whole(), limits) {
            assert_eq!(python_repr(&again.node.value()), python_repr(&value), "{printed}");
        } else {
            assert!(printed.matches(['[', '{']).count() > 200, "{printed} cannot be read");
        }
    }
}

fn check_node(node: &YamlNode, data: &[u8]) {
    if let Some(span) = &node.span {
        check_span(span, data);
    }
    match &node.data {
        YamlData::Scalar(value) => {
            let traced = node.traced();
            check_traced(&traced, &|_: &Source| Some(data));
            assert_eq!(traced.text(), python_str(value));
        }
        YamlData::List(list) => list.iter().for_each(|node| check_node(node, data)),
        YamlData::Map(map) => map.values().for_each(|node| check_node(node, data)),
    }
}
