use crate::answer::diff::DiffOptions;
use proptest::prelude::*;

use super::*;
use crate::answer::diff::Difference;
use crate::answer::diff::testing::{after, before};
use crate::answer::explain::sent::tests::written;
use crate::answer::render::RenderFormat;
use crate::prompt::Prompt;
use crate::prompt::testing::{deploy, resumed, user};

/// A side reduced to what a rendered and a saved prompt have in common.
fn comparable(mut side: Side) -> String {
    side.title = String::new();
    side.kind = SideKind::Saved;
    side.fields.iter_mut().for_each(|fields| fields.retain(|field| field.name != "mode"));
    format!("{side:#?}")
}

#[test]
fn a_saved_prompt_equals_the_rendered_one() {
    let prompts: [Prompt; 5] = [deploy(), before(), after(), user("a\n"), resumed(&[Role::User, Role::Assistant])];
    for prompt in prompts {
        let saved = Side::saved(&written(&prompt, RenderFormat::Json), String::new()).unwrap();
        assert_eq!(comparable(saved), comparable(Side::rendered(&prompt, String::new())));
    }
}

#[test]
fn the_json_of_explain_is_read_too() {
    let text = written(&deploy(), RenderFormat::Json).replace("rye-render.prompt/1", "rye-render.explain/1");
    let saved = Side::read(&text, "saved.json".to_string()).unwrap();
    assert_eq!((saved.kind, saved.title.as_str(), saved.has_layers), (SideKind::Saved, "saved.json", true));
    assert_eq!(comparable(saved), comparable(Side::rendered(&deploy(), String::new())));
}

