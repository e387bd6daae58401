//! The list of references: folders with a description that settings name.

use super::settings::Settings;
use crate::agents::collation::sort_by_name;
use crate::agents::files::{parent, resolved};
use crate::agents::visit::Visit;
use crate::prompt::{LayerKind, Slot};
use crate::text::{Origin, Traced};

const SLOT: Slot = Slot::SystemContext;

struct Reference<'s> {
    name: Traced,
    path: Traced,
    description: &'s Traced,
}

/// Writes the list, if a reference has a description.
pub(super) fn write(visit: &mut Visit<'_>, settings: &Settings) {
    let references = settings.merged.entries("references").filter_map(|(name, node)| {
        let (path, description) = (node.text("path")?, node.text("description")?);
        let derived = |text: &str| match path.span() {
            Some(span) => Traced::of(text, Origin::Derived(span)),
            None => Traced::protocol(text),
        };
        let base = path.span().and_then(|span| Some(parent(span.source().path())?.to_string()));
        let absolute = resolved(path.text(), base.as_ref().unwrap_or(&visit.request.cwd), &visit.request.home);
        let path = if absolute == path.text() { path.clone() } else { derived(&absolute) };
        Some(Reference { name: derived(name), path, description })
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
        for (tag, value) in [("name", name), ("path", path), ("description", description)] {
            text.push_protocol(&format!("    <{tag}>")).push(value).push_protocol(&format!("</{tag}>\n"));
        }
        text.push_protocol("  </reference>\n");
    }
    text.push_protocol("</available_references>");
    visit.draft.separate("\n");
    visit.draft.part(SLOT, LayerKind::Context, "references", &text);
}
