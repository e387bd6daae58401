//! The effect of a change on every prompt: which differ, how, and because of which file.

mod agents;
mod causes;
mod comparison;
pub mod html;
pub mod json;
mod markdown;
mod owners;
mod reach;
mod rows;
mod shares;
mod sides;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;
use std::io;

use rayon::prelude::*;
use serde::Serialize;

use crate::answer::diff::{
    self, Cache, Change, DiffFormat, DiffView, Difference, FieldChange, LayerPair, Pair, ToolPair,
};
use crate::answer::explain::inputs::HiddenValues;
use crate::answer::render::WriteError;
use crate::diagnostic::Diagnostic;
use crate::write::progress;

pub use agents::{AgentSides, LostText};
use comparison::{ComparisonOutcome, PromptPairs};
use sides::ImpactSides;
pub use sides::{ImpactSide, WhichSide};

#[derive(Debug)]
pub struct Impact {
    /// The names of the sides: `main`, `working tree`.
    pub title: Pair<String>,
    /// The number of directives on either side, or of prompts of agents.
    pub directives: usize,
    /// The directives whose prompt differs, sorted by id.
    pub changed: Vec<ChangedPrompt>,
    /// The ids of directives whose prompt differs only in hidden values, in byte order.
    pub hidden: Vec<String>,
    /// The directives that cannot be rendered, sorted by id: those that the change can reach, and those whose
    /// file cannot be read.
    pub failed: Vec<Failed>,
    /// The cause with the most prompts first.
    pub causes: Vec<Cause>,
    /// The tokens of the prompts that differ, tools included.
    pub tokens: Pair<usize>,
    /// Whether a prompt holds text that is unknown, which is neither counted nor compared.
    pub has_unknown: bool,
}

/// A directive whose prompt differs, without the texts.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangedPrompt {
    pub id: String,
    /// `added` and `removed` refer to the directive itself.
    pub change: Change,
    /// The tokens of the prompt, tools included.
    pub tokens: Pair<usize>,
    /// SHA-256 of the messages, as in the JSON of `render`; null if the directive does not exist.
    pub sha256: Pair<Option<String>>,
    pub layers: Vec<LayerChange>,
    pub tools: Vec<ToolChange>,
    /// Whether separators or the order of messages differ, which no layer shows.
    pub between: bool,
    /// Whether the order of the tools that both sides have differs.
    pub tool_order: bool,
    /// Whether the comparison was cut short, so that matching lines may be shown as changed.
    #[serde(rename = "coarse")]
    pub is_coarse: bool,
    pub chain: bool,
    /// What the directive declares or is given, if it differs.
    pub fields: Vec<FieldChange>,
    /// The decisions with a different outcome.
    pub decisions: Vec<DecisionChange>,
    /// How much of the cached left prompt can be reused. Its `layer` is an index into `layers`.
    pub cache: Cache,
    /// The agent whose prompt it is, or `LEFT → RIGHT`; null for a directive.
    pub agent: Option<String>,
    /// The files of which the agent does not send all on the right. Empty for a directive.
    pub lost: Vec<LostText>,
    #[serde(skip)]
    pub hidden_values: HiddenValues,
    /// Whether the tokens are more than is counted.
    #[serde(skip)]
    pub has_unknown: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayerChange {
    /// The name that views show.
    pub title: String,
    pub role: String,
    /// `around`: the text is the same.
    pub change: Change,
    /// Null on a side whose text is unknown.
    pub tokens: Pair<Option<usize>>,
    /// Index into the layer pairs of the comparison.
    #[serde(skip)]
    pub pair: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolChange {
    /// The name that the API sees.
    pub name: String,
    pub change: Change,
    /// Whether the API sees the same item under a different name.
    pub renamed: bool,
    pub description: bool,
    pub schema: bool,
    /// Whether the item, its tier or file, or the action that a call is routed to differs.
    pub item: bool,
    /// Whether one side lacks the tool because its budget has no room for it.
    pub over_budget: bool,
    pub tokens: Pair<usize>,
    /// What differs, in words.
    #[serde(skip)]
    pub what: String,
    /// Index into the tool pairs of the comparison.
    #[serde(skip)]
    pub pair: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionChange {
    /// The name that views show.
    pub name: String,
    /// The outcomes; null on a side that did not consider the item.
    #[serde(flatten)]
    pub outcome: Pair<Option<String>>,
}

/// A directive that cannot be rendered, on one side or on both.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failed {
    pub id: String,
    /// Empty on a side where the directive can be rendered or does not exist.
    pub errors: Pair<Vec<Diagnostic>>,
}

/// A reason why prompts differ, with the prompts.
#[derive(Debug)]
pub struct Cause {
    pub what: CauseKind,
    /// Sorted by id.
    pub prompts: Vec<Affected>,
    /// The lines that differ in the first prompt; `None` if earlier causes show them all, or if there are too many
    /// causes.
    pub shown: Option<ShownLines>,
}

/// Layers and tools of one prompt that differ, with the texts.
#[derive(Debug)]
pub struct ShownLines {
    /// Index into the changed prompts.
    pub prompt: usize,
    /// Indices into the layer pairs of the comparison.
    pub layers: Vec<usize>,
    /// Indices into the tool pairs of the comparison.
    pub tools: Vec<usize>,
    pub difference: Box<Difference>,
}

impl ShownLines {
    pub fn layer_pairs(&self) -> impl Iterator<Item = &LayerPair> {
        self.layers.iter().filter_map(|&index| self.difference.layers.get(index))
    }

    pub fn tool_pairs(&self) -> impl Iterator<Item = &ToolPair> {
        self.tools.iter().filter_map(|&index| self.difference.tools.as_ref()?.get(index))
    }
}

/// What makes prompts differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CauseKind {
    /// A file that differs, or exists on one side only.
    File {
        /// `project`, `user`, `system:<bundle>` or `builtin`.
        tier: String,
        /// Relative to the folder that holds `.ai/`, always with `/`.
        path: String,
        /// The id of the item in it; null for configuration.
        id: Option<String>,
        /// Whether the file exists.
        #[serde(rename = "there")]
        is_there: Pair<bool>,
    },
    /// The settings of rye-render: different example inputs, or a different protocol.
    Settings { path: String },
    /// The arguments: a different protocol, model or input.
    Arguments,
}

