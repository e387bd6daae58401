mod reach;
mod scene;

use std::sync::atomic::Ordering;

use super::*;
use crate::decide::request::GivenInput;
use crate::text::InputFrom;
use scene::*;

#[test]
fn an_edited_item_is_one_cause_with_its_prompts() {
    let right = with(&small(), &[(0, "knowledge/shared.md", Some(&knowledge("Shared by all.")))]);
    let impact = impact(&small(), &right);
    assert_eq!(impact.directives, 4);
    assert_eq!(causes(&impact), [("project .ai/knowledge/shared.md".to_string(), vec!["a", "b"])]);
    let CauseKind::File { id, .. } = &impact.causes[0].what else { panic!() };
    assert_eq!(id.as_deref(), Some("shared"));
    let layers: Vec<_> = impact.changed[1].layers.iter().map(|layer| (layer.title.as_str(), layer.change)).collect();
    assert_eq!(layers, [("shared", Change::Changed)]);
    assert_eq!(impact.causes[0].prompts[1].share.layers, [0]);
    // The first prompt is shown, with the pair of that layer.
    let shown = impact.causes[0].shown.as_ref().unwrap();
    assert_eq!((shown.prompt, shown.difference.right.directive.as_deref()), (0, Some("a")));
    assert_eq!(shown.layer_pairs().map(LayerPair::change).collect::<Vec<_>>(), [Change::Changed]);
    // The total is the sum over the prompts.
    let total = |side: &Pair<usize>| side.right - side.left;
    assert_eq!(impact.changed.iter().map(|it| total(&it.tokens)).sum::<usize>(), total(&impact.tokens));
}

#[test]
fn directives_are_added_and_removed_with_their_files() {
    let right = with(&small(), &[(0, "directives/d.md", None), (2, "directives/e.md", Some(&directive("", "")))]);
    let impact = impact(&small(), &right);
    assert_eq!(impact.directives, 5);
    let expected = [
        ("-project .ai/directives/d.md".to_string(), vec!["d"]),
        ("+system .ai/directives/e.md".to_string(), vec!["e"]),
    ];
    assert_eq!(causes(&impact), expected);
    assert_eq!(impact.changed.iter().map(|it| it.change).collect::<Vec<_>>(), [Change::Removed, Change::Added]);
    assert!(impact.changed[0].sha256.left.is_some() && impact.changed[0].sha256.right.is_none());
}

#[test]
fn an_item_that_shadows_another_is_a_cause() {
    let right = with(&small(), &[(0, "knowledge/other.md", Some(&knowledge("Mine.")))]);
    let impact = impact(&small(), &right);
    assert_eq!(causes(&impact), [("+project .ai/knowledge/other.md".to_string(), vec!["b", "c"])]);
}

#[test]
fn each_layer_is_listed_under_its_own_cause() {
    let right = with(
        &small(),
        &[
            (0, "knowledge/shared.md", Some(&knowledge("Shared by all."))),
            (1, "knowledge/other.md", Some(&knowledge("Another."))),
        ],
    );
    let impact = impact(&small(), &right);
    let expected = [
        ("user .ai/knowledge/other.md".to_string(), vec!["b", "c"]),
        ("project .ai/knowledge/shared.md".to_string(), vec!["a", "b"]),
    ];
    assert_eq!(causes(&impact), expected);
    assert_eq!(impact.causes[0].prompts[0].share.layers.len(), 1);
    assert_ne!(impact.causes[0].prompts[0].share.layers, impact.causes[1].prompts[1].share.layers);
}

#[test]
fn suppressing_a_layer_is_attributed_to_the_file_that_suppresses_it() {
    let own = directive(" extends=\"a\"", "<after>other</after><suppress>shared</suppress>");
    let right =
        with(&small(), &[(0, "directives/b.md", Some(&own)), (1, "knowledge/other.md", Some(&knowledge("Another.")))]);
    let impact = impact(&small(), &right);
    let expected = [
        ("user .ai/knowledge/other.md".to_string(), vec!["b", "c"]),
        ("project .ai/directives/b.md".to_string(), vec!["b"]),
    ];
    assert_eq!(causes(&impact), expected);
}

/// A directive that has a limit and grants all tools.
fn limited(turns: u32) -> String {
    format!(
        "```xml\n<directive name=\"n\"><metadata><limits turns=\"{turns}\"/><permissions><execute><tool>*</tool></execute>\
         </permissions></metadata></directive>\n```\nGo.\n"
    )
}

/// Configuration with a palette, and a default for the limit of [`limited`].
const PALETTE: &str = "limits: {defaults: {turns: 20}}\ntool_preload: {enabled: true, max_tokens: 2000}\n";

fn tool(description: &str) -> String {
    format!("__tool_description__ = \"{description}\"\nCONFIG_SCHEMA = {{\"type\": \"object\"}}\n")
}

