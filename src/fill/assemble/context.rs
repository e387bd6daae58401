use crate::decide::request::{Position, WhatIf};
use crate::decide::{Placement, placements};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::fill::interpolate::pipes_outside_hook;
use crate::prompt::{ChainMember, DecisionOutcome, Declared, ItemRef, LayerKind, Slot};
use crate::read::item::ItemField;
use crate::read::store::{ItemId, ItemKind};

use super::chain::Chain;
use super::items::Contribution;
use super::plan::{PlanEntry, Planner, Suppressions, suppressed_by};
use super::{Surroundings, diagnose, what_if};

/// The `<suppress>` entries of the whole chain, then those of the command line. A suppression cannot be undone.
pub(super) fn suppressions(chain: &Chain, what_if: &WhatIf) -> Suppressions {
    let mut all = Suppressions::new();
    for member in chain.members() {
        for field in member.directive.iter().flat_map(|directive| &directive.context.suppress) {
            all.entry(field.as_str().to_string()).or_insert_with(|| declared(member, field));
        }
    }
    for name in &what_if.suppress {
        all.entry(name.clone()).or_insert_with(|| what_if::flag("--suppress"));
    }
    all
}

pub(super) fn places_items(chain: &Chain, what_if: &WhatIf) -> bool {
    [Slot::SystemChain, Slot::UserChainBefore, Slot::UserChainAfter]
        .into_iter()
        .any(|slot| items_at(slot, chain, what_if).next().is_some())
}

/// No suppressions, with a diagnostic for the first of those that would be ignored.
pub(super) fn without_effect(ignored: &Suppressions, diagnostics: &mut Vec<Diagnostic>) -> Suppressions {
    let first = ignored.first();
    diagnostics.extend(first.map(|(_, by)| diagnose(Problem::SuppressWithoutContext, &by.span)));
    Suppressions::new()
}

pub(super) struct RequestedItem<'a> {
    pub id: &'a str,
    pub by: Declared,
}

impl RequestedItem<'_> {
    pub fn entry(&self, slot: Slot) -> PlanEntry {
        let mut entry = PlanEntry::new(self.id, slot, LayerKind::Context, self.by.clone());
        entry.decision.item = Some(ItemRef { kind: ItemKind::Knowledge, id: self.id.to_string(), span: None });
        entry
    }

    fn place(&self) -> Option<Location> {
        self.by.span.clone().map(Location::Span)
    }

    fn is_typed(&self) -> bool {
        self.by.span.is_none()
    }
}

/// The items for one position: the chain's, root first, then the command line's.
pub(super) fn items_at<'a>(
    slot: Slot,
    chain: &'a Chain,
    what_if: &'a WhatIf,
) -> impl Iterator<Item = RequestedItem<'a>> {
    let position = match slot {
        Slot::SystemChain => Position::System,
        Slot::UserChainBefore => Position::Before,
        _ => Position::After,
    };
    let declared = chain.members().filter_map(|member| Some((member, member.directive.as_ref()?))).flat_map(
        move |(member, directive)| {
            let fields = position.items(&directive.context).iter();
            fields.map(|field| RequestedItem { id: field.as_str(), by: declared(member, field) })
        },
    );
    let added = what_if.with_context.iter().filter(move |(at, _)| *at == position);
    declared.chain(added.map(|(_, id)| RequestedItem { id, by: what_if::flag(WITH_CONTEXT) }))
}

const WITH_CONTEXT: &str = "--with-context";

fn declared(member: &ChainMember, field: &ItemField) -> Declared {
    Declared { by: member.id.clone(), span: Some(field.span.clone()) }
}

impl Planner<'_> {
    /// Decides what becomes of each item at one position.
    pub fn declared(&mut self, slot: Slot, around: &Surroundings) -> Result<(), Diagnostic> {
        let items: Vec<_> = items_at(slot, &around.chain, &self.request.what_if).collect();
        let suppression = |id: &str| around.suppressions.get(id).filter(|_| self.protocol.suppresses_items());
        let placements: Vec<_> = placements(items.iter().map(|item| item.id), |id| suppression(id).is_some()).collect();
        for (asked, placement) in items.iter().zip(placements) {
            let left_out = |outcome, why: String, by: &Declared| {
                asked.entry(slot).left_out(outcome, why).decided_by(Some(by.clone()))
            };
            let entry = match placement {
                Placement::Duplicate(earlier) => {
                    let earlier = &items[earlier].by;
                    left_out(DecisionOutcome::Duplicate, format!("{} already places it here", earlier.by), earlier)
                }
                Placement::Suppressed => {
                    let by = &around.suppressions[asked.id];
                    left_out(DecisionOutcome::Suppressed, suppressed_by(by), by)
                }
                Placement::Placed => self.contribute(asked, slot)?,
            };
            self.plan.entries.push(entry);
        }
        Ok(())
    }

    fn contribute(&mut self, asked: &RequestedItem<'_>, slot: Slot) -> Result<PlanEntry, Diagnostic> {
        let mut entry = asked.entry(slot);
        let id = ItemId::parse(asked.id)
            .map_err(|reason| diagnose(Problem::InvalidId { id: asked.id.to_string(), reason }, &asked.by.span))?;
        match self.items.for_chain(&id, self.protocol, self.diagnostics)? {
            Contribution::Text { text, item, .. } => {
                entry.decision.item = Some(item);
                if self.protocol.pipes {
                    let found = pipes_outside_hook(&text).into_iter();
                    self.diagnostics.extend(found.map(|it| Diagnostic { at: it.at.or_else(|| asked.place()), ..it }));
                }
                let verb = if asked.is_typed() { "adds" } else { "declares" };
                Ok(entry.included(text, format!("{} {verb} it", asked.by.by)))
            }
            Contribution::Nothing { item, why } => {
                entry.decision.item = Some(item);
                Ok(entry.left_out(DecisionOutcome::Empty, why))
            }
            // A missing item of `--with-context` is an error, because the user asked to see it.
            Contribution::Missing if asked.is_typed() => {
                Err(what_if::no_such_item(WITH_CONTEXT, asked.id, self.tiers.nearest_id(ItemKind::Knowledge, &id)))
            }
            Contribution::Missing => {
                let requested_by = asked.by.by.clone();
                let problem = Problem::ItemMissing { kind: "knowledge", id: id.to_string(), requested_by };
                self.diagnostics.push(diagnose(problem, &asked.by.span));
                Ok(entry.left_out(DecisionOutcome::Missing, "no tier has it"))
            }
        }
    }
}
