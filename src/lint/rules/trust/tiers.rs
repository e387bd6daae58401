//! Items that leave their tier, or replace those of another.

use std::collections::{HashMap, HashSet};

use strum::VariantArray;

use crate::lint::rules::{Diagnostic, Directive, Findings, Hook, LintFile, Problem, Project};
use crate::read::store::{ItemId, ItemKind, StoreEntry, Tier, TierKind};

pub fn outside_tier(project: &Project<'_>, found: &mut Findings<'_>) {
    for file in project.linted() {
        for refused in file.diagnostics.iter().filter(|found| found.problem == Problem::OutsideTier) {
            found.diagnosed(refused, || project.location(file));
        }
    }
    // A folder of items, such as `.ai/knowledge`, may itself be a link out of its tier.
    for refused in project.diagnostics.iter().filter(|found| found.problem == Problem::OutsideTier) {
        if let Some(at) = &refused.at {
            found.diagnosed(refused, || at.clone());
        }
    }
    // Ids of files behind a link that is not followed.
    let refused: HashMap<(ItemKind, &str), &Diagnostic> =
        project.refused().iter().map(|(kind, id, refused)| ((*kind, id.as_str()), refused)).collect();
    if refused.is_empty() {
        return;
    }
    let directives = project.files.iter().filter_map(LintFile::directive);
    let of_directives = directives.flat_map(Directive::references_handed_on);
    for (kind, field) in of_directives.chain(project.hooks().flat_map(Hook::references)) {
        let of_id = refused.get(&(kind, field.as_str()));
        if let Some(diagnostic) = of_id.filter(|found| found.problem == Problem::OutsideTier) {
            let message =
                format!("{} `{}` is behind a link that leads out of its tier", kind.into_str(), field.as_str());
            found.at(&field.span, message).related_if(diagnostic.at.clone(), "this link is refused");
        }
    }
}

pub fn shadows_system(project: &Project<'_>, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod outside_tier_tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    #[test]
    fn each_kind_of_link_is_reported_at_its_place() {
        let directive = examples(&crate::lint::rule::RR615).composed.0.split("=== .ai/knowledge").next().unwrap();
        let reported = |link: &str| -> Vec<String> {
            let example: &'static str = format!("{directive}=== {link}\n").leak();
            let found = found(Example(example), &LintOptions::default());
            let own = found.iter().filter(|finding| finding.rule.code == "RR615");
            own.map(|finding| finding.path().to_string()).collect()
        };
        let base = ".ai/directives/base.md";
        let rules = ".ai/knowledge/shared/rules.md";
        assert_eq!(reported(".ai/knowledge/shared/rules.md -> ../../../../rules.md"), [rules]);
        assert_eq!(reported(".ai/knowledge/shared -> ../../../shared"), [base, ".ai/knowledge/shared"]);
        // Unused folders are reported too.
        assert_eq!(reported(".ai/knowledge/etc -> ../../../outside"), [".ai/knowledge/etc"]);
        assert_eq!(reported(".ai/knowledge -> ../../knowledge"), [base, ".ai/knowledge"]);
        assert!(reported(".ai/knowledge/shared -> ../team").is_empty());
    }
}