/// The numbers of layers, tools, fields and decisions of a cause in its first prompt.
fn share(cause: &Cause) -> [usize; 4] {
    let Share { layers, tools, fields, decisions, .. } = &cause.prompts[0].share;
    [layers, tools, fields, decisions].map(Vec::len)
}

#[test]
fn a_file_without_effect_is_not_a_cause() {
    let hooks = |value: &str| {
        format!(
            "hooks:\n- {{id: h, event: thread_started, condition: {{path: model, op: eq, value: {value}}}, action: \
             {{primary: fetch, item_type: knowledge, item_id: shared}}}}\n"
        )
    };
    let left = with(
        &small(),
        &[(0, "directives/d.md", Some(&limited(8))), (0, "config/agent/hooks.yaml", Some(&hooks("production")))],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&limited(9))), (0, "config/agent/hooks.yaml", Some(&hooks("prod")))]);
    let impact = impact(&left, &right);
    assert_eq!(causes(&impact), [("project .ai/directives/d.md".to_string(), vec!["d"])]);
    assert_eq!(share(&impact.causes[0]), [0, 0, 1, 0]);
}

#[test]
fn tools_and_fields_are_listed_under_their_own_files() {
    let left = with(
        &small(),
        &[
            (0, "directives/d.md", Some(&limited(8))),
            (2, "config/agent/resilience.yaml", Some(PALETTE)),
            (0, "tools/rollout.py", Some(&tool("Rolls out."))),
        ],
    );
    let right = with(
        &left,
        &[(0, "directives/d.md", Some(&limited(9))), (0, "tools/rollout.py", Some(&tool("Rolls it out.")))],
    );
    let impact = impact(&left, &right);
    let expected = ["directives/d.md", "tools/rollout.py"].map(|path| (format!("project .ai/{path}"), vec!["d"]));
    assert_eq!(causes(&impact), expected);
    assert_eq!([share(&impact.causes[0]), share(&impact.causes[1])], [[0, 0, 1, 0], [0, 1, 0, 0]]);
    assert_eq!(impact.causes[0].prompts[0].share.tokens, 0);
    let tool = &impact.changed[0].tools[0];
    assert!(tool.description && !tool.schema);
    // The lines of the tool are shown below its file, once.
    assert!(impact.causes[0].shown.is_none());
    assert_eq!(impact.causes[1].shown.as_ref().unwrap().tool_pairs().count(), 1);
}

#[test]
fn a_default_limit_comes_from_the_configuration() {
    let defaults = |depth: u32| format!("limits: {{defaults: {{turns: 20, depth: {depth}}}}}\n");
    let own = |turns| limited(turns).replace("<tool>*</tool>", "");
    let left = with(
        &small(),
        &[(0, "directives/d.md", Some(&own(8))), (0, "config/agent/resilience.yaml", Some(&defaults(3)))],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&own(9))), (0, "config/agent/resilience.yaml", Some(&defaults(4)))]);
    let impact = impact(&left, &right);
    let [of_config, own] = &impact.causes[..] else { panic!("{:?}", causes(&impact)) };
    let fields = |cause: &Cause| -> Vec<_> {
        let Affected { prompt, share } = cause.prompts.last().unwrap();
        share.fields.iter().map(|&at| impact.changed[*prompt].fields[at].name.clone()).collect()
    };
    assert_eq!((fields(of_config), fields(own)), (vec!["depth".to_string()], vec!["turns".to_string()]));
}

#[test]
fn a_layer_whose_condition_reads_a_setting_is_attributed_to_the_setting() {
    let defaults = |depth: u32| format!("limits: {{defaults: {{turns: 20, depth: {depth}}}}}\n");
    let hooks = "hooks:\n- {id: h, event: thread_started, condition: {path: limits.depth, op: gt, value: 3}, action: \
                 {primary: fetch, item_type: knowledge, item_id: shared}}\n";
    let left = with(
        &small(),
        &[
            (0, "directives/d.md", Some(&limited(8))),
            (0, "config/agent/hooks.yaml", Some(hooks)),
            (1, "config/agent/hooks.yaml", Some("# No hooks\n")),
            (0, "config/agent/resilience.yaml", Some(&defaults(3))),
        ],
    );
    let right = with(
        &left,
        &[(1, "config/agent/hooks.yaml", Some("# None\n")), (0, "config/agent/resilience.yaml", Some(&defaults(4)))],
    );
    let impact = impact(&left, &right);
    let all = vec!["a", "b", "c", "d"];
    assert_eq!(causes(&impact), [("project .ai/config/agent/resilience.yaml".to_string(), all)]);
    assert_eq!(share(&impact.causes[0]), [1, 0, 1, 1]);
}

