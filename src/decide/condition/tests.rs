use super::*;
use crate::read::value::{PathSyntax, from_json};
use crate::read::yaml::YamlNode;

#[derive(Debug, Clone, PartialEq)]
struct Verdict {
    holds: bool,
    /// A clause for people, naming the child that decided: `directive is "init", which does not contain "deploy"`.
    why: String,
    /// What the author of the condition should know.
    diagnostics: Vec<Problem>,
}

/// Evaluates a condition against a hook context, as [`judge`] does.
fn evaluate(condition: &Value, context: &Value) -> Verdict {
    let (judgement, diagnostics) = judge(&parsed(condition), context, &Work::default());
    Verdict { holds: judgement.holds(), why: judgement.why(), diagnostics }
}

fn parsed(condition: &Value) -> Arc<Condition> {
    Condition::of(Some(&YamlNode::of(condition)), PathSyntax::Dots)
}

fn value(json: &str) -> Value {
    from_json(serde_json::from_str(json).unwrap())
}

fn verdict(condition: &str) -> Verdict {
    let context = value(
        r#"{"directive": "init", "depth": 3, "empty": "", "none": null, "list": ["a", {"b": 1.5}],
            "inputs": {"flag": true, "n": "5"}}"#,
    );
    let verdict = evaluate(&value(condition), &context);
    // Building the sentences does not change the result.
    assert_eq!(
        truth(&parsed(&value(condition)), &context),
        (verdict.holds.into(), verdict.diagnostics.clone()),
        "{condition}"
    );
    verdict
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
        &format!("none of 2 conditions hold; the last: {not_x}"),
    );
    assert_why(&format!(r#"{{"all": [{init}]}}"#), true, r#"directive is "init""#);
    assert_why(&format!(r#"{{"not": {deploy}, "path": "depth"}}"#), true, &format!("{not_x} (negated)"));
    assert_why(r#"{"any": []}"#, false, "an empty `any` never holds");
    assert_why(r#"{"all": []}"#, true, "an empty `all` always holds");
    assert_why("{}", true, "an empty condition always holds");
    assert_why("null", true, "an empty condition always holds");
}

#[test]
fn children_after_the_deciding_one_are_not_evaluated() {
    let verdict = verdict(r#"{"any": [{}, {"op": "bogus"}]}"#);
    assert_eq!((verdict.holds, verdict.diagnostics), (true, Vec::new()));
}

#[test]
fn an_error_in_python_is_false_with_a_diagnostic() {
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
        (r#""always""#, Problem::ConditionInvalid { reason: "a condition is not a map" }),
        (r#"{"path": 3}"#, Problem::ConditionInvalid { reason: "the path of a condition is not text" }),
        (r#"{"any": {"path": "x"}}"#, Problem::ConditionInvalid { reason: "the value of any or all is not a list" }),
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
fn depth_is_limited() {
    let deep = |depth| (0..depth).fold(Value::Null, |inner, _| Value::Map([(Value::from("not"), inner)].into()));
    assert_eq!(evaluate(&deep(100), &Value::Null).diagnostics, []);
    let verdict = evaluate(&deep(102), &Value::Null);
    let reason = "a condition is nested more than 100 levels deep";
    assert_eq!(verdict.diagnostics, [Problem::ConditionInvalid { reason }]);
}

#[test]
fn long_values_are_cut() {
    let text = "é\n".repeat(100);
    let cut = shown(&Value::from(text.as_str()));
    assert_eq!(cut, format!("\"{}…", r"é\n".repeat(20).chars().take(59).collect::<String>()));
    assert_eq!(shown(&value(r#"{"a": [null, "it's \"x\""]}"#)), r#"{"a": [null, "it's \"x\""]}"#);
}

/// Knows only `directive` and `depth`; hides `inputs.secret`.
struct Partly;

impl ValueLookup for Partly {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        static VALUES: std::sync::LazyLock<[Value; 4]> = std::sync::LazyLock::new(|| {
            [Value::from("init"), Value::from(3), Value::from("s3"), Value::from("‹secret›")]
        });
        let [directive, depth, secret, shown] = &*VALUES;
        match path {
            "directive" => LookupResult::Known(directive),
            "depth" => LookupResult::Known(depth),
            "inputs.secret" => LookupResult::Hidden { value: secret, shown },
            _ => LookupResult::Unknown,
        }
    }
}

fn partly(condition: &str) -> Judgement {
    let parsed = parsed(&value(condition));
    let judgement = judge(&parsed, &Partly, &Work::default()).0;
    assert_eq!(judgement.truth, Some(truth(&parsed, &Partly).0), "{condition}");
    judgement
}

const UNKNOWN: &str = r#"{"path": "inputs.env", "value": "prod"}"#;
const TRUE: &str = r#"{"path": "directive", "value": "init"}"#;
const FALSE: &str = r#"{"path": "depth", "op": "gt", "value": 5}"#;

#[test]
fn unknown_values_follow_kleene() {
    use Truth::{False, True, Unknown};
    for (word, children, truth) in [
        ("any", vec![UNKNOWN, TRUE], True),
        ("any", vec![UNKNOWN, FALSE], Unknown),
        ("any", vec![FALSE, FALSE], False),
        ("all", vec![UNKNOWN, FALSE], False),
        ("all", vec![TRUE, UNKNOWN], Unknown),
        ("all", vec![UNKNOWN, TRUE], Unknown),
        ("all", vec![TRUE, TRUE], True),
    ] {
        let condition = format!(r#"{{"{word}": [{}]}}"#, children.join(", "));
        assert_eq!(partly(&condition).truth, Some(truth), "{condition}");
        let turned = [False, True, Unknown][[True, False, Unknown].iter().position(|it| *it == truth).unwrap()];
        assert_eq!(partly(&format!(r#"{{"not": {condition}}}"#)).truth, Some(turned), "not {condition}");
    }
}

#[test]
fn a_comparison_that_no_value_satisfies_is_false() {
    for (condition, truth) in [
        (r#"{"path": "x", "op": "in", "value": []}"#, Truth::False),
        (r#"{"path": "x", "op": "in", "value": "text"}"#, Truth::False),
        (r#"{"path": "x", "op": "contains", "value": 3}"#, Truth::False),
        (r#"{"path": "x", "op": "bogus"}"#, Truth::False),
        (r#"{"path": "x", "op": "exists"}"#, Truth::Unknown),
        (r#"{"path": "x", "op": "in", "value": [1]}"#, Truth::Unknown),
        (r#"{"path": "", "op": "exists"}"#, Truth::Unknown),
    ] {
        assert_eq!(partly(condition).truth, Some(truth), "{condition}");
    }
}

#[test]
fn an_unknown_condition_names_the_unknown_value() {
    let why = |condition: &str| partly(condition).why();
    assert_eq!(why(UNKNOWN), "inputs.env has no value here");
    assert_eq!(why(&format!(r#"{{"not": {UNKNOWN}}}"#)), "inputs.env has no value here");
    assert_eq!(why(&format!(r#"{{"all": [{TRUE}, {UNKNOWN}, {TRUE}]}}"#)), "inputs.env has no value here");
    assert_eq!(why(r#"{"op": "exists"}"#), "the context is only partly known here");
}

/// The lines of a tree: question, truth, answer.
fn lines(judgement: &Judgement, out: &mut Vec<String>) {
    let truth = judgement.truth.map_or("-", |it| it.into_str());
    match &judgement.condition.form {
        Form::Any(_) | Form::All(_) => out.push(truth.to_string()),
        Form::Not(_) => {}
        Form::Comparison(comparison) => {
            let answer = judgement.answer(comparison).unwrap_or_default();
            out.push(format!("{} | {truth} | {answer}", judgement.question(comparison)));
        }
        Form::Always => out.push(format!("always | {truth}")),
        Form::Invalid(reason) => out.push(format!("{reason} | {truth}")),
    }
    judgement.children.iter().for_each(|child| lines(child, out));
}

#[test]
fn a_tree_shows_what_was_asked_and_what_was_seen() {
    let condition = format!(r#"{{"all": [{TRUE}, {{"any": [{UNKNOWN}, {{}}, {TRUE}]}}, {FALSE}, {UNKNOWN}, "x"]}}"#);
    let mut shown = Vec::new();
    lines(&partly(&condition), &mut shown);
    let expected = [
        "false",
        r#"directive eq "init" | true | directive is "init""#,
        "true",
        r#"inputs.env eq "prod" | unknown | inputs.env has no value here"#,
        "always | true",
        r#"directive eq "init" | - | "#,
        "depth gt 5 | false | depth is 3",
        r#"inputs.env eq "prod" | - | "#,
        "a condition is not a map | -",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_comparison_that_fails_says_so_in_its_answer() {
    let mut shown = Vec::new();
    lines(
        &partly(r#"{"any": [{"path": "depth", "op": "gt", "value": "5"}, {"path": "depth", "op": "is"}]}"#),
        &mut shown,
    );
    let expected = [
        "false",
        r#"depth gt "5" | false | depth is 3, which cannot be compared by gt with "5""#,
        "depth is null | false | `is` is not an operator, so depth is not compared",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_hidden_value_is_neither_shown_nor_revealed() {
    let judgement = partly(r#"{"all": [{"path": "inputs.secret", "value": "s3"}]}"#);
    assert!(judgement.holds());
    assert_eq!(judgement.why(), "it depends on the value of an input, which is hidden");
    let mut shown = Vec::new();
    lines(&judgement, &mut shown);
    assert_eq!(shown, ["true", "inputs.secret eq … | true | inputs.secret is \"‹secret›\""]);
}
