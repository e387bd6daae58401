//! A condition and a context, both YAML, separated by a line `=====`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::decide::condition::{Truth, Work, judge, pattern, truth, words};
use rye_render::internals::read::item::condition::Condition;
use rye_render::internals::read::value::{Map, PathSyntax, Value};
use rye_render::internals::read::yaml::{YamlNode, load};
use rye_render_fuzz::{source, split};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let [condition, context] = split(text);
    let (Some(condition), Some(context)) = (value(condition), value(context)) else { return };
    let parsed = |condition: &Value| Condition::of(Some(&YamlNode::of(condition)), PathSyntax::Dots);
    let judged = |condition: &Value| judge(&parsed(condition), &context, &Work::default());
    let (judgement, diagnostics) = judged(&condition);
    let verdict = judgement.holds();
    assert!(!judgement.why().is_empty());
    let (found, problems) = truth(&parsed(&condition), &context);
    assert_eq!(found, Truth::from(verdict));
    assert_eq!(problems, diagnostics);
    words(&parsed(&condition));
    // A condition that cannot be evaluated is false at any level, even within `not`.
    if diagnostics.is_empty() {
        let holds = |condition| judged(&condition).0.holds();
        let alone = |name| holds(within(name, Value::List(vec![condition.clone()])));
        let (not, problems) = judged(&within("not", condition.clone()));
        if problems.is_empty() {
            assert_eq!(not.holds(), !verdict);
            assert_eq!(alone("any"), verdict);
            assert_eq!(alone("all"), verdict);
        }
    }
    // A refused pattern is refused for every text.
    if let Some(Value::Str(text)) = condition.get("value") {
        let subject = context.get("text").and_then(Value::as_str).unwrap_or("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
        if pattern::refusal(text).is_some() {
            assert!(pattern::search(text, subject, &Work::default()).is_err());
        }
    }
});

fn within(name: &str, condition: Value) -> Value {
    Value::Map(Map::from_iter([(Value::from(name), condition)]))
}

fn value(text: &str) -> Option<Value> {
    let source = source("one.yaml", text.as_bytes())?;
    Some(load(&source.whole()).ok()?.node.value())
}
