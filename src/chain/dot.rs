//! A graph for Graphviz. Ids are text of strangers: nodes have names of their own, and ids stand in labels alone.

use std::io;

use crate::text::visible::visible_line;

use super::graph::{EdgeKind, Graph, NodeKind};
use super::label;

/// Writes the graph as a `digraph`.
pub fn write(graph: &Graph, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "digraph chain {{")?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=10];")?;
    for (index, node) in graph.nodes.iter().enumerate() {
        let label = quoted(&label::of_node(node));
        writeln!(out, "  n{index} [shape={}, label={label}];", shape(node.kind))?;
    }
    for edge in &graph.edges {
        let label = quoted(&label::of_edge(edge));
        let style = style(edge.kind);
        write!(out, "  n{} -> n{} [style={style}, label={label}", edge.from, edge.to)?;
        if let Some(place) = label::declaration(edge) {
            write!(out, ", tooltip={}", quoted(&[place]))?;
        }
        writeln!(out, "];")?;
    }
    writeln!(out, "}}")
}

fn shape(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Directive => "box",
        NodeKind::Knowledge => "note",
        NodeKind::Hook => "hexagon",
        NodeKind::Tool => "component",
        NodeKind::Folder => "folder",
        NodeKind::Skills => "tab",
        NodeKind::Base | NodeKind::Append | NodeKind::Context | NodeKind::Skill => "note",
    }
}

fn style(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Extends => "bold",
        EdgeKind::Context(_) | EdgeKind::Part => "solid",
        EdgeKind::Hook => "dashed",
        EdgeKind::Tool | EdgeKind::Hides => "dotted",
    }
}

/// A label of lines. Graphviz reads escapes and entities in it, so that `\` and `&` do not stand for themselves.
fn quoted(lines: &[String]) -> String {
    let mut out = String::from("\"");
    for (index, line) in lines.iter().enumerate() {
        out.push_str(if index > 0 { "\\n" } else { "" });
        for c in visible_line(line).chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '&' => out.push_str("&amp;"),
                c => out.push(c),
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{hostile, shop};

    fn written(graph: &Graph) -> String {
        let mut out = Vec::new();
        write(graph, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_graph_has_a_shape_for_each_kind() {
        insta::assert_snapshot!(written(&shop()), @r#"
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
    fn no_id_ends_its_label() {
        insta::assert_snapshot!(written(&hostile()), @r#"
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
}
