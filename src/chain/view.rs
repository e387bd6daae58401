//! The chain of one directive: what each of its directives gives, and what became of it.

use std::io;

use crate::prompt::Prompt;
use crate::text::visible::VisibleWriter;

use super::member::{self, Shown};
use super::{Format, Scope, View, dot, json, mermaid, shape};

/// Writes what `chain <directive>` shows, in many small writes: give it a buffer.
pub fn write(prompt: &Prompt, scope: &Scope, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let shown = Shown::new(prompt, scope);
    match view.format {
        Format::Tree => member::tree::write(&shown, &view.readable(), out),
        Format::Json if view.visible => document(&shown, &mut VisibleWriter::json(out)),
        Format::Json => document(&shown, out),
        Format::Dot => dot::write(&member::graph::graph(&shown), out),
        Format::Mermaid => mermaid::write(&member::graph::graph(&shown), out),
    }
}

/// The graph, and what it has no place for.
fn document(shown: &Shown, out: &mut dyn io::Write) -> io::Result<()> {
    let graph = member::graph::graph(shown);
    let details = shape::ChainDocument {
        members: Some(member::json::shapes(&shown.members)),
        permissions: shown.granted.map(member::json::permissions),
        what_if: &shown.prompt.what_if,
        ..json::document(&graph, &shown.prompt.protocol, &shown.prompt.diagnostics)
    };
    json::write(&details, out)
}
