//! Capabilities: how a parent narrows them, and what they reach.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use super::fnmatch;
use crate::diagnostic::Diagnostic;
use crate::prompt::{Declared, Grant};
use crate::read::listing;
use crate::read::protocol::ToolRules;
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::read::yaml::{YamlNode, load};

pub const DIRECTIVE_RETURN: &str = "rye.execute.tool.rye.agent.threads.directive_return";

/// Narrows a child's capabilities to those of its parent thread (Directives, "Tools").
///
/// A child's capability is kept if a parent's pattern covers it; a broader one is replaced by the
/// first parent capability that it covers; others are dropped. A child that declares nothing
/// inherits its parent's; without a parent, everything is kept.
pub fn attenuate(child: Vec<Grant>, parent: &[String]) -> Vec<Grant> {
    let dotted = |capability: &str| capability.replace('/', ".");
    let parent: Vec<String> = parent.iter().map(|capability| dotted(capability)).collect();
    if child.is_empty() {
        let by = Declared { by: "parent thread".to_string(), span: None };
        return parent.into_iter().map(|capability| Grant { capability, by: by.clone() }).collect();
    }
    child
        .into_iter()
        .filter_map(|grant| {
            let capability = dotted(&grant.capability);
            if parent.is_empty() {
                return Some(Grant { capability, ..grant });
            }
            let left = match parent.iter().any(|pattern| fnmatch::matches(&capability, pattern)) {
                true => capability,
                false => parent.iter().find(|pattern| fnmatch::matches(pattern, &capability))?.clone(),
            };
            Some(Grant { capability: left, by: grant.by })
        })
        .collect()
}

/// In palette order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Primary {
    Execute,
    Fetch,
    Sign,
}

impl Primary {
    pub fn tool_id(self) -> &'static str {
        match self {
            Self::Execute => "rye/execute",
            Self::Fetch => "rye/fetch",
            Self::Sign => "rye/sign",
        }
    }

    pub fn is_primary(tool: &str) -> bool {
        Self::VARIANTS.iter().any(|primary| primary.tool_id() == tool)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    /// In palette order.
    pub actions: &'static [Primary],
    /// `None` for all kinds.
    pub kind: Option<ItemKind>,
    pub pattern: CapabilityPattern,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CapabilityPattern {
    /// A bare `*`.
    All,
    /// `x/*`: everything below a folder.
    Below(String),
    /// One id; a `*` elsewhere is not a wildcard, so such an id matches nothing.
    Exact(String),
}

impl CapabilityPattern {
    fn parse(text: &str) -> Self {
        let text = text.replace('.', "/");
        match text.strip_suffix("/*") {
            _ if text == "*" => Self::All,
            Some(folder) if !folder.contains('*') => Self::Below(folder.to_string()),
            _ => Self::Exact(text),
        }
    }

    pub fn covers(&self, id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Below(folder) => id.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/')),
            Self::Exact(exact) => exact == id,
        }
    }

    /// An id is the most specific, then the deepest folder (Directives, "Tools").
    pub fn specificity(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Below(folder) => folder.split('/').count(),
            Self::Exact(id) if id.contains('*') => id.split('/').filter(|part| !part.contains('*')).count(),
            Self::Exact(_) => usize::MAX,
        }
    }
}

impl Reach {
    pub fn kinds(&self) -> &[ItemKind] {
        self.kind.as_ref().map_or(ItemKind::VARIANTS, std::slice::from_ref)
    }

    pub fn covers(&self, action: Primary, kind: ItemKind, id: &str) -> bool {
        self.pattern.covers(id) && self.actions.contains(&action) && self.kinds().contains(&kind)
    }

