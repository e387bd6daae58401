use crate::item::{Hook, HookAction};
use crate::protocol::KnowledgeText;
use crate::store::ItemKind;
use crate::text::{Traced, python};

use super::{LintFile, Project};

/// A text that a hook inserts into prompts.
#[derive(Debug)]
pub struct HookText<'p> {
    pub action: &'p HookAction,
    pub file: &'p LintFile,
    /// Before interpolation.
    pub text: Traced,
}

impl Project<'_> {
    /// The texts that a hook inserts: of existing items whose ids contain no placeholder (Directives, "Knowledge").
    pub fn hook_texts<'p>(&'p self, hook: &'p Hook) -> Vec<HookText<'p>> {
        hook.actions.iter().filter_map(|action| self.hook_text(action)).collect()
    }

    pub(super) fn hook_text<'p>(&'p self, action: &'p HookAction) -> Option<HookText<'p>> {
        let (kind, id) = action.item().filter(|(_, id)| !id.as_str().contains("${"))?;
        let file = self.find(kind, id.as_str())?;
        let executes = match action.primary.as_deref()? {
            "execute" => true,
            "fetch" | "load" => false,
            _ => return None,
        };
        let takes_text = kind == ItemKind::Knowledge && (executes || self.protocol.knowledge == KnowledgeText::Body);
        let text = match takes_text {
            true => knowledge_text(file)?,
            // A check runs no tool.
            false if executes => return None,
            false => whole(file)?,
        };
        Some(HookText { action, file, text })
    }
}

/// The first of `content`, body and whole file that is not empty.
fn knowledge_text(file: &LintFile) -> Option<Traced> {
    let knowledge = file.knowledge()?;
    if let Some(content) = knowledge.metadata.get("content").filter(|node| node.value().is_true()) {
        return Some(content.traced().trim());
    }
    let text = knowledge.text();
    if text.is_empty() { whole(file) } else { Some(text) }
}

fn whole(file: &LintFile) -> Option<Traced> {
    let source = file.source.as_ref()?;
    Some(Traced::file(&source.span(python::trim_range(source.text()))))
}