impl CauseKind {
    /// `added` or `removed`, for a file that only one side has.
    pub fn added_or_removed(&self) -> Option<Change> {
        match self {
            Self::File { is_there: Pair { left: false, right: true }, .. } => Some(Change::Added),
            Self::File { is_there: Pair { left: true, right: false }, .. } => Some(Change::Removed),
            _ => None,
        }
    }
}

/// A prompt that differs because of a cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affected {
    /// Index into the changed prompts.
    pub prompt: usize,
    pub share: Share,
}

/// What differs in a prompt because of a cause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Share {
    /// Indices into the `layers` of the changed prompt.
    pub layers: Vec<usize>,
    /// Indices into its `tools`.
    pub tools: Vec<usize>,
    /// Indices into its `fields`.
    pub fields: Vec<usize>,
    /// Indices into its `decisions`.
    pub decisions: Vec<usize>,
    /// Whether its extends chain differs because of this cause.
    pub chain: bool,
    /// Whether separators or the order of messages differ because of this cause.
    pub between: bool,
    /// Whether the order of its tools differs because of this cause.
    pub tool_order: bool,
    /// The growth in tokens because of this cause, tools included. If a prompt has several causes, each counts the
    /// growth of its own layers and tools.
    pub tokens: i64,
}

impl ChangedPrompt {
    /// Whether the directive itself was added or removed.
    pub fn is_on_one_side(&self) -> bool {
        matches!(self.change, Change::Added | Change::Removed)
    }
}

impl Cause {
    /// The growth of all its prompts.
    fn grown(&self) -> Pair<usize> {
        grown(self.prompts.iter().map(|affected| affected.share.tokens).sum())
    }
}

impl Share {
    fn grown(&self) -> Pair<usize> {
        grown(self.tokens)
    }
}

/// A growth as a pair, which the views can print.
fn grown(tokens: i64) -> Pair<usize> {
    let number = usize::try_from(tokens.unsigned_abs()).unwrap_or(usize::MAX);
    if tokens < 0 { Pair { left: number, right: 0 } } else { Pair { left: 0, right: number } }
}

#[derive(Debug, Clone, Copy)]
pub struct ImpactOptions {
    /// How two prompts are compared.
    pub compared: diff::DiffOptions,
    /// Whether to render only prompts that the change can reach, and the right one of a pair only if something that it
    /// depends on differs. The result is the same either way.
    pub skip_unchanged: bool,
    /// The settings file, if it is the only reason why the requests differ.
    pub settings_file: Option<&'static str>,
}

