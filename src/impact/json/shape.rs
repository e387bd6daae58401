//! The shape of the JSON of `diff --all`: the published schema is made of these types.

use serde::Serialize;

use crate::diff::json::shape::{Both, Cache, FieldChange, LayerPair, ToolPair};
use crate::render::json::shape::Diagnostic;

/// What a change does to every prompt: which differ, how, and because of which file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.impact/1"))]
pub struct ImpactDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.impact/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// What the sides are called: `main`, `working tree`.
    pub titles: Both<&'a str>,
    /// Whether no prompt differs and none failed.
    pub same: bool,
    /// How many directives there are, on either side or on both.
    pub directives: usize,
    /// How tokens are counted.
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    /// The prompts that differ, with their tools.
    pub tokens: Both<usize>,
    /// Why prompts differ, those with most prompts first.
    pub causes: Vec<Cause<'a>>,
    /// The directives whose prompt differs, in byte order of ids.
    pub changed: Vec<Changed<'a>>,
    /// The directives that cannot be rendered, in byte order of ids: of those that the change can reach, and of those whose
    /// file cannot be read.
    pub failed: Vec<Failed<'a>>,
}

/// A reason why prompts differ, with the prompts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cause<'a> {
    /// What differs.
    pub what: What<'a>,
    /// The prompts that differ because of it, in byte order of ids.
    pub prompts: Vec<Affected<'a>>,
    /// The lines that differ in the first of them; null where causes before this one show them all, and where there are
    /// too many causes.
    pub shown: Option<Shown<'a>>,
}

/// Some of what differs in a prompt, as the JSON of `diff` has it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shown<'a> {
    /// Index into `changed`.
    pub prompt: usize,
    /// The layers that differ because of this, without those that a cause before this one shows.
    pub layers: Vec<LayerPair<'a>>,
    /// The tools, likewise.
    pub tools: Vec<ToolPair<'a>>,
}

/// What differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What<'a> {
    /// A file.
    File {
        /// `project`, `user`, `system:<bundle>` or `builtin`.
        tier: &'a str,
        /// Relative to the folder that holds `.ai/`, always with `/`.
        path: &'a str,
        /// The id of the item that it holds; null for configuration.
        id: Option<&'a str>,
        /// Whether it is there.
        there: Both<bool>,
    },
    /// The settings of rye-render: other example inputs, or another protocol.
    Settings {
        /// The name of the file.
        path: &'a str,
    },
    /// The arguments: another protocol, model or input.
    Arguments,
}

/// A prompt that differs because of something.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Affected<'a> {
    /// The id of the directive.
    pub id: &'a str,
    /// Index into `changed`.
    pub prompt: usize,
    /// Indices into the `layers` of that one that differ because of this.
    pub layers: &'a [usize],
    /// Likewise into its `tools`.
    pub tools: &'a [usize],
    /// Likewise into its `fields`.
    pub fields: &'a [usize],
    /// Likewise into its `decisions`.
    pub decisions: &'a [usize],
    /// Whether its extends chain differs because of this.
    pub chain: bool,
    /// Likewise what stands between its layers.
    pub between: bool,
    /// Likewise the order of its tools.
    pub tool_order: bool,
    /// By how many tokens the prompt grows because of this, tools included: less than 0 where it shrinks. Where it has
    /// several causes, that is what its layers and tools that differ because of this grow by.
    pub tokens: i64,
}

/// A directive whose prompt differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Changed<'a> {
    /// Its id.
    pub id: &'a str,
    /// What became of it: `added` and `removed` is the directive itself.
    #[cfg_attr(test, schemars(extend("enum" = ["added", "removed", "changed"])))]
    pub change: &'static str,
    /// The prompt with its tools.
    pub tokens: Both<usize>,
    /// SHA-256 of the messages, as in the JSON of `render`; null where the directive is not there.
    pub sha256: Both<Option<&'a str>>,
    /// The layers that differ, in order.
    pub layers: Vec<Layer<'a>>,
    /// The tools that differ, in order.
    pub tools: Vec<Tool<'a>>,
    /// Whether what stands between the layers differs, where no layer does: separators, the order of messages.
    pub between: bool,
    /// Whether the tools of both sides stand in another order.
    pub tool_order: bool,
    /// Whether comparing took too long, so that more counts as changed than is.
    pub coarse: bool,
    /// Whether the extends chain differs.
    pub chain: bool,
    /// What the directive asks for and is given, where it differs.
    pub fields: Vec<FieldChange<'a>>,
    /// What was considered and has another outcome.
    pub decisions: Vec<Named<'a>>,
    /// What of the left prompt a provider that has cached it can use for the right one.
    pub cache: Cache<'a>,
}

/// A layer that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Layer<'a> {
    /// What it is called.
    pub title: &'a str,
    /// The role of its message.
    pub role: &'a str,
    /// What became of it: of `around` the text is the same.
    #[cfg_attr(test, schemars(extend("enum" = ["added", "removed", "changed", "around"])))]
    pub change: &'static str,
    /// What it costs.
    pub tokens: Both<usize>,
}

/// A tool that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool<'a> {
    /// The name that the API sees.
    pub name: &'a str,
    /// What became of it.
    #[cfg_attr(test, schemars(extend("enum" = ["added", "removed", "changed"])))]
    pub change: &'static str,
    /// Whether the API sees another name of the same item.
    pub renamed: bool,
    /// Whether its description differs.
    pub description: bool,
    /// Whether its schema differs.
    pub schema: bool,
    /// Whether it is another item, or is taken from another tier or file, or a call goes elsewhere.
    pub item: bool,
    /// Whether it is on one side alone because the other side's budget has no room for it.
    pub over_budget: bool,
    /// What it costs.
    pub tokens: Both<usize>,
}

/// Something that has another outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Named<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What it is there, in a word; null where it is not there.
    pub left: Option<&'a str>,
    /// Likewise.
    pub right: Option<&'a str>,
}

/// A directive that cannot be rendered.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failed<'a> {
    /// Its id.
    pub id: &'a str,
    /// What is wrong; nothing where it can be rendered, or is not there.
    pub errors: Both<Vec<Diagnostic<'a>>>,
}
