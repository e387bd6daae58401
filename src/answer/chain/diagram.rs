//! Graphs for Graphviz and Mermaid. Ids come from untrusted files: they appear only in labels.

use std::io;

use super::graph::{Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::text::numbers::count;
use crate::text::visible::visible_line;

pub fn dot(graph: &Graph, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "digraph chain {{")?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=10];")?;
    for (index, node) in graph.nodes.iter().enumerate() {
        let label = dot_label(&of_node(node));
        writeln!(out, "  n{index} [shape={}, label={label}];", shape(node.kind).0)?;
    }
    for edge in &graph.edges {
        let label = dot_label(&of_edge(edge));
        let (style, _) = style(edge.kind);
        write!(out, "  n{} -> n{} [style={style}, label={label}", edge.from, edge.to)?;
        if let Some(place) = declaration(edge) {
            write!(out, ", tooltip={}", dot_label(&[place]))?;
        }
        writeln!(out, "];")?;
    }
    writeln!(out, "}}")
}

/// The shape of a node for Graphviz, and its brackets for Mermaid.
fn shape(kind: NodeKind) -> (&'static str, [&'static str; 2]) {
    match kind {
        NodeKind::Directive => ("box", ["[", "]"]),
        NodeKind::Hook => ("hexagon", ["{{", "}}"]),
        NodeKind::Tool => ("component", ["[[", "]]"]),
        NodeKind::Folder => ("folder", ["[", "]"]),
        NodeKind::Skills => ("tab", ["[[", "]]"]),
        NodeKind::Knowledge | NodeKind::Base | NodeKind::Append | NodeKind::Context | NodeKind::Skill => {
            ("note", ["(", ")"])
        }
    }
}

/// The style of an edge for Graphviz, and its arrow for Mermaid.
fn style(kind: EdgeKind) -> (&'static str, &'static str) {
    match kind {
        EdgeKind::Extends => ("bold", "==>"),
        EdgeKind::Context(_) | EdgeKind::Part => ("solid", "-->"),
        EdgeKind::Hook => ("dashed", "-.->"),
        EdgeKind::Hides => ("dotted", "-.->"),
        EdgeKind::Tool => ("dotted", "--o"),
    }
}

/// A multi-line label. Graphviz interprets escapes and entities in labels, so `\` and `&` are escaped.
fn dot_label(lines: &[String]) -> String {
    quoted(lines, "\\n", |out, c| match c {
        '"' | '\\' => out.extend(['\\', c]),
        '&' => out.push_str("&amp;"),
        c => out.push(c),
    })
}

/// The maximum numbers of characters and edges that Mermaid draws by default.
const LIMITS: (usize, usize) = (50_000, 500);

pub fn mermaid(graph: &Graph, out: &mut dyn io::Write) -> io::Result<()> {
    let mut chart = String::from("flowchart LR\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let (_, [open, close]) = shape(node.kind);
        chart += &format!("  n{index}{open}{}{close}\n", mermaid_label(&of_node(node)));
    }
    for edge in &graph.edges {
        let label = mermaid_label(&of_edge(edge));
        chart += &format!("  n{} {}|{label}| n{}\n", edge.from, style(edge.kind).1, edge.to);
    }
    if chart.len() > LIMITS.0 || graph.edges.len() > LIMITS.1 {
        let (text, edges) = (chart.len() + 200, graph.edges.len());
        writeln!(out, "%% larger than Mermaid's default limits; the page must call")?;
        writeln!(out, "%% mermaid.initialize({{ maxTextSize: {text}, maxEdges: {edges} }})")?;
    }
    out.write_all(chart.as_bytes())
}

/// A multi-line label. Characters that are special in quotes, Markdown or Mermaid become character codes.
fn mermaid_label(lines: &[String]) -> String {
    quoted(lines, "<br/>", |out, c| match c {
        c if c.is_alphanumeric() || " _-./,".contains(c) => out.push(c),
        c => out.push_str(&format!("#{};", u32::from(c))),
    })
}

fn quoted(lines: &[String], line_break: &str, push: impl Fn(&mut String, char)) -> String {
    let mut out = String::from("\"");
    for (index, line) in lines.iter().enumerate() {
        out.push_str(if index > 0 { line_break } else { "" });
        visible_line(line).chars().for_each(|c| push(&mut out, c));
    }
    out.push('"');
    out
}

fn of_node(node: &GraphNode) -> Vec<String> {
    let line = node.line.map_or(String::new(), |line| format!(":{line}"));
    let place = match (&node.tier, node.other_path()) {
        (Some(tier), Some(path)) => Some(format!("{tier} {path}{line}")),
        (tier, path) => tier.as_deref().or(path).map(str::to_string),
    };
    let tokens = node.tokens.map(|tokens| count(tokens, "token"));
    let left_out = node.left_out.iter().map(|why| format!("left out: {why}"));
    [node.id.to_string()].into_iter().chain(place).chain(tokens).chain(left_out).chain(node.remarks()).collect()
}

fn of_edge(edge: &Edge) -> Vec<String> {
    let word = match edge.kind {
        EdgeKind::Context(position) => position.into_str(),
        kind => kind.into_str(),
    };
    [word.to_string()].into_iter().chain(edge.note.clone()).collect()
}

