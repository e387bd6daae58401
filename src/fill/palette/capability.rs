//! Capabilities: how a parent narrows them, and what they reach.

use super::fnmatch;
use crate::prompt::{Declared, Grant};
use crate::read::store::ItemKind;
use strum::{IntoStaticStr, VariantArray};

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
