//! Misspelt capabilities for tools of the system.

use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::lint::rules::{ItemKind, Project};

/// Shorter names are similar by chance.
const LEAST_LETTERS: usize = 4;

/// The intended pattern, if each part matches or misspells a name in a tier, and at least one is misspelt.
pub(super) fn of_system(capability: &str, project: &Project<'_>) -> Option<String> {
    let Reach { kind: Some(ItemKind::Tool), pattern, .. } = Reach::of(capability, true)? else { return None };
    let (id, is_below) = match &pattern {
        CapabilityPattern::Below(id) => (id.as_str(), true),
        CapabilityPattern::Exact(id) => (id.as_str(), false),
        CapabilityPattern::All => return None,
    };
    if !id.starts_with("rye/") || id.contains('*') {
        return None;
    }
    let mut path = ItemKind::Tool.folder().to_string();
    let mut parts = id.split('/').peekable();
    let mut has_slip = false;
    while let Some(part) = parts.next() {
        let names = names(&path, is_below || parts.peek().is_some(), project);
        let name = match names.iter().find(|name| *name == part) {
            Some(name) => name,
            None => {
                has_slip = true;
                names.iter().find(|name| is_slip(part, name))?
            }
        };
        path = format!("{path}/{name}");
    }
    let meant = path.strip_prefix(ItemKind::Tool.folder())?.strip_prefix('/')?.replace('/', ".");
    has_slip.then(|| if is_below { format!("{meant}.*") } else { meant })
}

/// The names of the folders, or of the tools, in a folder of all tiers.
fn names(folder: &str, of_folders: bool, project: &Project<'_>) -> Vec<String> {
    let tiers = 0..project.tiers.list().len();
    let entries = tiers.flat_map(|tier| project.tiers.entries(tier, folder).unwrap_or_default());
    let named = entries.filter(|entry| entry.is_folder == of_folders).filter_map(|entry| match of_folders {
        true => Some(entry.name),
        false => {
            let (stem, extension) = entry.name.rsplit_once('.')?;
            ItemKind::Tool.extensions().contains(&extension).then(|| stem.to_string())
        }
    });
    named.collect()
}

/// Whether a name uses the other kind of dash, or has one letter added, missing, wrong or swapped.
fn is_slip(name: &str, meant: &str) -> bool {
    let plain = |name: &str| name.replace('_', "-").to_lowercase();
    let is_long = name.chars().count().min(meant.chars().count()) >= LEAST_LETTERS;
    let is_plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    plain(name) == plain(meant)
        || is_long
            && name.chars().next() == meant.chars().next()
            && !is_plural(name, meant)
            && !is_plural(meant, name)
            && strsim::osa_distance(name, meant) == 1
}
