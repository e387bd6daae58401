//! One directive on both sides.

use super::owners::{Owner, Owners};
use super::setting::{Rendered, Settings, Which};
use super::{Changed, LayerChange, NamedChange, Options, Share, ToolChange};
use crate::diagnostic::{self, Diagnostic};
use crate::diff::{Cache, CachePlace, Change, Considered, Difference, FieldGroup, Pair, Side, ToolPair};
use crate::digest;
use crate::prompt::{Prompt, ToolEntry, tool_tokens};
use crate::request::Request;
use crate::store::Differing;
use crate::tokens::Tokenizer;

/// What became of the prompt of a directive.
pub(super) enum Verdict {
    /// Nothing differs that counts.
    Same,
    /// Something does; with what each cause has in it.
    Changed(Box<Changed>, Vec<(Owner, Share)>),
    /// There is none, on a side where the directive is.
    Failed(Pair<Vec<Diagnostic>>),
}

/// A directive on both sides, as far as it had to be rendered.
struct Both {
    /// None where it is not there.
    left: Option<Rendered>,
    /// None where it is not there, or need not be rendered.
    right: Option<Rendered>,
    /// Whether the right side is what the left one is.
    is_same: bool,
    /// What of the files that it looks at differs.
    differing: Differing,
    /// Whether nothing but files can make it differ.
    is_alike: bool,
}

impl Both {
    fn new(id: &str, settings: &Settings<'_>, skip_unchanged: bool) -> Self {
        let is_there = |which| settings.side(which).directives.contains_key(id);
        let request = |which| (settings.side(which).request)(id);
        let [left, right] = [Which::Left, Which::Right].map(request);
        let is_alike = settings.is_alike() && left == right;
        let mut differing = Differing::default();
        let rendered = |which, request: &Request, differing: &mut Differing| {
            is_there(which).then(|| settings.render(which, request, differing))
        };
        let left = rendered(Which::Left, &left, &mut differing);
        if skip_unchanged && is_alike && left.is_some() && is_there(Which::Right) && !differing.any {
            return Self { left, right: None, is_same: true, differing, is_alike };
        }
        let right = rendered(Which::Right, &right, &mut differing);
        Self { left, right, is_same: false, differing, is_alike }
    }
}

/// Compares the prompts of a directive.
pub(super) fn compare(id: &str, settings: &Settings<'_>, options: &Options) -> Verdict {
    let Both { left, right, is_same, differing, is_alike } = Both::new(id, settings, options.skip_unchanged);
    if is_same {
        return match left {
            Some(Err(errors)) => {
                let errors = placed(id, settings, Which::Left, Some(Err(errors)));
                Verdict::Failed(Pair { left: errors.clone(), right: errors })
            }
            _ => Verdict::Same,
        };
    }
    let (left, right) = match (left.transpose(), right.transpose()) {
        (Ok(left), Ok(right)) => (left, right),
        (left, right) => {
            let errors = |which, side: Result<_, Vec<Diagnostic>>| placed(id, settings, which, side.err().map(Err));
            return Verdict::Failed(Pair { left: errors(Which::Left, left), right: errors(Which::Right, right) });
        }
    };
    let difference = difference(id, left.as_ref(), right.as_ref(), options);
    if difference.is_same() {
        return Verdict::Same;
    }
    let tokenizer = options.compared.tokenizer;
    let tokens = Pair { left: tokens(left.as_ref(), tokenizer), right: tokens(right.as_ref(), tokenizer) };
    let digest = |prompt: &Option<Prompt>| prompt.as_ref().map(|prompt| digest::sha256(&prompt.messages));
    let sha256 = Pair { left: digest(&left), right: digest(&right) };
    let prompts = [left.as_ref(), right.as_ref()];
    let shares = Owners::new(id, &difference, prompts, settings, &differing, is_alike).shares(tokens);
    Verdict::Changed(Box::new(changed(id, &difference, tokens, sha256)), shares)
}

/// The comparison of a directive's prompts, if it can be rendered.
pub(super) fn compared(id: &str, settings: &Settings<'_>, options: &Options) -> Option<Difference> {
    let Both { left, right, .. } = Both::new(id, settings, false);
    Some(difference(id, left.transpose().ok()?.as_ref(), right.transpose().ok()?.as_ref(), options))
}

