//! The shape of the JSON that `chain` writes; the published schema is generated from these types.

use serde::Serialize;

use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::{DeclaredJson, DiagnosticJson, ItemJson};

/// How items are connected; for one directive, also the outcome of its chain. For an agent's working folder, the parts
/// of its prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.chain/1"))]
pub struct ChainDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.chain/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// Name of the protocol, or the agents with their releases.
    pub protocol: &'a str,
    /// The flags that change the result, as typed; empty if the result depends only on the files.
    pub what_if: &'a [String],
    /// The nodes: items, files and folders.
    pub nodes: Vec<NodeJson<'a>>,
    /// The links between nodes.
    pub edges: Vec<EdgeJson<'a>>,
    /// The roots of a tree drawing, as indices into `nodes`.
    pub roots: &'a [usize],
    /// For the chain of one directive: its directives, root first, leaf last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<MemberJson<'a>>>,
    /// For the chain of one directive: the capabilities that its chain and a parent thread leave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<GrantJson<'a>>>,
    /// Warnings and notes.
    pub diagnostics: Vec<DiagnosticJson<'a>>,
}

/// An item, a file or a folder.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NodeJson<'a> {
    /// The kind of node.
    #[cfg_attr(test, schemars(extend("enum" = ["directive", "knowledge", "hook", "tool", "folder", "base", "append", "context", "skills", "skill"])))]
    pub kind: &'static str,
    /// The id, or the path of a file or folder without one.
    pub id: &'a str,
    /// The file, and for a hook the line of its declaration; null if no tier has the item.
    pub source: Option<SourceJson<'a>>,
    /// In the prompt of a folder: the size of the text in tokens, if it is included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// In the prompt of a folder: why it is not included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<&'a str>,
    /// In the prompts of several agents in a folder: those that use it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub agents: &'a [String],
    /// Remarks, one sentence each.
    pub notes: &'a [String],
}

/// A link between two nodes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgeJson<'a> {
    /// The node that the link starts from, as an index into `nodes`.
    pub from: usize,
    /// The node that the link leads to, as an index into `nodes`.
    pub to: usize,
    /// The kind of link. `extends`: from a directive to its parent or to the hook that routes it, or from that hook to
    /// the parent. `context`: from a directive to a knowledge item that it places. `hook`: from a directive to a hook
    /// that it declares, or from a hook to its item. `tool`: from a directive to a tool or pattern that it is granted,
    /// or from a pattern to a tool that it covers. `part`: from a folder to a part of its prompt, or from a folder of
    /// skills to a skill. `hides`: from a file to one that it hides.
    #[cfg_attr(test, schemars(extend("enum" = ["extends", "context", "hook", "tool", "part", "hides"])))]
    pub kind: &'static str,
    /// Where a directive places the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("enum" = ["system", "before", "after"])))]
    pub position: Option<&'static str>,
    /// The declaration; null if no file declares it.
    pub source: Option<SourceJson<'a>>,
    /// A remark, as a sentence.
    pub note: Option<&'a str>,
}

/// A directive of the chain, and the outcome of its declarations.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MemberJson<'a> {
    /// The id of the directive.
    pub id: &'a str,
    /// The file of the directive.
    pub source: SourceJson<'a>,
    /// Whether it can be parsed; if not, it contributes nothing and ends the chain.
    pub parsed: bool,
    /// The step to its parent; null for the root.
    pub extends: Option<ParentJson<'a>>,
    /// The knowledge items that it places, by position, in the order written.
    pub context: Vec<PlacedJson<'a>>,
    /// Its `<suppress>` entries.
    pub suppress: Vec<SuppressJson<'a>>,
    /// The hooks that it declares.
    pub hooks: Vec<OwnHookJson<'a>>,
    /// The permissions that it declares.
    pub permissions: Vec<PermissionJson<'a>>,
}

/// The step from a directive to its parent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ParentJson<'a> {
    /// The parent's id.
    pub id: &'a str,
    /// The directive itself, or the hook that routes it.
    pub by: DeclaredJson<'a>,
    /// Whether a hook or the command line sets the parent, which overrides the directive's `extends`.
    pub routed: bool,
}

/// A knowledge item that a directive places, and its outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlacedJson<'a> {
    /// The position at which it is placed.
    #[cfg_attr(test, schemars(extend("enum" = ["system", "before", "after"])))]
    pub position: &'static str,
    /// The item's id.
    pub id: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// The outcome; null if the protocol does not use placed items.
    pub outcome: Option<&'static str>,
    /// The reason, as a sentence.
    pub why: Option<&'a str>,
    /// What decided the outcome.
    pub by: Option<DeclaredJson<'a>>,
    /// The item and its file.
    pub item: Option<ItemJson<'a>>,
}

/// A `<suppress>` entry.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuppressJson<'a> {
    /// The id of a hook or an item.
    pub id: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// What it left out; empty if it matched nothing, or if another directive in the chain already suppresses the same
    /// id.
    pub matched: Vec<SuppressedJson<'a>>,
}

/// Something left out because a directive suppresses it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuppressedJson<'a> {
    /// Hook id or item id.
    pub name: &'a str,
    /// Its place in the assembly order.
    pub slot: &'static str,
}

/// A hook that a directive declares, and its outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHookJson<'a> {
    /// The id; null if it has none.
    pub id: Option<&'a str>,
    /// The event that triggers it.
    pub event: &'a str,
    /// The declaration.
    pub source: Option<SourceJson<'a>>,
    /// The outcome of each action; empty if the hook was not considered: only the leaf's hooks run, and only when their
    /// event occurs.
    pub actions: Vec<OwnHookActionJson<'a>>,
}

/// The outcome of a hook's action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHookActionJson<'a> {
    /// The outcome.
    pub outcome: &'static str,
    /// The reason, as a sentence.
    pub why: &'a str,
    /// What decided the outcome.
    pub by: Option<DeclaredJson<'a>>,
    /// The item and its file.
    pub item: Option<ItemJson<'a>>,
}

/// A permission that a directive declares, and its effect in the chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PermissionJson<'a> {
    /// The capability.
    pub capability: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// Whether the permissions of this directive are the ones in effect.
    pub counts: bool,
    /// What a parent thread leaves of it; null if it is not in effect, or if nothing is left.
    pub leaves: Option<&'a str>,
}

/// A capability in effect.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrantJson<'a> {
    /// The capability.
    pub capability: &'a str,
    /// The declaration.
    pub by: DeclaredJson<'a>,
}
