use std::collections::HashSet;

use crate::lint::project::Project;
use crate::read::item::{HookAction, Knowledge};
use crate::read::protocol::KnowledgeText;
use crate::read::store::ItemKind;

/// The files that may be sent to a model byte for byte, including comments.
pub(in crate::lint) struct SentWhole {
    /// Directives that a hook inserts.
    directives: HashSet<String>,
    /// Whether a hook inserts a directive whose id contains a placeholder.
    any_directive: bool,
    /// Whether hooks insert knowledge items as whole files.
    knowledge: bool,
}

impl SentWhole {
    pub fn of(project: &Project<'_>) -> Self {
        let knowledge = project.protocol.knowledge == KnowledgeText::File;
        let mut sent = Self { directives: HashSet::new(), any_directive: false, knowledge };
        let items = project.hooks().flat_map(|hook| &hook.actions).filter_map(HookAction::item);
        for (_, id) in items.filter(|(kind, _)| *kind == ItemKind::Directive) {
            sent.any_directive |= id.as_str().contains("${");
            sent.directives.insert(id.as_str().to_string());
        }
        sent
    }

    /// Why the whole file of a directive may be sent.
    pub fn directive(&self, id: &str) -> Option<&'static str> {
        (self.any_directive || self.directives.contains(id)).then_some("a hook puts this whole file into a prompt")
    }

    /// Why the whole file of a knowledge item may be sent (Directives, "Knowledge").
    pub fn knowledge(&self, knowledge: &Knowledge) -> Option<&'static str> {
        let has_content = knowledge.metadata.get("content").is_some_and(|node| node.value().is_true());
        if self.knowledge {
            return Some("with this protocol a hook puts the whole file into a prompt");
        }
        let is_whole = !has_content && knowledge.text().is_empty();
        is_whole.then_some("it has no text, so a hook puts the whole file into a prompt")
    }
}
