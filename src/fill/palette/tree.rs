use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;

use super::capability::{CapabilityPattern, Reach};
use crate::diagnostic::Diagnostic;
use crate::prompt::Grant;
use crate::read::listing;
use crate::read::protocol::ToolRules;
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::read::yaml::{YamlNode, load};

/// Deeper parts of an id are not split.
const DEEPEST: usize = 64;

/// The default of `exclude_dirs`.
const EXCLUDED: [&str; 4] = ["__pycache__", "node_modules", ".venv", ".git"];

const ALWAYS_EXCLUDED: &str = "__init__";

/// Every item that the granted capabilities reach (Context Injection 2.0.0, "Layer 1"; Directives, "Tools"): actions,
/// kinds of items, then the parts of the ids, each level in byte order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CapabilityTree {
    names: BTreeMap<String, CapabilityTree>,
}

impl CapabilityTree {
    /// Lists folders, so it is called only on request.
    ///
    /// # Errors
    ///
    /// A folder cannot be listed, or `collect.yaml` is refused.
    pub fn new(grants: &[Grant], tiers: &Tiers, rules: ToolRules) -> Result<Self, Diagnostic> {
        let excluded = excluded(tiers)?;
        let mut tree = Self::default();
        for grant in grants {
            let Some(reach) = Reach::of(&grant.capability, rules.star_is_all) else { continue };
            for kind in reach.kinds() {
                let ids = reached(&reach.pattern, *kind, tiers, &excluded)?;
                for action in reach.actions {
                    let items = tree.below(action.into_str()).below(kind.into_str());
                    ids.iter().for_each(|id| items.insert(id));
                }
            }
        }
        Ok(tree)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    fn below(&mut self, name: &str) -> &mut Self {
        self.names.entry(name.to_string()).or_default()
    }

    fn insert(&mut self, id: &str) {
        id.splitn(DEEPEST, '/').fold(self, |branch, part| branch.below(part));
    }

    fn write_below(&self, f: &mut fmt::Formatter<'_>, indent: &str, depth: usize) -> fmt::Result {
        for (index, (name, below)) in self.names.iter().enumerate() {
            let (fork, under) =
                if index + 1 < self.names.len() { ("├── ", "│   ") } else { ("└── ", "    ") };
            let none = if depth == 1 && below.names.is_empty() { " (none)" } else { "" };
            let newline = if depth == 0 && index == 0 { "" } else { "\n" };
            write!(f, "{newline}{indent}{fork}{name}{none}")?;
            below.write_below(f, &format!("{indent}{under}"), depth + 1)?;
        }
        Ok(())
    }
}

/// A name per line, without a final newline; `(none)` after a kind that reaches nothing.
impl fmt::Display for CapabilityTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_below(f, "", 0)
    }
}

fn reached(
    pattern: &CapabilityPattern,
    kind: ItemKind,
    tiers: &Tiers,
    excluded: &HashSet<String>,
) -> Result<Vec<String>, Diagnostic> {
    let folder = match pattern {
        CapabilityPattern::All => "",
        CapabilityPattern::Below(folder) if ItemId::parse(folder).is_ok() => folder,
        CapabilityPattern::Exact(id) if ItemId::parse(id).is_ok() && !id.contains('*') => {
            let stands = |path: String| tiers.list().iter().any(|tier| tier.store.exists(&path));
            let exists = kind.extensions().iter().any(|end| stands(format!("{}/{id}.{end}", kind.folder())));
            return Ok(exists.then(|| id.clone()).into_iter().collect());
        }
        _ => return Ok(Vec::new()),
    };
    let mut ids = Vec::new();
    for tier in 0..tiers.list().len() {
        ids.extend(listing::below(tiers, tier, kind, folder, excluded)?.into_iter().map(|hit| hit.id));
    }
    Ok(ids)
}

/// `exclude_dirs` of the first readable `collect.yaml` that has the key.
pub(crate) fn excluded(tiers: &Tiers) -> Result<HashSet<String>, Diagnostic> {
    let path = format!("{}/rye/core/bundler/collect.yaml", ItemKind::Tool.folder());
    for tier in 0..tiers.list().len() {
        let Some(source) = tiers.read(tier, &path)? else { continue };
        let Ok(loaded) = load(&source.whole()) else { continue };
        if let Some(names) = loaded.node.get("exclude_dirs").and_then(YamlNode::as_list) {
            let names = names.iter().filter_map(YamlNode::as_str).chain([ALWAYS_EXCLUDED]);
            return Ok(names.map(str::to_string).collect());
        }
    }
    Ok(EXCLUDED.into_iter().chain([ALWAYS_EXCLUDED]).map(str::to_string).collect())
}
