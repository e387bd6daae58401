//! What is granted: capabilities, what a parent leaves of them, what they reach.

use super::fnmatch;
use crate::prompt::{Declared, Grant};
use crate::store::ItemKind;
use strum::{IntoStaticStr, VariantArray};

pub const DIRECTIVE_RETURN: &str = "rye.execute.tool.rye.agent.threads.directive_return";

/// What a parent thread's capabilities leave of a child's (Directives, "Tools").
///
/// A child capability that any parent pattern covers stays; one that is broader becomes the first that it covers; others
/// go. A child that declares nothing has what its parent has, and without a parent everything stays.
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

/// The primary actions, in the order in which the palette holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Primary {
    /// `rye/execute`
    Execute,
    /// `rye/fetch`
    Fetch,
    /// `rye/sign`
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The actions, in order.
    pub actions: &'static [Primary],
    /// The kind of item; none for all kinds.
    pub kind: Option<ItemKind>,
    pub pattern: Pattern,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// A bare `*`.
    All,
    /// `x/*`: everything below a folder.
    Below(String),
    /// One id; a `*` anywhere else is no wildcard, so that such an id reaches nothing.
    Exact(String),
}

impl Pattern {
    fn parse(text: &str) -> Self {
        let text = text.replace('.', "/");
        match text.strip_suffix("/*") {
            _ if text == "*" => Self::All,
            Some(folder) if !folder.contains('*') => Self::Below(folder.to_string()),
            _ => Self::Exact(text),
        }
    }

    /// How much a pattern says: one id most, then the deeper folder (Directives, "Tools").
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
    /// The kinds of items that it concerns.
    pub fn kinds(&self) -> &[ItemKind] {
        self.kind.as_ref().map_or(ItemKind::VARIANTS, std::slice::from_ref)
    }

    pub fn covers(&self, action: Primary, kind: ItemKind, id: &str) -> bool {
        let is_in = match &self.pattern {
            Pattern::All => true,
            Pattern::Below(folder) => id.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/')),
            Pattern::Exact(exact) => exact == id,
        };
        is_in && self.actions.contains(&action) && self.kinds().contains(&kind)
    }

    /// What a capability grants; `None` for one that is no `rye.` capability of an action.
    ///
    /// `star_is_all` is the protocol's: without it `rye.*` and `rye.execute.*` grant nothing, as no rule of the
    /// released package names them.
    pub fn of(capability: &str, star_is_all: bool) -> Option<Self> {
        let capability = capability.replace('/', ".");
        let rest = capability.strip_prefix("rye.")?;
        if rest == "*" {
            return star_is_all.then_some(Self { actions: Primary::VARIANTS, kind: None, pattern: Pattern::All });
        }
        let (action, rest) = rest.split_once('.')?;
        let actions: &'static [Primary] = match action {
            "execute" => &[Primary::Execute],
            "fetch" => &[Primary::Fetch],
            "sign" => &[Primary::Sign],
            _ => return None,
        };
        let typed = rest
            .split_once('.')
            .and_then(|(kind, items)| Some((kind.parse().ok()?, items)))
            .filter(|(_, items)| !items.is_empty());
        match typed {
            Some((kind, items)) => Some(Self { actions, kind: Some(kind), pattern: Pattern::parse(items) }),
            None if rest.is_empty() || (action == "execute" && !star_is_all) => None,
            None => Some(Self { actions, kind: None, pattern: Pattern::parse(rest) }),
        }
    }
}

/// What stands in a `<tool>` of a capability for tools, else the whole capability: as messages name it.
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
    fn a_parent_narrows() {
        assert_eq!(left(&["rye.execute.tool.app.*"], &["rye.execute.tool.app/one"]), ["rye.execute.tool.app.one"]);
        assert_eq!(left(&["rye.fetch.*", "rye.sign.*"], &["rye.fetch.*"]), ["rye.fetch.*"]);
        assert_eq!(left(&["rye.execute.tool.a"], &["rye.sign.*", "rye.execute.*"]), ["rye.execute.tool.a"]);
        assert_eq!(left(&["rye.*"], &["rye.fetch.*", "rye.sign.*"]), ["rye.fetch.*"]);
        assert_eq!(left(&["rye.sign.*"], &["rye.fetch.*"]), [""; 0]);
        assert_eq!(left(&["rye.a/b"], &[]), ["rye.a.b"]);
        assert_eq!(left(&[], &["rye.a/b"]), ["rye.a.b"]);
    }

    #[test]
    fn capabilities_are_told_apart() {
        let reach = |capability, star| Reach::of(capability, star);
        let one = |action: &'static [Primary], kind, pattern| Some(Reach { actions: action, kind, pattern });
        let tool = Some(ItemKind::Tool);
        let (execute, fetch) = (&[Primary::Execute], &[Primary::Fetch]);
        let below = |folder: &str| Pattern::Below(folder.to_string());
        let exact = |id: &str| Pattern::Exact(id.to_string());

        let files = "rye.execute.tool.rye/file-system.*";
        assert_eq!(reach(files, false), one(execute, tool, below("rye/file-system")));
        assert_eq!(reach("rye.execute.tool.*", false), one(execute, tool, Pattern::All));
        assert_eq!(reach("rye.execute.tool.a.*.b", true), one(execute, tool, exact("a/*/b")));
        assert_eq!(reach("rye.execute.tool.a.*.*", true), one(execute, tool, exact("a/*/*")));
        assert_eq!(reach("rye.execute.*", true), one(execute, None, Pattern::All));
        assert_eq!(reach("rye.execute.*", false), None);
        assert_eq!(reach("rye.*", true), one(Primary::VARIANTS, None, Pattern::All));
        assert_eq!(reach("rye.*", false), None);
        assert_eq!(reach("rye.fetch.*", false), one(fetch, None, Pattern::All));
        assert_eq!(reach("rye.fetch.tool", false), one(fetch, None, exact("tool")));
        for none in ["rye", "*", "rye.acknowledge.x", "rye.fetch.", "other.execute.tool.x"] {
            assert_eq!(reach(none, true), None, "{none}");
        }
    }

    #[test]
    fn the_more_literal_pattern_comes_first() {
        let order = ["a/b", "a/b/c/*", "a/*", "*"].map(|text| Pattern::parse(text).specificity());
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    }
}
