//! The shape of the JSON of `diff`: the published schema is made of these types.

use std::borrow::Cow;

use serde::Serialize;

use crate::render::json::shape::{Declared, Source};
use crate::value::Value;

/// What differs between two prompts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.diff/1"))]
pub struct DiffDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.diff/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// What is compared.
    pub left: Side<'a>,
    /// With what.
    pub right: Side<'a>,
    /// Whether nothing differs that counts, as far as both sides tell. `decisions` do not: alone they change no prompt.
    pub same: bool,
    /// Whether comparing took too long, so that lines are shown as changed that might have been matched.
    pub coarse: bool,
    /// What is not compared, in words: what one side does not tell, and what is not read of a request.
    pub untold: &'a [Cow<'static, str>],
    /// How tokens are counted.
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    /// How much it is.
    pub tokens: Both<Tokens>,
    /// Every layer of both sides: those of the right in order, and each that is on the left alone where it stood.
    pub layers: Vec<LayerPair<'a>>,
    /// Whether what stands between the layers differs, where no layer does: separators, the order of messages.
    pub between: bool,
    /// Every tool of both sides, likewise; null where one side does not tell.
    pub tools: Option<Vec<ToolPair<'a>>>,
    /// Whether the tools of both sides stand in another order.
    pub tool_order: bool,
    /// The extends chains, root first, leaf last; null where they do not differ.
    pub chain: Option<Both<Vec<Link<'a>>>>,
    /// What the directive or the folder asks for and is given, where it differs.
    pub fields: Vec<FieldChange<'a>>,
    /// What was considered and has another outcome.
    pub decisions: Vec<DecisionChange<'a>>,
    /// What of the left prompt a provider that has cached it can use for the right one.
    pub cache: Cache<'a>,
}

/// A value on either side.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Both_{T}"))]
pub struct Both<T> {
    /// On the left side.
    pub left: T,
    /// On the right side.
    pub right: T,
}

/// One side.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Side<'a> {
    /// What it was called: `HEAD:deploy`, `saved.json`.
    pub title: &'a str,
    /// What it was made from: a prompt that was `rendered`; a file that holds a `saved` one, or what was really sent;
    /// `absent` where the directive or the folder is not there on this side.
    #[cfg_attr(test, schemars(extend("enum" = ["rendered", "saved", "absent", "transcript", "anthropic", "openai",
        "gemini", "prompt", "messages"])))]
    pub kind: &'static str,
    /// The id of the directive; null of a folder, and where a file does not tell.
    pub directive: Option<&'a str>,
    /// The path of the folder; null of a directive, and where a file does not tell.
    pub folder: Option<&'a str>,
    /// Name of the assembly rules; null where a file does not tell.
    pub protocol: Option<&'a str>,
    /// SHA-256 of the messages, as in the JSON of `render`; null where there is no prompt, and where messages are not
    /// compared.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: Option<String>,
    /// The messages that are compared, a system message first if there is one.
    pub messages: Vec<Message>,
    /// Whether layers are what contributed, rather than whole messages.
    pub has_layers: bool,
}

/// A message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Message {
    /// Who speaks.
    #[cfg_attr(test, schemars(extend("enum" = ["system", "user", "assistant", "tool"])))]
    pub role: &'static str,
    /// Its bytes in UTF-8.
    pub bytes: usize,
}

/// How much a side is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tokens {
    /// All messages.
    pub messages: usize,
    /// The tools; null where one side does not tell.
    pub tools: Option<usize>,
    /// Both.
    pub total: usize,
}

/// A layer on one side, and the one that stands for it on the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayerPair<'a> {
    /// What became of it: of `changed` the text differs; of `around` only what the fields below name.
    #[cfg_attr(test, schemars(extend("enum" = ["added", "removed", "changed", "around", "same"])))]
    pub change: &'static str,
    /// Whether it stands in another message, slot, or place among those that both sides have.
    pub moved: bool,
    /// Whether it has another name.
    pub renamed: bool,
    /// Whether its text is taken from another tier or file.
    pub taken_from: bool,
    /// Whether something else asks for it.
    pub asked_by: bool,
    /// Whether it stands in an element of its own on one side alone.
    pub wrapped: bool,
    /// On the left side; null where it is not there.
    pub left: Option<Layer<'a>>,
    /// On the right side; null where it is not there.
    pub right: Option<Layer<'a>>,
    /// The runs of lines that differ, in order.
    pub lines: Vec<Run<'a>>,
}

/// A contribution to a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Layer<'a> {
    /// What it is called.
    pub title: &'a str,
    /// Index into the side's `messages`.
    pub message: usize,
    /// First byte in that message.
    pub at: usize,
    /// Its place in the assembly order; empty for a whole message.
    pub slot: &'a str,
    /// What it is: `hook`, `context`, `instruction`, `directive` or `message`; of a folder also `base`, `append`,
    /// `skills`, `environment`, `extension` or `prompt`.
    pub kind: &'a str,
    /// Hook id or item id; the path of the file that it is of, in the prompt of a folder.
    pub name: &'a str,
    /// The item whose text it is.
    pub item: Option<Item<'a>>,
    /// The file whose text it is, where it is of no item; null where it is of none, or of several.
    pub source: Option<Source<'a>>,
    /// What asked for it.
    pub declared_by: Option<Declared<'a>>,
    /// Whether it stands in an element of its own.
    pub wrap: bool,
    /// Its bytes in UTF-8.
    pub bytes: usize,
    /// Its tokens.
    pub tokens: usize,
}

