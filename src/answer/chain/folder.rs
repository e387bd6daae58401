//! The graph of what applies to an agent's working folder: the base of its prompt, instruction files and skills.

use std::sync::Arc;

use super::graph::{EdgeKind, Graph, GraphNode, NodeKind};
use super::scope::GraphScope;
use crate::agents::{Applying, BUILT_IN, Chosen, FoundSkills, Skill, UnusedSkill, reasons};
use crate::answer::list::{ListEntry, ListKind, entries_of_agent};
use crate::diagnostic::Diagnostic;
use crate::prompt::{LayerKind, Prompt, PromptSubject};
use crate::text::nearest::nearest;
use crate::text::tokens::Tokenizer;

/// The longest description shown, in characters.
const MOST_DESCRIPTION: usize = 100;

pub fn graph(applying: &Applying, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    narrowed(FolderGraphBuilder::of(applying).graph, &applying.prompt.subject, scope)
}

/// The graph of a coding agent's prompt.
pub fn agent_graph(prompt: &Prompt, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    let entries = entries_of_agent(prompt, Tokenizer::Chars4);
    narrowed(of_entries(prompt.subject.name(), entries), &prompt.subject, scope)
}

/// The graph of the files that several agents look at.
pub fn graph_of_agents(folder: &str, entries: Vec<ListEntry>, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    narrowed(of_entries(folder, entries), &PromptSubject::Folder(folder.to_string()), scope)
}

/// Each file that agents look at, below the folder.
fn of_entries(folder: &str, entries: Vec<ListEntry>) -> Graph {
    let mut graph = Graph::default();
    let root = graph.add(GraphNode::new(NodeKind::Folder, folder));
    graph.roots.push(root);
    for ListEntry { kind, name, tier, path, tokens, left_out, agents, .. } in entries {
        let file = graph.add(GraphNode {
            tier: Some(tier).filter(|tier| !tier.is_empty()),
            path: Some(path.into()),
            tokens: left_out.is_none().then_some(tokens),
            left_out: left_out.map(|it| it.why),
            agents: agents.into_iter().map(|reader| reader.agent).collect(),
            ..GraphNode::new(kind.into(), &name)
        });
        graph.link(root, file, EdgeKind::Part, None, None);
    }
    graph
}

fn narrowed(graph: Graph, subject: &PromptSubject, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    let mut prune = Vec::new();
    for typed in &scope.prune {
        let known = prune.len();
        prune.extend(matching(&graph, subject, typed));
        if prune.len() == known {
            return Err(unknown(&graph, typed));
        }
    }
    Ok(GraphScope { prune, ..scope.clone() }.narrow(graph, true))
}

/// The ids of nodes that match an id or path as typed, in full or as shown in the output.
fn matching(graph: &Graph, subject: &PromptSubject, typed: &str) -> impl Iterator<Item = String> {
    let is_match = move |node: &&GraphNode| {
        &*node.id == typed || node.path.as_ref().is_some_and(|path| subject.calls(path, typed))
    };
    graph.nodes.iter().filter(is_match).map(|node| node.id.to_string())
}

fn unknown(graph: &Graph, typed: &str) -> Diagnostic {
    let what = format!("no file or skill `{typed}` here");
    let listed = "`chain --cwd DIR` without --prune lists them";
    let help = match nearest(typed, graph.nodes.iter().map(|node| &*node.id)) {
        Some(nearest) => format!("did you mean `{nearest}`? {listed}"),
        None => listed.to_string(),
    };
    Diagnostic::invalid(what, help)
}

struct FolderGraphBuilder<'a> {
    applying: &'a Applying,
    layers: Vec<(LayerKind, &'a str, usize)>,
    graph: Graph,
}

impl<'a> FolderGraphBuilder<'a> {
    fn of(applying: &'a Applying) -> Self {
        let Prompt { subject, layers, .. } = &applying.prompt;
        let mut builder = Self { applying, layers: Vec::new(), graph: Graph::default() };
        let PromptSubject::Folder(cwd) = subject else { return builder };
        let is_file = |kind| matches!(kind, LayerKind::Base | LayerKind::Append | LayerKind::Context);
        let files = layers.iter().zip(applying.prompt.layer_texts()).filter(|(layer, _)| is_file(layer.kind));
        let sized = files.map(|(layer, text)| (layer.kind, layer.name.as_str(), Tokenizer::Chars4.count(text)));
        builder.layers = sized.collect();
        builder.graph.nodes.push(GraphNode::new(NodeKind::Folder, cwd));
        builder.graph.roots.push(0);
        builder.base();
        builder.append();
        applying.context.iter().for_each(|file| builder.context(file));
        builder.roots();
        builder
    }

    fn layer(&self, kind: LayerKind) -> Option<(&'a str, usize)> {
        self.layers.iter().find(|layer| layer.0 == kind).map(|(_, name, tokens)| (*name, *tokens))
    }

    fn add(&mut self, below: usize, kind: EdgeKind, node: GraphNode) -> usize {
        let to = self.graph.add(node);
        self.graph.link(below, to, kind, None, None);
        to
    }

