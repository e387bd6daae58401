//! Items as nodes, and their links as edges.

use std::sync::Arc;
use strum::IntoStaticStr;

use crate::request::Position;
use crate::store::ItemKind;
use crate::text::Span;

#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The roots of a tree drawing, as indices into the nodes.
    pub roots: Vec<usize>,
    /// The direction of a tree drawing.
    pub direction: Direction,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// From a node to what it asks for: its parent, its items.
    #[default]
    Asked,
    /// From a node to what asks for it: the directives that extend it.
    Askers,
}

/// An item, or a part of a folder's prompt.
#[derive(Debug, Clone)]
pub struct Node {
    pub kind: NodeKind,
    /// The id; the path for a file or folder without an id.
    pub id: String,
    /// The label of its tier; `None` if no tier has it.
    pub tier: Option<Arc<str>>,
    /// Relative to the folder that contains `.ai/`.
    pub path: Option<String>,
    /// The line of a hook's declaration.
    pub line: Option<usize>,
    /// Remarks such as `shadows the one in user`, `nothing uses it`, `no tier has it`.
    pub notes: Vec<String>,
    /// The tokens of its text, if known.
    pub tokens: Option<usize>,
    /// Why it is not in the prompt.
    pub left_out: Option<String>,
}

impl NodeKind {
    /// `None` if tiers have no items of this kind.
    pub fn item(self) -> Option<ItemKind> {
        match self {
            Self::Directive => Some(ItemKind::Directive),
            Self::Knowledge => Some(ItemKind::Knowledge),
            Self::Tool => Some(ItemKind::Tool),
            _ => None,
        }
    }
}

impl From<ItemKind> for NodeKind {
    fn from(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Directive => Self::Directive,
            ItemKind::Knowledge => Self::Knowledge,
            ItemKind::Tool => Self::Tool,
        }
    }
}

impl Node {
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

    /// The path, unless the id is the path.
    pub fn other_path(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| *path != self.id)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum NodeKind {
    Directive,
    Knowledge,
    /// Declared by a configuration file or a directive.
    Hook,
    Tool,
    /// A folder in which an agent works.
    Folder,
    /// The base of a folder's prompt.
    Base,
    /// The text appended to the base.
    Append,
    /// An instruction file.
    Context,
    /// A folder of skills.
    Skills,
    Skill,
}

/// One item asks for another.
#[derive(Debug, Clone)]
pub struct Edge {
    /// The asking node, as an index.
    pub from: usize,
    /// The node it asks for, as an index.
    pub to: usize,
    pub kind: EdgeKind,
    /// The declaration; `None` if the command line asks.
    pub at: Option<Span>,
    /// A remark such as `suppressed by deploy` or `if directive contains "deploy"`.
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EdgeKind {
    /// A directive extends its parent, or a hook routes it there.
    Extends,
    /// A directive places a knowledge item.
    Context(Position),
    /// A hook injects an item, or a directive declares a hook.
    Hook,
    /// A directive is granted a tool.
    Tool,
    /// A file is part of a folder's prompt, or a skill is in a folder of skills.
    Part,
    /// A file keeps another one out of the prompt of a folder.
    Hides,
}

impl EdgeKind {
    pub fn position(self) -> Option<Position> {
        match self {
            Self::Context(position) => Some(position),
            _ => None,
        }
    }
}