/// An item.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Item<'a> {
    /// `directive`, `knowledge` or `tool`.
    #[serde(rename = "type")]
    pub item_type: &'a str,
    /// Its id.
    pub id: &'a str,
    /// The text taken; null where that is not known.
    pub source: Option<Source<'a>>,
}

/// A run of lines that differ, and those around it that do not. A line holds its line break: joined, lines are bytes.
///
/// Of each run `above` as they are, `left` behind `-`, `right` behind `+` and `below` as they are make the unified diff
/// of the two texts, of which no line stands in two runs. A last line without a line break differs from the same
/// line with one only where no other run holds the end of a text; around a run it has the break.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run<'a> {
    /// The lines of the left side.
    pub left: Lines<'a>,
    /// The lines of the right side instead.
    pub right: Lines<'a>,
    /// Lines directly above, at most as many as `--unified` says.
    pub above: Vec<Cow<'a, str>>,
    /// Lines directly below, likewise.
    pub below: Vec<Cow<'a, str>>,
}

/// Lines of a text.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lines<'a> {
    /// 1-based; of no line, the one that would come next.
    pub first: usize,
    /// The lines.
    pub text: Vec<Cow<'a, str>>,
}

/// A tool on one side, and the one of its name on the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolPair<'a> {
    /// What became of it: of `changed` the description or the schema differs; of `around` only what `renamed` and `item`
    /// name.
    #[cfg_attr(test, schemars(extend("enum" = ["added", "removed", "changed", "around", "same"])))]
    pub change: &'static str,
    /// Whether the API sees another name of the same item.
    pub renamed: bool,
    /// Whether its description differs.
    pub description: bool,
    /// Whether it is another item, or is taken from another tier or file, or a call goes elsewhere.
    pub item: bool,
    /// Whether it is on one side alone because the other side's budget has no room for it.
    pub over_budget: bool,
    /// On the left side; null where it is not there.
    pub left: Option<Tool<'a>>,
    /// On the right side; null where it is not there.
    pub right: Option<Tool<'a>>,
    /// The runs of lines in which the schemas differ, as indented JSON with its keys in order.
    pub schema: Vec<Run<'a>>,
}

/// A tool of the palette.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool<'a> {
    /// The name that the API sees.
    pub name: &'a str,
    /// Its description, maybe empty.
    pub description: &'a str,
    /// The JSON Schema of its input.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub input_schema: &'a Value,
    /// Its id; null where a file does not tell.
    pub item_id: Option<&'a str>,
    /// The primary action that a call is routed to; null where a file does not tell.
    pub primary: Option<&'a str>,
    /// Its tokens.
    pub tokens: usize,
    /// Its file; null for what has none, and where a file does not tell.
    pub source: Option<Source<'a>>,
}

/// A directive of the extends chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Link<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its file.
    pub source: Source<'a>,
}

/// A field that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldChange<'a> {
    /// What it is about.
    #[cfg_attr(test, schemars(extend("enum" = ["protocol", "directive", "model", "limits", "permissions",
        "capabilities", "inputs", "outputs", "parts"])))]
    pub group: &'static str,
    /// Its name in the group; empty for the group's only value.
    pub name: &'a str,
    /// Its value as text, empty for what is there or not; null where this side has none.
    pub left: Option<&'a str>,
    /// Likewise.
    pub right: Option<&'a str>,
}

/// Something whose outcome differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionChange<'a> {
    /// Null where this side did not consider it.
    pub left: Option<Decision<'a>>,
    /// Likewise.
    pub right: Option<Decision<'a>>,
}

/// Something that was considered, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decision<'a> {
    /// What it is called.
    pub title: &'a str,
    /// Hook id, item id or tool id.
    pub name: &'a str,
    /// Its place in the assembly order.
    pub slot: &'a str,
    /// What became of it, one of the outcomes in the JSON of `render`.
    pub outcome: &'a str,
    /// A sentence.
    pub why: &'a str,
    /// What decided.
    pub by: Option<Declared<'a>>,
}

/// What both prompts begin with, in the order in which providers cache: tools, system message, messages.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cache<'a> {
    /// Where the first byte that differs stands; null if the right prompt begins with all of the left one.
    pub breaks_at: Option<CachePlace<'a>>,
    /// How many bytes both begin with, which is the offset of the first that differs.
    pub shared_bytes: usize,
    /// How many tokens that is.
    pub shared_tokens: usize,
    /// All bytes on either side: of the tools as JSON, and of the messages' texts.
    pub bytes: Both<usize>,
    /// The least prefix in tokens that a provider caches (`--cache-min`).
    pub min_tokens: usize,
    /// Whether both begin with as many.
    pub reusable: bool,
    /// Whether one side does not tell its tools, so that only messages are counted.
    pub without_tools: bool,
}

/// Where what both begin with ends.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CachePlace<'a> {
    /// In the tools.
    Tool {
        /// The first that differs.
        name: &'a str,
    },
    /// In a message.
    Message {
        /// Index into the messages of the right side, or of the left one where the right has fewer.
        message: usize,
        /// The byte in its text.
        at: usize,
        /// Index into `layers`; left out between layers.
        #[serde(skip_serializing_if = "Option::is_none")]
        layer: Option<usize>,
    },
}
