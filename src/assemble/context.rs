use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::Field;
use crate::prompt::{Declared, ItemRef, LayerKind, Outcome, Slot};
use crate::protocol::{Protocol, Scope};
use crate::request::{Position, Request, WhatIf};
use crate::store::{ItemId, ItemKind};

use super::chain::{Chain, Member};
use super::hooks::{Suppressions, suppressed_by};
use super::items::{Contribution, Items};
use super::plan::Entry;
use super::{Surroundings, what_if};

/// The `<suppress>` entries of the whole chain, and then the command line's; what anyone suppresses stays suppressed.
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

/// A knowledge item that is asked for, and by whom.
pub(super) struct Asked<'a> {
    pub id: &'a str,
    pub by: Declared,
}

impl Asked<'_> {
    /// What becomes of it is still open.
    pub fn entry(&self, slot: Slot) -> Entry {
        let mut entry = Entry::asked(self.id, slot, LayerKind::Context, self.by.clone());
        entry.item = Some(ItemRef { kind: ItemKind::Knowledge, id: self.id.to_string(), span: None });
        entry
    }

    /// Whether the command line asks for it, and no file.
    fn is_typed(&self) -> bool {
        self.by.span.is_none()
    }

    fn diagnose(&self, problem: Problem) -> Diagnostic {
        Diagnostic { problem, at: self.by.span.clone().map(Location::Span) }
    }
}

/// What is asked for at one position: by the chain, root first, and then by the command line.
pub(super) fn asked<'a>(slot: Slot, chain: &'a Chain, what_if: &'a WhatIf) -> impl Iterator<Item = Asked<'a>> {
    let position = match slot {
        Slot::SystemChain => Position::System,
        Slot::UserChainBefore => Position::Before,
        _ => Position::After,
    };
    let declared = chain.members().filter_map(|member| Some((member, member.directive.as_ref()?))).flat_map(
        move |(member, directive)| {
            let fields = position.items(&directive.context).iter();
            fields.map(|field| Asked { id: field.as_str(), by: declared(member, field) })
        },
    );
    let added = what_if.with_context.iter().filter(move |(at, _)| *at == position);
    declared.chain(added.map(|(_, id)| Asked { id, by: what_if::flag(WITH_CONTEXT) }))
}

/// The flag that adds items after those of the chain.
const WITH_CONTEXT: &str = "--with-context";

fn declared(member: &Member, field: &Field) -> Declared {
    Declared { by: member.id.clone(), span: Some(field.span.clone()) }
}

/// What becomes of everything that is asked for at one position; the first occurrence of an id wins (Directives,
/// "Chain").
pub(super) fn position(
    slot: Slot,
    around: &Surroundings,
    request: &Request,
    protocol: &Protocol,
    items: &mut Items<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Entry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut first: HashMap<&str, Declared> = HashMap::new();
    for asked in asked(slot, &around.chain, &request.what_if) {
        let Asked { id, by } = &asked;
        let suppressed = around.suppressions.get(*id).filter(|_| protocol.suppress == Scope::HooksAndChain);
        if let Some(earlier) = first.get(id) {
            let why = format!("{} asks for it here already", earlier.by);
            entries.push(asked.entry(slot).left_out(Outcome::Duplicate, why).decided_by(earlier.clone()));
            continue;
        }
        first.insert(id, by.clone());
        entries.push(match suppressed {
            Some(by) => asked.entry(slot).left_out(Outcome::Suppressed, suppressed_by(by)).decided_by(by.clone()),
            None => contribute(asked, slot, protocol, items, diagnostics)?,
        });
    }
    Ok(entries)
}

fn contribute(
    asked: Asked<'_>,
    slot: Slot,
    protocol: &Protocol,
    items: &mut Items<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Entry, Diagnostic> {
    let mut entry = asked.entry(slot);
    let id = ItemId::parse(asked.id)
        .map_err(|reason| asked.diagnose(Problem::InvalidId { id: asked.id.to_string(), reason }))?;
    match items.for_chain(&id, protocol.chain_text, diagnostics)? {
        Contribution::Text { text, item, .. } => {
            entry.item = Some(item);
            let verb = if asked.is_typed() { "adds" } else { "declares" };
            Ok(entry.included(text, format!("{} {verb} it", asked.by.by)))
        }
        Contribution::Nothing { item, why } => {
            entry.item = Some(item);
            Ok(entry.left_out(Outcome::Empty, why))
        }
        // Nobody types an item to see the prompt without it.
        Contribution::Missing if asked.is_typed() => {
            Err(what_if::no_such_item(WITH_CONTEXT, asked.id, items.nearest(&id)))
        }
        Contribution::Missing => {
            let asked_by = asked.by.by.clone();
            diagnostics.push(asked.diagnose(Problem::ItemMissing { kind: "knowledge", id: id.to_string(), asked_by }));
            Ok(entry.left_out(Outcome::Missing, "no tier has it"))
        }
    }
}
