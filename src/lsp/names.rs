//! The ids in a project: where each stands, and what it names.

use crate::lint::{LintFile, Project};
use crate::read::item::{Hook, ItemField};
use crate::read::store::{ItemKind, last_segment};
use crate::read::value::Value;
use crate::read::yaml::{self, YamlData, YamlNode, key_place};
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
    let named = of_hooks.chain(of_directives).map(|(kind, field)| Name::new(kind, field));
    named.chain(grants(project)).chain(suppressed(project)).chain(examples(project))
}

/// The directives that the settings of the project have example inputs for. Patterns name none.
fn examples(project: &Project<'_>) -> Vec<Name> {
    let is_settings = |file: &&LintFile| file.path == project.settings_path() && project.is_of_project(file);
    let of_settings = || {
        let whole = project.files.iter().find(is_settings)?.source.as_ref()?.whole();
        let settings = yaml::load(&whole).ok()?.node;
        let YamlData::Map(examples) = &settings.get("examples")?.data else { return None };
        let name = |(key, inputs): (&Value, &YamlNode)| {
            let Value::Str(id) = key else { return None };
            project.find(ItemKind::Directive, id)?;
            let span = key_place(&whole, inputs.span.as_ref()?, id)?;
            Some(Name { kind: ItemKind::Directive, id: id.clone(), span })
        };
        Some(examples.iter().filter_map(name).collect())
    };
    of_settings().unwrap_or_default()
}

/// The knowledge items that a `<suppress>` names. The id of a hook comes first.
fn suppressed<'p>(project: &'p Project<'_>) -> impl Iterator<Item = Name> + 'p {
    let fields = project.files.iter().filter_map(LintFile::readable).flat_map(|it| &it.context.suppress);
    let is_hook = |id: &str| project.hooks().any(|hook| hook.id.as_deref() == Some(id));
    let is_item = move |id: &str| project.find(ItemKind::Knowledge, id).is_some() && !is_hook(id);
    fields.filter(move |field| is_item(field.as_str())).map(|field| Name::new(ItemKind::Knowledge, field))
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

/// The id at an offset of a file. The first line of an item's file stands for the item itself, without a place of its id.
pub fn at(project: &Project<'_>, path: &str, offset: usize) -> Option<Name> {
    let is_here = |name: &Name| name.is_of(path) && holds(&name.span, offset);
    references(project).find(is_here).or_else(|| own(project, path, offset))
}

fn own(project: &Project<'_>, path: &str, offset: usize) -> Option<Name> {
    let file = project.files.iter().find(|file| file.path == path && project.is_of_project(file))?;
    let source = file.source.as_ref()?;
    let first_line = || source.span(0..source.text().find('\n').unwrap_or(source.text().len()));
    let declared = declared(file).filter(|span| holds(span, offset));
    let span = declared.or_else(|| holds(&first_line(), offset).then(|| source.span(0..0)))?;
    Some(Name { kind: file.kind.item()?, id: file.id.clone(), span })
}

/// The place where an item names itself, if that is the last part of its id.
pub fn declared(file: &LintFile) -> Option<Span> {
    let of_knowledge = || file.knowledge()?.metadata.get("name")?.span.clone();
    let span = file.readable().and_then(|it| Some(it.name.as_ref()?.span.clone())).or_else(of_knowledge)?.trim();
    let text = span.text().trim_matches(['"', '\'']);
    let start = span.text().len() - span.text().trim_start_matches(['"', '\'']).len();
    (text == last_segment(&file.id)).then(|| span.slice(start..start + text.len()))
}

pub fn holds(span: &Span, offset: usize) -> bool {
    span.range().start <= offset && offset <= span.range().end
}

/// The places that name an item.
pub fn references_to(project: &Project<'_>, kind: ItemKind, id: &str) -> Vec<Span> {
    references(project).filter(|name| name.kind == kind && name.id == id).map(|name| name.span).collect()
}
