use std::collections::HashMap;
use strum::VariantArray;

use super::{Member, members};
use crate::chain::{EdgeWord, Scope};
use crate::prompt::{Declared, Grant, Prompt};

/// As much of a chain as a scope asks for. Every form of output shows this, so that all say the same.
pub struct Shown<'a> {
    /// The prompt.
    pub prompt: &'a Prompt,
    /// The members that are shown, leaf first, each with nothing but what is to be shown of it.
    pub members: Vec<Member<'a>>,
    /// How many ancestors follow that are not shown.
    pub more: usize,
    /// What the chain and a parent thread leave of all permissions; none where tools are not asked for.
    pub granted: Option<&'a [Grant]>,
    /// The directive whose permissions count, shown or not.
    pub counting: Option<&'a str>,
    /// Whether no kind of links was left away besides those to parents, which are the tree.
    pub has_all_edges: bool,
    /// The members of the whole chain by id, each with its index if it is shown with what it gives.
    whole: HashMap<&'a str, Option<usize>>,
}

impl<'a> Shown<'a> {
    /// The part of a prompt's chain that a scope asks for.
    ///
    /// A member of another tier than those named stays where it leads on to one of them, and so does a pruned one; they
    /// stand there by their names alone.
    pub fn new(prompt: &'a Prompt, scope: &Scope) -> Self {
        let mut all = members(prompt);
        let counting = all.iter().find(|member| member.counts).map(|member| member.listed.id.as_str());
        let of_all = all.len();

        let most = scope.max_depth.unwrap_or(usize::MAX).saturating_add(1);
        let pruned = all.iter().position(|member| scope.prunes(&member.listed.id));
        all.truncate(most.min(pruned.map_or(usize::MAX, |pruned| pruned + 1)));
        let is_of_tier = |member: &Member| scope.shows_tier(member.listed.source.tier());
        // The directive that was asked about stays in any case.
        let last = all.iter().rposition(is_of_tier).unwrap_or(0);
        all.truncate(last + 1);

        let mut whole: HashMap<_, _> = prompt.chain.iter().map(|member| (member.id.as_str(), None)).collect();
        for (index, member) in all.iter_mut().enumerate() {
            if is_of_tier(member) && !scope.prunes(&member.listed.id) {
                whole.insert(member.listed.id.as_str(), Some(index));
                leave_edges(member, scope);
            } else {
                (member.context, member.suppresses, member.hooks, member.permissions) = Default::default();
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

    /// Whether a member is shown with what it gives, not by its name alone.
    pub fn is_whole(&self, member: &Member) -> bool {
        self.whole.get(member.listed.id.as_str()).is_some_and(Option::is_some)
    }

    /// The member that shows what something declares, as an index. What nobody of the chain declares, the parent thread
    /// or the outputs do, and then the leaf has it.
    pub fn declarer(&self, by: Option<&Declared>) -> Option<usize> {
        let leaf = || self.whole.get(self.members.first()?.listed.id.as_str());
        *by.and_then(|by| self.whole.get(by.by.as_str())).or_else(leaf)?
    }
}

/// Leaves away what a member gives by links that are not wanted.
fn leave_edges(member: &mut Member, scope: &Scope) {
    if !scope.wants(EdgeWord::Context) {
        member.context.clear();
        member.suppresses.clear();
    }
    if !scope.wants(EdgeWord::Hook) {
        member.hooks.clear();
    }
    for own in &mut member.hooks {
        own.is_pruned = scope.prunes(own.hook.name());
    }
    if !scope.wants(EdgeWord::Tool) {
        member.permissions.clear();
    }
}
