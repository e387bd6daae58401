//! Groups the changed prompts by cause.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::comparison::PromptPairs;
use super::shares::Owner;
use super::{Affected, Cause, CauseKind, ChangedPrompt, ImpactOptions, Share, ShownLines};
use crate::read::store::ItemKind;

/// The maximum number of causes for which a prompt is shown.
const MOST_SHOWN: usize = 100;

pub(super) fn grouped(
    shares: Vec<Vec<(Owner, Share)>>,
    changed: &[ChangedPrompt],
    pairs: &dyn PromptPairs,
    options: &ImpactOptions,
) -> Vec<Cause> {
    let mut by_owner: BTreeMap<Owner, Vec<Affected>> = BTreeMap::new();
    for (prompt, shares) in shares.into_iter().enumerate() {
        for (owner, share) in shares {
            by_owner.entry(owner).or_default().push(Affected { prompt, share });
        }
    }
    let mut causes: Vec<Cause> = by_owner
        .into_iter()
        .map(|(owner, prompts)| Cause { what: what(owner, pairs, options), prompts, shown: None })
        .collect();
    causes.sort_by(|a, b| (Reverse(a.prompts.len()), place(&a.what)).cmp(&(Reverse(b.prompts.len()), place(&b.what))));
    let parts = parts_to_show(&causes, changed);
    let show = |parts: Option<(usize, [Vec<usize>; 2])>| {
        let (prompt, [layers, tools]) = parts?;
        // Compares the prompt again, because its texts were dropped.
        let difference = Box::new(pairs.difference(&changed.get(prompt)?.id, options)?);
        Some(ShownLines { prompt, layers, tools, difference })
    };
    let shown: Vec<_> = parts.into_par_iter().map(show).collect();
    causes.iter_mut().zip(shown).for_each(|(cause, shown)| cause.shown = shown);
    causes
}

/// Sorts files by path, before other causes.
fn place(what: &CauseKind) -> (bool, &str, &str) {
    match what {
        CauseKind::File { tier, path, .. } => (false, path, tier),
        CauseKind::Settings { path } => (true, path, ""),
        CauseKind::Arguments => (true, "", ""),
    }
}

fn what(owner: Owner, pairs: &dyn PromptPairs, options: &ImpactOptions) -> CauseKind {
    match owner {
        Owner::File(tier, path) => {
            let is_there = pairs.has(&tier, &path);
            let id = ItemKind::of_path(&path).map(|(_, id)| id.to_string());
            CauseKind::File { id, tier, path, is_there }
        }
        Owner::Arguments => match options.settings_file {
            Some(path) => CauseKind::Settings { path: path.to_string() },
            None => CauseKind::Arguments,
        },
    }
}

/// The first prompt of each cause, and the layers and tools of it to show, all by index. A part shared by several causes
/// appears with the first of them.
fn parts_to_show(causes: &[Cause], changed: &[ChangedPrompt]) -> Vec<Option<(usize, [Vec<usize>; 2])>> {
    let (mut layers_shown, mut tools_shown) = (HashSet::new(), HashSet::new());
    let parts = causes.iter().take(MOST_SHOWN).map(|cause| {
        let Affected { prompt, share } = cause.prompts.first()?;
        let of_prompt = changed.get(*prompt)?;
        let layers = share.layers.iter().filter_map(|&at| Some(of_prompt.layers.get(at)?.pair));
        let tools = share.tools.iter().filter_map(|&at| Some(of_prompt.tools.get(at)?.pair));
        let layers: Vec<_> = layers.filter(|pair| layers_shown.insert((*prompt, *pair))).collect();
        let tools: Vec<_> = tools.filter(|pair| tools_shown.insert((*prompt, *pair))).collect();
        (!layers.is_empty() || !tools.is_empty()).then_some((*prompt, [layers, tools]))
    });
    parts.collect()
}
