//! Draws a graph as a tree. Each node appears in full the first time, and later only by its id.

use std::io;

use rayon::prelude::*;

use crate::text::numbers::count;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

use super::GraphView;
use super::drawing::Drawing;
use super::graph::{Edge, Graph, GraphNode, Links, NodeKind};

/// The number of roots whose trees are laid out in parallel.
const CHUNK: usize = 1_000;

pub fn write(graph: &Graph, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let entries = entries(graph);
    let trees: Vec<&[Entry]> = entries.chunk_by(|_, next| next.edge.is_some()).collect();
    let printed = |entries: &&[Entry]| {
        let mut text = Vec::new();
        let report = Report::new(view.screen, &mut text);
        Tree { graph, drawing: Drawing::new(view), report }.write(entries).map(|()| text)
    };
    let mut root_kind = None;
    for chunk in trees.chunks(CHUNK) {
        // One tree is not worth a start of threads.
        let texts: Vec<_> = match chunk {
            [one] => vec![printed(one)],
            several => several.par_iter().map(printed).collect(),
        };
        for (entries, text) in chunk.iter().zip(texts) {
            let kind = graph.nodes[entries[0].node].kind;
            // A blank line separates roots of different kinds.
            if root_kind.replace(kind).is_some_and(|before| before != kind) {
                writeln!(out)?;
            }
            out.write_all(&text?)?;
        }
    }
    Ok(())
}

/// A node in the tree.
struct Entry {
    node: usize,
    /// The link to it; `None` for a root.
    edge: Option<usize>,
    parent: Option<usize>,
    depth: usize,
    /// Whether a sibling follows.
    follows: bool,
    has_below: bool,
    again: Again,
}

/// Whether a node with children was written before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    No,
    Above,
    /// It is on the path from the root.
    Cycle,
}

/// Walks the graph without recursion, since chains can be very long.
fn entries(graph: &Graph) -> Vec<Entry> {
    let below = Links::new(graph, |edge| edge.ends(graph.direction).0);
    let mut shown = vec![false; graph.nodes.len()];
    // The nodes from the root to the current one.
    let mut path: Vec<usize> = Vec::new();
    let mut is_on_path = vec![false; graph.nodes.len()];
    let entry = |node, edge, depth, follows| Entry {
        node,
        edge,
        parent: None,
        depth,
        follows,
        has_below: !below.of(node).is_empty(),
        again: Again::No,
    };
    let mut next: Vec<Entry> = graph.roots.iter().rev().map(|&root| entry(root, None, 0, false)).collect();
    let mut entries = Vec::new();
    while let Some(mut step) = next.pop() {
        for left in path.drain(step.depth..) {
            is_on_path[left] = false;
        }
        step.parent = path.last().copied();
        step.again = match (step.has_below, is_on_path[step.node], shown[step.node]) {
            (false, ..) | (_, _, false) => Again::No,
            (_, true, _) => Again::Cycle,
            _ => Again::Above,
        };
        shown[step.node] = true;
        if step.again == Again::No {
            path.push(step.node);
            is_on_path[step.node] = true;
            let edges = below.of(step.node);
            next.extend(edges.iter().enumerate().rev().map(|(index, &edge)| {
                entry(graph.edges[edge].ends(graph.direction).1, Some(edge), step.depth + 1, index + 1 < edges.len())
            }));
        }
        entries.push(step);
    }
    entries
}

struct Tree<'a> {
    graph: &'a Graph,
    drawing: Drawing<'a>,
    report: Report<'a>,
}

