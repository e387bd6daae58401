//! The shapes of the JSON that other programs rely on (Output contract, "render").
//!
//! The published schema is generated from these types: their doc comments become descriptions, and fields keep their
//! order.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::Segments;
use super::origin::SourceJson;
use crate::prompt::{AgentUse, FileOutcome, FileState, OutputInfo, Role, SystemSection, TranscriptEvent};
use crate::read::store::Installed;
use crate::read::value::{JsonValue, Value};

/// A rendered prompt: the exact messages, their parts, and every decision.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.prompt/1"))]
pub struct PromptDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.prompt/1")))]
    #[serde(skip_deserializing)]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    #[serde(skip_deserializing)]
    pub tool_version: &'static str,
    /// Name of the protocol.
    #[serde(default)]
    pub protocol: Cow<'a, str>,
    /// The installed package that the system tier comes from; null if there is none.
    #[serde(skip_deserializing)]
    pub installed: Option<&'a Installed>,
    /// The coding agent; null for directives.
    #[serde(skip_deserializing)]
    pub agent: Option<&'a AgentUse>,
    /// The requested directive; null for the prompt of a folder.
    pub directive: Option<DirectiveJson<'a>>,
    #[serde(default)]
    pub model: ModelJson<'a>,
    /// The limits in effect: the command line's override the directive's, which override the defaults.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    #[serde(default, deserialize_with = "value")]
    pub limits: Cow<'a, Value>,
    /// The capabilities that the chain grants.
    #[serde(default)]
    pub permissions: Vec<Cow<'a, str>>,
    /// The permissions that a parent's capabilities allow.
    #[serde(default)]
    pub capabilities: Vec<Cow<'a, str>>,
    /// The named outputs that the directive declares.
    #[serde(default)]
    pub outputs: Cow<'a, [OutputInfo]>,
    /// The inputs: declared ones in order of declaration, then others.
    #[serde(default)]
    pub inputs: Vec<InputJson<'a>>,
    /// The extends chain, root first, leaf last.
    #[cfg_attr(test, schemars(with = "Vec<ChainMemberJson<'static>>"))]
    pub chain: Option<Vec<ChainMemberJson<'a>>>,
    /// The system message first, if it is not empty, then the others in order.
    pub messages: Vec<MessageJson<'a>>,
    /// The contributions to the messages, in order.
    #[serde(default)]
    pub layers: Vec<LayerJson<'a>>,
    /// Everything that was considered, in assembly order.
    #[cfg_attr(test, schemars(with = "Vec<DecisionJson<'static>>"))]
    pub decisions: Option<Vec<DecisionJson<'a>>>,
    /// The tool palette, in order.
    #[cfg_attr(test, schemars(with = "Vec<ToolJson<'static>>"))]
    pub tools: Option<Vec<ToolJson<'a>>>,
    #[cfg_attr(test, schemars(extend("enum" = ["chars4", "o200k", "cl100k"])))]
    #[serde(skip_deserializing)]
    pub tokenizer: &'static str,
    /// SHA-256 of the UTF-8 JSON list of `[role, text]` pairs without white space, escaping only `"`, `\` and U+0000
    /// to U+001F.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    #[serde(skip_deserializing)]
    pub sha256: String,
    #[serde(skip_deserializing)]
    pub events: &'a [TranscriptEvent],
    /// The sections of the prompt in the protocol `sf`; empty otherwise.
    #[serde(skip_deserializing)]
    pub sections: &'a [SystemSection],
    /// What became of the files around a coding agent's folder, sorted by path; empty for directives.
    #[serde(skip_deserializing)]
    pub files: Vec<FileJson<'a>>,
    /// What joins when the agent reads each of the files that `--touch` names.
    #[serde(default)]
    pub touched: Vec<TouchedJson<'a>>,
    /// Later variants of the prompt in the protocol `sf`; empty otherwise.
    #[serde(skip_deserializing)]
    pub prompts: Vec<PromptVariant<'a>>,
    #[serde(skip_deserializing)]
    pub diagnostics: Vec<DiagnosticJson<'a>>,
}

