//! The shapes of the JSON that other programs rely on (Output contract, "render").
//!
//! The published schema is made of these types: their comments are its descriptions, and their order is the order of
//! the fields.

use serde::Serialize;

use super::Segments;
use crate::prompt::{Event, OutputInfo, SystemSection};
use crate::value::{Map, Value, serialize_map};

/// A rendered prompt: the exact messages, what they are made of, and every decision on the way.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.prompt/1"))]
pub struct PromptDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.prompt/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// Name of the assembly rules.
    pub protocol: &'a str,
    /// The directive asked for; null for the prompt of a folder.
    pub directive: Option<Directive<'a>>,
    /// The model.
    pub model: Model<'a>,
    /// The limits that hold: defaults, overlaid by the directive's, overlaid by the command line's.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    #[serde(serialize_with = "serialize_map")]
    pub limits: &'a Map,
    /// What the chain grants.
    pub permissions: Vec<&'a str>,
    /// What is left of it below a parent's capabilities.
    pub capabilities: Vec<&'a str>,
    /// The named outputs that the directive declares.
    pub outputs: &'a [OutputInfo],
    /// The inputs: declared ones in order of declaration, then others.
    pub inputs: Vec<Input<'a>>,
    /// The extends chain, root first, leaf last.
    pub chain: Vec<ChainMember<'a>>,
    /// The system message first, if it is not empty, then the others in order.
    pub messages: Vec<Message<'a>>,
    /// What contributed to the messages, in order.
    pub layers: Vec<Layer<'a>>,
    /// Everything that was considered, in assembly order.
    pub decisions: Vec<Decision<'a>>,
    /// The tool palette, in order.
    pub tools: Vec<Tool<'a>>,
    /// How tokens are counted.
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    /// SHA-256 of the UTF-8 JSON list of `[role, text]` pairs without white space, escaping only `"`, `\` and U+0000
    /// to U+001F.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
    /// The transcript events.
    pub events: &'a [Event],
    /// Sections that the assembler `sf` counts; empty otherwise.
    pub sections: &'a [SystemSection],
    /// Later variants of the prompt in the assembler `sf`; empty otherwise.
    pub prompts: Vec<PromptVariant<'a>>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic<'a>>,
}

/// A file, or a range in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source<'a> {
    /// `project`, `user`, `system:<bundle>` or `builtin`; for `sf` `cwd`, `ancestor`, `agent` or `home`; empty for a
    /// file that the command line names.
    pub tier: &'a str,
    /// Relative to the folder that holds `.ai/`, always with `/`; absolute for `sf`.
    pub path: &'a str,
    /// First byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// One past the last byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// 1-based line of `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// 1-based column of `start`, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The revision that the file was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
}

/// A range in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileRange<'a> {
    /// As in a source.
    pub tier: &'a str,
    /// As in a source.
    pub path: &'a str,
    /// First byte in the file.
    pub start: usize,
    /// One past the last byte in the file.
    pub end: usize,
    /// 1-based line of `start`.
    pub line: usize,
    /// 1-based column of `start`, in Unicode scalar values.
    pub column: usize,
    /// The revision that the file was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
}

/// Where a segment came from.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin<'a> {
    /// The bytes at that range equal the segment's text after universal newlines.
    File {
        /// The range.
        #[serde(flatten)]
        range: FileRange<'a>,
        /// True when the bytes on disk differ from the text in their newlines.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        newlines: bool,
    },
    /// Computed from that range: decoded entities, values printed by rule, names of tags, text that is not contiguous
    /// in the file.
    Derived(FileRange<'a>),
    /// The value of an input.
    Input {
        /// The input's name.
        name: &'a str,
        /// Who gave the value.
        #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
        from: &'static str,
        /// The attribute that declares the default.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<Source<'a>>,
    },
    /// The value of an environment variable.
    Env {
        /// Its name.
        name: &'a str,
    },
    /// A value of the hook context.
    Variable {
        /// Its path.
        name: &'a str,
    },
    /// Text given on the command line.
    Argument {
        /// The argument's name.
        name: &'a str,
    },
    /// Fixed text of the protocol: tags, separators, sentences.
    Protocol,
}

/// The directive of a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Directive<'a> {
    /// The id as asked for.
    pub id: &'a str,
    /// Its declared name.
    pub name: Option<&'a str>,
    /// Its declared version.
    pub version: Option<&'a str>,
    /// Its file.
    pub source: Source<'a>,
}

/// The model: what the directive declares, and what counts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Model<'a> {
    /// The declared id.
    pub id: Option<&'a str>,
    /// The declared tier.
    pub tier: Option<&'a str>,
    /// The declared provider.
    pub provider: Option<&'a str>,
    /// What conditions and `${model}` see: the command line's, else the id, else the tier, else `general`.
    pub effective: &'a str,
}

/// An input and its value.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Input<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value, of any type.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub value: &'a Value,
    /// Who gave it.
    #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
    pub from: &'static str,
}

/// A directive of the extends chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChainMember<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its declared name.
    pub name: Option<&'a str>,
    /// Its file.
    pub source: Source<'a>,
}

