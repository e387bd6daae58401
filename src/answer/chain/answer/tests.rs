//! Answers about small projects in memory, drawn as trees.

mod paths;

use std::sync::Arc;

use super::{GraphAnswer, Question, answer};
use crate::answer::chain::graph::{Direction, EdgeKind, Graph};
use crate::answer::chain::scope::{EdgeWord, GraphScope};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::Protocol;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};

/// Files below `.ai`; a leading `user:` or `system:` names the tier; the default is the project.
fn tiers<T: AsRef<str>>(files: &[(&str, T)]) -> Tiers {
    let tier = |kind, label: &str| {
        let mut store = MemoryStore::new();
        for (path, text) in files {
            let (of, path) = path.split_once(':').unwrap_or(("project", path));
            if of == label {
                store.insert(format!(".ai/{path}"), text.as_ref().as_bytes());
            }
        }
        Tier { kind, label: label.into(), store: Arc::new(store), root: None, modules: None }
    };
    let list = vec![tier(TierKind::Project, "project"), tier(TierKind::User, "user"), tier(TierKind::System, "system")];
    Tiers::new(list, ReadOptions::default())
}

/// A directive with its root on line 2 and its metadata on line 3.
fn directive(attributes: &str, metadata: &str) -> String {
    format!("```xml\n<directive version=\"1\" {attributes}>\n<metadata>{metadata}</metadata>\n</directive>\n```\nGo.\n")
}

fn extends(parent: &str, context: &str) -> String {
    directive(&format!("extends=\"{parent}\""), &format!("<context>{context}</context>"))
}

fn asked<T: AsRef<str>>(
    files: &[(&str, T)],
    question: &Question,
    scope: &GraphScope,
) -> Result<GraphAnswer, Vec<Diagnostic>> {
    answer(question, scope, &tiers(files), &Protocol::builtin("rye-3").unwrap()).map_err(|failure| failure.0)
}

fn drawn<T: AsRef<str>>(files: &[(&str, T)], question: &Question, scope: &GraphScope) -> String {
    draw(&asked(files, question, scope).unwrap().graph)
}