/// What joins when the agent reads a file.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TouchedJson<'a> {
    /// The file's absolute path.
    pub file: Cow<'a, str>,
    /// Layers count these messages on from those of the first request.
    pub messages: Vec<MessageJson<'a>>,
}

/// The directive of a prompt.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DirectiveJson<'a> {
    /// The id as requested.
    pub id: Cow<'a, str>,
    /// As declared.
    pub name: Option<Cow<'a, str>>,
    /// As declared.
    pub version: Option<Cow<'a, str>>,
    pub source: SourceJson<'a>,
}

/// The declared model, and the one in effect.
#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ModelJson<'a> {
    /// As declared.
    pub id: Option<Cow<'a, str>>,
    /// As declared.
    pub tier: Option<Cow<'a, str>>,
    /// As declared.
    pub provider: Option<Cow<'a, str>>,
    /// The model in conditions and `${model}`: from the command line, else the id, else the tier, else `general`.
    pub effective: Cow<'a, str>,
}

/// An input and its value.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputJson<'a> {
    pub name: Cow<'a, str>,
    /// A value of any type.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    #[serde(default, deserialize_with = "value")]
    pub value: Cow<'a, Value>,
    /// Where the value came from.
    #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder"])))]
    #[serde(default)]
    pub from: Cow<'a, str>,
}

/// A directive of the extends chain.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChainMemberJson<'a> {
    pub id: Cow<'a, str>,
    /// As declared.
    pub name: Option<Cow<'a, str>>,
    #[cfg_attr(test, schemars(with = "SourceJson<'static>"))]
    pub source: Option<SourceJson<'a>>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MessageJson<'a> {
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["system", "developer", "user", "assistant", "tool"])))]
    #[serde(deserialize_with = "role")]
    pub role: Role,
    pub text: Cow<'a, str>,
    /// In UTF-8.
    #[serde(skip_deserializing)]
    pub bytes: usize,
    /// Of the known text; null if all of it is an agent's own text of unknown wording.
    #[serde(skip_deserializing)]
    pub tokens: Option<usize>,
    /// The text, split into runs that each have one origin.
    #[cfg_attr(test, schemars(with = "Vec<crate::prompt::MessageSegment<'static>>"))]
    #[serde(default)]
    pub segments: Segments<'a>,
}

/// One contribution to a message.
#[derive(Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct LayerJson<'a> {
    /// Unique in the prompt.
    pub id: Cow<'a, str>,
    /// Index into `messages`.
    pub message: usize,
    /// The position in the assembly order.
    pub slot: Cow<'a, str>,
    /// The kind of layer: `hook`, `context`, `instruction`, `directive` or `message`; for a folder `own`, `base`, `append`,
    /// `context`, `skills`, `skill`, `environment`, `extension`, `message` or `prompt`.
    pub kind: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub item: Option<ItemJson<'a>>,
    pub declared_by: Option<DeclaredJson<'a>>,
    /// Whether an element wraps it.
    pub wrap: bool,
    /// In UTF-8.
    #[serde(skip_deserializing)]
    pub bytes: usize,
    /// As for messages.
    #[serde(skip_deserializing)]
    pub tokens: Option<usize>,
    /// Null if no file holds its text, or if it was not checked.
    #[serde(skip_deserializing)]
    pub trust: Option<TrustJson<'a>>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ItemJson<'a> {
    /// `directive`, `knowledge` or `tool`.
    #[serde(rename = "type")]
    pub item_type: Cow<'a, str>,
    pub id: Cow<'a, str>,
    /// The text used, or the whole file; null if the item was not found.
    pub source: Option<SourceJson<'a>>,
}

/// The hook or directive that requested an item, or decided what becomes of it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DeclaredJson<'a> {
    /// `hook ctx_environment`, a directive's id, a flag, a tier, or the path of a file.
    pub by: Cow<'a, str>,
    /// Null if no file declares it.
    pub source: Option<SourceJson<'a>>,
}

