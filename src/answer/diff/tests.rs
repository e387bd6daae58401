mod invariants;
mod parts;
mod speed;

use super::testing::{Made, after, before, changed, difference, odd, same, with_sent};
use super::*;
use crate::answer::explain::sent::tests::written;
use crate::answer::render;
use crate::prompt::testing::{deploy, push};
use crate::prompt::{DecisionOutcome, LayerKind, Message, Prompt, Role, Slot};
use crate::text::Traced;

/// The titles and changes of the layers in order.
fn layers(difference: &Difference) -> Vec<(String, Change, bool)> {
    let name = |pair: &LayerPair| match (pair.left, pair.right) {
        (_, Some(right)) => difference.right.layers[right].title.clone(),
        (Some(left), _) => difference.left.layers[left].title.clone(),
        _ => String::new(),
    };
    difference.layers.iter().map(|pair| (name(pair), pair.change(), pair.moved)).collect()
}

fn expect_layers(difference: &Difference, expected: &[(&str, Change, bool)]) {
    let expected: Vec<_> = expected.iter().map(|&(name, change, moved)| (name.to_string(), change, moved)).collect();
    assert_eq!(layers(difference), expected);
}

/// Whether the source, the requester and the name of a layer differ.
fn around(difference: &Difference, title: &str) -> (bool, bool, bool) {
    let index = layers(difference).iter().position(|layer| layer.0 == title).unwrap();
    let pair = &difference.layers[index];
    (pair.taken_from, pair.requested_by, pair.renamed)
}

#[test]
fn layers_match_by_identity() {
    let difference = changed();
    expect_layers(
        &difference,
        &[
            ("deploy/ethics", Change::TextUnchanged, true),
            ("rye/agent/core/Identity", Change::TextUnchanged, false),
            ("deploy/rules", Change::Changed, false),
            ("deploy/voice", Change::TextUnchanged, false),
            ("deploy/legacy", Change::Removed, false),
            ("deploy/holidays", Change::Added, false),
            ("hook ctx_environment", Change::Same, false),
            ("hook web_rules", Change::Added, false),
            ("directive deploy", Change::Changed, false),
            ("style", Change::Same, false),
        ],
    );
    assert_eq!(around(&difference, "rye/agent/core/Identity"), (true, false, false));
    assert_eq!(around(&difference, "deploy/voice"), (true, false, true));
    let rules = &difference.layers[2];
    assert_eq!(rules.lines, [LineChange { left: 1..2, right: 1..2 }, LineChange { left: 3..3, right: 3..4 }]);
    let removed = &difference.layers[4];
    assert_eq!((removed.lines.clone(), removed.tokens.right), (vec![LineChange { left: 0..2, right: 0..0 }], Some(0)));
    assert!(same().is_same() && !difference.is_same() && !difference.between);
}

fn system(items: &[(&str, &str)]) -> Prompt {
    let made = Made::new("a").message(Role::System);
    items.iter().fold(made, |made, (id, text)| made.item(Slot::SystemChain, "project", id, text)).0
}

