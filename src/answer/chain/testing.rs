//! Graphs and prompts for the tests of the views.

use std::sync::Arc;

use super::graph::{Direction, Edge, EdgeKind, Graph, GraphNode, NodeKind};
use super::{Charset, GraphFormat, GraphView};
use crate::decide::request::{Position, Request};
use crate::fill::assemble;
use crate::prompt::Prompt;
use crate::read::protocol::Protocol;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::text::testing::{find, source};
use crate::write::screen::Screen;

/// A tree view.
pub fn tree(width: usize) -> GraphView {
    GraphView { format: GraphFormat::Tree, charset: Charset::Utf8, screen: Screen::terminal(width) }
}

/// The prompt of directive `deploy`, from files below `.ai`; a leading `user:` or `system:` names the tier.
pub fn prompt(files: &[(&str, &str)], change: impl FnOnce(&mut Request)) -> Prompt {
    let tier = |kind, label: &str| {
        let mut store = MemoryStore::new();
        for (path, text) in files {
            let (of, path) = path.split_once(':').unwrap_or(("project", path));
            if of == label {
                store.insert(format!(".ai/{path}"), text.as_bytes());
            }
        }
        Tier { kind, label: label.into(), store: Arc::new(store), root: None, modules: None }
    };
    let list = vec![tier(TierKind::Project, "project"), tier(TierKind::User, "user"), tier(TierKind::System, "system")];
    let mut request = Request::new("deploy");
    change(&mut request);
    let tiers = Tiers::new(list, ReadOptions::default());
    assemble::render(&request, &tiers, &Protocol::builtin("rye-3").unwrap()).unwrap()
}

/// A node in the project tier.
pub fn node(kind: NodeKind, id: &str) -> GraphNode {
    let path = match kind {
        NodeKind::Directive => format!(".ai/directives/{id}.md"),
        NodeKind::Knowledge => format!(".ai/knowledge/{id}.md"),
        NodeKind::Hook => ".ai/config/agent/hooks.yaml".to_string(),
        NodeKind::Tool => format!(".ai/tools/{id}.py"),
        _ => id.to_string(),
    };
    let line = (kind == NodeKind::Hook).then_some(2);
    GraphNode { tier: Some("project".into()), path: Some(path.into()), line, ..GraphNode::new(kind, id) }
}

fn edge(from: usize, to: usize, kind: EdgeKind) -> Edge {
    Edge { from, to, kind, at: None, note: None }
}

/// A graph with every kind of node and link.
pub fn shop() -> Graph {
    let deploy = source("project", ".ai/directives/deploy.md", "extends=base\nbefore\n");
    let hooks = source("project", ".ai/config/agent/hooks.yaml", "hooks:\n- id: web\n  set_extends: web/base\n");
    let mut nodes = vec![
        node(NodeKind::Directive, "deploy"),
        node(NodeKind::Directive, "project/deploy/base"),
        node(NodeKind::Knowledge, "project/deploy/checklist"),
        node(NodeKind::Hook, "web"),
        node(NodeKind::Tool, "rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while"),
        node(NodeKind::Directive, "web/base"),
        node(NodeKind::Knowledge, "gone"),
    ];
    nodes[1].tier = Some("user".into());
    nodes[2].notes = vec!["shadows the one in user".to_string()];
    (nodes[6].tier, nodes[6].path) = (None, None);
    nodes[6].notes = vec!["no tier has it".to_string()];
    let edges = vec![
        Edge { at: Some(find(&deploy, "base")), ..edge(0, 1, EdgeKind::Extends) },
        Edge {
            at: Some(find(&hooks, "web/base")),
            note: Some("routed by hook web".to_string()),
            ..edge(0, 5, EdgeKind::Extends)
        },
        Edge { at: Some(find(&deploy, "before")), ..edge(0, 2, EdgeKind::Context(Position::Before)) },
        edge(0, 3, EdgeKind::Hook),
        Edge { at: Some(find(&hooks, "- id")), ..edge(3, 2, EdgeKind::Hook) },
        edge(0, 4, EdgeKind::Tool),
        edge(5, 1, EdgeKind::Extends),
        Edge { note: Some("suppressed by deploy".to_string()), ..edge(1, 6, EdgeKind::Context(Position::System)) },
        edge(1, 0, EdgeKind::Extends),
    ];
    Graph { nodes, edges, roots: vec![0, 6], direction: Direction::Forward }
}

/// Ids that would end a label, or be interpreted in it.
const HOSTILE: [&str; 5] = ["a\"b", "a\\", "&amp; #quot; `x`", "<b>日本語 😀</b>", "style x:#a; end"];

/// Directives with hostile ids, each extending the next.
pub fn hostile() -> Graph {
    let nodes = HOSTILE.map(|id| node(NodeKind::Directive, id)).to_vec();
    let note = |at: usize| Some(HOSTILE[at].to_string());
    let edges = (1..nodes.len()).map(|at| Edge { note: note(at), ..edge(at - 1, at, EdgeKind::Extends) }).collect();
    Graph { nodes, edges, roots: vec![0], direction: Direction::Forward }
}

