//! Tools, fields, the chain and decisions.

use super::*;

#[test]
fn tools_are_added_dropped_and_changed() {
    let difference = changed();
    let tools = difference.tools.unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| {
            let name = |side: &Side, index: Option<usize>| Some(side.tools.as_ref()?[index?].name.clone());
            let name = name(&difference.right, tool.index.right).or(name(&difference.left, tool.index.left)).unwrap();
            (name, tool.index.left.is_some(), tool.index.right.is_some(), tool.over_budget)
        })
        .collect();
    assert_eq!(
        names,
        [
            ("rye_file_system_read".to_string(), true, true, false),
            ("rye_file_system_write".to_string(), true, false, true),
            ("rye_web_search".to_string(), false, true, true),
            ("rye_agent_threads_directive_return".to_string(), true, true, false),
        ]
    );
    assert!(!tools[0].description.is_empty() && !tools[0].schema.is_empty() && !tools[0].is_same());
    assert!(tools[3].is_same() && !difference.tool_order);
    assert!(difference.tool_tokens.is_some());
}

#[test]
fn a_tool_with_a_different_name_or_file_differs() {
    let mut other = before();
    other.tools[0].name = "read".to_string();
    other.tools[1].primary = "fetch";
    other.tools.swap(1, 2);
    let difference = difference(&before(), &other);
    let tools = difference.tools.unwrap();
    assert!(tools[0].renamed && !tools[0].item && !tools[0].is_same());
    assert!(difference.tool_order);
    assert_eq!(tools.iter().filter(|tool| tool.item).count(), 1);
}

#[test]
fn the_order_of_keys_does_not_change_a_schema() {
    let of = |schema: &str| Made::new("a").tool("x", "", schema).0;
    let left = of(r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#);
    let right = of(r#"{"properties": {"b": {}, "a": {}}}"#);
    let difference = difference(&left, &right);
    assert!(difference.is_same());
    assert_eq!(difference.cache.breaks_at, Some(CachePlace::Tool { name: "x".to_string() }), "the bytes differ");
}

#[test]
fn fields_differ_one_by_one() {
    let difference = changed();
    let fields: Vec<_> = difference
        .fields
        .iter()
        .map(|it| (it.group.into_str(), it.name.as_str(), it.value.left.as_deref(), it.value.right.as_deref()))
        .collect();
    assert_eq!(
        fields,
        [
            ("model", "tier", Some("fast"), Some("smart")),
            ("model", "effective", Some("fast"), Some("smart")),
            ("limits", "turns", Some("10"), Some("20")),
            ("permissions", "rye.execute.tool.rye.web.search", None, Some("")),
            ("capabilities", "rye.execute.tool.rye.web.search", None, Some("")),
            ("inputs", "target", Some("staging (flag)"), Some("production (flag)")),
        ]
    );
}

#[test]
fn the_mode_is_compared_if_both_sides_record_it() {
    let mut other = before();
    other.mode = crate::decide::request::Mode::InThread;
    assert_eq!(difference(&before(), &other).fields.len(), 1);
    let saved = Side::saved(&written(&before(), render::RenderFormat::Json), String::new()).unwrap();
    assert!(Difference::new(saved, Side::rendered(&other, String::new()), &DiffOptions::default()).is_same());
}

#[test]
fn the_chain_differs_in_an_id_or_a_file() {
    let chain = changed().chain.unwrap();
    let ids = |links: &[ExtendsLink]| -> Vec<String> {
        links.iter().map(|link| format!("{} {}", link.place.tier, link.id)).collect()
    };
    assert_eq!(ids(&chain.left), ["system:ryeos rye/agent/core/base", "project deploy"]);
    assert_eq!(ids(&chain.right), ["project team/base", "project rye/agent/core/base", "project deploy"]);
    assert_eq!(same().chain, None);
}

#[test]
fn decisions_alone_do_not_change_the_prompt() {
    let of =
        |outcome| Made::new("a").message(Role::User).directive("Go.\n").decision(Slot::Palette, "x", outcome, "").0;
    let difference = super::testing::difference(&of(DecisionOutcome::OverBudget), &of(DecisionOutcome::Missing));
    assert_eq!(difference.decisions.len(), 1);
    assert!(difference.is_same());
}

#[test]
fn a_renamed_tool_is_otherwise_the_same() {
    let of = |name: &str| {
        let mut prompt = Made::new("a").message(Role::User).directive("Go.\n").tool("x", "Does it", "{}").0;
        prompt.tools[0].name = name.to_string();
        prompt
    };
    let difference = super::testing::difference(&of("one"), &of("two"));
    assert_eq!(difference.tools.as_ref().unwrap()[0].change(), Change::TextUnchanged);
}

#[test]
fn decisions_differ_in_their_outcome() {
    let difference = changed();
    let outcomes: Vec<_> = difference
        .decisions
        .iter()
        .map(|it| {
            let of = |side: &Side, index: Option<usize>| {
                let decision = &side.decisions.as_ref()?[index?];
                Some((decision.name.clone(), decision.outcome.clone()))
            };
            (of(&difference.left, it.left), of(&difference.right, it.right))
        })
        .collect();
    let of = |name: &str, outcome: &str| Some((name.to_string(), outcome.to_string()));
    for expected in [
        (of("rye/agent/core/Behavior", "suppressed"), None),
        (of("web_rules", "condition_false"), of("web_rules", "included")),
        (of("rye/web/search", "over_budget"), None),
        (None, of("rye/file-system/write", "over_budget")),
    ] {
        assert!(outcomes.contains(&expected), "{expected:?} is not in {outcomes:#?}");
    }
    assert_eq!(outcomes.len(), 4);
    // A different reason alone is not a difference; an additional decision with the same outcome is.
    let of = |whys: &[&str]| {
        whys.iter()
            .fold(Made::new("a"), |made, why| made.decision(Slot::SystemChain, "x", DecisionOutcome::Shadowed, why))
            .0
    };
    assert!(super::testing::difference(&of(&["one"]), &of(&["two"])).is_same());
    assert_eq!(super::testing::difference(&of(&["one"]), &of(&["one", "two"])).decisions.len(), 1);
}
