use std::collections::HashSet;
use std::sync::Arc;

use crate::decide::{DirectiveIndex, IndexedDirective, granting};
use crate::diagnostic::{ChainLink, Diagnostic, Problem, Severity};
use crate::prompt::{ChainMember, Declared, Grant};
use crate::read::item::{Directive, Permission};
use crate::read::limits;
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::{ItemId, ItemKind, Tiers};

use super::diagnose;

#[derive(Default)]
pub(super) struct Chain {
    members: Vec<ChainMember>,
}

/// The step to a parent: an `extends`, a routing hook or the command line.
#[derive(Debug, Clone)]
pub(super) struct ParentStep {
    pub parent: String,
    pub by: Declared,
}

impl ParentStep {
    fn of(id: &str, directive: &Directive) -> Option<Self> {
        let field = directive.parent()?;
        let by = Declared { by: id.to_string(), span: Some(field.span.clone()) };
        Some(Self { parent: field.as_str().to_string(), by })
    }
}

impl Chain {
    pub fn alone(id: &str, leaf: &Arc<Directive>) -> Self {
        let source = Arc::clone(&leaf.source);
        Self {
            members: vec![ChainMember { id: id.to_string(), source, directive: Some(Arc::clone(leaf)), extends: None }],
        }
    }

    /// Walks from the leaf to the root. `route` replaces the leaf's `extends`.
    pub fn resolve(
        id: &str,
        leaf: &Arc<Directive>,
        route: Option<ParentStep>,
        tiers: &Tiers,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let mut chain = Self::alone(id, leaf);
        let mut seen = HashSet::from([id.to_string()]);
        let mut next = route.or_else(|| ParentStep::of(id, leaf));
        while let Some(link) = next.take() {
            let parent = link.parent.clone();
            if let Some(child) = chain.members.last_mut() {
                child.extends = Some(link.by.clone());
            }
            if !seen.insert(parent.clone()) {
                let chain = chain.links(&parent);
                return Err(diagnose(Problem::CircularExtends { chain }, &link.by.span));
            }
            let id = ItemId::parse(&parent)
                .map_err(|reason| diagnose(Problem::InvalidId { id: parent.clone(), reason }, &link.by.span))?;
            let Some(found) = tiers.find(ItemKind::Directive, &id)? else {
                let nearest = tiers.nearest_id(ItemKind::Directive, &id);
                let chain = chain.links(&parent);
                return Err(diagnose(Problem::ParentNotFound { id: parent, chain, nearest }, &link.by.span));
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
                    diagnostics.push(diagnose(problem, &link.by.span));
                    None
                }
            };
            next = directive.as_ref().and_then(|directive| ParentStep::of(&parent, directive));
            chain.members.push(ChainMember { id: parent, source: found.source, directive, extends: None });
        }
        Ok(chain)
    }

    /// The chain as an error shows it: leaf first, ending in the id that closes a cycle or is missing.
    fn links(&self, end: &str) -> Vec<ChainLink> {
        let link = |member: &ChainMember| ChainLink {
            id: member.id.clone(),
            tier: member.source.tier().to_string(),
            place: match member.extends.as_ref().and_then(|by| by.span.as_ref()) {
                Some(span) => format!("{}:{}", span.source().path(), span.line()),
                None => member.source.path().to_string(),
            },
        };
        self.members.iter().map(link).chain([ChainLink::end(end)]).collect()
    }

    pub fn members(&self) -> impl Iterator<Item = &ChainMember> {
        self.members.iter().rev()
    }

    /// The leaf's permissions, else those of the ancestor nearest the root that declares any (Directives, "Chain").
    pub fn grants(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<Grant> {
        let declares = |member: &&ChainMember| !permissions(member).is_empty();
        let Some(from) = granting(self.members.iter(), declares) else { return Vec::new() };
        let skipped: Vec<String> = self.members().filter(declares).skip(1).map(|member| member.id.clone()).collect();
        if !declares(&&self.members[0]) && !skipped.is_empty() {
            let problem = Problem::PermissionsFromRoot { from: from.id.clone(), skipped };
            diagnostics.push(Diagnostic::at(problem, &permissions(from)[0].span));
        }
        let grant = |permission: &Permission| Grant {
            capability: permission.capability.clone(),
            by: Declared { by: from.id.clone(), span: Some(permission.span.clone()) },
        };
        permissions(from).iter().map(grant).collect()
    }
}

fn permissions(member: &ChainMember) -> &[Permission] {
    member.directive.as_ref().map_or(&[], |directive| &directive.permissions)
}

/// Fails if the chains of `ids` are too long in total; `all` is the number of directives.
pub fn check_chains(ids: &[&str], all: usize, tiers: &Tiers, protocol: &Protocol) -> Result<(), Diagnostic> {
    let most = limits::CHAINED.max(limits::CHAINED_EACH * all);
    // A chain has at most as many members as there are directives.
    if protocol.context == ContextScope::None || ids.len().saturating_mul(all) <= most {
        return Ok(());
    }
    let ids: Vec<ItemId> = ids.iter().filter_map(|id| ItemId::parse(id).ok()).collect();
    let read = |id: &ItemId| {
        let found = tiers.find(ItemKind::Directive, id).ok().flatten();
        let parsed = found.and_then(|found| super::directive(&found.source, tiers, protocol).ok());
        Some(IndexedDirective { directive: parsed.map(|parsed| parsed.item), file: () })
    };
    let index = DirectiveIndex::read(ids.iter().cloned(), read);
    // A circular chain is refused when its directive is rendered.
    let lengths = ids.iter().filter_map(|id| index.find(id.as_str())).map(|at| index.chain_length(at));
    let sum = lengths.fold(0, usize::saturating_add);
    if sum > most {
        let unit = "directives in the chains of all prompts together";
        return Err(Diagnostic::new(Problem::OverLimit { limit: most as u64, unit }));
    }
    Ok(())
}
