//! Compares the prompts of one directive, or of one agent in a folder.

use super::owners::Owners;
use super::shares::Owner;
use super::sides::{ImpactSides, Rendered, WhichSide};
use super::{ChangedPrompt, DecisionChange, ImpactOptions, LayerChange, Share, ToolChange};
use crate::answer::diff::summary::{all_tokens, tool_change};
use crate::answer::diff::{Cache, CachePlace, Change, Difference, FieldGroup, Pair, Side, ToolPair};
use crate::decide::request::Request;
use crate::diagnostic::{self, Diagnostic};
use crate::prompt::{Prompt, digest};
use crate::read::store::Differing;

/// The prompts of both sides, by id.
pub(super) trait PromptPairs: Sync {
    /// The names of the sides.
    fn titles(&self) -> Pair<String>;

    fn compare(&self, id: &str, options: &ImpactOptions) -> ComparisonOutcome;

    /// The difference with its texts, if both prompts can be rendered.
    fn difference(&self, id: &str, options: &ImpactOptions) -> Option<Difference>;

    /// Whether a file exists on each side.
    fn has(&self, tier: &str, path: &str) -> Pair<bool>;
}

pub(super) enum ComparisonOutcome {
    Same {
        has_unknown: bool,
    },
    /// The difference, and the share of each cause in it.
    Changed(Box<ChangedPrompt>, Vec<(Owner, Share)>),
    /// The prompt cannot be rendered on a side that has it.
    Failed(Pair<Vec<Diagnostic>>),
}

/// A directive on both sides, rendered as far as necessary.
struct RenderedSides {
    /// `None` if the directive does not exist.
    left: Option<Rendered>,
    /// `None` if the directive does not exist or need not be rendered.
    right: Option<Rendered>,
    is_same: bool,
    /// The differing files that the directive reads.
    differing: Differing,
    /// Whether only files can make the sides differ.
    same_setup: bool,
}

impl RenderedSides {
    fn new(id: &str, sides: &ImpactSides<'_>, skip_unchanged: bool) -> Self {
        let is_there = |which| sides.side(which).directives.contains_key(id);
        let request = |which| (sides.side(which).request)(id);
        let [left, right] = [WhichSide::Left, WhichSide::Right].map(request);
        let same_setup = sides.same_setup && left == right;
        let mut differing = Differing::default();
        let rendered = |which, request: &Request, differing: &mut Differing| {
            is_there(which).then(|| sides.render(which, request, differing))
        };
        let left = rendered(WhichSide::Left, &left, &mut differing);
        if skip_unchanged && same_setup && left.is_some() && is_there(WhichSide::Right) && !differing.any {
            return Self { left, right: None, is_same: true, differing, same_setup };
        }
        let right = rendered(WhichSide::Right, &right, &mut differing);
        Self { left, right, is_same: false, differing, same_setup }
    }
}

impl PromptPairs for ImpactSides<'_> {
    fn titles(&self) -> Pair<String> {
        self.both.as_ref().map(|side| side.title.clone())
    }

    fn compare(&self, id: &str, options: &ImpactOptions) -> ComparisonOutcome {
        let RenderedSides { left, right, is_same, differing, same_setup } =
            RenderedSides::new(id, self, options.skip_unchanged);
        if is_same {
            return match left {
                Some(Err(errors)) => {
                    let errors = placed(id, self, WhichSide::Left, Some(Err(errors)));
                    ComparisonOutcome::Failed(Pair { left: errors.clone(), right: errors })
                }
                _ => ComparisonOutcome::Same { has_unknown: false },
            };
        }
        let (left, right) = match (left.transpose(), right.transpose()) {
            (Ok(left), Ok(right)) => (left, right),
            (left, right) => {
                let errors = |which, side: Result<_, Vec<Diagnostic>>| placed(id, self, which, side.err().map(Err));
                return ComparisonOutcome::Failed(Pair {
                    left: errors(WhichSide::Left, left),
                    right: errors(WhichSide::Right, right),
                });
            }
        };
        let prompts = Pair { left: left.as_ref(), right: right.as_ref() };
        let difference = of_directive(id, prompts, options);
        if difference.is_same() {
            return ComparisonOutcome::Same { has_unknown: false };
        }
        let changed = ChangedPrompt::new(id, &difference, prompts);
        let owners = Owners::new(id, &difference, prompts.into_array(), self, &differing, same_setup);
        let shares = owners.shares(changed.tokens);
        ComparisonOutcome::Changed(Box::new(changed), shares)
    }

    fn difference(&self, id: &str, options: &ImpactOptions) -> Option<Difference> {
        let RenderedSides { left, right, .. } = RenderedSides::new(id, self, false);
        let (left, right) = (left.transpose().ok()?, right.transpose().ok()?);
        Some(of_directive(id, Pair { left: left.as_ref(), right: right.as_ref() }, options))
    }

    fn has(&self, tier: &str, path: &str) -> Pair<bool> {
        self.has_file(tier, path)
    }
}