    fn base(&mut self) {
        let file = self.applying.base.as_ref();
        if let Some(chosen) = file {
            let mut node = self.chosen(NodeKind::Base, LayerKind::Base, chosen);
            match node.tokens {
                Some(_) => node.notes.push(REPLACES.to_string()),
                None => node.left_out = Some(format!("{}, so the built-in base is used", reasons::EMPTY)),
            }
            self.file(node, chosen, reasons::PROJECT_WINS);
        }
        let counts = self.layer(LayerKind::Base);
        if let Some((name, tokens)) = counts.filter(|(name, _)| file.is_none_or(|file| file.source.path() != *name)) {
            let notes = if name == BUILT_IN { Vec::new() } else { vec![REPLACES.to_string()] };
            let node = GraphNode { tokens: Some(tokens), notes, ..GraphNode::new(NodeKind::Base, name) };
            self.add(0, EdgeKind::Part, node);
        }
    }

    fn append(&mut self) {
        if let Some(chosen) = &self.applying.append {
            let mut node = self.chosen(NodeKind::Append, LayerKind::Append, chosen);
            node.left_out = node.tokens.is_none().then(|| reasons::EMPTY.to_string());
            self.file(node, chosen, reasons::PROJECT_WINS);
        } else if let Some((name, tokens)) = self.layer(LayerKind::Append) {
            let node = GraphNode { tokens: Some(tokens), ..GraphNode::new(NodeKind::Append, name) };
            self.add(0, EdgeKind::Part, node);
        }
    }

    fn context(&mut self, chosen: &Chosen) {
        let node = self.chosen(NodeKind::Context, LayerKind::Context, chosen);
        self.file(node, chosen, reasons::BESIDE_AGENTS);
    }

    fn chosen(&self, kind: NodeKind, layer: LayerKind, Chosen { source, .. }: &Chosen) -> GraphNode {
        let tokens = self.layers.iter().find(|it| it.0 == layer && it.1 == source.path()).map(|it| it.2);
        GraphNode { tokens, ..file(kind, source.tier(), source.path()) }
    }

    /// Adds a file, and the file that it hides.
    fn file(&mut self, node: GraphNode, chosen: &Chosen, why_hidden: &str) {
        let kind = node.kind;
        let at = self.add(0, EdgeKind::Part, node);
        if let Some(hidden) = &chosen.hides {
            let left_out = Some(why_hidden.to_string());
            self.add(at, EdgeKind::Hides, GraphNode { left_out, ..file(kind, hidden.tier, &hidden.path) });
        }
    }

    fn roots(&mut self) {
        let Applying { skills: FoundSkills { roots, skills, left_out, .. }, reads, .. } = self.applying;
        let (mut skills, mut left_out) = (skills.iter().peekable(), left_out.iter().peekable());
        for (index, root) in roots.iter().enumerate() {
            let unread = (!reads).then(|| format!("{}, so no skill is listed", reasons::NO_READ));
            let node = GraphNode { left_out: unread, ..file(NodeKind::Skills, root.tier, &root.folder) };
            let at = self.add(0, EdgeKind::Part, node);
            while let Some(skill) = skills.next_if(|skill| skill.root == index) {
                self.add(at, EdgeKind::Part, listed(skill));
            }
            while let Some(unusable) = left_out.next_if(|left_out| left_out.root == index) {
                self.add(at, EdgeKind::Part, unlisted(unusable));
            }
            if self.graph.nodes.len() == at + 1 {
                self.graph.nodes[at].notes.push("contains no skills".to_string());
            }
        }
    }
}

const REPLACES: &str = "replaces the built-in base, with its tools, guidelines and documentation";

fn file(kind: NodeKind, tier: &str, path: &str) -> GraphNode {
    GraphNode { tier: Some(Arc::from(tier)), path: Some(path.into()), ..GraphNode::new(kind, path) }
}

fn listed(skill: &Skill) -> GraphNode {
    let left_out = skill.hidden_by.is_some().then(|| reasons::HIDES_ITSELF.to_string());
    let notes = vec![in_short(skill.description.text())];
    GraphNode { id: skill.name.text().into(), notes, left_out, ..file(NodeKind::Skill, skill.tier, &skill.path) }
}

fn unlisted(UnusedSkill { name, path, tier, why, .. }: &UnusedSkill) -> GraphNode {
    let id = name.as_ref().map_or(path.as_str(), |name| name.text()).into();
    GraphNode { id, left_out: Some(why.to_string()), ..file(NodeKind::Skill, tier, path) }
}

/// The description on one line, cut to fit.
fn in_short(description: &str) -> String {
    let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_DESCRIPTION) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

impl From<ListKind> for NodeKind {
    fn from(kind: ListKind) -> Self {
        match kind {
            ListKind::Directive => Self::Directive,
            ListKind::Knowledge => Self::Knowledge,
            ListKind::Tool => Self::Tool,
            ListKind::Base => Self::Base,
            ListKind::Append => Self::Append,
            ListKind::Context => Self::Context,
            ListKind::Skill => Self::Skill,
        }
    }
}