impl Tree<'_> {
    fn write(mut self, entries: &[Entry]) -> io::Result<()> {
        entries.iter().for_each(|entry| self.entry(entry));
        self.report.finish()
    }

    fn entry(&mut self, entry: &Entry) {
        let node = &self.graph.nodes[entry.node];
        let parent = entry.parent.map(|parent| &self.graph.nodes[parent]);
        let edge = entry.edge.map(|edge| &self.graph.edges[edge]);
        let again = entry.again;
        self.drawing.go_to(entry.depth, entry.follows, parent.map_or("", |parent| &parent.id), &mut self.report);

        let declared = edge.and_then(|edge| edge.at.as_ref());
        // If the declaration is in the node's own file or its parent's, the line number is enough.
        let is_in = |node: &GraphNode| {
            declared.is_some_and(|span| {
                node.path.as_deref() == Some(span.source().path()) && node.tier.as_deref() == Some(span.source().tier())
            })
        };
        let line = declared.map(|span| span.line());
        let (is_own, is_parents) = (is_in(node), parent.is_some_and(is_in));
        let own_line = if is_own { line } else { node.line };
        let parents_line = line.filter(|_| is_parents && !is_own);

        let is_head = matches!(node.kind, NodeKind::Directive | NodeKind::Folder);
        let title = word(if is_head { STRONG } else { PLAIN }, title(node));
        let title = match facts(node, edge, again, parents_line) {
            facts if facts.is_empty() => title,
            facts => title.words(DIM, &format!("({})", facts.join(", "))),
        };
        let has_below = entry.has_below && again == Again::No;
        let beside = self.drawing.node(has_below, [title, place(node, own_line)], &mut self.report);

        let hang = format!("{beside}  ");
        let mut line = |line| self.report.line(&beside, &hang, line);
        let elsewhere = declared.filter(|_| !is_own && !is_parents);
        let why = edge.and_then(|edge| edge.note.as_deref()).or(elsewhere.map(|_| "requested"));
        if let Some(why) = why {
            line(words(DIM, why).at(elsewhere));
        }
        if let Some(left_out) = &node.left_out {
            line(words(DIM, &format!("{} {left_out}", self.drawing.glyphs.left_out)));
        }
        for note in node.remarks().filter(|_| again == Again::No) {
            line(words(DIM, &note));
        }
    }
}

/// The id; if it is a path, only its end, since the full path is shown next to it.
fn title(node: &GraphNode) -> &str {
    let names = match node.kind {
        NodeKind::Skills | NodeKind::Skill => 2,
        _ => 1,
    };
    if node.path.as_ref() != Some(&node.id) {
        return &node.id;
    }
    let end = node.id.rmatch_indices('/').nth(names - 1);
    end.map_or(&*node.id, |(at, _)| &node.id[at + 1..])
}

fn facts(node: &GraphNode, edge: Option<&Edge>, again: Again, line: Option<usize>) -> Vec<String> {
    let again = match again {
        Again::No => None,
        Again::Above => Some("above".to_string()),
        Again::Cycle => Some("above: a cycle".to_string()),
    };
    let says_itself = matches!(node.kind, NodeKind::Directive | NodeKind::Folder | NodeKind::Skills);
    let kind = (!says_itself).then(|| node.kind.into_str().to_string());
    let tokens = node.tokens.map(|tokens| count(tokens, "token"));
    let position = edge.and_then(|edge| edge.kind.position()).map(|position| position.into_str().to_string());
    let line = line.map(|line| format!("from line {line}"));
    [again, kind, tokens, position, line].into_iter().flatten().collect()
}