pub(super) fn difference(id: &str, prompts: Pair<Option<&Prompt>>, options: &ImpactOptions) -> Difference {
    let Pair { left, right } = prompts.map(|prompt| match prompt {
        Some(prompt) => Side::rendered(prompt, id.to_string()),
        None => Side::absent(id.to_string()),
    });
    Difference::new(left, right, &options.compared)
}

fn of_directive(id: &str, prompts: Pair<Option<&Prompt>>, options: &ImpactOptions) -> Difference {
    let mut difference = difference(id, prompts, options);
    // An input for all directives has no effect on a directive that does not declare it.
    let declares = |name: &str| {
        let members = prompts.into_array().into_iter().flatten().flat_map(|prompt| &prompt.chain);
        let mut inputs = members.filter_map(|member| member.directive.as_deref()).flat_map(|it| &it.inputs);
        inputs.any(|input| input.name.as_str() == name)
    };
    difference.fields.retain(|field| field.group != FieldGroup::Inputs || declares(&field.name));
    difference
}

fn placed(id: &str, sides: &ImpactSides<'_>, which: WhichSide, side: Option<Rendered>) -> Vec<Diagnostic> {
    match (side, sides.side(which).directives.get(id)) {
        (Some(Err(found)), Some(place)) => diagnostic::errors_at(found, place),
        _ => Vec::new(),
    }
}

impl ChangedPrompt {
    /// The difference without its texts.
    pub(super) fn new(id: &str, difference: &Difference, prompts: Pair<Option<&Prompt>>) -> Self {
        let layers = difference.changed_layers().filter_map(|(index, pair)| {
            let found = difference.sides().zip(difference.layers_of(pair));
            let (side, layer) = found.map(|(side, layer)| Some((side, layer?))).newest()?;
            Some(LayerChange {
                title: layer.title.clone(),
                role: side.messages.get(layer.message).map_or("", |message| message.role.into_str()).to_string(),
                change: pair.change(),
                tokens: pair.tokens,
                pair: index,
            })
        });
        let decisions = difference.decisions.iter().filter_map(|&index| {
            let decisions = difference.decisions_of(index);
            let outcome = decisions.map(|decision| Some(decision?.outcome.clone()));
            Some(DecisionChange { name: decisions.newest()?.title.clone(), outcome })
        });
        Self {
            id: id.to_string(),
            change: match (difference.left.is_absent(), difference.right.is_absent()) {
                (true, _) => Change::Added,
                (_, true) => Change::Removed,
                _ => Change::Changed,
            },
            tokens: all_tokens(difference),
            sha256: prompts.map(|prompt| Some(digest::sha256(&prompt?.messages))),
            layers: layers.collect(),
            tools: difference.changed_tools().filter_map(|(index, pair)| tool(index, pair, difference)).collect(),
            between: difference.between,
            tool_order: difference.tool_order,
            is_coarse: difference.is_coarse,
            chain: difference.chain.is_some(),
            fields: difference.fields.clone(),
            decisions: decisions.collect(),
            cache: cache(difference),
            hidden_values: difference.hidden_values(),
            has_unknown: difference.has_unknown(),
            agent: None,
            lost: Vec::new(),
        }
    }
}

fn tool(index: usize, pair: &ToolPair, difference: &Difference) -> Option<ToolChange> {
    Some(ToolChange {
        name: difference.tools_of(pair).newest()?.name.clone(),
        change: match pair.change() {
            Change::TextUnchanged => Change::Changed,
            change => change,
        },
        renamed: pair.renamed,
        description: !pair.description.is_empty(),
        schema: !pair.schema.is_empty(),
        item: pair.item,
        over_budget: pair.over_budget,
        tokens: pair.tokens,
        what: tool_change(pair),
        pair: index,
    })
}

/// The cache with the index of its layer among those that differ.
fn cache(difference: &Difference) -> Cache {
    let mut cache = difference.cache.clone();
    if let Some(CachePlace::Message { pair, .. }) = &mut cache.breaks_at {
        *pair = pair.and_then(|pair| difference.changed_layers().position(|(index, _)| index == pair));
    }
    cache
}
