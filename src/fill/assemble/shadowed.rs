use std::collections::HashSet;

use crate::prompt::{Decision, DecisionOutcome, ItemRef, Slot, wins_over};
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::text::Source;

use super::chain::Chain;
use super::plan::Plan;

/// Decisions for the copies in lower tiers that items in use shadow.
pub(super) fn shadowed(chain: &Chain, plan: &Plan, tiers: &Tiers) -> Vec<Decision> {
    let members = chain.members().map(|member| (Slot::Chain, ItemKind::Directive, &member.id, &*member.source));
    let items = plan.entries.iter().filter(|entry| entry.text.is_some()).filter_map(|entry| {
        let item = entry.decision.item.as_ref().filter(|item| item.kind == ItemKind::Knowledge)?;
        Some((entry.decision.slot, item.kind, &item.id, &**item.span.as_ref()?.source()))
    });
    let mut seen = HashSet::new();
    members
        .chain(items)
        .filter(|(_, kind, id, _)| seen.insert((*kind, *id)))
        .filter_map(|(slot, kind, id, source)| decision(slot, kind, id, source, tiers))
        .collect()
}

fn decision(slot: Slot, kind: ItemKind, id: &str, source: &Source, tiers: &Tiers) -> Option<Decision> {
    let winner = tiers.list().iter().position(|tier| *tier.label == *source.tier())?;
    let copies = tiers.shadowed(kind, &ItemId::parse(id).ok()?, winner);
    (!copies.is_empty()).then(|| Decision {
        item: Some(ItemRef { kind, id: id.to_string(), span: None }),
        ..Decision::new(id, slot, DecisionOutcome::Shadowed, wins_over(source.tier(), &copies.join(" and ")))
    })
}
