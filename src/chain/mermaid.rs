//! A graph for Mermaid. Ids are text of strangers: nodes have names of their own, and ids stand in labels alone.

use std::fmt::Write as _;
use std::io;

use crate::text::visible::visible_line;

use super::graph::{EdgeKind, Graph, NodeKind};
use super::label;

/// What Mermaid draws unless its page says otherwise: characters, and edges.
const LIMITS: (usize, usize) = (50_000, 500);

/// Writes the graph as a `flowchart`.
pub fn write(graph: &Graph, out: &mut dyn io::Write) -> io::Result<()> {
    let mut chart = String::from("flowchart LR\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let (open, close) = brackets(node.kind);
        line(&mut chart, format_args!("n{index}{open}{}{close}", quoted(&label::of_node(node))));
    }
    for edge in &graph.edges {
        let label = quoted(&label::of_edge(edge));
        line(&mut chart, format_args!("n{} {}|{label}| n{}", edge.from, arrow(edge.kind), edge.to));
    }
    if chart.len() > LIMITS.0 || graph.edges.len() > LIMITS.1 {
        let (text, edges) = (chart.len() + 200, graph.edges.len());
        writeln!(out, "%% larger than Mermaid draws by itself; its page has to say")?;
        writeln!(out, "%% mermaid.initialize({{ maxTextSize: {text}, maxEdges: {edges} }})")?;
    }
    out.write_all(chart.as_bytes())
}

fn line(chart: &mut String, text: std::fmt::Arguments) {
    // Writing to a String cannot fail.
    let _ = writeln!(chart, "  {text}");
}

fn brackets(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Directive | NodeKind::Folder => ("[", "]"),
        NodeKind::Knowledge | NodeKind::Base | NodeKind::Append | NodeKind::Context | NodeKind::Skill => ("(", ")"),
        NodeKind::Hook => ("{{", "}}"),
        NodeKind::Tool | NodeKind::Skills => ("[[", "]]"),
    }
}

fn arrow(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Extends => "==>",
        EdgeKind::Context(_) | EdgeKind::Part => "-->",
        EdgeKind::Hook | EdgeKind::Hides => "-.->",
        EdgeKind::Tool => "--o",
    }
}

/// A label of lines. Whatever could mean something, in quotes, in Markdown or to the patterns that Mermaid runs over a
/// whole chart, is written as the number of its character.
fn quoted(lines: &[String]) -> String {
    let mut out = String::from("\"");
    for (index, line) in lines.iter().enumerate() {
        out.push_str(if index > 0 { "<br/>" } else { "" });
        for c in visible_line(line).chars() {
            if c.is_alphanumeric() || " _-./,".contains(c) {
                out.push(c);
            } else {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{deep, hostile, shop};

    fn written(graph: &Graph) -> String {
        let mut out = Vec::new();
        write(graph, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_graph_has_a_bracket_for_each_kind() {
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
    fn no_id_ends_its_label() {
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
    fn a_large_graph_says_what_its_page_has_to() {
        assert!(written(&deep(502)).starts_with("%% larger than Mermaid draws by itself"));
        assert!(written(&deep(501)).starts_with("flowchart LR\n"));
    }
}
