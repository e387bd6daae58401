//! What a change does to every prompt: which differ, how, and because of which file.

mod causes;
mod comparison;
mod details;
pub mod html;
pub mod json;
mod markdown;
mod owners;
mod reach;
mod setting;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;
use std::io;

use rayon::prelude::*;

use crate::diagnostic::Diagnostic;
use crate::diff::{self, Cache, Change, Difference, FieldChange, Format, LayerPair, Pair, ToolPair, View, through};
use crate::progress;
use crate::render::WriteError;

use comparison::Verdict;
pub use setting::Setting;
use setting::Settings;

/// What a change does to every prompt.
#[derive(Debug)]
pub struct Impact {
    /// What views call the sides: `main`, `working tree`.
    pub title: Pair<String>,
    /// How many directives there are, on either side or on both.
    pub directives: usize,
    /// Those whose prompt differs, in byte order of ids.
    pub changed: Vec<Changed>,
    /// The ids of those whose prompt differs in nothing but values that are hidden here, in byte order.
    pub hidden: Vec<String>,
    /// Those that cannot be rendered, in byte order of ids: of those that the change can reach, and of those
    /// whose file cannot be read.
    pub failed: Vec<Failed>,
    /// Why prompts differ, those with most prompts first.
    pub causes: Vec<Cause>,
    /// The tokens of the prompts that differ, tools included.
    pub tokens: Pair<usize>,
}

/// A directive whose prompt differs. It holds what is listed, not the texts.
#[derive(Debug, Clone)]
pub struct Changed {
    /// Its id.
    pub id: String,
    /// Whether it is there on one side alone.
    pub change: Change,
    /// The layers that differ, in order.
    pub layers: Vec<LayerChange>,
    /// The tools that differ, in order.
    pub tools: Vec<ToolChange>,
    /// What the directive asks for and is given, where it differs.
    pub fields: Vec<FieldChange>,
    /// What has another outcome.
    pub decisions: Vec<NamedChange>,
    /// Whether the extends chain differs.
    pub chain: bool,
    /// Whether what stands between the layers differs, where no layer does.
    pub between: bool,
    /// Whether the tools of both sides stand in another order.
    pub tool_order: bool,
    /// Whether comparing took too long, so that more counts as changed than is.
    pub is_coarse: bool,
    /// What it costs, tools included.
    pub tokens: Pair<usize>,
    /// What of a cached prompt can still be used; the layer pair that it names is an index into `layers`.
    pub cache: Cache,
    /// The digests of the messages; none where the directive is not there.
    pub sha256: Pair<Option<String>>,
}

/// A layer that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerChange {
    /// What views call it.
    pub title: String,
    /// `system`, `user`.
    pub role: String,
    /// What became of it.
    pub change: Change,
    /// What it costs.
    pub tokens: Pair<usize>,
    /// Index into the layer pairs of the comparison.
    pub pair: usize,
}

/// A tool that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolChange {
    /// What the API sees.
    pub name: String,
    /// What of it differs.
    pub compared: ToolPair,
    /// Index into the tool pairs of the comparison.
    pub pair: usize,
}

/// Something that has another outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedChange {
    /// What views call it.
    pub name: String,
    /// What it is on either side, in a word; none where that side does not have it.
    pub state: Pair<Option<String>>,
}

/// A directive that cannot be rendered, on one side or on both.
#[derive(Debug, Clone)]
pub struct Failed {
    /// Its id.
    pub id: String,
    /// What is wrong on either side; nothing where it can be rendered, or is not there.
    pub errors: Pair<Vec<Diagnostic>>,
}

/// A reason why prompts differ, with the prompts.
#[derive(Debug)]
pub struct Cause {
    /// What differs.
    pub what: What,
    /// The prompts that differ because of it, in byte order of ids.
    pub prompts: Vec<Affected>,
    /// The lines that differ in the first of them, as far as no cause before shows them; none where nothing is left to
    /// show, and where there are too many causes.
    pub shown: Option<Shown>,
}

/// Some of what differs in a prompt, with the texts.
#[derive(Debug)]
pub struct Shown {
    /// Index into the changed prompts.
    pub prompt: usize,
    /// Indices into the layer pairs of the comparison.
    pub layers: Vec<usize>,
    /// Indices into its tool pairs.
    pub tools: Vec<usize>,
    /// The comparison.
    pub difference: Box<Difference>,
}

impl Shown {
    /// The layers.
    pub fn layer_pairs(&self) -> impl Iterator<Item = &LayerPair> {
        self.layers.iter().filter_map(|&index| self.difference.layers.get(index))
    }

    /// The tools.
    pub fn tool_pairs(&self) -> impl Iterator<Item = &ToolPair> {
        self.tools.iter().filter_map(|&index| self.difference.tools.as_ref()?.get(index))
    }
}

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A file, which is there on both sides, or on one.
    File {
        /// Its tier.
        tier: String,
        /// Relative to the folder that holds `.ai/`.
        path: String,
        /// The id of the item that it holds; none of configuration.
        id: Option<String>,
        /// Whether it is there on either side.
        is_there: (bool, bool),
    },
    /// The settings of the tool, which hold example inputs and protocols.
    Settings {
        /// The name of the file.
        path: String,
    },
    /// The arguments: another protocol, model or input.
    Arguments,
}

