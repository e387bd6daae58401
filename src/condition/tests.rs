use super::*;
use crate::value::from_json;

fn value(json: &str) -> Value {
    from_json(serde_json::from_str(json).unwrap())
}

fn verdict(condition: &str) -> Verdict {
    let context = value(
        r#"{"directive": "init", "depth": 3, "empty": "", "none": null, "list": ["a", {"b": 1.5}],
            "inputs": {"flag": true, "n": "5"}}"#,
    );
    evaluate(&value(condition), &context)
}

#[track_caller]
fn assert_why(condition: &str, holds: bool, why: &str) {
    let verdict = verdict(condition);
    assert_eq!((verdict.holds, verdict.why.as_str()), (holds, why));
    assert_eq!(verdict.diagnostics, []);
}

#[test]
fn sentences_name_value_and_expectation() {
    assert_why(
        r#"{"path": "directive", "op": "contains", "value": "deploy"}"#,
        false,
        r#"directive is "init", which does not contain "deploy""#,
    );
    assert_why(r#"{"path": "directive", "value": "init"}"#, true, r#"directive is "init""#);
    assert_why(r#"{"path": "directive", "op": "ne", "value": "x"}"#, true, r#"directive is "init", not "x""#);
    assert_why(r#"{"path": "depth", "op": "gte", "value": 3.0}"#, true, "depth is 3, which is at least 3.0");
    assert_why(r#"{"path": "none", "op": "gt", "value": 3}"#, false, "none is null");
    assert_why(
        r#"{"path": "list.-1.b", "op": "in", "value": [1, 1.5]}"#,
        true,
        "list.-1.b is 1.5, which is in [1, 1.5]",
    );
    assert_why(
        r#"{"path": "depth", "op": "in", "value": "3"}"#,
        false,
        r#"depth is 3, and `in` needs a list, not "3""#,
    );
    assert_why(r#"{"path": "inputs.flag", "op": "exists"}"#, true, "inputs.flag is true");
    assert_why(r#"{"path": "inputs.gone", "op": "exists"}"#, false, "inputs.gone is null");
    assert_why(
        r#"{"path": "inputs.flag", "op": "regex", "value": "^T"}"#,
        true,
        r#"inputs.flag is true, which matches "^T""#,
    );
}

#[test]
fn combinators_name_the_child_that_decides() {
    let (init, deploy) = (r#"{"path": "directive", "value": "init"}"#, r#"{"path": "directive", "value": "x"}"#);
    let not_x = r#"directive is "init", not "x""#;
    assert_why(&format!(r#"{{"any": [{deploy}, {init}], "all": []}}"#), true, r#"directive is "init""#);
    assert_why(&format!(r#"{{"all": [{init}, {deploy}, {init}]}}"#), false, not_x);
    assert_why(
        &format!(r#"{{"any": [{deploy}, {deploy}]}}"#),
        false,
        &format!("none of 2 conditions holds; the last: {not_x}"),
    );
    assert_why(&format!(r#"{{"all": [{init}]}}"#), true, r#"directive is "init""#);
    assert_why(&format!(r#"{{"not": {deploy}, "path": "depth"}}"#), true, &format!("{not_x} (negated)"));
    assert_why(r#"{"any": []}"#, false, "an empty `any` never holds");
    assert_why(r#"{"all": []}"#, true, "an empty `all` always holds");
    assert_why("{}", true, "an empty condition always holds");
    assert_why("null", true, "an empty condition always holds");
}

#[test]
fn children_behind_the_deciding_one_are_not_asked() {
    let verdict = verdict(r#"{"any": [{}, {"op": "bogus"}]}"#);
    assert_eq!((verdict.holds, verdict.diagnostics), (true, Vec::new()));
}

#[test]
fn what_python_fails_at_is_false_with_a_diagnostic() {
    for (condition, problem) in [
        (r#"{"path": "depth", "op": "bogus"}"#, Problem::OperatorUnknown { operator: "bogus".to_string() }),
        (r#"{"path": "depth", "op": null}"#, Problem::OperatorUnknown { operator: "None".to_string() }),
        (r#"{"path": "depth", "op": "gt", "value": "2"}"#, Problem::Incomparable { left: "int", right: "str" }),
        (
            r#"{"path": "depth", "op": "contains", "value": 3}"#,
            Problem::OperandNotText { operator: "contains", found: "int" },
        ),
        (r#"{"path": "depth", "op": "regex"}"#, Problem::OperandNotText { operator: "regex", found: "NoneType" }),
        (
            r#"{"path": "depth", "op": "regex", "value": "(3"}"#,
            Problem::InvalidPattern { pattern: "(3".to_string(), reason: "a group is never closed".to_string() },
        ),
        (r#""always""#, Problem::ConditionInvalid { reason: "a condition is no map" }),
        (r#"{"path": 3}"#, Problem::ConditionInvalid { reason: "the path of a condition is no text" }),
        (
            r#"{"any": {"path": "x"}}"#,
            Problem::ConditionInvalid { reason: "the conditions of any and all are no list" },
        ),
    ] {
        let verdict = verdict(condition);
        assert_eq!((verdict.holds, verdict.diagnostics), (false, vec![problem]), "{condition}");
    }
    assert!(verdict(r#"{"not": {"path": "depth", "op": "gt", "value": "2"}}"#).holds);
}

#[test]
fn a_pattern_that_takes_too_long_is_false() {
    let context: Value = Value::Map([(Value::from("t"), Value::from("a".repeat(4_000)))].into());
    let verdict = evaluate(&value(r#"{"path": "t", "op": "regex", "value": "(a|aa)+\\1b"}"#), &context);
    assert_eq!(verdict.diagnostics, [Problem::PatternBacktracks { pattern: r"(a|aa)+\1b".to_string() }]);
    assert!(!verdict.holds);
    assert!(verdict.why.chars().count() < 200, "{}", verdict.why);
}

#[test]
fn depth_has_an_end() {
    let deep = |depth| (0..depth).fold(Value::Null, |inner, _| Value::Map([(Value::from("not"), inner)].into()));
    assert_eq!(evaluate(&deep(100), &Value::Null).diagnostics, []);
    let verdict = evaluate(&deep(102), &Value::Null);
    assert_eq!(verdict.diagnostics, [Problem::ConditionInvalid { reason: "a condition is nested more than 100 deep" }]);
}

#[test]
fn long_values_are_cut() {
    let text = "é\n".repeat(100);
    let cut = shown(&Value::from(text.as_str()));
    assert_eq!(cut, format!("\"{}…", r"é\n".repeat(20).chars().take(59).collect::<String>()));
    assert_eq!(shown(&value(r#"{"a": [null, "it's \"x\""]}"#)), r#"{"a": [null, "it's \"x\""]}"#);
}
