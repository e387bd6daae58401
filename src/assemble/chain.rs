use std::collections::HashSet;
use std::sync::Arc;

use crate::diagnostic::{ChainLink, Diagnostic, Location, Problem, Severity};
use crate::item::Directive;
use crate::prompt::{ChainMember, Declared, Grant};
use crate::protocol::Protocol;
use crate::store::{ItemId, ItemKind, Tiers};
use crate::text::Source;

/// The extends chain, leaf first.
pub(super) struct Chain {
    members: Vec<Member>,
}

/// A directive of the chain.
pub(super) struct Member {
    pub id: String,
    pub source: Arc<Source>,
    /// None for a parent that has nothing to give.
    pub directive: Option<Arc<Directive>>,
    /// What leads on to its parent.
    extends: Option<Declared>,
}

/// What leads to a parent: an `extends`, the hook that sets it, or the command line.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// The parent's id.
    pub parent: String,
    pub by: Declared,
}

impl Link {
    /// What a directive says itself.
    fn of(id: &str, directive: &Directive) -> Option<Self> {
        let field = directive.extends.as_ref().filter(|field| !field.text.is_empty())?;
        let by = Declared { by: id.to_string(), span: Some(field.span.clone()) };
        Some(Self { parent: field.as_str().to_string(), by })
    }

    fn diagnose(&self, problem: Problem) -> Diagnostic {
        Diagnostic { problem, at: self.by.span.clone().map(Location::Span) }
    }
}

impl Chain {
    /// The leaf without ancestors.
    pub fn alone(id: &str, leaf: &Arc<Directive>) -> Self {
        let source = Arc::clone(&leaf.source);
        Self { members: vec![Member { id: id.to_string(), source, directive: Some(Arc::clone(leaf)), extends: None }] }
    }

    /// Walks from the leaf to the root. What routes the leaf replaces its `extends`.
    pub fn resolve(
        id: &str,
        leaf: &Arc<Directive>,
        route: Option<Link>,
        tiers: &Tiers,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let mut chain = Self::alone(id, leaf);
        let mut seen = HashSet::from([id.to_string()]);
        let mut next = route.or_else(|| Link::of(id, leaf));
        while let Some(link) = next.take() {
            let parent = link.parent.clone();
            if let Some(child) = chain.members.last_mut() {
                child.extends = Some(link.by.clone());
            }
            if !seen.insert(parent.clone()) {
                let chain = chain.links(&parent);
                return Err(link.diagnose(Problem::CircularExtends { chain }));
            }
            let id = ItemId::parse(&parent)
                .map_err(|reason| link.diagnose(Problem::InvalidId { id: parent.clone(), reason }))?;
            let Some(found) = tiers.find(ItemKind::Directive, &id)? else {
                let nearest = tiers.nearest_id(ItemKind::Directive, &id);
                let chain = chain.links(&parent);
                return Err(link.diagnose(Problem::ParentNotFound { id: parent, chain, nearest }));
            };
            let directive = match super::directive(&found.source, tiers, protocol) {
                Ok(parsed) => {
                    diagnostics.extend(parsed.diagnostics);
                    Some(parsed.item)
                }
                Err(errors) => {
                    let reason = errors
                        .iter()
                        .find(|diagnostic| diagnostic.severity() == Severity::Error)
                        .map_or_else(|| "it cannot be parsed".to_string(), Diagnostic::message);
                    let problem = Problem::ParentUnusable { id: parent.clone(), reason };
                    diagnostics.push(link.diagnose(problem));
                    None
                }
            };
            next = directive.as_ref().and_then(|directive| Link::of(&parent, directive));
            chain.members.push(Member { id: parent, source: found.source, directive, extends: None });
        }
        Ok(chain)
    }

    /// The chain as an error shows it, leaf first, ending in the id that closes or breaks it.
    fn links(&self, end: &str) -> Vec<ChainLink> {
        let link = |member: &Member| ChainLink {
            id: member.id.clone(),
            tier: member.source.tier().to_string(),
            place: match member.extends.as_ref().and_then(|by| by.span.as_ref()) {
                Some(span) => format!("{}:{}", span.source().path(), span.line()),
                None => member.source.path().to_string(),
            },
        };
        let end = ChainLink { id: end.to_string(), tier: String::new(), place: String::new() };
        self.members.iter().map(link).chain([end]).collect()
    }

    /// Root first, leaf last.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().rev()
    }

    /// What is granted: by the leaf, else by the ancestor nearest the root that declares some (Directives, "Chain").
    pub fn grants(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<Grant> {
        let declared = |member: &'_ Member| {
            let permissions = member.directive.as_ref().map_or(&[][..], |directive| &directive.permissions).to_vec();
            (!permissions.is_empty()).then(|| (member.id.clone(), permissions))
        };
        let mut declaring = match self.members.first().and_then(declared) {
            Some(leaf) => vec![leaf],
            None => self.members().filter_map(declared).collect(),
        }
        .into_iter();
        let Some((from, permissions)) = declaring.next() else { return Vec::new() };
        let skipped: Vec<String> = declaring.map(|(id, _)| id).collect();
        if !skipped.is_empty() {
            let problem = Problem::PermissionsFromRoot { from: from.clone(), skipped };
            diagnostics.push(Diagnostic::at(problem, &permissions[0].span));
        }
        let by = |span| Declared { by: from.clone(), span: Some(span) };
        permissions.into_iter().map(|it| Grant { capability: it.capability, by: by(it.span) }).collect()
    }

    /// The members as views show them, root first.
    pub fn listed(&self) -> Vec<ChainMember> {
        self.members()
            .map(|member| ChainMember {
                id: member.id.clone(),
                source: Arc::clone(&member.source),
                directive: member.directive.clone(),
                extends: member.extends.clone(),
            })
            .collect()
    }
}