/// `project .ai/directives/deploy.md:9`
fn place(node: &GraphNode, line: Option<usize>) -> Line {
    let tier = node.tier.as_deref().map_or(Line::default(), |tier| word(of_tier(tier), tier).glued());
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    match &node.path {
        Some(path) => tier.word(PLAIN, &format!("{path}{line}")),
        None => tier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::chain::Charset;
    use crate::answer::chain::graph::Direction;
    use crate::answer::chain::testing::{deep, hostile, shop, tree};
    use crate::write::screen::Screen;

    fn shown(graph: &Graph, view: GraphView) -> String {
        let mut out = Vec::new();
        write(graph, &view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn at_80_columns() {
        insta::assert_snapshot!(shown(&shop(), tree(80)), @r#"
deploy                             project .ai/directives/deploy.md
├─ project/deploy/base (from line 1)  user .ai/directives/project/deploy/base.md
│  ├─ gone (knowledge, system)
│  │    suppressed by deploy
│  │    no tier has it
│  └─ deploy (above: a cycle)      project .ai/directives/deploy.md
├─ web/base                        project .ai/directives/web/base.md
│  │ routed by hook web, project .ai/config/agent/hooks.yaml:3
│  └─ project/deploy/base (above)  user .ai/directives/project/deploy/base.md
├─ project/deploy/checklist (knowledge, before, from line 2)
│    project .ai/knowledge/project/deploy/checklist.md
│    shadows the one in user
├─ web (hook)                      project .ai/config/agent/hooks.yaml:2
│  └─ project/deploy/checklist (knowledge, from line 2)
│       project .ai/knowledge/project/deploy/checklist.md
│       shadows the one in user
└─ rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while (tool)
     project .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py

gone (knowledge)
  no tier has it
"#);
    }

    #[test]
    fn at_120_columns() {
        insta::assert_snapshot!(shown(&shop(), tree(120)), @r#"
deploy                                              project .ai/directives/deploy.md
├─ project/deploy/base (from line 1)                user .ai/directives/project/deploy/base.md
│  ├─ gone (knowledge, system)
│  │    suppressed by deploy
│  │    no tier has it
│  └─ deploy (above: a cycle)                       project .ai/directives/deploy.md
├─ web/base                                         project .ai/directives/web/base.md
│  │ routed by hook web, project .ai/config/agent/hooks.yaml:3
│  └─ project/deploy/base (above)                   user .ai/directives/project/deploy/base.md
├─ project/deploy/checklist (knowledge, before, from line 2)  project .ai/knowledge/project/deploy/checklist.md
│    shadows the one in user
├─ web (hook)                                       project .ai/config/agent/hooks.yaml:2
│  └─ project/deploy/checklist (knowledge, from line 2)  project .ai/knowledge/project/deploy/checklist.md
│       shadows the one in user
└─ rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while (tool)
     project .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py

gone (knowledge)
  no tier has it
"#);
    }

    #[test]
    fn in_ascii() {
        let shown = shown(&shop(), GraphView { charset: Charset::Ascii, ..tree(80) });
        assert!(shown.is_ascii());
        insta::assert_snapshot!(shown, @r#"
deploy                             project .ai/directives/deploy.md
|- project/deploy/base (from line 1)  user .ai/directives/project/deploy/base.md
|  |- gone (knowledge, system)
|  |    suppressed by deploy
|  |    no tier has it
|  `- deploy (above: a cycle)      project .ai/directives/deploy.md
|- web/base                        project .ai/directives/web/base.md
|  | routed by hook web, project .ai/config/agent/hooks.yaml:3
|  `- project/deploy/base (above)  user .ai/directives/project/deploy/base.md
|- project/deploy/checklist (knowledge, before, from line 2)
|    project .ai/knowledge/project/deploy/checklist.md
|    shadows the one in user
|- web (hook)                      project .ai/config/agent/hooks.yaml:2
|  `- project/deploy/checklist (knowledge, from line 2)
|       project .ai/knowledge/project/deploy/checklist.md
|       shadows the one in user
`- rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while (tool)
     project .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py

gone (knowledge)
  no tier has it
"#);
    }

    #[test]
    fn colours_only_repeat_the_words() {
        let coloured = shown(&shop(), GraphView { screen: Screen::coloured(80), ..tree(80) });
        assert!(coloured.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&shop(), tree(80)));
        insta::assert_snapshot!(coloured.replace('\u{1b}', "␛"), @r#"
␛[1mdeploy␛[0m                             ␛[32mproject␛[0m .ai/directives/deploy.md
␛[2m├─ ␛[0m␛[1mproject/deploy/base␛[0m ␛[2m(from␛[0m ␛[2mline␛[0m ␛[2m1)␛[0m  ␛[33muser␛[0m .ai/directives/project/deploy/base.md
␛[2m│  ├─ ␛[0mgone ␛[2m(knowledge,␛[0m ␛[2msystem)␛[0m
␛[2m│  │    ␛[0m␛[2msuppressed␛[0m ␛[2mby␛[0m ␛[2mdeploy␛[0m
␛[2m│  │    ␛[0m␛[2mno␛[0m ␛[2mtier␛[0m ␛[2mhas␛[0m ␛[2mit␛[0m
␛[2m│  └─ ␛[0m␛[1mdeploy␛[0m ␛[2m(above:␛[0m ␛[2ma␛[0m ␛[2mcycle)␛[0m      ␛[32mproject␛[0m .ai/directives/deploy.md
␛[2m├─ ␛[0m␛[1mweb/base␛[0m                        ␛[32mproject␛[0m .ai/directives/web/base.md
␛[2m│  │ ␛[0m␛[2mrouted␛[0m ␛[2mby␛[0m ␛[2mhook␛[0m ␛[2mweb,␛[0m ␛[32mproject␛[0m .ai/config/agent/hooks.yaml:3
␛[2m│  └─ ␛[0m␛[1mproject/deploy/base␛[0m ␛[2m(above)␛[0m  ␛[33muser␛[0m .ai/directives/project/deploy/base.md
␛[2m├─ ␛[0mproject/deploy/checklist ␛[2m(knowledge,␛[0m ␛[2mbefore,␛[0m ␛[2mfrom␛[0m ␛[2mline␛[0m ␛[2m2)␛[0m
␛[2m│    ␛[0m␛[32mproject␛[0m .ai/knowledge/project/deploy/checklist.md
␛[2m│    ␛[0m␛[2mshadows␛[0m ␛[2mthe␛[0m ␛[2mone␛[0m ␛[2min␛[0m ␛[2muser␛[0m
␛[2m├─ ␛[0mweb ␛[2m(hook)␛[0m                      ␛[32mproject␛[0m .ai/config/agent/hooks.yaml:2
␛[2m│  └─ ␛[0mproject/deploy/checklist ␛[2m(knowledge,␛[0m ␛[2mfrom␛[0m ␛[2mline␛[0m ␛[2m2)␛[0m
␛[2m│       ␛[0m␛[32mproject␛[0m .ai/knowledge/project/deploy/checklist.md
␛[2m│       ␛[0m␛[2mshadows␛[0m ␛[2mthe␛[0m ␛[2mone␛[0m ␛[2min␛[0m ␛[2muser␛[0m
␛[2m└─ ␛[0mrye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while ␛[2m(tool)␛[0m
     ␛[32mproject␛[0m .ai/tools/rye/bash/with/a/name/that/is/rather/long/and/goes/on/for/a/while.py

gone ␛[2m(knowledge)␛[0m
␛[2m  ␛[0m␛[2mno␛[0m ␛[2mtier␛[0m ␛[2mhas␛[0m ␛[2mit␛[0m
"#);
    }

    #[test]
    fn referrers_are_drawn_below_with_the_line_of_their_declaration() {
        let graph = Graph { roots: vec![2], direction: Direction::Backward, ..shop() };
        insta::assert_snapshot!(shown(&graph, tree(80)), @r#"
project/deploy/checklist (knowledge)
│ project .ai/knowledge/project/deploy/checklist.md
│ shadows the one in user
├─ deploy (before)                 project .ai/directives/deploy.md:2
│  └─ project/deploy/base          user .ai/directives/project/deploy/base.md
│     ├─ deploy (above: a cycle)   project .ai/directives/deploy.md:1
│     └─ web/base                  project .ai/directives/web/base.md
│        └─ deploy (above: a cycle)  project .ai/directives/deploy.md
│             routed by hook web, project .ai/config/agent/hooks.yaml:3
└─ web (hook)                      project .ai/config/agent/hooks.yaml:2
   └─ deploy (above)               project .ai/directives/deploy.md
"#);
    }

    #[test]
    fn a_long_chain_is_drawn_in_sections() {
        insta::assert_snapshot!(shown(&deep(20), tree(40)), @r#"
d0          project .ai/directives/d0.md
└─ d1       project .ai/directives/d1.md
   └─ d2    project .ai/directives/d2.md
      └─ d3
         │ project .ai/directives/d3.md
         └─ d4
            │ project .ai/directives/d4.md
            └─ d5
               │ project .ai/directives/d5.md
               └─ d6
                  │ project .ai/directives/d6.md
… 7 levels deep, below d6 …
└─ d7       project .ai/directives/d7.md
   └─ d8    project .ai/directives/d8.md
      └─ d9
         │ project .ai/directives/d9.md
         └─ d10
            │ project .ai/directives/d10.md
            └─ d11
               │ project .ai/directives/d11.md
               └─ d12
                  │ project .ai/directives/d12.md
… 13 levels deep, below d12 …
└─ d13     project .ai/directives/d13.md
   └─ d14  project .ai/directives/d14.md
      └─ d15
         │ project .ai/directives/d15.md
         └─ d16
            │ project .ai/directives/d16.md
            └─ d17
               │ project .ai/directives/d17.md
               └─ d18
                  │ project .ai/directives/d18.md
… 19 levels deep, below d18 …
└─ d19     project .ai/directives/d19.md
"#);
        let long = shown(&deep(10_000), tree(80));
        assert!(long.lines().count() < 11_000 && long.len() < 2_000_000, "{}", long.len());
        assert!(long.contains("d9999"));
    }

    #[test]
    fn control_characters_in_ids_are_escaped() {
        let mut graph = hostile();
        graph.nodes[0].id = "a\nb\u{1b}[31m\u{202e}".into();
        let shown = shown(&graph, tree(80));
        assert!(shown.starts_with("a<U+000A>b<U+001B>[31m<U+202E>"), "{shown}");
    }
}
