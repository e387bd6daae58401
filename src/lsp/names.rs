//! The ids in a project: where each stands, and what it names.

use crate::lint::{LintFile, Project};
use crate::read::item::{Hook, ItemField};
use crate::read::store::ItemKind;
use crate::text::Span;

/// How capabilities to execute a tool begin.
const GRANT: &str = "rye.execute.tool.";

/// An id at a place of a file.
#[derive(Debug, Clone)]
pub struct Name {
    pub kind: ItemKind,
    pub id: String,
    /// The id alone.
    pub span: Span,
}

impl Name {
    fn new(kind: ItemKind, field: &ItemField) -> Self {
        let text = field.span.text();
        let start = text.len() - text.trim_start().len();
        let span = field.span.slice(start..start + text.trim().len());
        Self { kind, id: field.as_str().to_string(), span }
    }

    fn is_of(&self, path: &str) -> bool {
        self.span.source().path() == path
    }
}

/// Every id by which a directive or a hook names an item.
fn references<'p>(project: &'p Project<'_>) -> impl Iterator<Item = Name> + 'p {
    let of_hooks = project.configured_hooks().flat_map(Hook::references);
    let of_directives =
        project.files.iter().filter_map(LintFile::readable).flat_map(|directive| directive.references());
    of_hooks.chain(of_directives).map(|(kind, field)| Name::new(kind, field)).chain(grants(project))
}

/// The tools that permissions grant by name. Which slashes a capability writes as dots is told by the tools.
fn grants<'p>(project: &'p Project<'_>) -> impl Iterator<Item = Name> + 'p {
    let directives = project.files.iter().filter_map(LintFile::readable);
    directives.flat_map(|directive| &directive.permissions).filter_map(|permission| {
        let id = permission.capability.strip_prefix(GRANT)?.replace('.', "/");
        project.find(ItemKind::Tool, &id)?;
        Some(Name { kind: ItemKind::Tool, id, span: permission.span.clone() })
    })
}

/// The id at an offset of a file; in an item's own file, anything else stands for the item itself.
pub fn at(project: &Project<'_>, path: &str, offset: usize) -> Option<Name> {
    let is_here = |name: &Name| {
        let range = name.span.range();
        name.is_of(path) && range.start <= offset && offset <= range.end
    };
    references(project).find(is_here).or_else(|| own(project, path))
}

/// The id of an item's file.
fn own(project: &Project<'_>, path: &str) -> Option<Name> {
    let file = project.files.iter().find(|file| file.path == path && project.is_of_project(file))?;
    let source = file.source.as_ref()?;
    Some(Name { kind: file.kind.item()?, id: file.id.clone(), span: source.span(0..0) })
}

/// The places that name an item.
pub fn references_to(project: &Project<'_>, kind: ItemKind, id: &str) -> Vec<Span> {
    references(project).filter(|name| name.kind == kind && name.id == id).map(|name| name.span).collect()
}