/// One message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Message<'a> {
    /// Who speaks.
    #[cfg_attr(test, schemars(extend("enum" = ["system", "user", "assistant", "tool"])))]
    pub role: &'static str,
    /// The exact text.
    pub text: &'a str,
    /// Its bytes in UTF-8.
    pub bytes: usize,
    /// Its tokens.
    pub tokens: usize,
    /// The text in runs, each of one origin: joined, they are the text.
    #[cfg_attr(test, schemars(with = "Vec<Segment<'static>>"))]
    pub segments: Segments<'a>,
}

/// A run of bytes of one origin.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Segment<'a> {
    /// Byte offset in the message.
    pub at: usize,
    /// The bytes.
    pub text: &'a str,
    /// Index into `layers`, null for what belongs to no layer.
    pub layer: Option<usize>,
    /// Where the bytes came from.
    pub origin: Origin<'a>,
}

/// One contribution to a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Layer<'a> {
    /// Unique in the prompt.
    pub id: &'a str,
    /// Index into `messages`.
    pub message: usize,
    /// Its place in the assembly order.
    pub slot: &'static str,
    /// What it is: `hook`, `context`, `instruction`, `directive` or `message`; of a folder `base`, `append`, `context`,
    /// `skills`, `skill`, `environment`, `extension`, `message` or `prompt`.
    pub kind: &'static str,
    /// Hook id or item id.
    pub name: &'a str,
    /// The item whose text it is.
    pub item: Option<Item<'a>>,
    /// What asked for it.
    pub declared_by: Option<Declared<'a>>,
    /// Whether it stands in an element of its own.
    pub wrap: bool,
    /// Its bytes in UTF-8.
    pub bytes: usize,
    /// Its tokens.
    pub tokens: usize,
    /// What is known of where its text comes from; null where no file holds it, and where it was not checked.
    pub trust: Option<Trust<'a>>,
}

/// An item.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Item<'a> {
    /// `directive`, `knowledge` or `tool`.
    #[serde(rename = "type")]
    pub item_type: &'static str,
    /// Its id.
    pub id: &'a str,
    /// The text taken, or the whole file; null where the item was not found.
    pub source: Option<Source<'a>>,
}

/// What asked for something, or decided about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Declared<'a> {
    /// A hook (`hook ctx_environment`) or a directive's id.
    pub by: &'a str,
    /// The declaration; null for what no file declares.
    pub source: Option<Source<'a>>,
}

/// Something that was considered, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decision<'a> {
    /// Hook id, item id or tool id.
    pub name: &'a str,
    /// Its place in the assembly order.
    pub slot: &'static str,
    /// What became of it.
    #[cfg_attr(test, schemars(extend("enum" = ["included", "suppressed", "duplicate", "condition_false", "missing",
        "empty", "over_budget", "shadowed", "not_run", "routed", "not_routed"])))]
    pub outcome: &'static str,
    /// A sentence.
    pub why: &'a str,
    /// What decided.
    pub by: Option<Declared<'a>>,
    /// What asked for it; null where nothing did.
    pub declared_by: Option<Declared<'a>>,
    /// The item it is about.
    pub item: Option<Item<'a>>,
    /// Index into `layers`; null for what is in no message.
    pub layer: Option<usize>,
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
    /// Its id.
    pub item_id: &'a str,
    /// The primary action that a call is routed to.
    pub primary: &'static str,
    /// The tokens of its schema, as JSON with a blank after `,` and `:`, and its description together.
    pub tokens: usize,
    /// Its file; null for what has none.
    pub source: Option<Source<'a>>,
    /// What is known of where it comes from; null where it has no file, and where it was not checked.
    pub trust: Option<Trust<'a>>,
}

/// What is known of a part by its signature: that of its file, of the one that deserves trust least if there are several.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Trust<'a> {
    /// What became of the signature; `builtin` for what is part of rye-render.
    #[cfg_attr(test, schemars(extend("enum" = ["unsigned", "malformed", "content_changed", "unknown_key",
        "bad_signature", "valid", "builtin"])))]
    pub verdict: &'static str,
    /// How much of the part the signature speaks for.
    #[cfg_attr(test, schemars(extend("enum" = ["nothing", "part", "whole"])))]
    pub covers: &'static str,
    /// The key that the signature names: 16 hexadecimal digits.
    pub key: Option<&'a str>,
    /// The key's owner, as the tier that trusts it says.
    pub owner: Option<&'a str>,
    /// The tier that trusts the key; `project` where no other does.
    pub trusted_by: Option<&'a str>,
    /// What of the file is in the part; the first of it that is not covered.
    pub source: Source<'a>,
}

/// A later variant of a prompt of the assembler `sf`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PromptVariant<'a> {
    /// Its messages.
    pub messages: Vec<Message<'a>>,
    /// Its layers.
    pub layers: Vec<Layer<'a>>,
    /// What made the system prompt be built anew.
    pub rebuild: Option<&'a str>,
}

/// Something that the author should know.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diagnostic<'a> {
    /// Its stable code.
    pub code: &'static str,
    /// How bad it is.
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning", "note"])))]
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
    /// Where.
    pub source: Option<Source<'a>>,
}

/// What standard error holds when a machine format could not be written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render error"))]
pub struct ErrorDocument<'a> {
    /// The error.
    pub error: ErrorObject<'a>,
}

/// Why it could not be done.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorObject<'a> {
    /// Its stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
    /// Where.
    pub source: Option<Source<'a>>,
}
