//! What applies to a folder in which an agent works, as a graph: the base of its prompt, files of instructions, skills.

use std::sync::Arc;

use super::graph::{Edge, EdgeKind, Graph, Node, NodeKind};
use super::scope::Scope;
use crate::diagnostic::{Diagnostic, Problem};
use crate::nearest::nearest;
use crate::prompt::{LayerKind, Subject};
use crate::sf::{Applying, Chosen, ContextFile, Root, Skill, Why};
use crate::tokens::Tokenizer;

/// The tiers of what applies to a folder.
pub const TIERS: [&str; 5] = ["cwd", "ancestor", "agent", "home", "extension"];

/// How much of a description is shown, in characters.
const MOST_DESCRIPTION: usize = 100;

/// What of it is wanted, from the folder itself.
///
/// # Errors
/// For an item beyond which nothing is to be shown, and which is not there.
pub fn graph(applying: &Applying, scope: &Scope) -> Result<Graph, Diagnostic> {
    let graph = Builder::of(applying).graph;
    let is_there = |id: &&String| graph.nodes.iter().any(|node| node.id == **id);
    match scope.prune.iter().find(|id| !is_there(id)) {
        Some(id) => {
            let nearest = nearest(id, graph.nodes.iter().map(|node| node.id.as_str()));
            Err(Diagnostic::new(Problem::ItemNotFound { what: "file or skill", id: id.clone(), nearest }))
        }
        None => Ok(scope.narrow(graph, true)),
    }
}

struct Builder<'a> {
    applying: &'a Applying,
    graph: Graph,
}

impl<'a> Builder<'a> {
    fn of(applying: &'a Applying) -> Self {
        let Subject::Folder(cwd) = &applying.prompt.subject else {
            return Self { applying, graph: Graph::default() };
        };
        let graph = Graph { nodes: vec![Node::new(NodeKind::Folder, cwd)], roots: vec![0], ..Graph::default() };
        let mut builder = Self { applying, graph };
        builder.base();
        builder.append();
        applying.context.iter().for_each(|file| builder.context(file));
        applying.roots.iter().for_each(|root| builder.root(root));
        builder
    }

    /// Adds a node below another one.
    fn add(&mut self, below: usize, kind: EdgeKind, node: Node) -> usize {
        let to = self.graph.nodes.len();
        self.graph.nodes.push(node);
        self.graph.edges.push(Edge { from: below, to, kind, at: None, note: None });
        to
    }