/// `project .ai/directives/deploy.md:9`
fn declaration(edge: &Edge) -> Option<String> {
    let span = edge.at.as_ref()?;
    Some(format!("{} {}:{}", span.source().tier(), span.source().path(), span.line()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::chain::testing::{deep, hostile, shop};

    fn dotted(graph: &Graph) -> String {
        let mut out = Vec::new();
        dot(graph, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn written(graph: &Graph) -> String {
        let mut out = Vec::new();
        mermaid(graph, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_kind_has_its_shape() {
        insta::assert_snapshot!(dotted(&shop()), @r#"
digraph chain {
  rankdir=LR;
  node [fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  n0 [shape=box, label="deploy\nproject .ai/directives/deploy.md"];
  n1 [shape=box, label="project/deploy/base\nuser .ai/directives/project/deploy/base.md"];
  n2 [shape=note, label="project/deploy/checklist\nproject .ai/knowledge/project/deploy/checklist.md\nshadows the one in user"];
  n3 [shape=hexagon, label="web\nproject .ai/config/agent/hooks.yaml:2"];
  n4 [shape=component, label="rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while\nproject .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py"];
  n5 [shape=box, label="web/base\nproject .ai/directives/web/base.md"];
  n6 [shape=note, label="gone\nno tier has it"];
  n0 -> n1 [style=bold, label="extends", tooltip="project .ai/directives/deploy.md:1"];
  n0 -> n5 [style=bold, label="extends\nrouted by hook web", tooltip="project .ai/config/agent/hooks.yaml:3"];
  n0 -> n2 [style=solid, label="before", tooltip="project .ai/directives/deploy.md:2"];
  n0 -> n3 [style=dashed, label="hook"];
  n3 -> n2 [style=dashed, label="hook", tooltip="project .ai/config/agent/hooks.yaml:2"];
  n0 -> n4 [style=dotted, label="tool"];
  n5 -> n1 [style=bold, label="extends"];
  n1 -> n6 [style=solid, label="system\nsuppressed by deploy"];
  n1 -> n0 [style=bold, label="extends"];
}
"#);
    }

    #[test]
    fn an_id_cannot_end_its_label() {
        insta::assert_snapshot!(dotted(&hostile()), @r#"
digraph chain {
  rankdir=LR;
  node [fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  n0 [shape=box, label="a\"b\nproject .ai/directives/a\"b.md"];
  n1 [shape=box, label="a\\\nproject .ai/directives/a\\.md"];
  n2 [shape=box, label="&amp;amp; #quot; `x`\nproject .ai/directives/&amp;amp; #quot; `x`.md"];
  n3 [shape=box, label="<b>日本語 😀</b>\nproject .ai/directives/<b>日本語 😀</b>.md"];
  n4 [shape=box, label="style x:#a; end\nproject .ai/directives/style x:#a; end.md"];
  n0 -> n1 [style=bold, label="extends\na\\"];
  n1 -> n2 [style=bold, label="extends\n&amp;amp; #quot; `x`"];
  n2 -> n3 [style=bold, label="extends\n<b>日本語 😀</b>"];
  n3 -> n4 [style=bold, label="extends\nstyle x:#a; end"];
}
"#);
    }

    #[test]
    fn each_kind_has_its_brackets() {
        insta::assert_snapshot!(written(&shop()), @r#"
flowchart LR
  n0["deploy<br/>project .ai/directives/deploy.md"]
  n1["project/deploy/base<br/>user .ai/directives/project/deploy/base.md"]
  n2("project/deploy/checklist<br/>project .ai/knowledge/project/deploy/checklist.md<br/>shadows the one in user")
  n3{{"web<br/>project .ai/config/agent/hooks.yaml#58;2"}}
  n4[["rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while<br/>project .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py"]]
  n5["web/base<br/>project .ai/directives/web/base.md"]
  n6("gone<br/>no tier has it")
  n0 ==>|"extends"| n1
  n0 ==>|"extends<br/>routed by hook web"| n5
  n0 -->|"before"| n2
  n0 -.->|"hook"| n3
  n3 -.->|"hook"| n2
  n0 --o|"tool"| n4
  n5 ==>|"extends"| n1
  n1 -->|"system<br/>suppressed by deploy"| n6
  n1 ==>|"extends"| n0
"#);
    }

    #[test]
    fn an_id_cannot_end_its_label_in_mermaid() {
        insta::assert_snapshot!(written(&hostile()), @r##"
flowchart LR
  n0["a#34;b<br/>project .ai/directives/a#34;b.md"]
  n1["a#92;<br/>project .ai/directives/a#92;.md"]
  n2["#38;amp#59; #35;quot#59; #96;x#96;<br/>project .ai/directives/#38;amp#59; #35;quot#59; #96;x#96;.md"]
  n3["#60;b#62;日本語 #128512;#60;/b#62;<br/>project .ai/directives/#60;b#62;日本語 #128512;#60;/b#62;.md"]
  n4["style x#58;#35;a#59; end<br/>project .ai/directives/style x#58;#35;a#59; end.md"]
  n0 ==>|"extends<br/>a#92;"| n1
  n1 ==>|"extends<br/>#38;amp#59; #35;quot#59; #96;x#96;"| n2
  n2 ==>|"extends<br/>#60;b#62;日本語 #128512;#60;/b#62;"| n3
  n3 ==>|"extends<br/>style x#58;#35;a#59; end"| n4
"##);
    }

    #[test]
    fn a_large_graph_says_which_limits_to_raise() {
        assert!(written(&deep(502)).starts_with("%% larger than Mermaid's default limits"));
        assert!(written(&deep(501)).starts_with("flowchart LR\n"));
    }
}
