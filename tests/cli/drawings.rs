//! Graphviz and Mermaid's npm package can read the drawings, whatever the ids contain.
//!
//! `RYE_RENDER_MERMAID` names a folder whose `node_modules` has `mermaid` and `jsdom`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use rye_render::internals::answer::chain::graph::{Direction, Edge, EdgeKind, Graph, GraphNode, NodeKind};
use rye_render::internals::answer::chain::{self, Charset, GraphFormat, GraphView};
use rye_render::internals::decide::request::Position;
use rye_render::internals::write::screen::Screen;
use serde_json::Value;

use crate::announce;
use crate::support::missing;

/// Reads a chart from standard input and writes the lines of every label as JSON.
const READ_CHART: &str = include_str!("drawings/read_chart.mjs");

/// Ids that could end a label or be read as markup.
const IDS: [&str; 24] = [
    "plain/id-1_a.b",
    "a\"b",
    "a\\",
    "a\\\"] ; x",
    "a'b",
    "end",
    "subgraph",
    "click n0 call x()",
    "#quot;",
    "#35;",
    "&amp;&lt;&#65;",
    "<script>alert(1)</script>",
    "<br/>",
    "<b>bold</b>",
    "[x](y){z}|w|",
    "`code` **strong** _u_",
    "日本語 é 😀",
    "style x:y #a;",
    "classDef x:#a; linkStyle 0 stroke:#f00;",
    "%%{init: {\"theme\": \"dark\"}}%%",
    "%% comment",
    "\\N\\G\\l\\r\\E",
    "--> n1; n0 --- n2 @{ shape: circle }",
    "مرحبا",
];

const KINDS: [NodeKind; 10] = [
    NodeKind::Directive,
    NodeKind::Knowledge,
    NodeKind::Hook,
    NodeKind::Tool,
    NodeKind::Folder,
    NodeKind::Base,
    NodeKind::Append,
    NodeKind::Context,
    NodeKind::Skills,
    NodeKind::Skill,
];

/// Every id as every kind of node, and as a note on every kind of edge.
fn hostile() -> Graph {
    let position = EdgeKind::Context(Position::Before);
    let ties = [EdgeKind::Extends, position, EdgeKind::Hook, EdgeKind::Tool, EdgeKind::Part, EdgeKind::Hides];
    let node = |kind, id: &str| GraphNode {
        tier: Some("project".into()),
        path: Some(format!(".ai/{id}.md").into()),
        line: Some(3),
        notes: vec![id.to_string()],
        ..GraphNode::new(kind, id)
    };
    let nodes: Vec<_> = KINDS.iter().flat_map(|&kind| IDS.map(|id| node(kind, id))).collect();
    let edge = |to: usize| Edge {
        from: to - 1,
        to,
        kind: ties[to % ties.len()],
        at: None,
        note: Some(IDS[to % IDS.len()].to_string()),
    };
    let edges = (1..nodes.len()).map(edge).collect();
    Graph { nodes, edges, roots: vec![0], direction: Direction::Forward }
}

fn written(graph: &Graph, format: GraphFormat) -> String {
    let view = GraphView { format, charset: Charset::Utf8, screen: Screen::plain(80) };
    let mut out = Vec::new();
    chain::write(graph, "rye-3", &[], &view, &mut out).expect("writing to a Vec cannot fail");
    String::from_utf8(out).expect("drawings are UTF-8")
}

/// The output of a program for this standard input; panics if the program fails.
fn through(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("the program ends")
    });
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{}: {stderr}", output.status);
    String::from_utf8(output.stdout).expect("its output is UTF-8")
}

fn is_installed(program: &str, argument: &str) -> bool {
    let status = Command::new(program).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The visible strings of an SVG image.
fn texts(svg: &str) -> Vec<String> {
    let text = |part: &str| {
        let (_, rest) = part.split_once('>')?;
        let (text, _) = rest.split_once("</text>")?;
        Some(decoded(text))
    };
    svg.split("<text ").skip(1).filter_map(text).collect()
}

/// Decodes character references and replaces no-break spaces with spaces.
fn decoded(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, rest) = piece.split_once(';').expect("a reference ends");
        out.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            name => {
                let number = name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16));
                let number = number.unwrap_or_else(|| name.trim_start_matches('#').parse());
                char::from_u32(number.expect("a number")).expect("a character")
            }
        });
        out.push_str(rest);
    }
    out.replace('\u{a0}', " ")
}

#[test]
fn graphviz_draws_every_id_unchanged() {
    if !is_installed("dot", "-V") {
        return missing("`dot` (Graphviz)");
    }
    let graph = hostile();
    let svg = through(Command::new("dot").arg("-Tsvg"), &written(&graph, GraphFormat::Dot));
    let texts = texts(&svg);
    for id in IDS {
        // A node of each kind has this id, and this note; some edges have this note too.
        let seen = texts.iter().filter(|text| *text == id).count();
        assert_eq!(
            seen,
            2 * KINDS.len() + graph.edges.iter().filter(|edge| edge.note.as_deref() == Some(id)).count(),
            "{id}"
        );
        let place = format!("project .ai/{id}.md:3");
        assert_eq!(texts.iter().filter(|text| **text == place).count(), KINDS.len(), "{place}");
    }
    assert_eq!(svg.matches("class=\"node\"").count(), graph.nodes.len());
    assert_eq!(svg.matches("class=\"edge\"").count(), graph.edges.len());
    announce("drawings: Graphviz ran");
}

#[test]
fn mermaid_reads_every_id_unchanged() {
    let folder = match std::env::var_os("RYE_RENDER_MERMAID") {
        Some(folder) if is_installed("node", "--version") => folder,
        Some(_) => return missing("`node`"),
        None => return announce("drawings: Mermaid: not run: RYE_RENDER_MERMAID is not set"),
    };
    assert!(Path::new(&folder).join("node_modules/mermaid").exists(), "{folder:?} has no node_modules/mermaid");
    let graph = hostile();
    let mut node = Command::new("node");
    let read = through(
        node.args(["--input-type=module", "--eval", READ_CHART]).current_dir(folder),
        &written(&graph, GraphFormat::Mermaid),
    );
    let labels: Value = serde_json::from_str(&read).expect("the labels");
    let of = |name: &str| -> Vec<Vec<String>> {
        serde_json::from_value(labels[name].clone()).expect("a list of lists of lines")
    };
    let nodes = graph.nodes.iter().map(|node| {
        let id = &node.id;
        vec![id.to_string(), format!("project .ai/{id}.md:3"), id.to_string()]
    });
    assert_eq!(of("nodes"), nodes.collect::<Vec<_>>());
    let notes: Vec<_> = of("edges").into_iter().map(|lines| lines[1].clone()).collect();
    assert_eq!(notes, graph.edges.iter().filter_map(|edge| edge.note.clone()).collect::<Vec<_>>());
    announce("drawings: Mermaid ran");
}