/// A chain of `count` directives.
pub fn deep(count: usize) -> Graph {
    let nodes = (0..count).map(|at| node(NodeKind::Directive, &format!("d{at}"))).collect();
    let edges = (1..count).map(|at| edge(at - 1, at, EdgeKind::Extends)).collect();
    Graph { nodes, edges, roots: vec![0], direction: Direction::Forward }
}

/// A directive with these attributes, metadata and further elements.
fn directive(attributes: &str, metadata: &str, more: &str) -> String {
    format!("```xml\n<directive {attributes}>\n<metadata>\n{metadata}</metadata>\n{more}</directive>\n```\nGo.\n")
}

/// The prompt of a chain over three tiers with every kind of outcome.
pub fn chain(change: impl FnOnce(&mut Request)) -> Prompt {
    let deploy = directive(
        "name=\"deploy\" extends=\"project/deploy/base\"",
        "<context>\n<before>project/deploy/environment-rules</before>\n<before>project/gone</before>\n\
         <after>project/deploy/checklist</after>\n<suppress>rye/agent/core/Behavior</suppress>\n\
         <suppress>ctx_environment</suppress>\n<suppress>nothing/of/it</suppress>\n</context>\n\
         <hooks>\n<hook id=\"guard\" event=\"thread_started\"><action primary=\"fetch\" item_type=\"knowledge\" \
         item_id=\"project/deploy/checklist\"/></hook>\n<hook id=\"resume\" event=\"thread_continued\"/>\n\
         <hook id=\"big\" event=\"thread_started\"><condition path=\"inputs.size\" op=\"eq\" value=\"big\"/>\
         <action primary=\"fetch\" item_type=\"knowledge\" item_id=\"k\"/></hook>\n</hooks>\n\
         <permissions>\n<execute><tool>rye.bash.*</tool></execute>\n<execute><tool>rye.file-system.*</tool></execute>\n\
         <fetch>*</fetch>\n</permissions>\n",
        "<outputs><output name=\"report\"/></outputs>\n",
    );
    let base = directive(
        "extends=\"rye/agent/core/base\"",
        "<context>\n<before>project/deploy/environment-rules</before>\n<before>project/blank</before>\n\
         <suppress>rye/agent/core/Behavior</suppress>\n</context>\n\
         <hooks><hook id=\"mine\" event=\"thread_started\"/></hooks>\n",
        "",
    );
    let root = directive(
        "name=\"base\"",
        "<context>\n<system>rye/agent/core/Identity</system>\n<system>rye/agent/core/Behavior</system>\n</context>\n\
         <permissions>\n<execute>*</execute>\n<fetch>*</fetch>\n<sign>*</sign>\n</permissions>\n",
        "",
    );
    let hooks = "hooks:\n- {id: ctx_environment, event: thread_started, action: {primary: fetch, item_type: knowledge, \
                 item_id: k}}\n";
    let item = "```yaml\nname: Item\n```\nText.\n";
    let tool = "description: d\nconfig_schema: {type: object}\n";
    let files = [
        ("directives/deploy.md", deploy.as_str()),
        ("user:directives/project/deploy/base.md", &base),
        ("system:directives/rye/agent/core/base.md", &root),
        ("config/agent/hooks.yaml", hooks),
        ("knowledge/project/deploy/environment-rules.md", item),
        ("knowledge/project/deploy/checklist.md", item),
        ("knowledge/project/blank.md", "```yaml\nname: Blank\n```\n"),
        ("knowledge/k.md", item),
        ("system:knowledge/rye/agent/core/Identity.md", item),
        ("system:knowledge/rye/agent/core/Behavior.md", item),
        ("system:tools/rye/bash/run.yaml", tool),
        ("system:tools/rye/file-system/read.yaml", tool),
        ("system:tools/rye/execute.yaml", tool),
    ];
    prompt(&files, change)
}

/// The prompt of a directive that a hook routes to a parent that cannot be parsed.
pub fn routed() -> Prompt {
    let deploy = directive("name=\"deploy\" extends=\"base\"", "", "");
    let hooks = "hooks:\n- id: web_rules\n  event: resolve_extends\n  action: {set_extends: web/base}\n";
    prompt(
        &[
            ("directives/deploy.md", &deploy),
            ("directives/web/base.md", "no block"),
            ("config/agent/hooks.yaml", hooks),
        ],
        |_| {},
    )
}

/// The prompt of a chain of `count` directives.
pub fn long(count: usize) -> Prompt {
    let id = |at: usize| if at == 0 { "deploy".to_string() } else { format!("d{at}") };
    let files: Vec<_> = (0..count)
        .map(|at| {
            let extends = if at + 1 < count { format!("extends=\"{}\"", id(at + 1)) } else { "name=\"x\"".to_string() };
            (format!("directives/{}.md", id(at)), directive(&extends, "", ""))
        })
        .collect();
    prompt(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>(), |_| {})
}
