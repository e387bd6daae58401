//! The skills of the packages that settings name.

use serde_json::Value;

use super::entries::Entries;
use super::sources::{Rank, Search};
use crate::agents::files::{below, location};
use crate::agents::pi::settings::object;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::PathKind;

/// Where packages come from that are no local folders.
const REMOTE: [&str; 7] = ["npm:", "git:", "github:", "http:", "https:", "ssh:", "builtin:"];

/// Adds the skills of a package in the settings of the folder `base`.
pub(super) fn add(search: &mut Search<'_, '_>, package: &Value, base: &str, tier: &'static str) {
    let Some(source) = package.as_str().or_else(|| package.get("source")?.as_str()) else { return };
    if REMOTE.iter().any(|start| source.trim().starts_with(start)) {
        let problem = Problem::AgentPackageUnknown { source: source.to_string() };
        search.visit.diagnostics.push(Diagnostic::at(problem, location(&below(base, "settings.json"), tier, None)));
        return;
    }
    let folder = search.places.resolved(source.trim(), base);
    if search.visit.kind(&folder) != Some(PathKind::Folder) {
        return;
    }
    let is_automatic = package.get("autoload") != Some(&Value::Bool(false));
    let filter = package.get("skills").and_then(Value::as_array);
    let filter: Option<Vec<&str>> = filter.map(|list| list.iter().filter_map(Value::as_str).collect());
    // Without its own skills, a package gives only those that the settings name.
    if !is_automatic && filter.as_ref().is_none_or(Vec::is_empty) {
        return;
    }
    let chosen = filter.as_ref().map(|list| Choice::new(list, &search.places.home));
    let manifest = of_manifest(search, &folder, tier);
    let paths = match &manifest {
        Some(entries) => entries.plain.iter().map(|entry| search.places.resolved(entry, &folder)).collect(),
        None => vec![below(&folder, "skills")],
    };
    let left_out_by = |path: &str| {
        let by_manifest = manifest.as_ref().and_then(|entries| entries.leaves_out(path, &folder, false));
        by_manifest.or_else(|| chosen.as_ref().and_then(|choice| choice.leaves_out(path, &folder)))
    };
    for path in paths {
        let walked = search.named(&path);
        search.take(walked, Rank::Package, tier, left_out_by);
    }
}

/// The skills that settings choose of a package.
struct Choice {
    entries: Entries,
    is_empty: bool,
}

impl Choice {
    fn new(list: &[&str], home: &str) -> Self {
        Self { entries: Entries::new(list, home), is_empty: list.is_empty() }
    }

    fn leaves_out(&self, path: &str, folder: &str) -> Option<String> {
        if self.is_empty {
            return Some("skills".to_string());
        }
        self.entries.leaves_out(path, folder, true)
    }
}

/// The entries of the package's manifest; `None` if it has none, so that its folder `skills` counts.
fn of_manifest(search: &mut Search<'_, '_>, folder: &str, tier: &'static str) -> Option<Entries> {
    let manifest = object(search.visit, &below(folder, "package.json"), tier).ok()?;
    let listed: Option<Vec<&str>> = manifest.get("pi")?.get("skills")?.as_array()?.iter().map(Value::as_str).collect();
    Some(Entries::new(&listed?, &search.places.home))
}