#[test]
fn only_layers_out_of_order_have_moved() {
    let left = system(&[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")]);
    let right = system(&[("d", "4"), ("a", "1"), ("b", "2"), ("c", "3")]);
    expect_layers(
        &difference(&left, &right),
        &[
            ("d", Change::TextUnchanged, true),
            ("a", Change::Same, false),
            ("b", Change::Same, false),
            ("c", Change::Same, false),
        ],
    );
}

#[test]
fn a_layer_in_a_different_slot_has_moved() {
    let made = |slot, role| Made::new("a").message(role).item(slot, "project", "x", "text").0;
    let difference = difference(&made(Slot::SystemChain, Role::System), &made(Slot::UserChainBefore, Role::User));
    expect_layers(&difference, &[("x", Change::TextUnchanged, true)]);
}

#[test]
fn a_similar_text_is_the_same_layer_renamed() {
    let left = system(&[("old", "Ask before you touch a database, and keep a log of it."), ("z", "Wholly else")]);
    let right =
        system(&[("new", "Ask before you touch the database, and keep a log of it."), ("y", "Not at all alike")]);
    let difference = difference(&left, &right);
    expect_layers(
        &difference,
        &[("new", Change::Changed, false), ("z", Change::Removed, false), ("y", Change::Added, false)],
    );
    assert!(difference.layers[0].renamed);
}

#[test]
fn layers_with_the_same_name_match_in_order() {
    let difference = difference(&system(&[("a", "1"), ("a", "2")]), &system(&[("a", "1"), ("a", "3"), ("a", "4")]));
    expect_layers(
        &difference,
        &[("a", Change::Same, false), ("a", Change::Changed, false), ("a", Change::Added, false)],
    );
}

#[test]
fn the_text_of_the_directive_matches_under_any_id() {
    let made = |id: &str| {
        Made::new(id).message(Role::User).item(Slot::UserChainBefore, "project", "x", "y").directive("Go.\n").0
    };
    let difference = difference(&made("one"), &made("two"));
    expect_layers(&difference, &[("x", Change::Same, false), ("directive two", Change::TextUnchanged, false)]);
    assert_eq!(around(&difference, "directive two"), (true, false, true));
}

#[test]
fn a_different_hook_for_the_same_item_counts_as_renamed() {
    let made = |name: &str| Made::new("a").message(Role::User).hook(Slot::UserHooksBefore, name, "user", "x", "y").0;
    let difference = difference(&made("old"), &made("new"));
    expect_layers(&difference, &[("hook new", Change::TextUnchanged, false)]);
    assert_eq!(around(&difference, "hook new"), (false, false, true));
}

#[test]
fn a_removed_layer_stays_in_its_message() {
    let left = Made::new("a").message(Role::System).item(Slot::SystemChain, "user", "s", "1").message(Role::User);
    let left = left.item(Slot::UserChainBefore, "user", "gone", "2").directive("Go.\n").0;
    let right = Made::new("a").message(Role::System).item(Slot::SystemChain, "user", "s", "1");
    let right = right.item(Slot::SystemChain, "user", "more", "3").message(Role::User).directive("Go.\n").0;
    let difference = difference(&left, &right);
    let expected = ["s", "more", "gone", "directive a"];
    assert_eq!(layers(&difference).into_iter().map(|layer| layer.0).collect::<Vec<_>>(), expected);
}

#[test]
fn earlier_messages_match_by_text() {
    let thread = |texts: &[(Role, &str)]| {
        let mut prompt = Made::new("a").0;
        for (index, (role, text)) in texts.iter().enumerate() {
            prompt.messages.push(Message::new(*role));
            let name = format!("{} {}", role.into_str(), index + 1);
            push(&mut prompt, Slot::Earlier, LayerKind::Message, &name, &Traced::protocol(text));
        }
        prompt
    };
    let left = thread(&[(Role::User, "a"), (Role::Assistant, "b"), (Role::User, "c")]);
    let more = [(Role::User, "new"), (Role::Assistant, "too")];
    let right = thread(&[&more[..], &[(Role::User, "a"), (Role::Assistant, "b"), (Role::User, "C")]].concat());
    expect_layers(
        &difference(&left, &right),
        &[
            ("message user 1", Change::Changed, true),
            ("message assistant 2", Change::Added, false),
            ("message user 3", Change::Same, false),
            ("message assistant 4", Change::Same, false),
            ("message user 5", Change::Added, false),
        ],
    );
}

#[test]
fn text_between_layers_is_compared_if_no_layer_shows_it() {
    let separated = |separator: &str| {
        let mut prompt = Made::new("a").message(Role::System).item(Slot::SystemChain, "user", "x", "1").0;
        prompt.messages[0].push(&Traced::protocol(separator), None);
        prompt
    };
    assert!(difference(&separated(""), &separated("\n")).between);
    assert!(!difference(&separated("\n"), &separated("\n")).between);
    // A different role, and one message instead of two.
    let [system, user] = [Role::System, Role::User].map(|role| Made::new("a").message(role).directive("Go.\n").0);
    let of_roles = difference(&system, &user);
    assert!(!of_roles.is_same());
    let two = || Made::new("a").message(Role::User).item(Slot::UserChainBefore, "user", "x", "1");
    let [together, apart] =
        [two(), two().message(Role::User)].map(|made| made.item(Slot::UserChainAfter, "user", "y", "2").0);
    assert!(difference(&together, &apart).between);
    // A separator that is added with its layer is not a difference.
    let more = difference(&two().0, &together);
    assert!(!more.between && !more.is_same());
    // Separators between neighbours are compared even if other layers change.
    let mut other = system_of_three("\n\n", "1");
    let base = system_of_three("\n\n", "1");
    assert!(!difference(&base, &other).between);
    other = system_of_three("\n", "changed");
    assert!(difference(&base, &other).between);
    let options = DiffOptions { ignore: Ignore { space_change: false, blank_lines: true }, ..DiffOptions::default() };
    let sides = [&base, &system_of_three("\n", "1")].map(|prompt| Side::rendered(prompt, String::new()));
    let [left, right] = sides;
    assert!(Difference::new(left, right, &options).is_same());
}

/// Three items, with a separator before the last.
fn system_of_three(separator: &str, first: &str) -> Prompt {
    let mut prompt = Made::new("a").message(Role::System).item(Slot::SystemChain, "user", "x", first).0;
    let (last, text) = (prompt.layers.len(), Traced::protocol("2\n"));
    let mut layer = prompt.layers[0].clone();
    layer.name = "y".to_string();
    prompt.layers.push(layer);
    prompt.messages[0].push(&Traced::protocol(separator), None);
    prompt.messages[0].push(&text, Some(last));
    prompt
}

#[test]
fn a_sent_prompt_is_compared_by_message() {
    let difference = with_sent();
    expect_layers(&difference, &[("system message", Change::Changed, false), ("user message", Change::Changed, false)]);
    assert_eq!(difference.not_compared, ["layers", "the extends chain", "decisions", "the model and other metadata"]);
    assert_eq!(difference.fields, [], "a prompt without a model leaves the choice to the sender");
    assert!(difference.chain.is_none() && difference.decisions.is_empty() && difference.tools.is_some());
}

#[test]
fn a_prompt_is_the_same_in_each_format() {
    use render::RenderFormat::{Anthropic, Events, Gemini, Json, Openai};
    for prompt in [deploy(), before(), after()] {
        for format in [Json, Anthropic, Openai, Gemini, Events] {
            let text = written(&prompt, format);
            if text.is_empty() {
                continue;
            }
            for swapped in [false, true] {
                let mut sides = [
                    Side::rendered(&prompt, String::new()),
                    Side::read(&text, String::new()).unwrap_or_else(|error| panic!("{format}: {error}")),
                ];
                sides.rotate_left(usize::from(swapped));
                let [left, right] = sides;
                let difference = Difference::new(left, right, &DiffOptions::default());
                assert!(difference.is_same(), "{format}: {difference:#?}");
                assert_eq!(difference.not_compared.is_empty(), format == Json);
            }
        }
    }
}

#[test]
fn what_a_transcript_does_not_record_is_not_compared() {
    let events = "{\"event\":\"system_prompt\",\"text\":\"S\",\"layers\":[]}\n\
                  {\"event\":\"cognition_in\",\"text\":\"now\",\"role\":\"user\"}\n";
    let body = r#"{"system": "S", "messages": [{"role": "user", "content": "then"}, {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "now"}], "tools": []}"#;
    let read = |text: &str| Side::read(text, String::new()).unwrap();
    for (left, right) in [(events, body), (body, events)] {
        let difference = Difference::new(read(left), read(right), &DiffOptions::default());
        assert!(difference.is_same(), "{difference:#?}");
        assert_eq!(difference.not_compared, ["earlier messages", "tools"]);
        assert_eq!(difference.tokens, Pair { left: 2, right: 2 }, "messages that are not compared are not counted");
    }
    let difference = Difference::new(read(body), read(&body.replace("then", "before")), &DiffOptions::default());
    expect_layers(
        &difference,
        &[
            ("system message", Change::Same, false),
            ("user message 1", Change::Changed, false),
            ("assistant message", Change::Same, false),
            ("user message 2", Change::Same, false),
        ],
    );
}

#[test]
fn later_answers_are_not_part_of_the_prompt() {
    let prompt = Made::new("a").message(Role::User).directive("Go.").0;
    let body = r#"{"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Done."}]}"#;
    let difference = Difference::new(
        Side::rendered(&prompt, String::new()),
        Side::read(body, String::new()).unwrap(),
        &DiffOptions::default(),
    );
    assert!(difference.is_same(), "{difference:#?}");
}

#[test]
fn a_directive_on_one_side_is_added_or_removed() {
    for (difference, change) in [(super::testing::added(), Change::Added), (super::testing::removed(), Change::Removed)]
    {
        assert!(difference.layers.iter().all(|layer| layer.change() == change));
        assert!(!difference.is_same() && !difference.between);
    }
    let absent = || Side::absent(String::new());
    assert!(Difference::new(absent(), absent(), &DiffOptions::default()).is_same());
}

#[test]
fn the_cache_breaks_where_the_first_byte_differs() {
    let cache = |left: &Prompt, right: &Prompt| difference(left, right).cache;
    // The description of the first tool differs after `{"name":"rye_file_system_read","description":"Reads a file`.
    let tools = cache(&before(), &after());
    assert_eq!(tools.breaks_at, Some(CachePlace::Tool { name: "rye_file_system_read".to_string() }));
    assert_eq!(tools.shared_bytes, 58);
    assert_eq!((tools.shared_tokens, tools.is_reusable, tools.without_tools), (15, Some(false), false));

    let of = |text: &str| system(&[("a", "same"), ("b", text), ("c", "end")]);
    let changed = cache(&of("one"), &of("other"));
    assert_eq!(changed.breaks_at, Some(CachePlace::Message { message: 0, at: 7, pair: Some(1) }));
    assert_eq!((changed.shared_bytes, changed.bytes.left, changed.bytes.right), (7, 14, 16));

    // The added or removed layer ends the prefix, not the layer now at that byte.
    let (long, short) = (of("one"), system(&[("a", "same"), ("c", "end")]));
    assert_eq!(cache(&short, &long).breaks_at, Some(CachePlace::Message { message: 0, at: 6, pair: Some(1) }));
    assert_eq!(cache(&long, &short).breaks_at, Some(CachePlace::Message { message: 0, at: 6, pair: Some(1) }));

    // The right prompt begins with all of the left one, or with part of it.
    let (begin, more) = (system(&[("a", "same")]), system(&[("a", "same"), ("b", "x")]));
    assert_eq!(cache(&begin, &more).breaks_at, None);
    assert_eq!(cache(&more, &begin).breaks_at, Some(CachePlace::Message { message: 0, at: 4, pair: Some(1) }));
    assert_eq!(cache(&begin, &begin).breaks_at, None);

    // Text between layers belongs to no layer.
    let between = cache(&system_of_three("\n\n", "1"), &system_of_three(" ", "1"));
    assert_eq!(between.breaks_at, Some(CachePlace::Message { message: 0, at: 1, pair: None }));
    // A message with a different role shares nothing.
    let [system, user] = [Role::System, Role::User].map(|role| Made::new("a").message(role).directive("Go.\n").0);
    assert_eq!(cache(&system, &user).shared_bytes, 0);
}

#[test]
fn shared_bytes_end_where_a_character_ends() {
    let of = |text: &str| system(&[("a", text)]);
    assert_eq!(difference(&of("ab\u{e9}"), &of("ab\u{e8}")).cache.shared_bytes, 2);
}

#[test]
fn final_newlines_are_compared() {
    let changes: Vec<_> = layers(&odd()).into_iter().map(|layer| layer.1).collect();
    assert_eq!(changes[..6], [Change::Changed; 6]);
}

#[test]
fn a_long_text_differs_only_in_its_changed_lines() {
    let difference = super::testing::long();
    let lines: Vec<_> = difference.layers[0].lines.iter().map(|change| numbers(&change.left)).collect();
    assert_eq!(lines, ["7-8", "200", "390", "401"]);
    assert!(!difference.is_coarse);
}
