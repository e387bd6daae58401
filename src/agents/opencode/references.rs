//! The list of references: folders with a description that settings name.

use super::json::computed;
use super::node::{Data, Map, Node};
use crate::agents::collation::sort_by_name;
use crate::agents::files::resolved;
use crate::agents::visit::Visit;
use crate::prompt::{LayerKind, Slot};
use crate::text::Traced;

const SLOT: Slot = Slot::SystemContext;

const KEY: &str = "references";

struct Reference<'s> {
    name: Traced,
    path: &'s Traced,
    description: &'s Traced,
}

/// Makes the paths in settings in `folder` absolute.
pub(super) fn resolve(settings: &mut Node, folder: &str, home: &str) {
    for reference in settings.entries_mut(KEY) {
        let Some(path) = reference.text("path") else { continue };
        let absolute = resolved(path.text(), folder, home);
        if absolute != path.text() {
            let data = Data::Text(Traced::of(&absolute, computed(path)));
            reference.merge(Node::map(Map::from_iter([("path".to_string(), Node { data, place: None })])));
        }
    }
}

/// Writes the list, if a reference has a description.
pub(super) fn write(visit: &mut Visit<'_>, settings: &Node) {
    let references = settings.entries(KEY).filter_map(|(name, node)| {
        let (path, description) = (node.text("path")?, node.text("description")?);
        Some(Reference { name: Traced::of(name, computed(path)), path, description })
    });
    let mut references: Vec<Reference<'_>> = references.collect();
    if references.is_empty() {
        return;
    }
    sort_by_name(&mut references, |reference| reference.name.text());
    let mut text = Traced::new();
    text.push(&visit.own("references_intro")).push_protocol("\n<available_references>\n");
    for Reference { name, path, description } in &references {
        text.push_protocol("  <reference>\n");
        for (tag, value) in [("name", name), ("path", *path), ("description", description)] {
            text.push_protocol(&format!("    <{tag}>")).push(value).push_protocol(&format!("</{tag}>\n"));
        }
        text.push_protocol("  </reference>\n");
    }
    text.push_protocol("</available_references>");
    visit.draft.separate("\n");
    visit.draft.part(SLOT, LayerKind::Context, "references", &text);
}