/// One line per node: `id (tier) <link path:line, note> [notes]`.
fn draw(graph: &Graph) -> String {
    let mut lines = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut to_draw: Vec<(usize, usize, Option<usize>)> =
        graph.roots.iter().rev().map(|&root| (root, 0, None)).collect();
    while let Some((at, depth, by)) = to_draw.pop() {
        let node = &graph.nodes[at];
        let mut line = format!("{}{}", "  ".repeat(depth), node.id);
        line.extend(node.tier.as_ref().map(|tier| format!(" ({tier})")));
        if let Some(edge) = by.map(|by| &graph.edges[by]) {
            let word = match edge.kind {
                EdgeKind::Context(position) => position.into_str(),
                kind => kind.into_str(),
            };
            let place = edge.at.as_ref().map(|at| format!(" {}:{}", at.source().path().replace(".ai/", ""), at.line()));
            let note = edge.note.as_ref().map(|note| format!(", {note}"));
            line.push_str(&format!(" <{word}{}{}>", place.unwrap_or_default(), note.unwrap_or_default()));
        }
        if !node.notes.is_empty() {
            line.push_str(&format!(" [{}]", node.notes.join("; ")));
        }
        let again = std::mem::replace(&mut seen[at], true);
        let beyond: Vec<_> = (0..graph.edges.len())
            .filter_map(|index| {
                let edge = &graph.edges[index];
                let (from, to) = match graph.direction {
                    Direction::Forward => (edge.from, edge.to),
                    Direction::Backward => (edge.to, edge.from),
                };
                (from == at).then_some((to, depth + 1, Some(index)))
            })
            .collect();
        if again && !beyond.is_empty() {
            line.push_str(" (above)");
        } else {
            to_draw.extend(beyond.into_iter().rev());
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn invert(id: &str) -> Question {
    Question::Invert(id.to_string())
}

fn uses(id: &str) -> Question {
    Question::Uses(id.to_string())
}

fn why(from: &str, to: &str) -> Question {
    Question::Why(from.to_string(), to.to_string())
}

fn usual() -> GraphScope {
    GraphScope::default()
}

fn codes(errors: &[Diagnostic]) -> Vec<&'static str> {
    errors.iter().map(Diagnostic::code).collect()
}

const ROUTING: &str = "hooks:\n- id: to_base\n  event: resolve_extends\n  \
     condition: {path: directive, op: contains, value: deploy}\n  action: {set_extends: base}\n";

#[test]
fn what_extends_a_directive_is_found_in_every_tier() {
    let files = [
        ("system:directives/base.md", directive("", "")),
        ("user:directives/middle.md", extends("base", "")),
        ("system:directives/middle.md", directive("", "")),
        ("directives/leaf.md", extends("middle", "")),
        ("directives/other.md", directive("", "")),
        ("config/agent/hooks.yaml", ROUTING.to_string()),
    ];
    let expected = "\
base (system)
  middle (user) <extends directives/middle.md:2> [shadows the one in system]
    leaf (project) <extends directives/leaf.md:2>
  to_base (project) <extends config/agent/hooks.yaml:5, if directive contains \"deploy\">";
    // The hook comes first in the index.
    let answered = drawn(&files, &invert("base"), &usual());
    let mut lines: Vec<_> = answered.lines().collect();
    let hook = lines.remove(1);
    lines.push(hook);
    assert_eq!(lines.join("\n"), expected);
    assert_eq!(drawn(&files, &invert("leaf"), &usual()), "leaf (project)");
}

#[test]
fn routed_directives_are_drawn_below_the_hook() {
    let maybe =
        "- {id: maybe, event: resolve_extends, condition: {path: inputs.x, value: 1}, action: {set_extends: other}}\n";
    let with_maybe = ROUTING.replace("hooks:\n", &format!("hooks:\n{maybe}"));
    let files = |hooks: &str| {
        [
            ("directives/base.md", directive("", "")),
            ("directives/child.md", extends("deploy", "")),
            ("directives/deploy.md", extends("other", "")),
            ("directives/other.md", directive("", "")),
            ("config/agent/hooks.yaml", hooks.to_string()),
        ]
    };
    // A directive that extends a routed one is not routed itself.
    let expected = "\
base (project)
  to_base (project) <extends config/agent/hooks.yaml:5, if directive contains \"deploy\">
    deploy (project) <extends config/agent/hooks.yaml:2, routed by hook to_base>";
    assert_eq!(drawn(&files(ROUTING), &invert("base"), &usual()), expected);
    let expected = "\
other (project)
  deploy (project) <extends directives/deploy.md:2, its own prompt is routed by hook to_base>
    child (project) <extends directives/child.md:2>";
    assert_eq!(drawn(&files(ROUTING), &invert("other"), &usual()), expected);
    let expected = "\
base (project)
  to_base (project) <extends config/agent/hooks.yaml:5, if directive contains \"deploy\">
    deploy (project) <extends config/agent/hooks.yaml:2, routed by hook to_base>
other (project)
  deploy (project) <extends directives/deploy.md:2, its own prompt is routed by hook to_base>
    child (project) <extends directives/child.md:2>";
    assert_eq!(drawn(&files(ROUTING), &Question::All, &usual()), expected);
    let expected = "\
base (project)
  to_base (project) <extends config/agent/hooks.yaml:6, if directive contains \"deploy\"> \
                    [may route 1 directive, depending on the prompt]";
    assert_eq!(drawn(&files(&with_maybe), &invert("base"), &usual()), expected);
    let expected = "\
other (project)
  maybe (project) <extends config/agent/hooks.yaml:2, if inputs.x eq 1> [may route 3 directives, depending on the prompt]
  deploy (project) <extends directives/deploy.md:2>
    child (project) <extends directives/child.md:2>";
    assert_eq!(drawn(&files(&with_maybe), &invert("other"), &usual()), expected);
}

#[test]
fn contributing_links_are_drawn_first() {
    let grant = "<permissions><execute><tool>x.*</tool></execute></permissions>";
    let files = [
        ("tools/x/run.py", String::new()),
        ("directives/a.md", directive("extends=\"b\"", grant)),
        ("directives/b.md", directive("", grant)),
    ];
    let expected = "\
a (project)
  x.* <tool directives/a.md:3>
    x/run (project) <tool>
  b (project) <extends directives/a.md:2>
    x.* <tool directives/b.md:3, not used: the permissions of a apply> (above)";
    assert_eq!(drawn(&files, &why("a", "x/run"), &usual()), expected);
}

#[test]
fn an_item_is_used_through_chains_and_hooks() {
    let hook = "hooks:\n- {id: h, event: thread_started, condition: {path: model, value: fast}, \
                action: {primary: fetch, item_type: knowledge, item_id: k}}\n\
                - {id: filled, event: thread_started, action: {primary: fetch, item_type: knowledge, item_id: \"${inputs.x}\"}}\n";
    let own = "<hooks><hook id=\"own\" event=\"thread_started\"><action primary=\"fetch\" item_type=\"knowledge\" item_id=\"k\"/></hook></hooks>";
    let files = [
        ("knowledge/k.md", "K".to_string()),
        ("config/agent/hooks.yaml", hook.to_string()),
        ("directives/base.md", directive("", "<context><before>k</before><system>k</system></context>")),
        ("directives/leaf.md", extends("quiet", "")),
        ("directives/loud.md", extends("base", "<after>k</after>")),
        ("directives/own.md", directive("", own)),
        ("directives/own-child.md", extends("own", "")),
        ("directives/quiet.md", extends("base", "<suppress>k</suppress>")),
    ];
    let expected = "\
k (project)
  base (project) <system directives/base.md:3>
    loud (project) <extends directives/loud.md:2>
    quiet (project) <extends directives/quiet.md:2, suppressed by quiet>
      leaf (project) <extends directives/leaf.md:2, suppressed by quiet>
  base (project) <before directives/base.md:3> (above)
  loud (project) <after directives/loud.md:3>
  h (project) <hook config/agent/hooks.yaml:2, on thread_started if model eq \"fast\"; suppressed by quiet>
  filled (project) <hook config/agent/hooks.yaml:3, on thread_started; may refer to it: ${inputs.x}>
  own (project) <hook directives/own.md:3, on thread_started>
    own (project) <hook directives/own.md:3>";
    assert_eq!(drawn(&files, &uses("k"), &usual()), expected);
    let direct = GraphScope { edges: vec![EdgeWord::Context], ..usual() };
    assert_eq!(drawn(&files, &uses("k"), &direct).lines().count(), 4);
}

#[test]
fn children_inherit_items_but_not_hooks() {
    let metadata = "<context><before>k</before></context><hooks><hook id=\"own\" event=\"thread_started\">\
                    <action primary=\"fetch\" item_type=\"knowledge\" item_id=\"k\"/></hook></hooks>";
    let files = [("directives/a.md", directive("", metadata)), ("directives/b.md", extends("a", ""))];
    let expected = "\
k [no tier has it]
  a (project) <before directives/a.md:3>
    b (project) <extends directives/b.md:2>
  own (project) <hook directives/a.md:3, on thread_started>
    a (project) <hook directives/a.md:3>";
    assert_eq!(drawn(&files, &uses("k"), &usual()), expected);
}

#[test]
fn an_item_that_nothing_injects_has_a_note() {
    let files = [("knowledge/k.yaml", "a: b"), ("system:knowledge/k.md", "x")];
    let expected = "k (project) [shadows the one in system; nothing injects it]";
    assert_eq!(drawn(&files, &uses("k"), &usual()), expected);
    let errors = asked(&files, &uses("kk"), &usual()).unwrap_err();
    assert_eq!(codes(&errors), ["item_not_found"]);
    assert_eq!(errors[0].help().unwrap(), "did you mean `k`?");
}

#[test]
fn the_forest_ends_with_unreachable_items() {
    let files = [
        ("directives/base.md", directive("", "<permissions><execute><tool>x.*</tool></execute></permissions>")),
        ("directives/broken.md", "no block".to_string()),
        ("directives/leaf.md", extends("base", "<before>k</before>")),
        ("directives/lost.md", extends("gone", "")),
        ("directives/astray.md", extends("../up", "")),
        ("config/agent/hooks.yaml", "hooks:\n- {id: h, event: thread_stated}\n".to_string()),
        ("knowledge/k.md", "k".to_string()),
        ("system:knowledge/k.md", "k".to_string()),
        ("system:knowledge/rye/agent/core/DirectiveInstruction.md", "k".to_string()),
        ("knowledge/unused.md", "k".to_string()),
        ("tools/x/run.py", String::new()),
        ("tools/y/run.py", String::new()),
        ("tools/y/__init__.py", String::new()),
        ("tools/rye/fetch.yaml", String::new()),
    ];
    let expected = "\
base (project)
  leaf (project) <extends directives/leaf.md:2>
broken (project) [cannot be used: no xml block: a directive needs a line ```xml, a <directive> element, and a line ```]
../up [not a valid item id: one of its parts is `.` or `..`]
  astray (project) <extends directives/astray.md:2>
gone [no tier has it]
  lost (project) <extends directives/lost.md:2>
k (project) [shadows the one in system]
unused (project) [nothing injects it]
h (project) [never fires: there is no event `thread_stated`]
y/run (project) [nothing grants it]";
    let GraphAnswer { graph, diagnostics } = asked(&files, &Question::All, &usual()).unwrap();
    assert_eq!(draw(&graph), expected);
    assert_eq!(codes(&diagnostics), ["event_unknown", "directive_unusable"]);
    let with_context = GraphScope { edges: vec![EdgeWord::Context], ..usual() };
    let drawn = drawn(&files, &Question::All, &with_context);
    assert!(
        drawn.contains("k (project) [shadows the one in system]\n  leaf (project) <before directives/leaf.md:3>"),
        "{drawn}"
    );
}

#[test]
fn a_scope_narrows_the_answer() {
    let files = [
        ("system:directives/base.md", directive("", "")),
        ("system:directives/unused.md", directive("", "")),
        ("user:directives/middle.md", extends("base", "")),
        ("directives/leaf.md", extends("middle", "")),
        ("directives/leaf/below.md", extends("leaf", "")),
    ];
    let ids = |question: &Question, scope: &GraphScope| -> String {
        drawn(&files, question, scope)
            .lines()
            .map(|line| line.split(' ').find(|word| !word.is_empty()).unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(ids(&Question::All, &usual()), "base middle leaf leaf/below unused");
    assert_eq!(ids(&Question::All, &GraphScope { max_depth: Some(1), ..usual() }), "base middle unused");
    assert_eq!(ids(&invert("base"), &GraphScope { max_depth: Some(0), ..usual() }), "base");
    assert_eq!(ids(&invert("base"), &GraphScope { prune: vec!["leaf".to_string()], ..usual() }), "base middle leaf");
    let of = |tiers: &[&str]| GraphScope { tiers: tiers.iter().map(ToString::to_string).collect(), ..usual() };
    assert_eq!(ids(&Question::All, &of(&["user"])), "base middle");
    assert_eq!(ids(&Question::All, &of(&["project"])), "base middle leaf leaf/below");
    assert_eq!(ids(&Question::All, &of(&["system"])), "base unused");
    assert_eq!(ids(&invert("leaf"), &of(&["user"])), "leaf");
    let errors =
        asked(&files, &Question::All, &GraphScope { prune: vec!["midle".to_string()], ..usual() }).unwrap_err();
    assert_eq!(errors[0].help().unwrap(), "did you mean `middle`?");
}

#[test]
fn a_cycle_is_an_error_only_if_the_answer_runs_into_it() {
    let files = [
        ("directives/a.md", extends("b", "<before>k</before>")),
        ("directives/b.md", extends("a", "")),
        ("directives/c.md", extends("a", "<after>l</after>")),
        ("directives/self.md", extends("self", "")),
        ("directives/free.md", directive("", "<context><before>m</before></context>")),
    ];
    let cycle = |question: &Question| -> Vec<String> {
        let Err(errors) = asked(&files, question, &usual()) else { return Vec::new() };
        errors
            .iter()
            .map(|error| {
                let Problem::CircularExtends { chain } = &error.problem else { panic!("{error:?}") };
                chain.iter().map(|link| format!("{} {}", link.id, link.place)).collect::<Vec<_>>().join(" > ")
            })
            .collect()
    };
    let around = "a .ai/directives/a.md:2 > b .ai/directives/b.md:2 > a ";
    let from_c = format!("c .ai/directives/c.md:2 > {around}");
    assert_eq!(cycle(&invert("a")), [around]);
    assert_eq!(cycle(&invert("c")), [""; 0]);
    assert_eq!(cycle(&uses("k")), [around]);
    assert_eq!(cycle(&uses("l")), [from_c.as_str()]);
    assert_eq!(cycle(&uses("m")), [""; 0]);
    assert_eq!(cycle(&why("c", "l")), [from_c.as_str()]);
    assert_eq!(cycle(&why("free", "m")), [""; 0]);
    assert_eq!(cycle(&Question::All), [around, "self .ai/directives/self.md:2 > self "]);
}

#[test]
fn a_long_chain_is_walked_without_recursion() {
    let count = 10_000;
    let names: Vec<String> = (0..count).map(|n| format!("directives/d{n}.md")).collect();
    let text = |n: usize| match n {
        0 => directive("", "<context><before>k</before></context>"),
        n => extends(&format!("d{}", n - 1), ""),
    };
    let files: Vec<(&str, String)> = names.iter().enumerate().map(|(n, name)| (name.as_str(), text(n))).collect();
    let last = format!("d{}", count - 1);
    for question in [invert("d0"), Question::All, uses("k"), why(&last, "k")] {
        let graph = asked(&files, &question, &usual()).unwrap().graph;
        assert!(graph.nodes.len() >= count, "{question:?}");
    }
    assert_eq!(codes(&asked(&files, &invert("d"), &usual()).unwrap_err()), ["directive_not_found"]);
}
