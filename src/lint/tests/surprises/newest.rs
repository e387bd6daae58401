//! The surprises of `rye-4`, and what changes against `rye-3`.

use super::*;
use crate::lint::testing::messages_of;

/// A hook of the project with this action.
fn acting(action: &str) -> String {
    format!("=== .ai/config/agent/hooks.yaml\nhooks:\n  - {{id: h, event: thread_started, action: {{{action}}}}}\n")
}

const EXECUTE: &str = "primary: execute, kind: knowledge, item_type: knowledge, item_id: r";

fn inserted(text: &str) -> String {
    metadata("") + &acting(EXECUTE) + &item(text)
}

fn asked(action: &str) -> String {
    metadata("") + &acting(action) + &item(ITEM)
}

/// One surprise for each mark in the exact rules that files can show, in order.
fn marked() -> Vec<Surprise> {
    let of_system = "=== system:.ai/config/agent/hook_conditions.yaml\ncontext_hooks:\n  - {id: ctx, event: thread_started, \
                     action: {primary: execute, item_type: knowledge, item_id: r}}\n";
    let says = |text: &str| inserted(&ITEM.replace("Text.", text));
    let list = vec![
        surprise("without `kind`, a hook asks for a tool", &["hook_kind_missing"], asked("item_id: r")),
        surprise(
            "the instruction of the released package is not in the prompt",
            &["hook_kind_missing"],
            metadata("") + of_system + &item(ITEM),
        ),
        surprise(
            "an unknown `primary` adds nothing",
            &["action_incomplete"],
            asked("primary: load, kind: knowledge, item_id: r"),
        ),
        surprise(
            "an id with the prefix `knowledge:` is not found",
            &["hook_item_missing"],
            asked("kind: knowledge, item_id: 'knowledge:r'"),
        ),
        surprise(
            "the released package runs a tool and inserts its result",
            &["action_not_run"],
            asked("kind: tool, item_id: t") + "=== .ai/tools/t.yaml\ndescription: D\n",
        ),
        surprise(
            "placeholders in the name of the element stay as written",
            &["tag_with_placeholder"],
            asked("kind: knowledge, item_id: 'a/${model}'"),
        ),
        surprise(
            "the declared name does not name the element",
            &["knowledge_name_ignored"],
            inserted(&ITEM.replace("name: r", "name: Rules")),
        ),
        surprise("an item that begins with `---` is left out", &["front_matter"], inserted("---\nProse.\n")),
        surprise(
            "the key `error` leaves the item out",
            &["knowledge_error_key"],
            inserted(&ITEM.replace("name: r", "error:")),
        ),
        surprise(
            "without a text, the whole file is sent",
            &["knowledge_whole_file"],
            placed("```yaml\nname: r\n```") + &acting(EXECUTE),
        ),
        surprise(
            "the key `content` means nothing",
            &["knowledge_key_ignored"],
            inserted(&ITEM.replace("name: r", "content: C")),
        ),
        surprise("a blank text keeps its separator", &["knowledge_blank"], placed(" ")),
        surprise(
            "`<suppress>` needs an item in the chain",
            &["suppress_matches_nothing"],
            metadata("<context><suppress>h</suppress></context>") + &acting(EXECUTE) + &item(ITEM),
        ),
        surprise("after a pipe there is no alternative", &["pipe_unknown"], says("${model | json || depth}")),
        surprise("null goes through no pipe", &["pipe_null"], says("${inputs.x | length}")),
        surprise("an unknown pipe changes nothing", &["pipe_unknown"], says("${model | Upper}")),
        surprise(
            "bodies and items of the chain have no pipes",
            &["pipe_outside_hook"],
            placed(&ITEM.replace("Text", "${model | upper}")),
        ),
    ];
    list.into_iter().map(|it| by("rye-4", it)).collect()
}

#[test]
fn every_surprise_of_the_newest_release_is_found() {
    assert_eq!(missed(marked()), []);
}

/// A thread that is handed over at the context limit cannot be asked for; the others are about installed packages.
const NOT_IN_FILES: [&str; 3] = ["handed over at the context limit", "release_not_compared", "engine_mismatch"];

#[test]
fn every_mark_of_the_newest_release_is_listed() {
    let Some(marks) = marks_of("rye-newest.md") else { return };
    assert_eq!(marks, marked().len() + NOT_IN_FILES.len(), "the number of surprises changed: list each one here");
}

/// What a rule reports in one of the two protocols only.
#[test]
fn rules_follow_the_protocol() {
    let (only_3, only_4) = (["rye-3", "rye-4"], ["rye-4", "rye-3"]);
    let by_kind = asked("primary: fetch, kind: directive, item_type: knowledge, item_id: r");
    let empty = || placed("```yaml\nname: r\n```");
    let tools = metadata("<permissions><execute><tool>t.u</tool></execute></permissions>")
        + "=== .ai/tools/t/u.yaml\ndescription: D\nparameters:\n  - name: n\n=== system:.ai/tools/rye/execute.py\nx = 1\n";
    let mut wrong = Vec::new();
    let named = |name: &str| inserted(&ITEM.replace("name: r", name));
    for (rule, [with, without], files) in [
        ("knowledge_without_text", only_3, empty()),
        ("knowledge_whole_file", only_4, empty()),
        ("knowledge_whole_file", only_4, placed("# R\n\nText.")),
        ("knowledge_blank_content", only_3, named("name: r\ncontent: ' '")),
        ("knowledge_name_empty", only_3, named("name: ''")),
        ("knowledge_name_missing", only_3, named("title: R")),
        ("path_unknown", only_3, inserted(&ITEM.replace("Text", "${limits..turns} ${model | upper}"))),
        ("path_unknown", only_3, inserted(&ITEM.replace("Text", "${inputs[0]}"))),
        ("action_incomplete", only_3, asked("kind: knowledge, item_id: r")),
        ("action_incomplete", only_4, asked("primary: load, kind: knowledge, item_type: knowledge, item_id: r")),
        ("hook_key_unknown", only_3, asked("primary: fetch, kind: knowledge, item_id: r")),
        ("primary_missing", only_3, tools),
        ("hook_item_missing", only_4, by_kind.clone()),
        ("knowledge_unused", only_4, by_kind),
        (
            "suppress_matches_nothing",
            only_4,
            metadata("<context><suppress>h</suppress></context>") + &acting(EXECUTE) + &item(ITEM),
        ),
    ] {
        let rule = RULES.iter().find(|it| it.name == rule).unwrap_or_else(|| panic!("no rule {rule}"));
        let found = [with, without].map(|protocol| messages_of(rule, &files, protocol).len());
        if found[0] == 0 || found[1] > 0 {
            wrong.push((rule.name, found, files));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn runtime_is_known_in_the_metadata() {
    let rule = RULES.iter().find(|it| it.name == "metadata_tag_unknown").unwrap();
    assert_eq!(messages_of(rule, &metadata("<runtime timeout=\"5\"/>"), "rye-4"), [""; 0]);
}

#[test]
fn front_matter_leaves_an_item_out_of_hooks_too() {
    let rule = RULES.iter().find(|it| it.name == "front_matter").unwrap();
    let files = inserted("---\nname: r\n---\n\nText.");
    let at = ".ai/knowledge/r.md:1: metadata between `---` lines";
    assert_eq!(
        messages_of(rule, &files, "rye-4"),
        [format!("{at} leaves the item out of every prompt; metadata belongs in a ```yaml block")]
    );
    assert_eq!(messages_of(rule, &files, "rye-3"), [format!("{at} is text; metadata belongs in a ```yaml block")]);
}
