use crate::fill::assemble::TakenText;
use crate::read::item::{Hook, HookAction};
use crate::read::protocol::KnowledgeText;
use crate::read::store::ItemKind;
use crate::text::Traced;

use super::{LintFile, Project};

#[derive(Debug)]
pub struct HookText<'p> {
    pub action: &'p HookAction,
    pub file: &'p LintFile,
    /// Before interpolation.
    pub text: Traced,
}

impl Project<'_> {
    /// The texts that a hook inserts from existing items whose ids contain no placeholder (Directives, "Knowledge").
    pub fn hook_texts<'p>(&'p self, hook: &'p Hook) -> Vec<HookText<'p>> {
        hook.actions.iter().filter_map(|action| self.hook_text(action)).collect()
    }

    pub(super) fn hook_text<'p>(&'p self, action: &'p HookAction) -> Option<HookText<'p>> {
        action.item_id.as_ref().filter(|id| !id.as_str().contains("${"))?;
        let file = self.inserted(action)?;
        let is_run = action.executes();
        let is_knowledge = file.kind.item() == Some(ItemKind::Knowledge);
        let takes_text = is_knowledge && (is_run || self.protocol.knowledge == KnowledgeText::Body);
        let text = match takes_text {
            true => TakenText::of(&file.id, file.knowledge()?, self.protocol.hook_text).text.ok()?,
            false => whole(file)?,
        };
        Some(HookText { action, file, text })
    }

    /// The item whose text an action inserts; `None` for an action that runs a tool, since `lint` runs no tools.
    pub fn inserted(&self, action: &HookAction) -> Option<&LintFile> {
        let (kind, id) = action.item()?;
        let is_inserted = action.adds_text() && (kind == ItemKind::Knowledge || !action.executes());
        self.find(kind, id.as_str()).filter(|_| is_inserted)
    }
}

fn whole(file: &LintFile) -> Option<Traced> {
    let source = file.source.as_ref()?;
    Some(Traced::file(&source.whole().trim()))
}
