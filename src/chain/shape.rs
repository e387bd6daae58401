//! The shape of the JSON of `chain`: the published schema is made of these types.

use serde::Serialize;

use crate::render::json::shape::{DeclaredJson, DiagnosticJson, ItemJson, SourceJson};

/// How items hang together: items, what ties them together, and of one directive what its chain makes of it. Of a
/// folder in which an agent works: what its prompt is made of.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.chain/1"))]
pub struct ChainDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.chain/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// Name of the assembly rules.
    pub protocol: &'a str,
    /// What the command line makes different, as it was typed; empty for what the files make.
    pub what_if: &'a [String],
    /// The items.
    pub nodes: Vec<NodeJson<'a>>,
    /// What asks for what.
    pub edges: Vec<EdgeJson<'a>>,
    /// Where the drawing as a tree begins, as indices into `nodes`.
    pub roots: &'a [usize],
    /// Where one directive was asked for: the directives of its chain, root first, leaf last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<MemberJson<'a>>>,
    /// Where one directive was asked for: the capabilities that its chain and a parent thread leave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<GrantJson<'a>>>,
    /// Warnings and notes.
    pub diagnostics: Vec<DiagnosticJson<'a>>,
}

/// An item.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NodeJson<'a> {
    /// What it is.
    #[cfg_attr(test, schemars(extend("enum" = ["directive", "knowledge", "hook", "tool", "folder", "base", "append", "context", "skills", "skill"])))]
    pub kind: &'static str,
    /// Its id; of a file or a folder without one its path.
    pub id: &'a str,
    /// Its file, and for a hook the line of its declaration; null where no tier has it.
    pub source: Option<SourceJson<'a>>,
    /// Of what is in the prompt of a folder: how many tokens its text has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// Of what is not in the prompt of a folder: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<&'a str>,
    /// What a reader should know, in sentences.
    pub notes: &'a [String],
}

/// That one item asks for another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgeJson<'a> {
    /// What asks, as an index into `nodes`.
    pub from: usize,
    /// What is asked for, likewise.
    pub to: usize,
    /// How: a directive extends its parent or is routed there; a directive places a knowledge item; a hook injects an
    /// item, or a directive declares a hook; a directive is granted a tool; a file is a part of the prompt of a folder,
    /// or a skill of a folder of them; a file hides another one.
    #[cfg_attr(test, schemars(extend("enum" = ["extends", "context", "hook", "tool", "part", "hides"])))]
    pub kind: &'static str,
    /// Where a directive places the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("enum" = ["system", "before", "after"])))]
    pub position: Option<&'static str>,
    /// The declaration; null for what no file declares.
    pub source: Option<SourceJson<'a>>,
    /// What a reader should know, in a sentence.
    pub note: Option<&'a str>,
}

/// A directive of the chain, and what became of what it declares.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MemberJson<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its file.
    pub source: SourceJson<'a>,
    /// Whether it can be parsed; one that cannot has nothing to give, and ends the chain.
    pub parsed: bool,
    /// What leads to its parent; null for the root.
    pub extends: Option<ParentJson<'a>>,
    /// The knowledge items that it places, by position in the order written.
    pub context: Vec<PlacedJson<'a>>,
    /// What it suppresses.
    pub suppress: Vec<SuppressJson<'a>>,
    /// Its own hooks.
    pub hooks: Vec<OwnHookJson<'a>>,
    /// The permissions that it declares.
    pub permissions: Vec<PermissionJson<'a>>,
}

/// What leads from a directive to its parent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ParentJson<'a> {
    /// The parent's id.
    pub id: &'a str,
    /// The directive itself, or the hook that routes it.
    pub by: DeclaredJson<'a>,
    /// Whether a hook or the command line set it, whatever the directive says itself.
    pub routed: bool,
}

/// A knowledge item that a directive places, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlacedJson<'a> {
    /// Where.
    #[cfg_attr(test, schemars(extend("enum" = ["system", "before", "after"])))]
    pub position: &'static str,
    /// The item's id.
    pub id: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// What became of it; null where these assembly rules do not ask for it.
    pub outcome: Option<&'static str>,
    /// A sentence.
    pub why: Option<&'a str>,
    /// What decided.
    pub by: Option<DeclaredJson<'a>>,
    /// The item.
    pub item: Option<ItemJson<'a>>,
}

/// What a directive suppresses.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuppressJson<'a> {
    /// A hook's id or an item's.
    pub id: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// What it left out; empty where it matched nothing, or where another directive of the chain says the same.
    pub matched: Vec<SuppressedJson<'a>>,
}

/// What was left out because a directive suppresses it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuppressedJson<'a> {
    /// Hook id or item id.
    pub name: &'a str,
    /// Its place in the assembly order.
    pub slot: &'static str,
}

/// A hook that a directive declares, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHookJson<'a> {
    /// Its id; null for one without.
    pub id: Option<&'a str>,
    /// The event that it waits for.
    pub event: &'a str,
    /// The declaration.
    pub source: Option<SourceJson<'a>>,
    /// What became of each of its actions; empty where it was not considered: only the leaf's hooks run, and wait for
    /// their event.
    pub actions: Vec<OwnHookActionJson<'a>>,
}

/// What became of an action of a hook.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnHookActionJson<'a> {
    /// What became of it.
    pub outcome: &'static str,
    /// A sentence.
    pub why: &'a str,
    /// What decided.
    pub by: Option<DeclaredJson<'a>>,
    /// The item.
    pub item: Option<ItemJson<'a>>,
}

/// A permission that a directive declares, and what the chain makes of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PermissionJson<'a> {
    /// The capability.
    pub capability: &'a str,
    /// The declaration.
    pub source: SourceJson<'a>,
    /// Whether this directive's permissions are those that count.
    pub counts: bool,
    /// What a parent thread leaves of it; null where it does not count, or nothing is left.
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
