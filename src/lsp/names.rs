//! What stands at a place of a file: the id of an item or a hook, an input, or an import; and where else it is named.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::Location;

use super::about::About;
use super::places::START;
use crate::lint::{LintFile, Project};
use crate::read::address::url_of;
use crate::read::item::{Hook, InputDeclaration, ItemField};
use crate::read::store::{ItemKind, last_segment};
use crate::read::value::Value;
use crate::read::yaml::{self, YamlData, YamlNode, key_place};
use crate::text::python::word;
use crate::text::{Source, Span};

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
    let declared = declared(file).filter(|span| holds(span, offset));
    let span = declared.or_else(|| holds(&source.whole().first_line(), offset).then(|| source.span(0..0)))?;
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

impl<'a> About<'a> {
    /// Where the hook is declared that a `<suppress>` at an offset names.
    pub(super) fn suppressed_hook(&self, offset: usize) -> Option<&'a Span> {
        let directive = self.file()?.readable()?;
        let name = directive.context.suppress.iter().find(|field| self.holds(&field.span, offset))?.as_str();
        let hooks = directive.hooks.iter().chain(self.reading.project.hooks());
        hooks.filter(|hook| hook.suppressible_names().any(|it| it == name)).find_map(declared_hook)
    }

    /// The hook whose id stands at an offset.
    pub(super) fn hook(&self, offset: usize) -> Option<&'a Hook> {
        self.reading.project.hooks().find(|hook| declared_hook(hook).is_some_and(|span| self.holds(span, offset)))
    }

    /// The places that suppress a hook by its id.
    pub(super) fn suppressing(&self, hook: &Hook) -> impl Iterator<Item = &'a Span> {
        let directives = self.reading.project.files.iter().filter_map(|file| file.readable());
        let suppressed = directives.flat_map(|directive| &directive.context.suppress);
        suppressed.filter(|field: &&ItemField| hook.id.as_deref() == Some(field.as_str())).map(|field| &field.span)
    }

    /// The ids that a `<suppress>` may name.
    pub(super) fn hook_ids(&self) -> impl Iterator<Item = (String, String)> {
        let hooks = self.reading.project.hooks().filter(|hook| hook.shapes_messages());
        hooks.filter_map(|hook| Some((hook.id.clone()?, "hook".to_string())))
    }

    pub(super) fn holds(&self, span: &Span, offset: usize) -> bool {
        span.source().path() == self.path && holds(span, offset)
    }
}

/// The place of its id, or else the whole hook.
fn declared_hook(hook: &Hook) -> Option<&Span> {
    hook.written.get("id").and_then(|id| id.span.as_ref()).or(hook.span.as_ref())
}

/// How placeholders of an input begin.
const OPENERS: [&str; 2] = ["{input:", "${inputs."];

impl<'a> About<'a> {
    /// The input that is declared or named at an offset. Inputs of a parent are not inherited.
    fn input(&self, offset: usize) -> Option<&'a InputDeclaration> {
        let is_named = |(_, whole): &(&str, Range<usize>)| whole.start <= offset && offset <= whole.end;
        let named = placeholders(self.source()?.text()).find(is_named).map(|(name, _)| name);
        let is_it = |input: &&InputDeclaration| match named {
            Some(name) => input.name.as_str() == name,
            None => self.holds(&input.span, offset),
        };
        self.file()?.readable()?.inputs.iter().find(is_it)
    }

    pub(super) fn declaration(&self, offset: usize) -> Option<&'a Span> {
        self.input(offset).map(|input| &input.name.span)
    }

    /// The placeholders of the input that is declared or named at an offset.
    pub(super) fn placeholders(&self, offset: usize) -> Option<Vec<Span>> {
        let (input, source) = (self.input(offset)?, self.file()?.source.as_ref()?);
        let of_it = placeholders(source.text()).filter(|(name, _)| *name == input.name.as_str());
        Some(of_it.map(|(_, whole)| source.span(whole)).collect())
    }
}

/// The name of each placeholder, and the range from its opener to the end of the name.
fn placeholders(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    OPENERS.into_iter().flat_map(move |opener| {
        text.match_indices(opener).filter_map(move |(start, _)| {
            let rest = &text[start + opener.len()..];
            let (name, after) = rest.split_at(word(rest));
            let is_whole = !name.is_empty() && after.starts_with(['}', ':', '|', '?']);
            is_whole.then(|| (name, start..start + opener.len() + name.len()))
        })
    })
}

impl<'a> About<'a> {
    fn all_imports(&self) -> impl Iterator<Item = &'a (Span, String)> {
        self.reading.project.folders.iter().flat_map(|folders| &folders.imports)
    }

    /// The file that is imported at an offset.
    pub(super) fn import(&self, offset: usize) -> Option<&'a Path> {
        let here = self.root.join(self.path);
        let mut own = self.all_imports().filter(|(span, _)| here == Path::new(span.source().path()));
        let position = self.encoding.position_in(self.read_text(), offset);
        let mut last: Option<(&Arc<Source>, usize)> = None;
        let mut is_here = |span: &'a Span| {
            // Some agents read the file with its own line ends.
            let at = match last {
                Some((source, at)) if Arc::ptr_eq(source, span.source()) => at,
                _ => last.insert((span.source(), self.encoding.offset(span.source().text(), position))).1,
            };
            holds(span, at)
        };
        own.find_map(|(span, imported)| is_here(span).then(|| Path::new(imported)))
    }

    /// The imports of the file that is imported at an offset, or of the document, for which its first line stands.
    pub(super) fn imports(&self, offset: usize, with_definition: bool) -> Vec<Location> {
        let is_first_line = !self.read_text()[..offset].contains('\n');
        let own = || is_first_line.then(|| self.root.join(self.path));
        let Some(file) = self.import(offset).map(PathBuf::from).or_else(own) else { return Vec::new() };
        // Several agents may read the same import.
        let mut known = BTreeSet::new();
        let of_it = self.all_imports().filter(|(_, imported)| file == Path::new(imported)).map(|(span, _)| span);
        let of_it = of_it.filter(|span| known.insert((span.source().path(), span.range().start)));
        let definition = with_definition.then(|| Location { uri: url_of(&file).into(), range: START });
        let place = |span: &Span| {
            let path = self.root.join(span.source().path());
            Location { uri: url_of(&path).into(), range: self.encoding.span(span) }
        };
        definition.into_iter().chain(of_it.map(place)).collect()
    }
}
