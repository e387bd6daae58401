use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Problem};
use crate::limits;
use crate::protocol::{Protocol, Scope};
use crate::store::{ItemId, ItemKind, Tiers};

/// Whether the chains of some directives are short enough together for a prompt of each; `all` is how many there are.
///
/// # Errors
/// They are not.
pub fn check_chains(ids: &[&str], all: usize, tiers: &Tiers, protocol: &Protocol) -> Result<(), Diagnostic> {
    let most = limits::CHAINED.max(limits::CHAINED_EACH * all);
    // However long, a chain has no more members than there are directives.
    if protocol.context == Scope::None || ids.len().saturating_mul(all) <= most {
        return Ok(());
    }
    let parent_of = |id: &str| parent(id, tiers, protocol);
    let mut parents: HashMap<String, Option<String>> =
        ids.par_iter().map(|id| (id.to_string(), parent_of(id))).collect();
    let mut lengths: HashMap<String, usize> = HashMap::new();
    let mut sum = 0_usize;
    for id in ids {
        // Those of unknown length, the lowest first. One that comes again is refused when it is rendered.
        let (mut way, mut met, mut next) = (Vec::new(), HashSet::new(), Some(id.to_string()));
        while let Some(id) = next.take_if(|id| !lengths.contains_key(id) && met.insert(id.clone())) {
            next = parents.entry(id.clone()).or_insert_with(|| parent_of(&id)).clone();
            way.push(id);
        }
        let above = next.and_then(|id| lengths.get(&id)).copied().unwrap_or(0);
        lengths.extend(way.into_iter().rev().zip(above + 1..));
        sum = sum.saturating_add(lengths.get(*id).copied().unwrap_or(0));
    }
    if sum > most {
        let unit = "directives in the chains of all prompts together";
        return Err(Diagnostic::new(Problem::OverLimit { limit: most as u64, unit }));
    }
    Ok(())
}

/// What a directive extends itself.
fn parent(id: &str, tiers: &Tiers, protocol: &Protocol) -> Option<String> {
    let found = tiers.find(ItemKind::Directive, &ItemId::parse(id).ok()?).ok()??;
    let parsed = super::directive(&found.source, tiers, protocol).ok()?;
    Some(parsed.item.parent()?.as_str().to_string())
}
