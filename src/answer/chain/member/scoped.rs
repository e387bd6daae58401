use std::collections::HashMap;
use strum::VariantArray;

use super::{MemberView, members};
use crate::answer::chain::{EdgeWord, GraphScope};
use crate::prompt::{Declared, Grant, Prompt};

/// The part of a chain that a scope selects. Every output format shows this.
pub struct ScopedChain<'a> {
    pub prompt: &'a Prompt,
    /// The members shown, leaf first, each without the declarations that the scope leaves out.
    pub members: Vec<MemberView<'a>>,
    pub more: usize,
    /// The capabilities in effect; `None` if tools are not shown.
    pub granted: Option<&'a [Grant]>,
    /// The directive whose permissions are in effect, shown or not.
    pub counting: Option<&'a str>,
    /// Whether all kinds of links are shown. Links to parents form the tree, so they always are.
    pub has_all_edges: bool,
    /// Every member of the chain by id, with its index if shown in full.
    whole: HashMap<&'a str, Option<usize>>,
}

impl<'a> ScopedChain<'a> {
    /// Selects the members for a scope.
    ///
    /// Pruned members, and members of other tiers that lead to a selected one, appear by name only.
    pub fn new(prompt: &'a Prompt, scope: &GraphScope) -> Self {
        let mut all = members(prompt);
        let counting = all.iter().find(|member| member.counts).map(|member| member.id);
        let of_all = all.len();

        let most = scope.max_depth.unwrap_or(usize::MAX).saturating_add(1);
        let pruned = all.iter().position(|member| scope.prunes(member.id));
        all.truncate(most.min(pruned.map_or(usize::MAX, |pruned| pruned + 1)));
        let is_of_tier = |member: &MemberView| scope.shows_tier(member.source.tier());
        // The leaf always stays.
        let last = all.iter().rposition(is_of_tier).unwrap_or(0);
        all.truncate(last + 1);

        let mut whole: HashMap<_, _> = prompt.chain.iter().map(|member| (member.id.as_str(), None)).collect();
        for (index, member) in all.iter_mut().enumerate() {
            if is_of_tier(member) && !scope.prunes(member.id) {
                whole.insert(member.id, Some(index));
                leave_edges(member, scope);
            } else {
                (member.context, member.suppress, member.hooks, member.permissions) = Default::default();
            }
        }
        Self {
            prompt,
            more: of_all - all.len(),
            members: all,
            granted: scope.wants(EdgeWord::Tool).then_some(&prompt.capabilities),
            counting,
            has_all_edges: EdgeWord::VARIANTS
                .iter()
                .copied()
                .all(|word| word == EdgeWord::Extends || scope.wants(word)),
            whole,
        }
    }

    pub fn is_whole(&self, member: &MemberView) -> bool {
        self.whole.get(member.id).is_some_and(Option::is_some)
    }

    /// The index of the member that declares something; the leaf stands in for the parent thread and the outputs.
    pub fn declarer(&self, by: Option<&Declared>) -> Option<usize> {
        let leaf = || self.whole.get(self.members.first()?.id);
        *by.and_then(|by| self.whole.get(by.by.as_str())).or_else(leaf)?
    }
}

fn leave_edges(member: &mut MemberView, scope: &GraphScope) {
    if !scope.wants(EdgeWord::Context) {
        member.context.clear();
        member.suppress.clear();
    }
    if !scope.wants(EdgeWord::Hook) {
        member.hooks.clear();
    }
    for pruned in member.hooks.iter_mut().filter(|own| scope.prunes(own.hook.name())) {
        pruned.actions.iter_mut().for_each(|action| action.item = None);
    }
    if !scope.wants(EdgeWord::Tool) {
        member.permissions.clear();
    }
}
