//! The list of references: folders with a description that settings name.

use super::json::computed;
use super::node::{Data, Map, Node};
use crate::agents::ecmascript::sort_by_name;
use crate::agents::files::resolved;
use crate::agents::skills::element;
use crate::agents::visit::Visit;
use crate::prompt::{LayerKind, Slot};
use crate::text::Traced;

const SLOT: Slot = Slot::SystemContext;

const KEY: &str = "references";

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
        Some((Traced::of(name, computed(path)), path, description))
    });
    let mut references: Vec<(Traced, &Traced, &Traced)> = references.collect();
    if references.is_empty() {
        return;
    }
    sort_by_name(&mut references, |(name, ..)| name.text());
    let mut text = visit.own("references_intro");
    text.push_protocol("\n<available_references>\n");
    for (name, path, description) in &references {
        text.push(&element("reference", [("name", name), ("path", path), ("description", description)]));
    }
    text.push_protocol("</available_references>");
    visit.draft.separate("\n");
    visit.draft.part(SLOT, LayerKind::Context, "references", &text);
}