#[test]
fn an_error_names_both_versions() {
    let text = written(&deploy(), RenderFormat::Json).replace("rye-render.prompt/1", "rye-render.prompt/2");
    let error = Side::read(&text, String::new()).unwrap_err();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        error.what,
        format!(
            "not a saved prompt that this version can read: its format is `rye-render.prompt/2`, written by \
             rye-render {version}, not `rye-render.prompt/1` or `rye-render.explain/1`"
        )
    );
    let error = Side::read(r#"{"format": "rye-render.chain/1", "chain": []}"#, String::new()).unwrap_err();
    assert!(error.what.contains("`rye-render.chain/1`, not"), "{error}");
    assert!(Side::saved(r#"{"format": 1}"#, String::new()).unwrap_err().what.contains("it names no format"));
}

#[test]
fn an_unreadable_file_names_the_place() {
    let error = Side::read("{\"format\": \"rye-render.prompt/1\",\n \"messages\": 1}", String::new()).unwrap_err();
    assert!(error.what.starts_with("this cannot be read as a saved prompt: invalid type"), "{error}");
    assert_eq!(error.place.map(|place| place.0), Some(2));
    let cut_short = Side::read("{\"format\": \"rye-render.prompt/1\",\n \"messages\": [", String::new()).unwrap_err();
    assert!(cut_short.what.starts_with("not a saved transcript or request body: it is not JSON"), "{cut_short}");
    let role = r#"{"format": "rye-render.prompt/1", "messages": [{"role": "bot", "text": ""}]}"#;
    assert!(Side::read(role, String::new()).unwrap_err().what.contains("unknown role `bot`"));
}

#[test]
fn what_a_file_does_not_record_is_not_compared() {
    let text = r#"{"format": "rye-render.prompt/1", "messages": [{"role": "user", "text": "a"}]}"#;
    let side = Side::read(text, String::new()).unwrap();
    assert_eq!((side.has_layers, side.tools, side.chain, side.decisions), (false, None, None, None));
    assert_eq!(side.layers.len(), 1);
    let of = |segments: &str, layers: &str| {
        let text = format!(
            r#"{{"format": "rye-render.prompt/1", "messages": [{{"role": "user", "text": "aé", "segments": {segments}}}],
                "layers": {layers}}}"#
        );
        let side = Side::read(&text, String::new()).unwrap();
        (side.has_layers, side.layers.into_iter().map(|layer| (layer.range.start, layer.range.end)).collect::<Vec<_>>())
    };
    assert_eq!(of(r#"[{"text": "a"}, {"text": "é", "layer": 0}]"#, r#"[{"name": "x"}]"#), (true, vec![(1, 3)]));
    // Segments that differ from the text, a missing layer, a missing message.
    assert_eq!(of(r#"[{"text": "b"}]"#, "[]"), (false, vec![(0, 3)]));
    assert_eq!(of(r#"[{"text": "a"}]"#, "[]"), (false, vec![(0, 3)]));
    assert_eq!(of(r#"[{"text": "aé", "layer": 1}]"#, r#"[{"name": "x"}]"#), (false, vec![(0, 3)]));
    assert_eq!(of(r#"[{"text": "aé"}]"#, r#"[{"name": "x", "message": 7}]"#), (false, vec![(0, 3)]));
}

#[test]
fn a_line_number_may_have_any_value() {
    let text = r#"{"format": "rye-render.prompt/1", "messages": [{"role": "user", "text": "a\nb", "segments": [{"text": "a\nb",
        "layer": 0, "origin": {"kind": "file", "tier": "t", "path": "p", "start": 0, "line": 18446744073709551615}}]}],
        "layers": [{"kind": "directive", "name": "d", "item": {"type": "directive", "id": "d", "source": {"tier": "t",
        "path": "p", "start": 0, "end": 18446744073709551615, "line": 18446744073709551615}}}]}"#;
    let side = Side::read(text, String::new()).unwrap();
    let place = side.layers[0].item.as_ref().unwrap().place.as_ref().unwrap();
    assert_eq!((place.line, place.last_line), (usize::MAX, usize::MAX));
}

#[test]
fn contradictory_layers_differ_from_missing_layers() {
    let not_compared = |segments: &str| {
        let text =
            format!(r#"{{"format": "rye-render.prompt/1", "messages": [{{"role": "user", "text": "a"{segments}}}]}}"#);
        Difference::new(
            Side::read(&text, String::new()).unwrap(),
            Side::rendered(&deploy(), String::new()),
            &DiffOptions::default(),
        )
        .not_compared
    };
    assert_eq!(not_compared("")[0], "layers");
    let contradicts = "layers (the segments of the saved prompt contradict its text)";
    assert_eq!(not_compared(r#", "segments": [{"text": "b"}]"#)[0], contradicts);
}

#[test]
fn parts_without_text_are_counted_and_reported() {
    let body = |parts: &str, other: &str| {
        let text = format!(
            r#"{{"messages": [{{"role": "user", "content": [{{"type": "text", "text": "a"}}{parts}]}}], "max_tokens": 1{other}}}"#
        );
        Side::read(&text, String::new()).unwrap()
    };
    let image = r#", {"type": "image", "source": {}}"#;
    let result = |text: &str| format!(r#", {{"type": "tool_result", "tool_use_id": "1", "content": "{text}"}}"#);
    let compared = |left: Side, right: Side| Difference::new(left, right, &DiffOptions::default());
    let parts = "parts without text (images, tool calls and their results)";

    let difference = compared(body("", ""), body(image, r#", "temperature": 1, "tool_choice": {}, "a b": 1"#));
    assert!(!difference.is_same() && difference.left.messages != difference.right.messages);
    let field = &difference.fields[0];
    assert_eq!((field.group, field.name.as_str()), (FieldGroup::Parts, "user message"));
    assert_eq!((field.value.left.as_deref(), field.value.right.as_deref()), (None, Some("1 without text")));
    let settings = "settings of the request (max_tokens, temperature, tool_choice, 1 more)";
    assert_eq!(difference.not_compared, [parts, settings]);

    let difference = compared(body(&result("yes"), ""), body(&result("no"), ""));
    assert!(difference.is_same(), "their content is not compared");
    assert_eq!(difference.not_compared[0], parts);
    // A rendered prompt has only text.
    assert_eq!(compared(Side::rendered(&deploy(), String::new()), body(image, "")).fields.len(), 1);
}

#[test]
fn the_model_is_not_compared_if_one_side_lacks_it() {
    let body = |model: &str| Side::read(&format!(r#"{{{model}"messages": []}}"#), String::new()).unwrap();
    let named = r#""model": "m", "#;
    let not_compared = |left: Side, right: Side| Difference::new(left, right, &DiffOptions::default()).not_compared;
    assert!(not_compared(body(named), body(named)).is_empty());
    assert_eq!(not_compared(body(named), body("")), ["the model"]);
    let prompt = || Side::rendered(&deploy(), String::new());
    let about = |model: &str| not_compared(prompt(), body(model)).pop().unwrap();
    assert_eq!(about(""), "the model and other metadata");
    let mut names_model = prompt();
    names_model.fields.iter_mut().flatten().for_each(|field| {
        if field.group == FieldGroup::Model && field.name == "effective" {
            field.value = "m".to_string();
        }
    });
    assert_eq!(not_compared(names_model, body(named)).pop().unwrap(), "metadata other than the model");
}

#[test]
fn a_directive_begins_where_its_text_begins() {
    let side = Side::rendered(&deploy(), String::new());
    let lines: Vec<_> = side
        .layers
        .iter()
        .map(|layer| {
            layer.item.as_ref().and_then(|item| item.place.as_ref()).map(|it| (it.line, it.last_line)).unwrap()
        })
        .collect();
    // The front matter of each item is four lines and a blank one; the directive's text follows its fence.
    assert_eq!(lines, [(5, 5), (5, 6), (5, 5), (4, 17)]);
}

proptest! {
    #[test]
    fn no_file_causes_a_panic(text in r#"\{"format": ?"rye-render.(prompt|explain)/1"(, ?"(messages|layers|tools|limits|inputs|chain|decisions|model|directive)": ?(\[\{"(role|text|name|layer|segments|item|source|outcome|message)": ?("user"|1|null|\[\])(, ?"(text|segments|layer|slot)": ?("a"|\[\{"text": ?"a"\}\]|0))?\}\]|null|\{\}|1|"a")){0,3}\}?"#) {
        if let Ok(side) = Side::read(&text, String::new()) {
            let other = Side::rendered(&deploy(), String::new());
            Difference::new(side, other, &DiffOptions::default());
        }
    }
}
