//! The argument of `--why`.

use crate::answer::explain::hooks::{ItemMatch, naming};
use crate::fill::palette::api_name;
use crate::prompt::{Decision, LayerKind, Prompt, Slot};
use crate::read::item::{Hook, HookAction};
use crate::read::store::{ItemId, ItemKind, Tiers, last_segment};
use crate::text::nearest::nearest;
use strum::VariantArray;

/// The shortest part that identifies a guideline, in bytes.
const LEAST_PART: usize = 4;

/// A name, possibly preceded by the word for its kind, as in output.
pub(super) struct WhyName<'a> {
    pub(super) name: &'a str,
    pub(super) tool: Option<&'a str>,
    pub(super) is_hook: Option<bool>,
    pub(super) kind: Option<ItemKind>,
}

impl<'a> WhyName<'a> {
    pub(super) fn new(typed: &'a str) -> Self {
        let typed = typed.trim();
        // Output may also show the path of the item's file.
        if let Some((kind, name)) = ItemKind::of_path(typed).filter(|(_, id)| ItemId::parse(id).is_ok()) {
            return Self { name, tool: None, is_hook: Some(false), kind: Some(kind) };
        }
        if let Some(name) = typed.strip_prefix("hook ") {
            return Self { name, tool: None, is_hook: Some(true), kind: None };
        }
        let of_kind = |kind: ItemKind| Some((kind, typed.strip_prefix(kind.into_str())?.strip_prefix(' ')?));
        match ItemKind::VARIANTS.iter().copied().find_map(of_kind) {
            Some((kind, name)) => Self { name, tool: None, is_hook: Some(false), kind: Some(kind) },
            None => Self { name: typed, tool: None, is_hook: None, kind: None },
        }
    }

    pub(super) fn kind_is(&self, kind: ItemKind) -> bool {
        self.is_hook != Some(true) && self.kind.is_none_or(|asked| asked == kind)
    }

    pub(super) fn means_hook(&self, hook: &Hook) -> bool {
        self.is_hook != Some(false) && hook.name() == self.name
    }

    pub(super) fn means_setting(&self, name: &str) -> bool {
        self.is_hook.is_none() && name == self.name
    }

    pub(super) fn is_named_by(&self, actions: &[HookAction]) -> Option<ItemMatch> {
        naming(actions, |kind| self.kind_is(kind), self.name).filter(|_| self.is_hook != Some(true))
    }

    pub(super) fn means(&self, decision: &Decision) -> bool {
        let by_name =
            decision.name == self.name && self.is_hook.is_none_or(|is_hook| is_hook == decision.slot.is_hook());
        let as_item = |id: &str, kind: ItemKind| id == self.name && self.kind_is(kind);
        let by_item = decision.item.as_ref().is_some_and(|item| as_item(&item.id, item.kind));
        let has_api_name = api_name(&decision.name) == self.name || self.tool == Some(decision.name.as_str());
        let by_api_name = decision.slot == Slot::Palette && self.kind_is(ItemKind::Tool) && has_api_name;
        let fits = self
            .kind
            .is_none_or(|kind| decision.item.as_ref().map_or(decision.slot == Slot::Palette, |item| item.kind == kind));
        (by_name && fits) || by_item || by_api_name
    }

    /// In the prompt of a folder, also a file by its path, a skill by its name and a guideline by part of its text.
    pub(super) fn means_in_folder(&self, decision: &Decision, prompt: &Prompt) -> bool {
        let subject = &prompt.subject;
        if subject.directive().is_some() {
            return false;
        }
        let layer = decision.layer.and_then(|index| prompt.layers.get(index));
        let is_skill = layer.is_some_and(|layer| layer.kind == LayerKind::Skill && layer.name == self.name);
        let declared_by = decision.declared_by.as_ref().map(|declared| declared.by.as_str());
        let is_path = |path: &str| path.starts_with('/') && subject.calls(path, self.name);
        let is_part = || decision.name.to_lowercase().contains(&self.name.to_lowercase());
        let is_guideline = decision.slot == Slot::SystemGuidelines && self.name.len() >= LEAST_PART && is_part();
        let is_path = |path: &str| is_path(path) || self.is_skill_file(path, prompt);
        is_skill || is_path(&decision.name) || declared_by.is_some_and(is_path) || is_guideline
    }

    /// Whether it is the file of the skill in a folder of that name. A skill outside the prompt has no other name.
    pub(super) fn is_skill_file(&self, path: &str, prompt: &Prompt) -> bool {
        let folder = path.strip_suffix("/SKILL.md").filter(|_| !self.name.is_empty());
        let is_named = || prompt.layers.iter().any(|it| it.kind == LayerKind::Skill && it.name == self.name);
        folder.is_some_and(|folder| last_segment(folder) == self.name) && !is_named()
    }
}

pub(super) fn near(asked: &WhyName, prompt: &Prompt, tiers: &Tiers) -> Option<String> {
    let hooks = prompt.hooks.iter().filter_map(|run| run.hook.id.as_deref());
    let names = prompt.decisions.iter().flat_map(|decision| {
        [Some(decision.name.as_str()), decision.item.as_ref().map(|item| item.id.as_str())].into_iter().flatten()
    });
    let settings = prompt.settings.iter().map(|setting| setting.name.as_str());
    let names = names.chain(prompt.chain.iter().map(|member| member.id.as_str())).chain(hooks).chain(settings);
    let skills = prompt.layers.iter().filter(|layer| layer.kind == LayerKind::Skill);
    let names = names.chain(skills.map(|layer| layer.name.as_str()));
    let names = || names.clone();
    let by_last = names().find(|name| *name != asked.name && last_segment(name).eq_ignore_ascii_case(asked.name));
    let in_tiers = || {
        let id = ItemId::parse(asked.name).ok()?;
        let kinds = ItemKind::VARIANTS.iter().copied().filter(|&kind| asked.kind_is(kind));
        kinds.filter_map(|kind| tiers.nearest_id(kind, &id)).next()
    };
    // A base name with a typo.
    let by_last_alike = || {
        let last = nearest(asked.name, names().map(last_segment))?;
        names().find(|name| last_segment(name) == last).map(str::to_string)
    };
    let alike = || nearest(asked.name, names().filter(|name| *name != asked.name));
    by_last.map(str::to_string).or_else(alike).or_else(in_tiers).or_else(by_last_alike)
}
