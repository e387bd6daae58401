//! The JSON of `diff`. The published schema is generated from these types and their comments.

use std::borrow::Cow;

use serde::Serialize;

use crate::answer::diff::{self, Cache, Change, Considered, ExtendsLink, FieldChange, FilePlace, Pair};

/// The difference between two prompts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.diff/1"))]
pub struct DiffDocument<'a> {
    #[cfg_attr(test, schemars(extend("const" = "rye-render.diff/1")))]
    pub format: &'static str,
    pub tool_version: &'static str,
    pub left: DiffSide<'a>,
    pub right: DiffSide<'a>,
    /// Whether the prompts are the same, as far as both sides record them. `decisions` are ignored.
    pub same: bool,
    /// Whether the comparison was cut short, so that matching lines may be shown as changed.
    pub coarse: bool,
    /// The parts that are not compared, as text.
    pub untold: &'a [Cow<'static, str>],
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    pub tokens: Pair<DiffTokens>,
    /// All layers: those of the right side in order, with each layer that only the left side has in its old place.
    pub layers: Vec<DiffLayerPair<'a>>,
    /// Whether separators or the order of messages differ, which no layer shows.
    pub between: bool,
    /// All tools, ordered like the layers; null if one side does not record its tools.
    pub tools: Option<Vec<DiffToolPair<'a>>>,
    /// Whether the order of the tools that both sides have differs.
    pub tool_order: bool,
    /// The extends chains, root first; null if they do not differ.
    pub chain: Option<&'a Pair<Vec<ExtendsLink>>>,
    /// What the directive or the folder declares or is given, if it differs.
    pub fields: &'a [FieldChange],
    /// The decisions with a different outcome; null on a side that did not consider the item.
    pub decisions: Vec<Pair<Option<&'a Considered>>>,
    pub cache: &'a Cache,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffSide<'a> {
    /// The name that views show: `HEAD:deploy`, `saved.json`.
    pub title: &'a str,
    /// A `rendered` prompt; a file with a `saved` prompt, or with what was actually sent; `absent` if the directive or
    /// the folder does not exist on this side.
    #[cfg_attr(test, schemars(extend("enum" = ["rendered", "saved", "absent", "transcript", "anthropic", "openai",
        "gemini", "prompt", "messages"])))]
    pub kind: &'static str,
    /// The id of the directive; null for a folder, or if not recorded.
    pub directive: Option<&'a str>,
    /// The path of the folder; null for a directive, or if not recorded.
    pub folder: Option<&'a str>,
    /// Name of the protocol; null if not recorded.
    pub protocol: Option<&'a str>,
    /// SHA-256 of the messages, as in the JSON of `render`; null if there is no prompt, or if messages are left out.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: Option<String>,
    pub messages: Vec<DiffMessage>,
    /// Whether layers are contributions rather than whole messages.
    pub has_layers: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffMessage {
    #[cfg_attr(test, schemars(extend("enum" = ["system", "developer", "user", "assistant", "tool"])))]
    pub role: &'static str,
    /// Bytes in UTF-8.
    pub bytes: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffTokens {
    pub messages: usize,
    /// The tools; null if one side does not record them.
    pub tools: Option<usize>,
    pub total: usize,
}

/// A layer of one side and its counterpart on the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffLayerPair<'a> {
    /// `changed`: the text differs; `around`: the text is the same, but a field below is true.
    pub change: Change,
    #[serde(flatten)]
    pub around: &'a diff::LayerPair,
    /// The layer on the left side; null if it lacks the layer.
    pub left: Option<DiffLayer<'a>>,
    /// The layer on the right side; null if it lacks the layer.
    pub right: Option<DiffLayer<'a>>,
    /// The runs of lines that differ, in order.
    pub lines: Vec<DiffRun<'a>>,
}

/// A contribution to a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffLayer<'a> {
    #[serde(flatten)]
    pub layer: &'a diff::SideLayer,
    /// Bytes in UTF-8.
    pub bytes: usize,
    /// Null if nothing of its text is known.
    pub tokens: Option<usize>,
}

/// A run of lines that differ, with lines of context. Each line includes its newline.
///
/// With `-` before the lines of `left`, `+` before those of `right` and a space before the context, the runs make up
/// the unified diff of the two texts. No line is in two runs. If only one text ends with a newline, the last lines of
/// both are a run, unless another run includes the end. Lines of context always end with a newline.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffRun<'a> {
    pub left: DiffLines<'a>,
    /// The lines of the right side that replace those of the left one.
    pub right: DiffLines<'a>,
    /// Lines of context, at most as many as `--unified` sets.
    pub above: Vec<Cow<'a, str>>,
    /// Lines of context, at most as many as `--unified` sets.
    pub below: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffLines<'a> {
    /// The first line, from 1; if there are no lines, the number that the next line would have.
    pub first: usize,
    pub text: Vec<Cow<'a, str>>,
}

/// A tool of one side and the tool of that name on the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffToolPair<'a> {
    /// `changed`: the description or the schema differs; `around`: only `renamed` or `item` is true.
    pub change: Change,
    /// Whether the API sees the same item under a different name.
    pub renamed: bool,
    pub description: bool,
    /// Whether the item, its tier or file, or the action that a call is routed to differs.
    pub item: bool,
    /// Whether one side lacks the tool because its budget has no room for it.
    pub over_budget: bool,
    /// The tool on the left side; null if it lacks the tool.
    pub left: Option<DiffTool<'a>>,
    /// The tool on the right side; null if it lacks the tool.
    pub right: Option<DiffTool<'a>>,
    /// The runs of lines in which the schemas differ, as indented JSON with sorted keys.
    pub schema: Vec<DiffRun<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffTool<'a> {
    #[serde(flatten)]
    pub tool: &'a diff::SideTool,
    pub tokens: usize,
    /// The file; null if there is none, or if not recorded.
    pub source: Option<&'a FilePlace>,
}