fn difference(id: &str, left: Option<&Prompt>, right: Option<&Prompt>, options: &Options) -> Difference {
    let side = |prompt: Option<&Prompt>| match prompt {
        Some(prompt) => Side::rendered(prompt, id.to_string()),
        None => Side::absent(id.to_string()),
    };
    let mut difference = Difference::new(side(left), side(right), &options.compared);
    // What is asked of all directives is no difference of one that does not declare it.
    let declares = |name: &str| {
        let members = left.into_iter().chain(right).flat_map(|prompt| &prompt.chain);
        let mut inputs = members.filter_map(|member| member.directive.as_deref()).flat_map(|it| &it.inputs);
        inputs.any(|input| input.name.as_str() == name)
    };
    difference.fields.retain(|field| field.group != FieldGroup::Inputs || declares(&field.name));
    difference
}

/// The errors of a side, each with a place.
fn placed(id: &str, settings: &Settings<'_>, which: Which, side: Option<Rendered>) -> Vec<Diagnostic> {
    match (side, settings.side(which).directives.get(id)) {
        (Some(Err(found)), Some(place)) => diagnostic::errors_at(found, place),
        _ => Vec::new(),
    }
}

/// What a prompt costs, tools included.
fn tokens(prompt: Option<&Prompt>, tokenizer: Tokenizer) -> usize {
    let Some(prompt) = prompt else { return 0 };
    let messages: usize = prompt.messages.iter().map(|message| tokenizer.count(message.text())).sum();
    messages + tool_tokens(prompt.tools.iter().map(ToolEntry::text), tokenizer)
}

/// What is listed of a difference.
fn changed(id: &str, difference: &Difference, tokens: Pair<usize>, sha256: Pair<Option<String>>) -> Changed {
    let Difference { left, right, .. } = difference;
    let pairs: Vec<_> = changed_pairs(difference).collect();
    let layers = pairs.iter().filter_map(|&index| {
        let pair = &difference.layers[index];
        let right = pair.right.map(|layer| (right, layer));
        let (side, layer) = right.or_else(|| Some((left, pair.left?)))?;
        let layer = side.layers.get(layer)?;
        Some(LayerChange {
            title: layer.title.clone(),
            role: side.messages.get(layer.message).map_or("", |message| message.role.into_str()).to_string(),
            change: pair.change(),
            tokens: pair.tokens,
            pair: index,
        })
    });
    let considered =
        |side: &Side, index: Option<usize>| -> Option<Considered> { side.decisions.as_ref()?.get(index?).cloned() };
    let decisions = difference.decisions.iter().filter_map(|decision| {
        let (left, right) = (considered(left, decision.index.left), considered(right, decision.index.right));
        let name = right.as_ref().or(left.as_ref())?.title.clone();
        let state = Pair { left: left.map(|it| it.outcome), right: right.map(|it| it.outcome) };
        Some(NamedChange { name, state })
    });
    Changed {
        id: id.to_string(),
        change: match (left.is_absent(), right.is_absent()) {
            (true, _) => Change::Added,
            (_, true) => Change::Removed,
            _ => Change::Changed,
        },
        layers: layers.collect(),
        tools: changed_tools(difference).filter_map(|(index, pair)| tool(index, pair, difference)).collect(),
        fields: difference.fields.clone(),
        decisions: decisions.collect(),
        chain: difference.chain.is_some(),
        between: difference.between,
        tool_order: difference.tool_order,
        is_coarse: difference.is_coarse,
        tokens,
        cache: cache(&difference.cache, &pairs),
        sha256,
    }
}

/// The indices of the layer pairs that differ.
pub(super) fn changed_pairs(difference: &Difference) -> impl Iterator<Item = usize> {
    let differs = |(index, pair): (usize, &crate::diff::LayerPair)| (pair.change() != Change::Same).then_some(index);
    difference.layers.iter().enumerate().filter_map(differs)
}

/// The tools that differ, each with its index.
pub(super) fn changed_tools(difference: &Difference) -> impl Iterator<Item = (usize, &ToolPair)> {
    difference.tools.iter().flatten().enumerate().filter(|(_, tool)| !tool.is_same())
}

fn tool(index: usize, pair: &ToolPair, difference: &Difference) -> Option<ToolChange> {
    let name = |side: &Side, at: Option<usize>| Some(side.tools.as_ref()?.get(at?)?.name.clone());
    let name = name(&difference.right, pair.index.right).or_else(|| name(&difference.left, pair.index.left))?;
    Some(ToolChange { name, compared: pair.clone(), pair: index })
}

/// The same, about the layers that are listed.
fn cache(cache: &Cache, pairs: &[usize]) -> Cache {
    let breaks_at = cache.breaks_at.clone().map(|place| match place {
        CachePlace::Message { message, at, pair } => {
            let pair = pair.and_then(|pair| pairs.iter().position(|listed| *listed == pair));
            CachePlace::Message { message, at, pair }
        }
        tool => tool,
    });
    Cache { breaks_at, ..cache.clone() }
}