    /// `None` unless the capability begins with `rye.` and names an action, or is `rye.*`.
    ///
    /// Without the protocol's `star_is_all`, `rye.*` and `rye.execute.*` grant nothing, since no rule in the released
    /// package names them.
    pub fn of(capability: &str, star_is_all: bool) -> Option<Self> {
        let capability = capability.replace('/', ".");
        let rest = capability.strip_prefix("rye.")?;
        if rest == "*" {
            let all = Self { actions: Primary::VARIANTS, kind: None, pattern: CapabilityPattern::All };
            return star_is_all.then_some(all);
        }
        let (action, rest) = rest.split_once('.')?;
        let at = Primary::VARIANTS.iter().position(|primary| primary.into_str() == action)?;
        let actions = &Primary::VARIANTS[at..=at];
        let typed = rest
            .split_once('.')
            .and_then(|(kind, items)| Some((kind.parse().ok()?, items)))
            .filter(|(_, items)| !items.is_empty());
        match typed {
            Some((kind, items)) => Some(Self { actions, kind: Some(kind), pattern: CapabilityPattern::parse(items) }),
            None if rest.is_empty() || (action == "execute" && !star_is_all) => None,
            None => Some(Self { actions, kind: None, pattern: CapabilityPattern::parse(rest) }),
        }
    }
}

/// A capability as shown in messages: the text of `<tool>` for a tool, otherwise the whole capability.
pub(crate) fn shown(capability: &str) -> &str {
    capability.strip_prefix("rye.execute.tool.").unwrap_or(capability)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn left(child: &[&str], parent: &[&str]) -> Vec<String> {
        let by = Declared { by: "x".to_string(), span: None };
        let child = child.iter().map(|c| Grant { capability: c.to_string(), by: by.clone() }).collect();
        let parent: Vec<String> = parent.iter().map(|c| c.to_string()).collect();
        attenuate(child, &parent).into_iter().map(|grant| grant.capability).collect()
    }

    #[test]
    fn a_parent_narrows_capabilities() {
        assert_eq!(left(&["rye.execute.tool.app.*"], &["rye.execute.tool.app/one"]), ["rye.execute.tool.app.one"]);
        assert_eq!(left(&["rye.fetch.*", "rye.sign.*"], &["rye.fetch.*"]), ["rye.fetch.*"]);
        assert_eq!(left(&["rye.execute.tool.a"], &["rye.sign.*", "rye.execute.*"]), ["rye.execute.tool.a"]);
        assert_eq!(left(&["rye.*"], &["rye.fetch.*", "rye.sign.*"]), ["rye.fetch.*"]);
        assert_eq!(left(&["rye.sign.*"], &["rye.fetch.*"]), [""; 0]);
        assert_eq!(left(&["rye.a/b"], &[]), ["rye.a.b"]);
        assert_eq!(left(&[], &["rye.a/b"]), ["rye.a.b"]);
    }

    #[test]
    fn capabilities_are_distinguished() {
        let reach = |capability, star| Reach::of(capability, star);
        let one = |action: &'static [Primary], kind, pattern| Some(Reach { actions: action, kind, pattern });
        let tool = Some(ItemKind::Tool);
        let (execute, fetch) = (&[Primary::Execute], &[Primary::Fetch]);
        let below = |folder: &str| CapabilityPattern::Below(folder.to_string());
        let exact = |id: &str| CapabilityPattern::Exact(id.to_string());

        let files = "rye.execute.tool.rye/file-system.*";
        assert_eq!(reach(files, false), one(execute, tool, below("rye/file-system")));
        assert_eq!(reach("rye.execute.tool.*", false), one(execute, tool, CapabilityPattern::All));
        assert_eq!(reach("rye.execute.tool.a.*.b", true), one(execute, tool, exact("a/*/b")));
        assert_eq!(reach("rye.execute.tool.a.*.*", true), one(execute, tool, exact("a/*/*")));
        assert_eq!(reach("rye.execute.*", true), one(execute, None, CapabilityPattern::All));
        assert_eq!(reach("rye.execute.*", false), None);
        assert_eq!(reach("rye.*", true), one(Primary::VARIANTS, None, CapabilityPattern::All));
        assert_eq!(reach("rye.*", false), None);
        assert_eq!(reach("rye.fetch.*", false), one(fetch, None, CapabilityPattern::All));
        assert_eq!(reach("rye.fetch.tool", false), one(fetch, None, exact("tool")));
        for none in ["rye", "*", "rye.acknowledge.x", "rye.fetch.", "other.execute.tool.x"] {
            assert_eq!(reach(none, true), None, "{none}");
        }
    }

    #[test]
    fn the_more_literal_pattern_comes_first() {
        let order = ["a/b", "a/b/c/*", "a/*", "*"].map(|text| CapabilityPattern::parse(text).specificity());
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    }
}
