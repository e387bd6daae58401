//! Compares the prompts of one directive.

use super::owners::{Owner, Owners};
use super::sides::{ImpactSides, Rendered, WhichSide};
use super::{ChangedPrompt, DecisionChange, ImpactOptions, LayerChange, Share, ToolChange};
use crate::answer::diff::summary::{all_tokens, tool_change};
use crate::answer::diff::{Cache, CachePlace, Change, Difference, FieldGroup, Pair, Side, ToolPair};
use crate::decide::request::Request;
use crate::diagnostic::{self, Diagnostic};
use crate::prompt::{Prompt, digest};
use crate::read::store::Differing;

pub(super) enum ComparisonOutcome {
    Same,
    /// The difference, and the share of each cause in it.
    Changed(Box<ChangedPrompt>, Vec<(Owner, Share)>),
    /// The directive cannot be rendered on a side that has it.
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

pub(super) fn compare(id: &str, sides: &ImpactSides<'_>, options: &ImpactOptions) -> ComparisonOutcome {
    let RenderedSides { left, right, is_same, differing, same_setup } =
        RenderedSides::new(id, sides, options.skip_unchanged);
    if is_same {
        return match left {
            Some(Err(errors)) => {
                let errors = placed(id, sides, WhichSide::Left, Some(Err(errors)));
                ComparisonOutcome::Failed(Pair { left: errors.clone(), right: errors })
            }
            _ => ComparisonOutcome::Same,
        };
    }
    let (left, right) = match (left.transpose(), right.transpose()) {
        (Ok(left), Ok(right)) => (left, right),
        (left, right) => {
            let errors = |which, side: Result<_, Vec<Diagnostic>>| placed(id, sides, which, side.err().map(Err));
            return ComparisonOutcome::Failed(Pair {
                left: errors(WhichSide::Left, left),
                right: errors(WhichSide::Right, right),
            });
        }
    };
    let difference = difference(id, left.as_ref(), right.as_ref(), options);
    if difference.is_same() {
        return ComparisonOutcome::Same;
    }
    let prompts = Pair { left: left.as_ref(), right: right.as_ref() };
    let tokens = all_tokens(&difference);
    let sha256 = prompts.map(|prompt| Some(digest::sha256(&prompt?.messages)));
    let owners = Owners::new(id, &difference, prompts.into_array(), sides, &differing, same_setup);
    let shares = owners.shares(tokens);
    ComparisonOutcome::Changed(Box::new(changed(id, &difference, tokens, sha256)), shares)
}

/// The difference between the prompts of a directive, if both can be rendered.
pub(super) fn compared(id: &str, sides: &ImpactSides<'_>, options: &ImpactOptions) -> Option<Difference> {
    let RenderedSides { left, right, .. } = RenderedSides::new(id, sides, false);
    Some(difference(id, left.transpose().ok()?.as_ref(), right.transpose().ok()?.as_ref(), options))
}

fn difference(id: &str, left: Option<&Prompt>, right: Option<&Prompt>, options: &ImpactOptions) -> Difference {
    let side = |prompt: Option<&Prompt>| match prompt {
        Some(prompt) => Side::rendered(prompt, id.to_string()),
        None => Side::absent(id.to_string()),
    };
    let mut difference = Difference::new(side(left), side(right), &options.compared);
    // An input for all directives has no effect on a directive that does not declare it.
    let declares = |name: &str| {
        let members = left.into_iter().chain(right).flat_map(|prompt| &prompt.chain);
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

/// The difference without its texts.
fn changed(id: &str, difference: &Difference, tokens: Pair<usize>, sha256: Pair<Option<String>>) -> ChangedPrompt {
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
    ChangedPrompt {
        id: id.to_string(),
        change: match (difference.left.is_absent(), difference.right.is_absent()) {
            (true, _) => Change::Added,
            (_, true) => Change::Removed,
            _ => Change::Changed,
        },
        tokens,
        sha256,
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
