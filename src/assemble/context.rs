use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Problem};
use crate::item::Field;
use crate::prompt::{Declared, ItemRef, LayerKind, Outcome, Slot};
use crate::protocol::{Protocol, Scope};
use crate::store::{ItemId, ItemKind};

use super::chain::{Chain, Member};
use super::hooks::{Suppressions, suppressed_by};
use super::items::{Contribution, Items};
use super::plan::Entry;

/// The `<suppress>` entries of the whole chain; what any member suppresses stays suppressed.
pub(super) fn suppressions(chain: &Chain) -> Suppressions {
    let mut all = Suppressions::new();
    for member in chain.members() {
        for field in member.directive.iter().flat_map(|directive| &directive.context.suppress) {
            all.entry(field.as_str().to_string()).or_insert_with(|| declared(member, field));
        }
    }
    all
}

pub(super) fn declared(member: &Member, field: &Field) -> Declared {
    Declared { by: member.id.clone(), span: Some(field.span.clone()) }
}

/// What the chain declares for one position, root first; the first occurrence of an id wins (Directives, "Chain").
pub(super) fn position(
    slot: Slot,
    chain: &Chain,
    suppressions: &Suppressions,
    protocol: &Protocol,
    items: &mut Items<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Entry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for member in chain.members() {
        let Some(context) = member.directive.as_ref().map(|directive| &directive.context) else { continue };
        let fields = match slot {
            Slot::SystemChain => &context.system,
            Slot::UserChainBefore => &context.before,
            _ => &context.after,
        };
        for field in fields {
            let mut entry = Entry::asked(field.as_str(), slot, LayerKind::Context, declared(member, field));
            entry.item = Some(ItemRef { kind: ItemKind::Knowledge, id: field.as_str().to_string(), span: None });
            let suppressed = suppressions.get(field.as_str()).filter(|_| protocol.suppress == Scope::HooksAndChain);
            entries.push(if !seen.insert(field.as_str()) {
                entry.left_out(Outcome::Duplicate, "it stands in this position already")
            } else if let Some(by) = suppressed {
                entry.left_out(Outcome::Suppressed, suppressed_by(by)).decided_by(by.clone())
            } else {
                contribute(entry, member, field, protocol, items, diagnostics)?
            });
        }
    }
    Ok(entries)
}

fn contribute(
    mut entry: Entry,
    member: &Member,
    field: &Field,
    protocol: &Protocol,
    items: &mut Items<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Entry, Diagnostic> {
    let id = ItemId::parse(field.as_str())
        .map_err(|reason| Diagnostic::at(Problem::InvalidId { id: field.as_str().to_string(), reason }, &field.span))?;
    match items.for_chain(&id, protocol.chain_text, diagnostics)? {
        Contribution::Text { text, item, .. } => {
            entry.item = Some(item);
            Ok(entry.included(text, format!("{} declares it", member.id)))
        }
        Contribution::Nothing { item, why } => {
            entry.item = Some(item);
            Ok(entry.left_out(Outcome::Empty, why))
        }
        Contribution::Missing => {
            let problem = Problem::ItemMissing { kind: "knowledge", id: id.to_string(), asked_by: member.id.clone() };
            diagnostics.push(Diagnostic::at(problem, &field.span));
            Ok(entry.left_out(Outcome::Missing, "no tier has it"))
        }
    }
}
