//! With a format for programs, standard error is empty or one JSON object that matches its schema.

use serde_json::Value;

use super::{ASKS, DIRECTIVE, DIRECTIVE_PATH, block, test};
use crate::support::Test;

const FORMATS: [&str; 5] = ["json", "anthropic", "openai", "gemini", "events"];

/// The one object on standard error.
fn error(test: Test, format: &str) -> Value {
    let ran = test.args(["--format", format]).any_stderr().status(2).run();
    assert_eq!(ran.stderr.matches('\n').count(), 1, "{}", ran.stderr);
    let error: Value = serde_json::from_str(&ran.stderr).expect("one object");
    let schema = include_str!("../../../docs/schema/error.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.validate(&error).unwrap_or_else(|wrong| panic!("{wrong}: {error}"));
    error["error"].clone()
}

#[test]
fn an_error_is_one_object() {
    let directive = |text: &str| test().file(DIRECTIVE_PATH, text);
    let render = |test: Test| test.args(["render", "x"]);
    let broken = block("<directive name=\"x\">\n<a></directive>");
    for format in FORMATS {
        let wrong = error(render(directive(&broken)), format);
        assert_eq!(wrong["code"], "invalid_xml");
        let source = serde_json::json!({
            "tier": "project", "path": ".ai/directives/x.md", "start": 31, "end": 43, "line": 3, "column": 4
        });
        assert_eq!(wrong["source"], source);

        let wrong = error(render(test()), format);
        assert_eq!((&wrong["code"], &wrong["source"]), (&"directive_not_found".into(), &Value::Null));

        let bytes = test().file(DIRECTIVE_PATH, "").with(|root| {
            std::fs::write(root.join(DIRECTIVE_PATH), b"a\n\xff").expect("a new file");
        });
        let wrong = error(render(bytes), format);
        assert_eq!(wrong["code"], "invalid_utf8");
        assert_eq!((&wrong["source"]["line"], &wrong["source"]["column"]), (&2.into(), &1.into()));

        let circle = directive(&block("<directive name=\"x\" extends=\"x\"/>"));
        let wrong = error(render(circle), format);
        assert_eq!(wrong["code"], "circular_extends");
        assert_eq!(wrong["message"], "x extends itself\n    x  project .ai/directives/x.md:2\n  → x  (again)");

        // Invalid arguments, and problems with the files that they name.
        assert_eq!(error(directive(DIRECTIVE).args(["render", "x", "--nope"]), format)["code"], "invalid_argument");
        let absent = directive(DIRECTIVE).args(["render", "x", "--inputs", "absent"]);
        assert_eq!(error(absent, format)["source"], serde_json::json!({"tier": "", "path": "absent"}));
        let unwritable = directive(DIRECTIVE).args(["render", "x", "-o", "absent/out"]);
        assert_eq!(error(unwritable, format)["code"], "invalid_argument");
        let other = directive(DIRECTIVE).args(["render", "x", "--expect-sha256", &"0".repeat(64)]);
        assert_eq!(error(other, format)["code"], "digest_mismatch");

        render(directive(DIRECTIVE)).args(["--format", format]).any_stdout().run();
    }
}

#[test]
fn warnings_are_not_printed() {
    for format in FORMATS {
        test().file(DIRECTIVE_PATH, ASKS).args(["render", "x", "--format", format]).any_stdout().run();
    }
    let ran = test().file(DIRECTIVE_PATH, ASKS).args(["render", "x"]).any_stdout().any_stderr().run();
    assert!(ran.stderr.starts_with("warning[item_missing]: knowledge `k` not found in any tier"), "{}", ran.stderr);
    let ran = test().file(DIRECTIVE_PATH, ASKS).args(["render", "x", "--format", "json"]).any_stdout().run();
    assert_eq!(ran.json()["diagnostics"][0]["code"], "item_missing");
}
