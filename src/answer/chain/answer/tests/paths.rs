//! Paths between items, and routes.

use super::*;

#[test]
fn an_unused_path_has_a_reason() {
    let grant = |tool: &str| format!("<permissions><execute><tool>{tool}</tool></execute></permissions>");
    let own = "<hooks><hook id=\"own\" event=\"thread_started\"><action primary=\"fetch\" item_type=\"knowledge\" item_id=\"k\"/></hook></hooks>";
    let context = "<context><before>k</before></context>";
    let files = [
        ("tools/x/run.py", "x".to_string()),
        (
            "directives/a.md",
            directive("extends=\"b\"", &format!("<context><suppress>k</suppress></context>{}", grant("x.run"))),
        ),
        ("directives/b.md", directive("extends=\"c\"", &format!("{context}{own}"))),
        ("directives/c.md", directive("", &format!("{context}{}", grant("x.*")))),
    ];
    let expected = "\
a (project)
  b (project) <extends directives/a.md:2>
    c (project) <extends directives/b.md:2>
      k <before directives/c.md:3, suppressed by a> [no tier has it]
    k <before directives/b.md:3, suppressed by a> [no tier has it]";
    assert_eq!(drawn(&files, &why("a", "k"), &usual()), expected);
    // Only the leaf's hooks run.
    assert!(drawn(&files, &why("b", "k"), &usual()).contains("own (project) <hook directives/b.md:3>"));
    let expected = "\
a (project)
  x/run (project) <tool directives/a.md:3>
  b (project) <extends directives/a.md:2>
    c (project) <extends directives/b.md:2>
      x.* <tool directives/c.md:3, not used: the permissions of a apply>
        x/run (project) <tool>";
    assert_eq!(drawn(&files, &why("a", "x/run"), &usual()), expected);
    assert_eq!(drawn(&files, &why("c", "a"), &usual()), "c (project) [no path leads to a]");
    assert_eq!(codes(&asked(&files, &why("a", "nothing"), &usual()).unwrap_err()), ["item_not_found"]);
    assert_eq!(codes(&asked(&files, &why("d/e", "k"), &usual()).unwrap_err()), ["item_not_found"]);
}

#[test]
fn a_path_may_lead_through_a_hook_that_routes() {
    let maybe =
        "- {id: maybe, event: resolve_extends, condition: {path: inputs.x, value: 1}, action: {set_extends: other}}\n";
    let files = [
        ("directives/base.md", directive("", "<context><before>k</before></context>")),
        ("directives/deploy.md", extends("other", "<suppress>k</suppress>")),
        ("directives/other.md", directive("", "")),
        ("config/agent/hooks.yaml", format!("{}{maybe}", ROUTING.replace("hooks:\n", &format!("hooks:\n{maybe}")))),
    ];
    let expected = "\
deploy (project)
  to_base (project) <extends config/agent/hooks.yaml:3, routes it>
    base (project) <extends config/agent/hooks.yaml:6, if directive contains \"deploy\">
      k <before directives/base.md:3, suppressed by deploy> [no tier has it]";
    assert_eq!(drawn(&files, &why("deploy", "k"), &usual()), expected);
    let expected = "\
deploy (project)
  maybe (project) <extends config/agent/hooks.yaml:2, may route it>
    other (project) <extends config/agent/hooks.yaml:2, if inputs.x eq 1>
  other (project) <extends directives/deploy.md:2, not used: a hook routes it>";
    assert_eq!(drawn(&files, &why("deploy", "other"), &usual()), expected);
    assert_eq!(drawn(&files, &why("other", "k"), &usual()), "other (project) [no path leads to k]");
}

#[test]
fn a_hook_routes_by_values_that_the_file_determines() {
    let routed = |condition: &str| {
        let hook = format!("{{id: h, event: resolve_extends, condition: {condition}, action: {{set_extends: base}}}}");
        let files = [
            ("directives/base.md", directive("", "")),
            ("directives/web/a.md", directive("", "<category>web</category>")),
            ("config/agent/hooks.yaml", format!("hooks:\n- {hook}\n")),
        ];
        let drawn = drawn(&files, &why("web/a", "base"), &usual());
        let line = drawn.lines().nth(1).unwrap_or("").trim();
        line.strip_prefix("h (project) <extends config/agent/hooks.yaml:2, ").map(|note| note.replace('>', ""))
    };
    let (routes, may) = (Some("routes it".to_string()), Some("may route it".to_string()));
    assert_eq!(routed("{path: category, value: web}"), routes);
    assert_eq!(routed("{path: category, value: shop}"), None);
    assert_eq!(routed("{path: has_extends, value: false}"), routes);
    // The context of this event has no `limits`.
    assert_eq!(routed("{path: limits, value: null}"), routes);
    assert_eq!(routed("{path: inputs.x, value: 1}"), may);
    assert_eq!(routed("{path: model, value: fast}"), may);
    assert_eq!(routed("{not: {any: [{path: inputs.x, value: 1}, {path: category, value: web}]}}"), None);
    // `any` is evaluated before `all`, and a string is not a list of conditions.
    assert_eq!(routed("{any: x, all: []}"), None);
}

#[test]
fn any_number_of_paths_fits_in_a_small_graph() {
    // At each level, a hook runs both directives of the next: 2^40 paths.
    let runs = |level: usize| {
        let action = |side: &str| format!("<execute item_type=\"directive\" item_id=\"{side}{}\"/>", level + 1);
        format!(
            "<hooks><hook id=\"h\" event=\"after_complete\"><action>{}{}</action></hook></hooks>",
            action("l"),
            action("r")
        )
    };
    let mut files = Vec::new();
    for level in 0..40 {
        for side in ["l", "r"] {
            files.push((format!("directives/{side}{level}.md"), directive("", &runs(level))));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let graph = asked(&files, &why("l0", "r40"), &usual()).unwrap().graph;
    assert_eq!(graph.nodes.len(), 2 * 79 + 1);
}