/// A prompt that differs because of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affected {
    /// Index into the changed prompts.
    pub prompt: usize,
    /// What differs in it because of this.
    pub share: Share,
}

/// What differs in a prompt because of something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Share {
    /// Indices into its layers that differ.
    pub layers: Vec<usize>,
    /// Indices into its tools that differ.
    pub tools: Vec<usize>,
    /// Indices into its fields that differ.
    pub fields: Vec<usize>,
    /// Indices into its decisions that differ.
    pub decisions: Vec<usize>,
    /// Whether the extends chain differs.
    pub chain: bool,
    /// Whether what stands between the layers differs.
    pub between: bool,
    /// Whether the order of the tools differs.
    pub tool_order: bool,
    /// By how many tokens the prompt grows, tools included.
    pub tokens: i64,
}

impl Changed {
    /// Whether the directive itself came or went.
    pub fn is_on_one_side(&self) -> bool {
        matches!(self.change, Change::Added | Change::Removed)
    }
}

impl Cause {
    /// By how many tokens all prompts grow because of it.
    fn grown(&self) -> Pair<usize> {
        grown(self.prompts.iter().map(|affected| affected.share.tokens).sum())
    }
}

impl Share {
    /// By how many tokens the prompt grows.
    fn grown(&self) -> Pair<usize> {
        grown(self.tokens)
    }
}

/// From nothing to so many, or to nothing: the views word what lies between two numbers.
fn grown(tokens: i64) -> Pair<usize> {
    let number = usize::try_from(tokens.unsigned_abs()).unwrap_or(usize::MAX);
    if tokens < 0 { Pair { left: number, right: 0 } } else { Pair { left: 0, right: number } }
}

/// How the prompts are compared.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How two of them are.
    pub compared: diff::Options,
    /// Whether only those are rendered that the change can reach, and the right one of a pair only if something that
    /// decides it differs. It makes no difference to what comes out.
    pub skip_unchanged: bool,
    /// The file of the settings, where these and nothing that was typed make what is asked of prompts differ.
    pub settings_file: Option<&'static str>,
}

impl Impact {
    /// Renders every directive on both sides, as far as the change can reach it, and compares them, with all cores.
    ///
    /// # Errors
    /// The chains of those that are rendered are too long.
    pub fn new(left: Setting<'_>, right: Setting<'_>, options: &Options) -> Result<Self, Diagnostic> {
        let settings = Settings::new(left, right);
        settings.read_ahead();
        let Pair { left, right } = &settings.sides;
        let ids: BTreeSet<&String> = left.directives.keys().chain(right.directives.keys()).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let reached = reach::reached(&ids, &settings);
        let looked_at = ids.iter().zip(reached).filter(|(_, is_reached)| *is_reached || !options.skip_unchanged);
        let looked_at: Vec<_> = looked_at.map(|(id, is_reached)| (*id, is_reached)).collect();
        settings.check_chains(looked_at.iter().map(|(id, _)| *id))?;
        let progress = progress::begin("comparing", "prompts", looked_at.len());
        let compared = looked_at.into_par_iter().map(|(id, is_reached)| {
            progress.step();
            (id, is_reached, comparison::compare(id, &settings, options))
        });
        // In the order of ids, whatever the threads do.
        let outcomes: Vec<_> = compared.collect();
        let (mut changed, mut failed, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut tokens = Pair::default();
        for (id, is_reached, verdict) in outcomes {
            match verdict {
                Verdict::Same => {}
                Verdict::Changed(prompt, of_prompt) => {
                    tokens.left += prompt.tokens.left;
                    tokens.right += prompt.tokens.right;
                    changed.push(*prompt);
                    shares.push(of_prompt);
                }
                // What is wrong on both sides for other reasons is no matter of the change.
                Verdict::Failed(errors) if !is_reached && !errors.left.is_empty() && !errors.right.is_empty() => {}
                Verdict::Failed(errors) => failed.push(Failed { id: id.to_string(), errors }),
            }
        }
        let causes = causes::grouped(shares, &changed, &settings, options);
        let title = Pair { left: left.title.clone(), right: right.title.clone() };
        Ok(Self { title, directives: ids.len(), changed, hidden: Vec::new(), failed, causes, tokens })
    }

    /// The same comparison, if values are hidden in it: `shown` is what differs where they are.
    pub fn hiding(&self, shown: Self) -> Self {
        let is_shown: BTreeSet<&str> = shown.changed.iter().map(|changed| changed.id.as_str()).collect();
        let hidden = self.changed.iter().map(|changed| &changed.id).filter(|id| !is_shown.contains(id.as_str()));
        Self { hidden: hidden.cloned().collect(), ..shown }
    }

    /// Whether every prompt is the same, and can be rendered.
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.hidden.is_empty() && self.failed.is_empty()
    }
}

/// Writes it, in many small writes: give it a buffer.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    through(view, out, |out| exact(impact, view, out))
}

fn exact(impact: &Impact, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        Format::Json => json::write(impact, view, out)?,
        Format::Markdown => markdown::write(impact, view, out)?,
        Format::Stat => text::stat::write(impact, view, out)?,
        Format::NameOnly => text::names(impact, out)?,
        Format::Html => html::write(impact, view, out)?,
        // A patch needs the texts, which are not here: the command line asks for one directive.
        Format::Text | Format::Patch => text::write(impact, view, out)?,
    }
    Ok(())
}
