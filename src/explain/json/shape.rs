//! What the JSON of `explain` looks like: what `render --format json` writes, and more.
//!
//! The published schema is made of these types, as that of `render` is.

use serde::Serialize;

use super::answers;
use super::hooks::Hook;
use crate::explain::metadata::Metadata;
use crate::explain::window::Window;
use crate::palette::CapabilityTree;
use crate::render::json::shape::{PromptDocument, Source, Trust};

/// `explain --format json`: a rendered prompt as `render` writes it, and what explains it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.explain/1", transform = own_format))]
pub struct Document<'a> {
    /// The prompt.
    #[serde(flatten)]
    pub prompt: PromptDocument<'a>,
    /// What the files declare that shapes the prompt and is no text of a message.
    pub metadata: &'a [Metadata],
    /// How much everything is.
    pub totals: Totals<'a>,
    /// The part of the prompt that deserves trust least; null where no file holds any part.
    pub weakest_link: Option<WeakestLink<'a>>,
    /// How full the context window gets; null where its size is not given.
    pub window: Option<Window<'a>>,
    /// The values of inputs and of the environment and where they landed: the part of the prompt that whoever gives
    /// them controls.
    pub input_places: Vec<InputPlaces<'a>>,
    /// Everything that the capabilities reach: actions, below them kinds of items, below them the parts of their ids;
    /// null where that is not asked for (`--show capabilities`), and where the protocol has no palette.
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>"))]
    pub capabilities_tree: Option<&'a CapabilityTree>,
    /// Every hook in evaluation order, those whose event does not happen in this prompt last.
    pub hooks: Vec<Hook<'a>>,
    /// What the command line makes different, as it was typed; empty for the prompt that the files make.
    pub what_if: &'a [String],
    /// `--blame`: the lines that are asked for, with their origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<answers::Line<'static>>>"))]
    pub blame: Option<answers::Blame<'a>>,
    /// `--from`: where a file, or lines of it, land.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<answers::From<'a>>,
    /// `--why`: how something got in, or why it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<answers::Why<'a>>,
    /// `--sent`: where what was really sent departs from the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<super::sent::Sent<'a>>,
}

/// The name of the format, which the flattened fields have from `render`.
#[cfg(test)]
fn own_format(schema: &mut schemars::Schema) {
    if let Some(format) = schema.pointer_mut("/properties/format/const") {
        *format = "rye-render.explain/1".into();
    }
}

/// The part of a prompt that deserves trust least.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeakestLink<'a> {
    /// What it is: `deploy/rules`, `hook ctx_environment`, `tool rye/execute`, `directive app/base`.
    pub part: &'a str,
    /// What is known of it.
    pub trust: Trust<'a>,
}

/// How much everything is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Totals<'a> {
    /// Bytes of all messages, schemas and descriptions.
    pub bytes: usize,
    /// Tokens of all messages and of the palette.
    pub tokens: usize,
    /// Everything but the directive's own text.
    pub overhead: Size,
    /// The messages in order, then the palette.
    pub parts: Vec<Part<'a>>,
}

/// How much something is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Size {
    /// In bytes.
    pub bytes: usize,
    /// In tokens.
    pub tokens: usize,
}

/// A message, or the palette.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Part<'a> {
    /// `system`, `user`, `palette`; for the messages of a resumed thread `user 3`.
    pub name: &'a str,
    /// Index into `messages`; null for the palette.
    pub message: Option<usize>,
    /// In bytes.
    pub bytes: usize,
    /// In tokens.
    pub tokens: usize,
}

/// A value from outside, and where it landed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputPlaces<'a> {
    /// What it is.
    #[cfg_attr(test, schemars(extend("enum" = ["input", "env"])))]
    pub kind: &'static str,
    /// Its name.
    pub name: &'a str,
    /// Who gave the value; null where there is none, and for the environment.
    #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder", null])))]
    pub from: Option<&'static str>,
    /// The default that counts, else the declaration; null where nothing declares it.
    pub source: Option<Source<'a>>,
    /// Whether it is required.
    pub required: bool,
    /// Every place, in order.
    pub places: Vec<Landed>,
    /// Whether somebody else than the items' authors may control it, which is always so.
    pub outsider: bool,
}

/// Where a value landed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Landed {
    /// Index into `messages`.
    pub message: usize,
    /// First byte in the message.
    pub at: usize,
    /// One past the last byte.
    pub end: usize,
    /// 1-based line in the message.
    pub line: usize,
    /// 1-based column, in Unicode scalar values.
    pub column: usize,
    /// Index into `layers`; null for what belongs to none.
    pub layer: Option<usize>,
}
