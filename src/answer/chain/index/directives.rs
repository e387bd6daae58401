use rayon::prelude::*;

use super::listing::{self, ItemLocation};
use crate::decide::with_parents;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::read::item::{self, ContextDeclaration, Directive, Hook, ItemField, Parsed, Permission};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::write::progress;

pub(in crate::answer::chain) struct IndexedDirective {
    pub id: String,
    pub place: ItemLocation,
    /// What it declares, or why it cannot be used.
    pub declared: Result<DirectiveDeclarations, Unusable>,
    pub parent: Option<usize>,
}

/// The part of a directive that is kept in memory, since there may be thousands of directives.
pub(in crate::answer::chain) struct DirectiveDeclarations {
    pub extends: Option<ItemField>,
    pub category: Option<Box<str>>,
    pub context: ContextDeclaration,
    pub hooks: Vec<Hook>,
    pub permissions: Vec<Permission>,
    pub has_outputs: bool,
}

pub(in crate::answer::chain) struct Unusable {
    pub reason: String,
    at: Option<Location>,
}

impl IndexedDirective {
    pub fn declared(&self) -> Option<&DirectiveDeclarations> {
        self.declared.as_ref().ok()
    }

    pub fn extends(&self) -> Option<&ItemField> {
        self.declared()?.extends.as_ref()
    }

    pub fn warning(&self) -> Option<Diagnostic> {
        let Unusable { reason, at } = self.declared.as_ref().err()?;
        let problem = Problem::DirectiveUnusable { id: self.id.clone(), reason: reason.clone() };
        Some(Diagnostic { problem, at: at.clone() })
    }
}

/// Reads every directive in use, each file once, sorted by id.
pub(in crate::answer::chain) fn read(
    tiers: &Tiers,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<IndexedDirective>, Diagnostic> {
    let listed = listing::list(tiers, ItemKind::Directive, &Default::default(), diagnostics)?;
    let progress = progress::begin("reading", "directives", listed.len());
    let read = |(id, place)| {
        progress.step();
        entry(id, place, tiers, protocol)
    };
    let mut entries: Vec<IndexedDirective> = listed.into_par_iter().map(read).collect();
    let unlisted = |entry: &IndexedDirective| {
        let parent = entry.extends()?.as_str();
        find(&entries, parent).is_none().then(|| ItemId::parse(parent).ok())?
    };
    let linked = with_parents(
        entries.iter().filter_map(unlisted),
        |id| Some(entry(id.to_string(), listing::locate(tiers, ItemKind::Directive, id)?, tiers, protocol)),
        |found| unlisted(found.as_ref()?),
    );
    entries.extend(linked.into_values().flatten());
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    let parents: Vec<_> = entries.par_iter().map(|entry| find(&entries, entry.extends()?.as_str())).collect();
    for (entry, parent) in entries.iter_mut().zip(parents) {
        entry.parent = parent;
    }
    Ok(entries)
}

pub(in crate::answer::chain) fn find(entries: &[IndexedDirective], id: &str) -> Option<usize> {
    entries.binary_search_by(|entry| entry.id.as_str().cmp(id)).ok()
}

fn entry(id: String, place: ItemLocation, tiers: &Tiers, protocol: &Protocol) -> IndexedDirective {
    let declared = declared(&place, tiers, protocol);
    IndexedDirective { id, place, declared, parent: None }
}

fn declared(place: &ItemLocation, tiers: &Tiers, protocol: &Protocol) -> Result<DirectiveDeclarations, Unusable> {
    let source = match tiers.read(place.tier, &place.path) {
        Ok(Some(source)) => source,
        Ok(None) => return Err(Unusable { reason: "it is a dangling link".to_string(), at: None }),
        Err(error) => return Err(Unusable { reason: error.message(), at: error.at }),
    };
    match item::parse_directive(&source, protocol) {
        Ok(Parsed { item: Directive { extends, category, context, hooks, permissions, outputs, .. }, .. }) => {
            let extends = extends.filter(|field| !field.text.is_empty());
            let category = category.map(|field| field.as_str().into());
            Ok(DirectiveDeclarations {
                extends,
                category,
                context,
                hooks,
                permissions,
                has_outputs: !outputs.is_empty(),
            })
        }
        Err(errors) => match errors.into_iter().find(|found| found.severity() == Severity::Error) {
            Some(error) => Err(Unusable { reason: error.message(), at: error.at }),
            None => Err(Unusable { reason: "it cannot be parsed".to_string(), at: None }),
        },
    }
}
