//! The shapes of the JSON that other programs rely on (Output contract, "render").
//!
//! The published schema is generated from these types: their doc comments become descriptions, and fields keep their
//! order.

use serde::Serialize;

use super::Segments;
use crate::prompt::{OutputInfo, SystemSection, TranscriptEvent};
use crate::read::value::{Map, Value, serialize_map};

/// A rendered prompt: the exact messages, their parts, and every decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.prompt/1"))]
pub struct PromptDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.prompt/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// Name of the protocol.
    pub protocol: &'a str,
    /// The requested directive; null for the prompt of a folder.
    pub directive: Option<DirectiveJson<'a>>,
    pub model: ModelJson<'a>,
    /// The limits in effect: the command line's override the directive's, which override the defaults.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    #[serde(serialize_with = "serialize_map")]
    pub limits: &'a Map,
    /// The capabilities that the chain grants.
    pub permissions: Vec<&'a str>,
    /// The permissions that a parent's capabilities leave.
    pub capabilities: Vec<&'a str>,
    /// The named outputs that the directive declares.
    pub outputs: &'a [OutputInfo],
    /// The inputs: declared ones in order of declaration, then others.
    pub inputs: Vec<InputJson<'a>>,
    /// The extends chain, root first, leaf last.
    pub chain: Vec<ChainMemberJson<'a>>,
    /// The system message first, if it is not empty, then the others in order.
    pub messages: Vec<MessageJson<'a>>,
    /// The contributions to the messages, in order.
    pub layers: Vec<LayerJson<'a>>,
    /// Everything that was considered, in assembly order.
    pub decisions: Vec<DecisionJson<'a>>,
    /// The tool palette, in order.
    pub tools: Vec<ToolJson<'a>>,
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    pub tokenizer: &'static str,
    /// SHA-256 of the UTF-8 JSON list of `[role, text]` pairs without white space, escaping only `"`, `\` and U+0000
    /// to U+001F.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
    pub events: &'a [TranscriptEvent],
    /// The sections of the prompt in the protocol `sf`; empty otherwise.
    pub sections: &'a [SystemSection],
    /// Later variants of the prompt in the protocol `sf`; empty otherwise.
    pub prompts: Vec<PromptVariant<'a>>,
    pub diagnostics: Vec<DiagnosticJson<'a>>,
}

/// A file, or a range in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourceJson<'a> {
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
    /// As in other source objects.
    pub tier: &'a str,
    /// As in other source objects.
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

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OriginJson<'a> {
    /// The bytes at that range equal the segment's text after universal newlines.
    File {
        #[serde(flatten)]
        range: FileRange<'a>,
        /// Whether the newlines on disk differ from those in the text.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        newlines: bool,
    },
    /// Computed from that range: decoded entities, values printed by rule, names of tags, text that is not contiguous
    /// in the file.
    Derived(FileRange<'a>),
    Input {
        name: &'a str,
        /// Who provided the value.
        #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
        from: &'static str,
        /// The attribute that declares the default.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<SourceJson<'a>>,
    },
    Env {
        name: &'a str,
    },
    /// A value of the hook context.
    Variable {
        name: &'a str,
    },
    /// Text given on the command line.
    Argument {
        name: &'a str,
    },
    /// Fixed text of the protocol: tags, separators, sentences.
    Protocol,
}

/// The directive of a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DirectiveJson<'a> {
    /// The id as requested.
    pub id: &'a str,
    /// As declared.
    pub name: Option<&'a str>,
    /// As declared.
    pub version: Option<&'a str>,
    pub source: SourceJson<'a>,
}

/// The declared model, and the one in effect.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ModelJson<'a> {
    /// As declared.
    pub id: Option<&'a str>,
    /// As declared.
    pub tier: Option<&'a str>,
    /// As declared.
    pub provider: Option<&'a str>,
    /// What conditions and `${model}` see: the command line's, else the id, else the tier, else `general`.
    pub effective: &'a str,
}

/// An input and its value.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputJson<'a> {
    pub name: &'a str,
    /// A value of any type.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub value: &'a Value,
    /// Who provided the value.
    #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
    pub from: &'static str,
}

/// A directive of the extends chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChainMemberJson<'a> {
    pub id: &'a str,
    /// As declared.
    pub name: Option<&'a str>,
    pub source: SourceJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MessageJson<'a> {
    #[cfg_attr(test, schemars(extend("enum" = ["system", "user", "assistant", "tool"])))]
    pub role: &'static str,
    pub text: &'a str,
    /// In UTF-8.
    pub bytes: usize,
    pub tokens: usize,
    /// Runs of the text, each with one origin; joined, they are the text.
    #[cfg_attr(test, schemars(with = "Vec<SegmentJson<'static>>"))]
    pub segments: Segments<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentJson<'a> {
    /// Byte offset in the message.
    pub at: usize,
    pub text: &'a str,
    /// Index into `layers`; null for text between layers.
    pub layer: Option<usize>,
    pub origin: OriginJson<'a>,
}

