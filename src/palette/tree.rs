use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;

use super::capability::{Pattern, Reach};
use super::search;
use crate::diagnostic::Diagnostic;
use crate::prompt::Grant;
use crate::protocol::ToolRules;
use crate::store::{ItemId, ItemKind, Tiers};
use crate::yaml::{Node, YamlLimits, load};

/// Deepest nesting; what an id has beyond stays in one piece.
const DEEPEST: usize = 64;

/// The names of folders and items that are left out where no configuration names any.
const EXCLUDED: [&str; 4] = ["__pycache__", "node_modules", ".venv", ".git"];

const ALWAYS_EXCLUDED: &str = "__init__";

/// Every item that the granted capabilities reach (Context Injection 2.0.0, "Layer 1"; Directives, "Tools").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CapabilityTree {
    actions: Branch,
}

/// Names in byte order, and what stands below each: actions, kinds of items, then the parts of the ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Branch {
    names: BTreeMap<String, Branch>,
}

impl CapabilityTree {
    /// Looks up everything that is granted. This lists folders, so it is made only when asked for.
    ///
    /// # Errors
    ///
    /// Where a folder cannot be listed, or `collect.yaml` is refused.
    pub fn new(grants: &[Grant], tiers: &Tiers, rules: ToolRules) -> Result<Self, Diagnostic> {
        let excluded = excluded(tiers)?;
        let mut tree = Self::default();
        for grant in grants {
            let Some(reach) = Reach::of(&grant.capability, rules.star_is_all) else { continue };
            for kind in reach.kinds() {
                let ids = reached(&reach.pattern, *kind, tiers, &excluded)?;
                for action in reach.actions {
                    let items = tree.actions.below(action.into_str()).below(kind.into_str());
                    ids.iter().for_each(|id| items.insert(id));
                }
            }
        }
        Ok(tree)
    }

    pub fn actions(&self) -> &Branch {
        &self.actions
    }
}

impl Branch {
    pub fn names(&self) -> impl Iterator<Item = (&str, &Branch)> {
        self.names.iter().map(|(name, below)| (name.as_str(), below))
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn below(&mut self, name: &str) -> &mut Branch {
        self.names.entry(name.to_string()).or_default()
    }

    fn insert(&mut self, id: &str) {
        id.splitn(DEEPEST, '/').fold(self, |branch, part| branch.below(part));
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, indent: &str, depth: usize) -> fmt::Result {
        for (index, (name, below)) in self.names().enumerate() {
            let (fork, under) =
                if index + 1 < self.names.len() { ("├── ", "│   ") } else { ("└── ", "    ") };
            let none = if depth == 1 && below.is_empty() { " (none)" } else { "" };
            let newline = if depth == 0 && index == 0 { "" } else { "\n" };
            write!(f, "{newline}{indent}{fork}{name}{none}")?;
            below.write(f, &format!("{indent}{under}"), depth + 1)?;
        }
        Ok(())
    }
}

/// A name a line, without a last newline; `(none)` behind a kind of which nothing is reached.
impl fmt::Display for CapabilityTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.actions.write(f, "", 0)
    }
}

fn reached(
    pattern: &Pattern,
    kind: ItemKind,
    tiers: &Tiers,
    excluded: &HashSet<String>,
) -> Result<Vec<String>, Diagnostic> {
    let folder = match pattern {
        Pattern::All => "",
        Pattern::Below(folder) if ItemId::parse(folder).is_ok() => folder,
        Pattern::Exact(id) if ItemId::parse(id).is_ok() && !id.contains('*') => {
            let stands = |path: String| tiers.list().iter().any(|tier| tier.store.exists(&path));
            let exists = kind.extensions().iter().any(|end| stands(format!("{}/{id}.{end}", kind.folder())));
            return Ok(exists.then(|| id.clone()).into_iter().collect());
        }
        _ => return Ok(Vec::new()),
    };
    let mut ids = Vec::new();
    for tier in 0..tiers.list().len() {
        ids.extend(search::below(tiers, tier, kind, folder, excluded)?.into_iter().map(|hit| hit.id));
    }
    Ok(ids)
}

/// The names that `exclude_dirs` of the first `collect.yaml` lists which has that key and can be read.
pub(crate) fn excluded(tiers: &Tiers) -> Result<HashSet<String>, Diagnostic> {
    let path = format!("{}/rye/core/bundler/collect.yaml", ItemKind::Tool.folder());
    for tier in 0..tiers.list().len() {
        let Some(source) = tiers.read(tier, &path)? else { continue };
        let Ok(loaded) = load(&source, 0..source.text().len(), YamlLimits::default()) else { continue };
        if let Some(names) = loaded.node.get("exclude_dirs").and_then(Node::as_list) {
            let names = names.iter().filter_map(Node::as_str).chain([ALWAYS_EXCLUDED]);
            return Ok(names.map(str::to_string).collect());
        }
    }
    Ok(EXCLUDED.into_iter().chain([ALWAYS_EXCLUDED]).map(str::to_string).collect())
}
