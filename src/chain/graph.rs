//! Items as nodes, and what ties them together as edges.

use std::sync::Arc;
use strum::IntoStaticStr;

use crate::request::Position;
use crate::text::Span;

/// Items and what ties them together, as it is drawn.
#[derive(Debug, Default)]
pub struct Graph {
    /// The items.
    pub nodes: Vec<Node>,
    /// What asks for what.
    pub edges: Vec<Edge>,
    /// Where a drawing as a tree begins, as indices into the nodes.
    pub roots: Vec<usize>,
    /// Which way a drawing as a tree goes on from a root.
    pub direction: Direction,
}

/// Which way a tree goes on from a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// To what the node asks for: its parent, its items.
    #[default]
    Asked,
    /// To what asks for the node: the directives that extend it.
    Askers,
}

/// An item, or what the prompt of a folder is made of.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its id; of a file or a folder without one its path.
    pub id: String,
    /// The label of the tier that it is in; none where no tier has it.
    pub tier: Option<Arc<str>>,
    /// Its file, relative to the folder that holds `.ai/`.
    pub path: Option<String>,
    /// The line of its declaration, for a hook.
    pub line: Option<usize>,
    /// What a reader should know: `shadows the one in user`, `nothing uses it`, `no tier has it`.
    pub notes: Vec<String>,
    /// How many tokens its text has, where that is known.
    pub tokens: Option<usize>,
    /// Why it is not in the prompt, if it is not.
    pub left_out: Option<String>,
}

impl Node {
    /// One of which nothing else is known yet.
    pub fn new(kind: NodeKind, id: &str) -> Self {
        Self {
            kind,
            id: id.to_string(),
            tier: None,
            path: None,
            line: None,
            notes: Vec::new(),
            tokens: None,
            left_out: None,
        }
    }

    /// Its path, unless its id says it.
    pub fn other_path(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| *path != self.id)
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum NodeKind {
    /// A directive.
    Directive,
    /// A knowledge item.
    Knowledge,
    /// A hook of a configuration file or of a directive.
    Hook,
    /// A tool.
    Tool,
    /// A folder in which an agent works.
    Folder,
    /// The base of its prompt.
    Base,
    /// What is appended to that.
    Append,
    /// Instructions that apply to it.
    Context,
    /// A folder of skills.
    Skills,
    /// A skill.
    Skill,
}

/// That one item asks for another.
#[derive(Debug, Clone)]
pub struct Edge {
    /// What asks, as an index into the nodes.
    pub from: usize,
    /// What is asked for, likewise.
    pub to: usize,
    /// How.
    pub kind: EdgeKind,
    /// The declaration; none for what the command line asks for.
    pub at: Option<Span>,
    /// What a reader should know: `suppressed by deploy`, `if directive contains "deploy"`.
    pub note: Option<String>,
}

/// How one item asks for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EdgeKind {
    /// A directive extends its parent, or a hook routes it there.
    Extends,
    /// A directive places a knowledge item, at this position.
    Context(Position),
    /// A hook injects an item; or a directive declares a hook.
    Hook,
    /// A directive is granted a tool.
    Tool,
    /// A file is a part of the prompt of a folder, or a skill is in a folder of them.
    Part,
    /// A file keeps another one out of the prompt of a folder.
    Hides,
}

impl EdgeKind {
    /// The position of an item that a directive places.
    pub fn position(self) -> Option<Position> {
        match self {
            Self::Context(position) => Some(position),
            Self::Extends | Self::Hook | Self::Tool | Self::Part | Self::Hides => None,
        }
    }
}