/// One contribution to a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayerJson<'a> {
    /// Unique in the prompt.
    pub id: &'a str,
    /// Index into `messages`.
    pub message: usize,
    /// The position in the assembly order.
    pub slot: &'static str,
    /// The kind of layer: `hook`, `context`, `instruction`, `directive` or `message`; for a folder `base`, `append`,
    /// `context`, `skills`, `skill`, `environment`, `extension`, `message` or `prompt`.
    pub kind: &'static str,
    pub name: &'a str,
    pub item: Option<ItemJson<'a>>,
    pub declared_by: Option<DeclaredJson<'a>>,
    /// Whether an element wraps it.
    pub wrap: bool,
    /// In UTF-8.
    pub bytes: usize,
    pub tokens: usize,
    /// Null if no file holds its text, or if it was not checked.
    pub trust: Option<TrustJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ItemJson<'a> {
    /// `directive`, `knowledge` or `tool`.
    #[serde(rename = "type")]
    pub item_type: &'static str,
    pub id: &'a str,
    /// The text used, or the whole file; null if the item was not found.
    pub source: Option<SourceJson<'a>>,
}

/// What requested something, or decided about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DeclaredJson<'a> {
    /// A hook (`hook ctx_environment`) or a directive's id.
    pub by: &'a str,
    /// Null if no file declares it.
    pub source: Option<SourceJson<'a>>,
}

/// Something considered, and its outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionJson<'a> {
    /// Hook id, item id or tool id.
    pub name: &'a str,
    /// The position in the assembly order.
    pub slot: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["included", "suppressed", "duplicate", "condition_false", "missing",
        "empty", "over_budget", "shadowed", "not_run", "routed", "not_routed"])))]
    pub outcome: &'static str,
    pub why: &'a str,
    pub by: Option<DeclaredJson<'a>>,
    /// Null if nothing requested it.
    pub declared_by: Option<DeclaredJson<'a>>,
    pub item: Option<ItemJson<'a>>,
    /// Index into `layers`; null if it is in no message.
    pub layer: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolJson<'a> {
    /// As the API sees it.
    pub name: &'a str,
    /// May be empty.
    pub description: &'a str,
    /// The JSON Schema of its input.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub input_schema: &'a Value,
    pub item_id: &'a str,
    /// The primary action that a call is routed to.
    pub primary: &'static str,
    /// The tokens of its schema, as JSON with a space after `,` and `:`, and its description together.
    pub tokens: usize,
    /// Null if it has no file.
    pub source: Option<SourceJson<'a>>,
    /// Null if it has no file, or if it was not checked.
    pub trust: Option<TrustJson<'a>>,
}

/// The trust of a part, from the signature of its file; the least trusted one if there are several.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrustJson<'a> {
    /// The state of the signature; `builtin` for parts of rye-render.
    #[cfg_attr(test, schemars(extend("enum" = ["unsigned", "malformed", "content_changed", "unknown_key",
        "bad_signature", "valid", "builtin"])))]
    pub verdict: &'static str,
    /// How much of the part the signature covers.
    #[cfg_attr(test, schemars(extend("enum" = ["nothing", "part", "whole"])))]
    pub covers: &'static str,
    /// The key that the signature names: 16 hexadecimal digits.
    pub key: Option<&'a str>,
    /// The key's owner according to the tier that trusts it.
    pub owner: Option<&'a str>,
    /// The tier that trusts the key; `project` if no other does.
    pub trusted_by: Option<&'a str>,
    /// The range of the file in the part, or the first range that is not covered.
    pub source: SourceJson<'a>,
}

/// A later variant of a prompt of the protocol `sf`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PromptVariant<'a> {
    pub messages: Vec<MessageJson<'a>>,
    pub layers: Vec<LayerJson<'a>>,
    /// What caused a rebuild of the system prompt.
    pub rebuild: Option<&'a str>,
}

/// A warning or a note.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticJson<'a> {
    /// A stable identifier.
    pub code: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning", "note"])))]
    pub severity: &'static str,
    pub message: String,
    pub help: Option<String>,
    pub source: Option<SourceJson<'a>>,
}

/// The output on standard error if a command with a machine-readable format fails.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render error"))]
pub struct ErrorDocument<'a> {
    pub error: ErrorObject<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorObject<'a> {
    /// A stable identifier.
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
    pub source: Option<SourceJson<'a>>,
}
