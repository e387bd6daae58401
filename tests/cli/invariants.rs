//! Invariants of the prompts of all cases and of generated projects.

mod agents;
mod document;
mod made_up;
mod mutation;
mod projects;
mod reads;
mod recording;
mod same_bytes;
mod wording;

use std::sync::LazyLock;

use rye_render::internals::read::bundle;
use rye_render::internals::read::protocol::Builtin;
use serde_json::Value;

use crate::announce;
use crate::cases::{Case, Cases};
use wording::{Bytes, Wording};

#[test]
fn own_cases_keep_the_invariants() {
    report("own cases", Cases::own().check(keeps));
}

#[test]
fn conformance_cases_keep_the_invariants() {
    match Cases::conformance() {
        Some(cases) => report("conformance cases", cases.check(keeps)),
        None => announce("invariants: conformance cases not run: RYE_RENDER_CONFORMANCE is not set"),
    }
}

/// Each of these changes to a prompt breaks an invariant, and must be detected.
#[test]
fn a_prompt_that_breaks_an_invariant_fails() {
    let cases = Cases::own();
    let case = cases.list.iter().find(|case| case.name().ends_with("rye-2-standard-hooks")).expect("the case exists");
    let output = case.command("json").output().expect("the program starts");
    let good: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let files = |tier: &str, path: &str| std::fs::read(case.root(tier)?.join(path)).ok();
    let check = |json: &Value| document::check(json, &files).and_then(|()| Wording::call().check(json, &files));
    check(&good).expect("the unchanged prompt is valid");

    // In the user message, segment 1 is the name in a hook's tag, and segment 5 the text up to a placeholder.
    let protocol = serde_json::json!({"kind": "protocol"});
    for (pointer, wrong) in [
        ("/messages/1/segments/1/origin", protocol.clone()),
        ("/messages/1/segments/5/origin", protocol),
        ("/messages/1/segments/5/origin/start", Value::from(1)),
        ("/messages/1/segments/5/origin/kind", Value::from("derived")),
        ("/messages/1/segments/5/origin/line", Value::from(1)),
        ("/messages/1/segments/5/origin/newlines", Value::from(true)),
        ("/messages/1/segments/5/layer", Value::Null),
        ("/messages/1/segments/5/text", Value::from("")),
        ("/messages/1/segments/5/at", Value::from(0)),
        ("/messages/1/text", Value::from("")),
        ("/layers/0/bytes", Value::from(1)),
        ("/layers/1/id", good["layers"][0]["id"].clone()),
        ("/decisions/0/outcome", Value::from("missing")),
        ("/events/0/layers/0", Value::from("nobody")),
        ("/events/0/text", Value::from("")),
        ("/sha256", Value::from("0")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or(&mut Value::Null) = wrong.clone();
        if bad == good {
            // The field is omitted while it is empty, so add it.
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer has parts");
            bad.pointer_mut(parent).expect("the value exists")[key] = wrong;
        }
        check(&bad).expect_err(pointer);
    }
}

/// Prints how many bytes of all cases have each kind of origin.
fn report(what: &str, counts: Vec<Bytes>) {
    let mut all = Bytes::new();
    for (kind, bytes) in counts.iter().flatten() {
        *all.entry(kind.clone()).or_default() += bytes;
    }
    let shown: Vec<_> = all.iter().map(|(kind, bytes)| format!("{kind} {bytes}")).collect();
    announce(&format!("invariants: {} {what}, bytes by origin: {}", counts.len(), shown.join(", ")));
}

/// Renders a case and checks the prompt.
fn keeps(case: &Case) -> Result<Bytes, String> {
    if case.is_refused() {
        return Ok(Bytes::new());
    }
    let stdout = |format: &str| -> Result<String, String> {
        let output = case.command(format).output().map_err(|error| error.to_string())?;
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    };
    let json: Value = serde_json::from_str(&stdout("json")?).map_err(|error| error.to_string())?;
    let files = |tier: &str, path: &str| match case.root(tier) {
        Some(root) => std::fs::read(root.join(path)).ok(),
        None => embedded(path),
    };
    document::check(&json, &files)?;
    if let Some(error) = schema().iter_errors(&json).next() {
        return Err(format!("{}: {error}", error.instance_path()));
    }
    if stdout("plain")? != document::plain(&json) {
        return Err("the plain text differs from the messages".to_string());
    }
    let events: Result<Vec<Value>, _> = stdout("events")?.lines().map(serde_json::from_str).collect();
    if events.map_err(|error| error.to_string())? != document::list(&json, "events") {
        return Err("`--format events` differs from the events of the JSON".to_string());
    }
    wording(document::text(&json, "protocol")).check(&json, &files)
}

fn wording(protocol: &str) -> &'static Wording {
    static RYE_1: LazyLock<Wording> = LazyLock::new(Wording::rye_1);
    static RYEOS: LazyLock<Wording> = LazyLock::new(Wording::ryeos);
    static CALL: LazyLock<Wording> = LazyLock::new(Wording::call);
    match protocol {
        "rye-1" => &RYE_1,
        "ryeos" | "ryeos-4" => &RYEOS,
        _ => &CALL,
    }
}

/// A file of the embedded bundles; no case reads two different files with the same path.
fn embedded(path: &str) -> Option<Vec<u8>> {
    let files = [Builtin::Layers, Builtin::Hooks].into_iter().flat_map(bundle::files);
    files.into_iter().find(|file| file.path == path).map(|file| file.bytes.to_vec())
}

/// The published schema of a prompt.
fn schema() -> &'static jsonschema::Validator {
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = rye_render::internals::answer::schema::schema("prompt").expect("it is published");
        let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
        jsonschema::validator_for(&schema).expect("it is a schema")
    });
    &SCHEMA
}