#[test]
fn a_granted_tool_is_attributed_to_its_grant() {
    let left = with(
        &small(),
        &[(2, "config/agent/resilience.yaml", Some(PALETTE)), (0, "tools/rollout.py", Some(&tool("Rolls out.")))],
    );
    let right = with(
        &left,
        &[(0, "directives/d.md", Some(&limited(8))), (0, "tools/rollout.py", Some(&tool("Rolls it out.")))],
    );
    assert_eq!(causes(&impact(&left, &right)), [("project .ai/directives/d.md".to_string(), vec!["d"])]);
}

#[test]
fn a_change_of_parent_is_attributed_to_the_directive_that_extends_it() {
    let right = with(
        &small(),
        &[
            (0, "directives/b.md", Some(&directive(" extends=\"d\"", "<after>other</after>"))),
            (0, "directives/a.md", Some(&directive(" version=\"2\"", "<before>shared</before>"))),
        ],
    );
    let impact = impact(&small(), &right);
    let own = impact
        .causes
        .iter()
        .find(|cause| matches!(&cause.what, CauseKind::File { path, .. } if path.ends_with("b.md")));
    assert!(own.unwrap().prompts[0].share.chain);
    let expected = ["a", "b"].map(|id| (format!("project .ai/directives/{id}.md"), vec![id]));
    assert_eq!(causes(&impact), expected);
}

#[test]
fn shared_differences_are_shown_once() {
    let left = small();
    let text = knowledge("Shared.");
    let right = with(
        &left,
        &[
            (0, "knowledge/shared.md", None),
            (0, "knowledge/common.md", Some(&text)),
            (0, "directives/a.md", Some(&directive("", "<before>common</before>"))),
        ],
    );
    let impact = impact(&left, &right);
    assert_eq!(impact.causes.len(), 3, "{:?}", causes(&impact));
    assert_eq!(impact.causes.iter().filter(|cause| cause.shown.is_some()).count(), 1);
}

#[test]
fn an_input_that_a_directive_does_not_declare_changes_nothing() {
    let scene = Scene::new(&small());
    let (of_left, of_right) = (
        |id: &str| scene.request(id),
        |id: &str| {
            let value = GivenInput { name: "word".to_string(), value: "x".into(), from: InputFrom::Flag };
            let mut request = scene.request(id);
            request.inputs.push(value);
            request
        },
    );
    let options = ImpactOptions { compared: diff::DiffOptions::default(), skip_unchanged: true, settings_file: None };
    let impact = Impact::new(scene.side("left", &of_left), scene.side("right", &of_right), &options).unwrap();
    assert!(impact.changed.is_empty(), "{:?}", impact.changed);
}

#[test]
fn a_different_model_is_attributed_to_the_arguments() {
    let hooks = "hooks:\n- {id: h, event: thread_started, condition: {path: model, value: big}, action: {primary: fetch, \
                 item_type: knowledge, item_id: shared}}\n";
    let files = with(&small(), &[(0, "config/agent/hooks.yaml", Some(hooks))]);
    let right = Scene { model: Some("big".to_string()), ..Scene::new(&files) };
    let impact = impact_of(&Scene::new(&files), &right, true);
    assert_eq!(causes(&impact), [("arguments".to_string(), vec!["a", "b", "c", "d"])]);
}

#[test]
fn a_failed_directive_is_listed_and_the_others_are_compared() {
    let broken = directive(" extends=\"none\"", "");
    let of_shared = directive(" extends=\"none\"", "<before>shared</before>");
    // The change does not affect the failure of `f`; an unreadable file like `g` is always listed.
    let left = with(
        &small(),
        &[
            (0, "directives/e.md", Some(&of_shared)),
            (0, "directives/f.md", Some(&broken)),
            (0, "directives/g.md", Some("no directive")),
        ],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&broken)), (0, "knowledge/shared.md", Some(&knowledge("New.")))]);
    let impact = impact(&left, &right);
    assert_eq!(impact.changed.len(), 2);
    let failed: Vec<_> = impact
        .failed
        .iter()
        .map(|failed| (failed.id.as_str(), failed.errors.left.len(), failed.errors.right.len()))
        .collect();
    assert_eq!(failed, [("d", 0, 1), ("e", 1, 1), ("g", 1, 1)]);
    assert_eq!(impact.failed[1].errors.left[0].code(), "parent_not_found");
}

#[test]
fn each_file_is_read_once_per_side() {
    let (left, right) = (Scene::new(&everything()), Scene::new(&everything()));
    let impact = impact_of(&left, &right, false);
    assert!(impact.changed.is_empty() && impact.failed.is_empty(), "{impact:?}");
    for scene in [&left, &right] {
        assert!(scene.reads.load(Ordering::Relaxed) <= everything().len());
    }
}