    /// The layers of a kind: their names and how many tokens they have.
    fn layers(&self, kind: LayerKind) -> impl Iterator<Item = (&'a str, usize)> + use<'a> {
        let prompt = &self.applying.prompt;
        let texts = prompt.layer_texts().into_iter();
        let layers = prompt.layers.iter().zip(texts).filter(move |(layer, _)| layer.kind == kind);
        layers.map(|(layer, text)| (layer.name.as_str(), Tokenizer::Chars4.count(text)))
    }

    fn base(&mut self) {
        let file = self.applying.base.as_ref();
        let counts = self.layers(LayerKind::Base).next();
        if let Some(chosen) = file {
            let mut node = self.chosen(NodeKind::Base, chosen, counts);
            match node.tokens {
                Some(_) => node.notes.push(REPLACES.to_string()),
                None => node.left_out = Some("it is empty, so that the base is built in".to_string()),
            }
            self.file(node, chosen);
        }
        if let Some((name, tokens)) = counts.filter(|(name, _)| file.is_none_or(|file| file.source.path() != *name)) {
            let notes = if name == "builtin" { Vec::new() } else { vec![REPLACES.to_string()] };
            let node = Node { tokens: Some(tokens), notes, ..Node::new(NodeKind::Base, name) };
            self.add(0, EdgeKind::Part, node);
        }
    }

    fn append(&mut self) {
        let counts = self.layers(LayerKind::Append).next();
        match &self.applying.append {
            Some(chosen) => {
                let mut node = self.chosen(NodeKind::Append, chosen, counts);
                if node.tokens.is_none() {
                    node.left_out = Some("it is empty".to_string());
                }
                self.file(node, chosen);
            }
            None => {
                let given =
                    counts.map(|(name, tokens)| Node { tokens: Some(tokens), ..Node::new(NodeKind::Append, name) });
                if let Some(node) = given {
                    self.add(0, EdgeKind::Part, node);
                }
            }
        }
    }

    /// The node of a file, with its tokens if it is the layer that counts.
    fn chosen(&self, kind: NodeKind, chosen: &Chosen, counts: Option<(&str, usize)>) -> Node {
        let tokens = counts.filter(|(name, _)| *name == chosen.source.path()).map(|(_, tokens)| tokens);
        Node { tokens, ..file(kind, chosen.source.tier(), chosen.source.path()) }
    }

    /// Adds a file, and that of the agent's folder which it hides.
    fn file(&mut self, node: Node, chosen: &Chosen) {
        let kind = node.kind;
        let at = self.add(0, EdgeKind::Part, node);
        if let Some(hidden) = &chosen.hides {
            let left_out = Some("the project's file counts".to_string());
            self.add(at, EdgeKind::Hides, Node { left_out, ..file(kind, hidden.tier, &hidden.path) });
        }
    }

    fn context(&mut self, ContextFile { source, hides }: &ContextFile) {
        let tokens = self.layers(LayerKind::Context).find(|(name, _)| *name == source.path()).map(|(_, tokens)| tokens);
        let at = self.add(0, EdgeKind::Part, Node { tokens, ..file(NodeKind::Context, source.tier(), source.path()) });
        if let Some(hidden) = hides {
            let left_out = Some("an AGENTS.md stands beside it".to_string());
            let node = Node { left_out, ..file(NodeKind::Context, hidden.tier, &hidden.path) };
            self.add(at, EdgeKind::Hides, node);
        }
    }

    /// A folder of skills, and what was found in it.
    fn root(&mut self, root: &Root) {
        let Applying { skills, roots, reads, .. } = self.applying;
        let is_own = |path: &str| roots.iter().find(|root| holds(root, path)) == Some(root);
        let left_out = (!reads).then(|| "the tool read is not active, so that no skill is listed".to_string());
        let at = self.add(0, EdgeKind::Part, Node { left_out, ..file(NodeKind::Skills, root.tier, &root.folder) });
        for skill in skills.skills.iter().filter(|skill| is_own(&skill.path)) {
            self.add(at, EdgeKind::Part, listed(skill));
        }
        for left_out in skills.left_out.iter().filter(|left_out| is_own(&left_out.path)) {
            let id = left_out.name.as_ref().map_or(left_out.path.as_str(), |name| name.text());
            let node = Node { id: id.to_string(), ..file(NodeKind::Skill, left_out.tier, &left_out.path) };
            self.add(at, EdgeKind::Part, Node { left_out: Some(reason(&left_out.why)), ..node });
        }
        if self.graph.nodes.len() == at + 1 {
            self.graph.nodes[at].notes.push("no skill is in it".to_string());
        }
    }
}

/// What a base of one's own takes away.
const REPLACES: &str = "replaces the base that is built in, with its tools, guidelines and documentation";

/// Whether something was found in a root, or is the file that it names.
fn holds(root: &Root, path: &str) -> bool {
    path.strip_prefix(root.folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn file(kind: NodeKind, tier: &str, path: &str) -> Node {
    Node { tier: Some(Arc::from(tier)), path: Some(path.to_string()), ..Node::new(kind, path) }
}

fn listed(skill: &Skill) -> Node {
    let left_out = skill.hidden.then(|| "its front matter hides it from the agent".to_string());
    let notes = vec![in_short(skill.description.text())];
    Node { id: skill.name.text().to_string(), notes, left_out, ..file(NodeKind::Skill, skill.tier, &skill.path) }
}

/// A description in one line.
fn in_short(description: &str) -> String {
    let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_DESCRIPTION) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

fn reason(why: &Why) -> String {
    match why {
        Why::Unreadable(Problem::SkillUnreadable { reason }) => format!("it cannot be read: {reason}"),
        Why::Unreadable(problem) => Diagnostic::new(problem.clone()).message(),
        Why::NoDescription => "it has no description".to_string(),
        Why::Collision { winner } => format!("{winner} has its name"),
    }
}
