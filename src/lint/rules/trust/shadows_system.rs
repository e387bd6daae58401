use std::collections::HashSet;

use strum::VariantArray;

use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::store::{ItemId, ItemKind, StoreEntry, Tier, TierKind};

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    if project.is_bundle() {
        return;
    }
    let beginnings = beginnings(project);
    for file in project.linted() {
        let Some(kind) = file.kind.item() else { continue };
        let first = file.id.split('/').next().unwrap_or_default();
        // Few items share their first segment with a bundle, so the disk is rarely searched.
        let tiers =
            beginnings.iter().filter(|(tier, of, names)| *of == kind && names.contains(first) && *tier != file.tier);
        for &(tier, ..) in tiers {
            if let Some(path) = replaced(project, file, kind, tier) {
                let label = &project.tiers.list()[tier].label;
                let message = format!("`{}` replaces the {} with the same id in {label}", file.id, kind.into_str());
                let place = project.tiers.place(tier, path);
                found.at(project.location(file), message).related(place, "the replaced item");
                break;
            }
        }
    }
}

/// The first segments of ids in system bundles: names of folders and items.
fn beginnings(project: &Project<'_>) -> Vec<(usize, ItemKind, HashSet<String>)> {
    let tiers = project.tiers.list().iter().enumerate().filter(|(_, tier)| tier.kind == TierKind::System);
    let kinds = tiers.flat_map(|(index, tier)| ItemKind::VARIANTS.iter().copied().map(move |kind| (index, tier, kind)));
    let names = |tier: &Tier, kind: ItemKind| -> HashSet<String> {
        // An unreadable bundle has nothing to replace.
        let entries = tier.store.list(kind.folder()).unwrap_or_default();
        let name = |entry: StoreEntry| match entry.name.rsplit_once('.') {
            Some((stem, _)) if !entry.is_folder => stem.to_string(),
            _ => entry.name,
        };
        entries.into_iter().map(name).collect()
    };
    kinds.map(|(index, tier, kind)| (index, kind, names(tier, kind))).collect()
}

/// The path of the item with the same id in a system tier, unless the text is identical.
fn replaced(project: &Project<'_>, file: &LintFile, kind: ItemKind, tier: usize) -> Option<String> {
    let id = ItemId::parse(&file.id).ok()?;
    let store = &project.tiers.list()[tier].store;
    let path = kind.paths(&id).find(|path| store.exists(path))?;
    let other = project.tiers.read(tier, &path).ok().flatten();
    let is_identical = other.is_some_and(|other| file.source.as_ref().is_some_and(|own| own.text() == other.text()));
    (!is_identical).then_some(path)
}
