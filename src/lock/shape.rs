//! The shape of `lock --check --format json`, which other programs rely on.

use serde::Serialize;

use crate::render::json::shape::Source;

/// The prompts of a project, held against a lock.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.lock-check/1"))]
pub struct CheckDocument<'a> {
    /// Name and version of this shape.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lock-check/1")))]
    pub format: &'static str,
    /// The version of the program.
    pub tool_version: &'static str,
    /// The file that holds the lock.
    pub file: &'a str,
    /// The name of the protocol.
    pub protocol: &'a str,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    /// The labels of the tiers in search order, as the lock says and as they are.
    pub tiers: Tiers<'a>,
    /// How many prompts there are.
    pub prompts: usize,
    /// Those that are not as locked, in byte order of ids.
    pub differences: Vec<Difference<'a>>,
    /// The ids of directives that cannot be rendered.
    pub failed: Vec<&'a str>,
}

/// The tiers, by their labels.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tiers<'a> {
    /// As the lock says.
    pub before: &'a [String],
    /// As they are.
    pub after: &'a [String],
}

/// A prompt that is not as locked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference<'a> {
    /// The id of its directive.
    pub id: &'a str,
    /// What became of it.
    #[cfg_attr(test, schemars(extend("enum" = ["changed", "new", "gone"])))]
    pub change: &'static str,
    /// The file of its directive; null when it is gone.
    pub source: Option<Source<'a>>,
    /// As the lock says; null when it does not know the prompt.
    pub before: Option<Locked<'a>>,
    /// As it is; null when it is gone.
    pub after: Option<Locked<'a>>,
}

/// A prompt by its digests.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Locked<'a> {
    /// The digest of the messages: `sha256` of a prompt.
    pub sha256: &'a str,
    /// The tokens of the messages.
    pub tokens: usize,
    /// The tools; null where there are none.
    pub tools: Option<Tools<'a>>,
}

/// The tools of a prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tools<'a> {
    /// The digest of the list of `[name, description, input_schema]`, written as that of the messages is.
    pub sha256: &'a str,
    /// The tokens of all tools.
    pub tokens: usize,
}
