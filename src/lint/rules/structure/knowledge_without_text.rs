use std::collections::HashSet;

use crate::lint::rules::{Findings, Problem, Project};
use crate::read::item::{Knowledge, NoText, TextPlace};
use crate::read::protocol::HookText;

use super::uses::{self, ItemUse, ItemUser};

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_placed =
        |item_use: &ItemUse<'_>| matches!(item_use.by, ItemUser::Chain) && !item_use.takes_hook_text(project);
    uses::report(project, found, |id, item| (!item.has_text()).then(|| problem(id, item)), is_placed);

    // Where the whole file counts instead, an item needs no text.
    if project.protocol.hook_text == HookText::TextOrFile {
        return;
    }
    // An item that nothing uses yet also needs text.
    let linted = project.linted().filter_map(|file| Some((file, file.knowledge()?)));
    let empty: Vec<_> = linted.filter(|(_, item)| !item.has_text() && is_meant_to_have_text(item)).collect();
    if empty.is_empty() {
        return;
    }
    let used: HashSet<&str> = uses::uses(project).map(|item_use| item_use.id.as_str()).collect();
    for (file, item) in empty {
        if !used.contains(file.id.as_str()) && uses::counts(project, file) {
            found.problem(problem(&file.id, item), project.location(file));
        }
    }
}

fn problem(id: &str, item: &Knowledge) -> Problem {
    Problem::KnowledgeWithoutText { id: id.to_string(), reason: item.why_no_text() }
}

/// Whether an unused item is more than data or notes.
fn is_meant_to_have_text(item: &Knowledge) -> bool {
    let has_content = item.metadata.get("content").is_some();
    match item.place {
        TextPlace::Block(_) | TextPlace::Key(_) => !has_content,
        TextPlace::Nowhere(reason) => reason == NoText::NotYaml,
    }
}
