//! Properties of every comparison.

use crate::answer::diff::DiffOptions;
use proptest::prelude::*;

use super::super::lines::lines;
use super::super::lines::tests::applied;
use super::super::testing::Made;
use super::super::{Change, Difference, Pair, Side, SideField};
use crate::prompt::{DecisionOutcome, Prompt, Role, Slot};

/// A prompt made from a small set of names and texts, so that two prompts often overlap.
fn prompt() -> impl Strategy<Value = Prompt> {
    let name = || proptest::sample::select(vec!["a", "b", "c"]);
    let text = proptest::sample::select(vec![
        "",
        "x",
        "x\n",
        "x\ny",
        "one two three four\nx",
        "one two three five\nx",
        "é\u{1b}\r\n",
    ]);
    let slot = proptest::sample::select(vec![Slot::SystemChain, Slot::UserChainBefore, Slot::UserHooksBefore]);
    let layers =
        proptest::collection::vec((slot, name(), proptest::sample::select(vec!["user", "project"]), text), 0..5);
    let tools = proptest::collection::vec(
        (name(), proptest::sample::select(vec!["{}", r#"{"type": "object", "x": 1}"#])),
        0..3,
    );
    let outcome = proptest::sample::select(vec![
        DecisionOutcome::Included,
        DecisionOutcome::Suppressed,
        DecisionOutcome::Missing,
    ]);
    let decisions = proptest::collection::vec((name(), outcome), 0..3);
    let roles = proptest::sample::select(vec![Role::System, Role::User]);
    (layers, tools, decisions, roles, 0..2_i64).prop_map(|(layers, tools, decisions, role, turns)| {
        let mut made = Made::new("d").message(role).fields("m", turns, "x", &["p"]);
        for (index, (slot, name, tier, text)) in layers.into_iter().enumerate() {
            if index == 2 {
                made = made.message(Role::User);
            }
            made = match slot {
                Slot::UserHooksBefore => made.hook(slot, name, tier, "hooked", text),
                _ => made.item(slot, tier, name, text),
            };
        }
        let made = tools.into_iter().fold(made, |made, (name, schema)| made.tool(name, "", schema));
        decisions.into_iter().fold(made, |made, (name, outcome)| made.decision(Slot::Palette, name, outcome, "")).0
    })
}

fn side(prompt: &Prompt) -> Side {
    Side::rendered(prompt, String::new())
}

/// Whether everything that is compared is equal.
fn agree(left: &Side, right: &Side) -> bool {
    let tools = |side: &Side| -> Vec<_> {
        side.tools.iter().flatten().map(|tool| (tool.name.clone(), tool.schema_text())).collect()
    };
    let fields = |side: &Side| -> Vec<SideField> { side.fields.clone().unwrap() };
    let places = |side: &Side| -> Vec<_> {
        side.layers
            .iter()
            .map(|layer| (layer.slot.clone(), layer.name.clone(), layer.item.clone().unwrap().place.unwrap().tier))
            .collect()
    };
    left.messages == right.messages
        && tools(left) == tools(right)
        && fields(left) == fields(right)
        && places(left) == places(right)
}

fn count(difference: &Difference, change: Change) -> usize {
    difference.layers.iter().filter(|pair| pair.change() == change).count()
}

proptest! {
    #[test]
    fn a_prompt_is_the_same_as_itself(prompt in prompt()) {
        let difference = Difference::new(side(&prompt), side(&prompt), &DiffOptions::default());
        prop_assert!(difference.is_same());
        prop_assert_eq!(difference.cache.breaks_at, None);
        prop_assert_eq!(difference.cache.shared_bytes, difference.cache.bytes.left);
    }

    #[test]
    fn prompts_are_the_same_if_everything_agrees(left in prompt(), right in prompt()) {
        let (left, right) = (side(&left), side(&right));
        let expected = agree(&left, &right);
        let difference = Difference::new(left, right, &DiffOptions::default());
        prop_assert_eq!(difference.is_same(), expected, "{:#?}", difference);
    }

    #[test]
    fn each_layer_is_paired_once_and_the_right_ones_keep_their_order(left in prompt(), right in prompt()) {
        let difference = Difference::new(side(&left), side(&right), &DiffOptions::default());
        let mut on_left: Vec<_> = difference.layers.iter().filter_map(|pair| pair.left).collect();
        on_left.sort_unstable();
        prop_assert_eq!(on_left, (0..left.layers.len()).collect::<Vec<_>>());
        let on_right: Vec<_> = difference.layers.iter().filter_map(|pair| pair.right).collect();
        prop_assert_eq!(on_right, (0..right.layers.len()).collect::<Vec<_>>());
    }

    #[test]
    fn the_lines_of_each_layer_turn_the_left_text_into_the_right_one(left in prompt(), right in prompt()) {
        let difference = Difference::new(side(&left), side(&right), &DiffOptions::default());
        for pair in &difference.layers {
            let text = |side: &Side, layer: Option<usize>| {
                layer.map_or(String::new(), |layer| side.layer_text(&side.layers[layer]).to_string())
            };
            let (old, new) = (text(&difference.left, pair.left), text(&difference.right, pair.right));
            prop_assert_eq!(applied(&old, &new, &pair.lines), lines(&new).join("\n"));
        }
    }

    #[test]
    fn swapped_sides_mirror_each_other(left in prompt(), right in prompt()) {
        let one = Difference::new(side(&left), side(&right), &DiffOptions::default());
        let other = Difference::new(side(&right), side(&left), &DiffOptions::default());
        prop_assert_eq!(one.is_same(), other.is_same());
        prop_assert_eq!(one.between, other.between);
        prop_assert_eq!(one.tool_order, other.tool_order);
        prop_assert_eq!(one.tokens, Pair { left: other.tokens.right, right: other.tokens.left });
        prop_assert_eq!(one.cache.shared_bytes, other.cache.shared_bytes);
        prop_assert_eq!(count(&one, Change::Added), count(&other, Change::Removed));
        prop_assert_eq!(count(&one, Change::Changed), count(&other, Change::Changed));
        prop_assert_eq!(one.fields.len(), other.fields.len());
        prop_assert_eq!(one.decisions.len(), other.decisions.len());
    }
}