impl Impact {
    /// Renders and compares every directive that the change can reach, on all cores.
    ///
    /// # Errors
    /// The extends chains are too long.
    pub fn new(left: ImpactSide<'_>, right: ImpactSide<'_>, options: &ImpactOptions) -> Result<Self, Diagnostic> {
        let sides = ImpactSides::new(left, right);
        sides.read_ahead();
        let Pair { left, right } = &sides.both;
        let ids: BTreeSet<&String> = left.directives.keys().chain(right.directives.keys()).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let reached = reach::reached(&ids, &sides);
        let rendered = ids.iter().zip(reached).filter(|(_, is_reached)| *is_reached || !options.skip_unchanged);
        let rendered: Vec<_> = rendered.map(|(id, is_reached)| (*id, is_reached)).collect();
        sides.check_chains(rendered.iter().map(|(id, _)| *id))?;
        Ok(Self::of(rendered, ids.len(), &sides, options))
    }

    /// The impact on agents in folders: renders and compares every prompt, on all cores.
    pub fn of_agents(sides: &AgentSides<'_>, options: &ImpactOptions) -> Self {
        Self::of(sides.agents.keys().map(|id| (id, true)).collect(), sides.agents.len(), sides, options)
    }

    /// Compares prompts by id, with whether the change can reach them.
    fn of(ids: Vec<(&String, bool)>, all: usize, pairs: &dyn PromptPairs, options: &ImpactOptions) -> Self {
        let progress = progress::begin("comparing", "prompts", ids.len());
        let compared = ids.into_par_iter().map(|(id, is_reached)| {
            progress.step();
            (id, is_reached, pairs.compare(id, options))
        });
        // Collecting restores the order of ids.
        let outcomes: Vec<_> = compared.collect();
        let (mut changed, mut failed, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let (mut tokens, mut has_unknown) = (Pair::default(), false);
        for (id, is_reached, outcome) in outcomes {
            match outcome {
                ComparisonOutcome::Same { has_unknown: of_prompt } => has_unknown |= of_prompt,
                ComparisonOutcome::Changed(prompt, of_prompt) => {
                    has_unknown |= prompt.has_unknown;
                    tokens.left += prompt.tokens.left;
                    tokens.right += prompt.tokens.right;
                    changed.push(*prompt);
                    shares.push(of_prompt);
                }
                // The change does not affect a directive that fails on both sides for other reasons.
                ComparisonOutcome::Failed(errors)
                    if !is_reached && !errors.left.is_empty() && !errors.right.is_empty() => {}
                ComparisonOutcome::Failed(errors) => failed.push(Failed { id: id.to_string(), errors }),
            }
        }
        let causes = causes::grouped(shares, &changed, pairs, options);
        Self {
            title: pairs.titles(),
            directives: all,
            changed,
            hidden: Vec::new(),
            failed,
            causes,
            tokens,
            has_unknown,
        }
    }

    /// Returns `shown`, the same comparison with values hidden, and records which prompts differ only in hidden values.
    pub fn hiding(&self, shown: Self) -> Self {
        let is_shown: BTreeSet<&str> = shown.changed.iter().map(|changed| changed.id.as_str()).collect();
        let hidden = self.changed.iter().map(|changed| &changed.id).filter(|id| !is_shown.contains(id.as_str()));
        Self { hidden: hidden.cloned().collect(), ..shown }
    }

    pub fn hidden_values(&self) -> HiddenValues {
        self.changed.iter().fold(HiddenValues::default(), |all, prompt| all.or(prompt.hidden_values))
    }

    /// Whether every prompt is the same and can be rendered.
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.hidden.is_empty() && self.failed.is_empty()
    }
}

/// Writes the impact. Pass a buffered writer: there are many small writes.
pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> Result<(), WriteError> {
    view.screen.write_escaped(view.format.escaping(), out, |out| {
        match view.format {
            DiffFormat::Json => json::write(impact, view, out)?,
            DiffFormat::Markdown => markdown::write(impact, view, out)?,
            DiffFormat::Stat => text::stat(impact, view, out)?,
            DiffFormat::NameOnly => text::names(impact, out)?,
            DiffFormat::Html => html::write(impact, view, out)?,
            // A patch needs the texts, which are not kept: the command line rejects it for all directives.
            DiffFormat::Text | DiffFormat::Patch => text::write(impact, view, out)?,
        }
        Ok(())
    })
}
