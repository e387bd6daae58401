use crate::answer::chain::graph::Graph;
use crate::answer::chain::{json, shape};
use crate::prompt::Grant;

use super::{MemberView, OwnHook, Placed, ScopedChain, Suppression};

pub fn document<'a>(graph: &'a Graph, shown: &'a ScopedChain) -> shape::ChainDocument<'a> {
    let grant = |grant: &'a Grant| shape::GrantJson { capability: &grant.capability, by: (&grant.by).into() };
    shape::ChainDocument {
        members: Some(shown.members.iter().rev().map(shape).collect()),
        permissions: shown.granted.map(|grants| grants.iter().map(grant).collect()),
        what_if: &shown.prompt.what_if,
        ..json::document(graph, &shown.prompt.protocol, &shown.prompt.diagnostics)
    }
}

fn shape<'a>(member: &'a MemberView<'a>) -> shape::MemberJson<'a> {
    let extends = member.listed.extends.as_ref().zip(member.parent);
    shape::MemberJson {
        id: &member.listed.id,
        source: (&*member.listed.source).into(),
        parsed: member.listed.directive.is_some(),
        extends: extends.map(|(by, id)| shape::ParentJson { id, by: by.into(), routed: member.is_routed() }),
        context: member.context.iter().map(placed).collect(),
        suppress: member.suppresses.iter().map(suppress).collect(),
        hooks: member.hooks.iter().map(hook).collect(),
        permissions: member
            .permissions
            .iter()
            .map(|(permission, left)| shape::PermissionJson {
                capability: &permission.capability,
                source: (&permission.span).into(),
                counts: member.counts,
                leaves: left.map(|grant| grant.capability.as_str()),
            })
            .collect(),
    }
}

fn placed<'a>(placed: &'a Placed<'a>) -> shape::PlacedJson<'a> {
    let decision = placed.decision;
    shape::PlacedJson {
        position: placed.position.into_str(),
        id: placed.field.as_str(),
        source: (&placed.field.span).into(),
        outcome: decision.map(|decision| decision.outcome.into_str()),
        why: decision.map(|decision| decision.why.as_str()),
        by: decision.and_then(|decision| decision.by.as_ref()).map(Into::into),
        item: decision.and_then(|decision| decision.item.as_ref()).map(Into::into),
    }
}

fn suppress<'a>(suppression: &'a Suppression<'a>) -> shape::SuppressJson<'a> {
    let matched = suppression.matched.iter();
    shape::SuppressJson {
        id: suppression.field.as_str(),
        source: (&suppression.field.span).into(),
        matched: matched.map(|it| shape::SuppressedJson { name: &it.name, slot: it.slot.into_str() }).collect(),
    }
}

fn hook<'a>(own: &'a OwnHook<'a>) -> shape::OwnHookJson<'a> {
    let OwnHook { hook, actions, is_pruned } = own;
    shape::OwnHookJson {
        id: hook.id.as_deref(),
        event: &hook.event,
        source: hook.span.as_ref().map(Into::into),
        actions: actions
            .iter()
            .map(|action| shape::OwnHookActionJson {
                outcome: action.outcome.into_str(),
                why: &action.why,
                by: action.by.as_ref().map(Into::into),
                item: action.item.as_ref().filter(|_| !is_pruned).map(Into::into),
            })
            .collect(),
    }
}
