//! The JSON of `explain`: that of `render --format json`, and more. The published schema is generated from these types.

use serde::Serialize;

use super::answers;
use super::hooks::HookRunJson;
use crate::answer::explain::inputs::ValuePlace;
use crate::answer::explain::metadata::Metadata;
use crate::answer::explain::window::Window;
use crate::fill::palette::CapabilityTree;
use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::{PromptDocument, TrustJson};
use crate::prompt::{RepositoryOnly, Setting};

/// A rendered prompt as `render` writes it, and its explanation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.explain/1", transform = own_format))]
pub struct ExplainDocument<'a> {
    #[serde(flatten)]
    pub prompt: PromptDocument<'a>,
    /// Declarations in files that shape the prompt but are not part of a message.
    pub metadata: &'a [Metadata],
    /// The sizes of the prompt and of its parts.
    pub totals: Totals<'a>,
    /// The least trusted part; null if no file holds any part.
    pub weakest_link: Option<WeakestLink<'a>>,
    /// How much of the context window is used; null if its size is not given.
    pub window: Option<Window<'a>>,
    /// The values of inputs and of the environment and where they appear: the part of the prompt that their provider
    /// controls.
    pub input_places: Vec<InputPlacesJson<'a>>,
    /// The settings that a text, an id, a condition or the palette depends on.
    pub settings: Vec<&'a Setting>,
    /// Everything that the capabilities reach: actions, kinds of items, parts of their ids; null without `--show
    /// capabilities`, and if the protocol has no palette.
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>"))]
    pub capabilities_tree: Option<&'a CapabilityTree>,
    /// Every hook in evaluation order; hooks whose event does not occur come last.
    pub hooks: Vec<HookRunJson<'a>>,
    /// The flags that change the prompt, as typed; empty if the prompt depends only on the files.
    pub what_if: &'a [String],
    /// `--repository-only`: what people should know about the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<&'a RepositoryOnly>,
    /// `--blame`: the selected lines with their origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<answers::BlameLineJson<'static>>>"))]
    pub blame: Option<answers::BlameJson<'a>>,
    /// `--from`: where a file or its lines appear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<answers::FromJson<'a>>,
    /// `--why`: how something got into the prompt, or why it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<answers::WhyJson<'a>>,
    /// `--sent`: where the request that was sent departs from the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<answers::SentJson<'a>>,
}

#[cfg(test)]
fn own_format(schema: &mut schemars::Schema) {
    if let Some(format) = schema.pointer_mut("/properties/format/const") {
        *format = "rye-render.explain/1".into();
    }
}

/// The least trusted part of a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeakestLink<'a> {
    /// `deploy/rules`, `hook ctx_environment`, `tool rye/execute`, `directive app/base`.
    pub part: &'a str,
    pub trust: TrustJson<'a>,
}

/// The sizes of the prompt and of its parts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Totals<'a> {
    /// Of all messages, schemas and descriptions.
    pub bytes: usize,
    /// Of all messages and of the palette.
    pub tokens: usize,
    /// Everything but the directive's own text.
    pub overhead: OverheadTotal,
    /// The messages in order, then the palette.
    pub parts: Vec<PartTotal<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OverheadTotal {
    pub bytes: usize,
    pub tokens: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartTotal<'a> {
    /// `system`, `user`, `palette`; for the messages of a resumed thread `user 3`.
    pub name: &'a str,
    /// Index into `messages`; null for the palette.
    pub message: Option<usize>,
    pub bytes: usize,
    /// Null if nothing of its text is known.
    pub tokens: Option<usize>,
}

/// A value of an input or of the environment, and where it appears.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputPlacesJson<'a> {
    #[cfg_attr(test, schemars(extend("enum" = ["input", "env"])))]
    pub kind: &'static str,
    pub name: &'a str,
    /// Where the value came from; null without one, and for the environment.
    #[cfg_attr(test, schemars(extend("enum" = ["flag", "file", "stdin", "default", "placeholder", null])))]
    pub from: Option<&'static str>,
    /// The default in use, else the declaration; null if nothing declares it.
    pub source: Option<SourceJson<'a>>,
    pub required: bool,
    /// In order.
    pub places: Vec<ValuePlace<'a>>,
    /// Always true: someone other than the items' authors may control it.
    pub outsider: bool,
}