/// Something considered, and its outcome.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionJson<'a> {
    /// Hook id, item id or tool id.
    pub name: Cow<'a, str>,
    /// The position in the assembly order.
    #[serde(default)]
    pub slot: Cow<'a, str>,
    #[cfg_attr(test, schemars(extend("enum" = ["included", "suppressed", "duplicate", "condition_false", "missing",
        "empty", "over_budget", "shadowed", "not_run", "routed", "not_routed"])))]
    pub outcome: Cow<'a, str>,
    #[serde(default)]
    pub why: Cow<'a, str>,
    pub by: Option<DeclaredJson<'a>>,
    /// Null if nothing requested it.
    pub declared_by: Option<DeclaredJson<'a>>,
    pub item: Option<ItemJson<'a>>,
    /// Index into `layers`; null if it is in no message.
    pub layer: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolJson<'a> {
    /// As the API sees it.
    pub name: Cow<'a, str>,
    /// May be empty.
    #[serde(default, deserialize_with = "or_default")]
    pub description: Cow<'a, str>,
    /// The JSON Schema of its input.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    #[serde(default, deserialize_with = "value")]
    pub input_schema: Cow<'a, Value>,
    #[serde(default)]
    pub item_id: Cow<'a, str>,
    /// The primary action that a call is routed to.
    #[serde(default)]
    pub primary: Cow<'a, str>,
    /// The tokens of its description and its schema; the schema as JSON with a space after `,` and `:`.
    #[serde(skip_deserializing)]
    pub tokens: usize,
    /// Null if it has no file.
    pub source: Option<SourceJson<'a>>,
    /// Null if it has no file, or if it was not checked.
    #[serde(skip_deserializing)]
    pub trust: Option<TrustJson<'a>>,
}

/// How far a part is trusted, from its file's signature. If it comes from several files, the least trusted one counts.
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
    /// The part's range in the file, or the first piece of that range that the signature does not cover.
    pub source: SourceJson<'a>,
}

/// What became of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileJson<'a> {
    /// Absolute.
    pub path: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["loaded", "cut", "on_demand", "listed", "applied", "left_out"])))]
    pub state: &'static str,
    /// Null for a file that is loaded whole.
    #[cfg_attr(test, schemars(extend("enum" = ["shadowed", "duplicate", "empty", "budget", "excluded", "untrusted",
        "not_approved", "too_deep", "missing", "no_match", "invalid", "too_large", "not_read", "outside", "hidden",
        null])))]
    pub why: Option<&'static str>,
    /// The byte of the file at which a cut ends.
    pub at: Option<usize>,
    /// What decided.
    pub by: Option<SourceJson<'a>>,
    /// The tokens of its text in the prompt; null if it has none there.
    pub tokens: Option<usize>,
}

impl<'a> FileJson<'a> {
    pub fn new(file: &'a FileOutcome, tokens: Option<usize>) -> Self {
        Self {
            path: &file.path,
            state: file.state.into_str(),
            why: file.why.map(|why| why.into_str()),
            at: match file.state {
                FileState::Cut(at) => Some(at),
                _ => None,
            },
            by: file.by.as_ref().and_then(|by| by.span.as_ref()).map(Into::into),
            tokens,
        }
    }
}

/// A later variant of an `sf` prompt.
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

/// What a command writes to standard error when it fails and its output format is machine-readable.
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

/// A line of JSON Lines about a directive that cannot be rendered.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FailedPrompt<'a> {
    /// Its name and version are null.
    pub directive: DirectiveJson<'a>,
    pub error: ErrorObject<'a>,
}

/// Reads null as the default.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, Value>, D::Error> {
    Ok(Cow::Owned(JsonValue::deserialize(deserializer)?.0))
}

fn role<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::custom(format!("unknown role `{word}`")))
}
