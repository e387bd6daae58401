use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::assemble::Configuration;
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::interpolate::hook::has_placeholder;
use crate::item::{self, Context, Directive, Hook, Parsed};
use crate::protocol::Protocol;
use crate::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::text::Source;
use crate::yaml::{self, YamlLimits};

use super::super::options::Options;
use super::{Content, File, FileKind, Ids, Project};

/// Where the files of a project stand.
const FOLDERS: [(&str, FileKind); 4] = [
    (".ai/config", FileKind::Configuration),
    (".ai/directives", FileKind::Item(ItemKind::Directive)),
    (".ai/knowledge", FileKind::Item(ItemKind::Knowledge)),
    (".ai/tools", FileKind::Item(ItemKind::Tool)),
];

/// The most folders and files of a project that are listed.
const MOST_ENTRIES: usize = 1_000_000;

/// Of how many ids that lead nowhere it is asked what was meant: each costs a look at whole folders of every tier.
const MOST_NEAREST: usize = 200;

impl<'a> Project<'a> {
    /// Reads every file of the project tier, and of other tiers what those name. `tiers` keep what they read, and
    /// `is_linted` says in which files findings are reported.
    pub fn read(
        tiers: &'a Tiers,
        protocol: &'a Protocol,
        options: &'a Options,
        is_linted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Self {
        let mut diagnostics = Vec::new();
        let configuration = match Configuration::read(tiers, protocol, &mut diagnostics) {
            Ok(configuration) => Some(configuration),
            Err(error) => {
                diagnostics.push(error);
                None
            }
        };
        let project = tiers.list().iter().position(|tier| tier.kind == TierKind::Project);
        let listed = project.map(|tier| (tier, list(tiers, tier, &mut diagnostics)));
        let reader = Reader { tiers, protocol };
        let files: Vec<File> = match listed {
            Some((tier, listed)) => {
                let read = |(path, kind): (String, FileKind)| {
                    let is_linted = is_linted(&path);
                    reader.file(tier, kind, path, is_linted)
                };
                listed.into_par_iter().filter_map(read).collect()
            }
            None => Vec::new(),
        };
        let mut ids = Ids::default();
        for (index, file) in files.iter().enumerate() {
            enter(&mut ids, &files, index, file);
        }
        let mut project = Self {
            tiers,
            protocol,
            options,
            files,
            configuration,
            diagnostics,
            ids,
            refused: Vec::new(),
            parents: OnceLock::new(),
            is_routed: OnceLock::new(),
            keys: OnceLock::new(),
            children: OnceLock::new(),
            grants: Default::default(),
            risks: OnceLock::new(),
            costs: Default::default(),
            nearest: HashMap::new(),
        };
        project.read_named(&reader);
        project
    }

    /// Reads what directives and hooks name and the project does not have, and what that names in turn.
    fn read_named(&mut self, reader: &Reader<'_>) {
        let mut asked: BTreeSet<(ItemKind, String)> = BTreeSet::new();
        let mut from = 0;
        loop {
            let hooks = self.configured_hooks().filter(|_| asked.is_empty()).flat_map(names_of_hook);
            let directives = self.files[from..].iter().filter_map(File::directive).flat_map(names_of_directive);
            let named = hooks.chain(directives).filter(|(_, id)| !has_placeholder(id));
            let unknown = named.filter(|(kind, id)| self.ids.find(*kind, id).is_none());
            let wanted: BTreeSet<_> = unknown.map(|(kind, id)| (kind, id.to_string())).collect();
            let new: Vec<_> = wanted.into_iter().filter(|name| !asked.contains(name)).collect();
            if new.is_empty() {
                return;
            }
            from = self.files.len();
            asked.extend(new.iter().cloned());
            type Named = ((ItemKind, String), Result<Option<File>, Diagnostic>);
            let found: Vec<Named> =
                new.into_par_iter().map(|name| (name.clone(), reader.named(name.0, &name.1))).collect();
            for ((kind, id), found) in found {
                let file = match found {
                    Ok(Some(file)) => file,
                    Ok(None) => {
                        if self.nearest.len() < MOST_NEAREST {
                            self.nearest.insert((kind, id), OnceLock::new());
                        }
                        continue;
                    }
                    Err(refused) => {
                        self.refused.push((kind, id, refused));
                        continue;
                    }
                };
                let index = self.files.len();
                self.files.push(file);
                enter(&mut self.ids, &self.files, index, &self.files[index]);
            }
        }
    }
}

/// The first copy of an item counts: the file of the first extension, as no two tiers are entered for one id.
fn enter(ids: &mut Ids, files: &[File], index: usize, file: &File) {
    let Some(kind) = file.kind.item() else { return };
    let rank = |path: &str| {
        let extension = path.rsplit('.').next().unwrap_or_default();
        kind.extensions().iter().position(|known| *known == extension)
    };
    let entry = ids.of(kind).entry(file.id.clone()).or_insert(index);
    if rank(&file.path) < rank(&files[*entry].path) {
        *entry = index;
    }
}

/// The items that a directive names.
fn names_of_directive(directive: &Directive) -> impl Iterator<Item = (ItemKind, &str)> {
    names_handed_on(directive).chain(directive.hooks.iter().flat_map(names_of_hook))
}

/// The items that a directive names for itself and for its children: its parent, and those of its context.
pub(in crate::lint) fn names_handed_on(directive: &Directive) -> impl Iterator<Item = (ItemKind, &str)> {
    let parent = directive.extends.iter().map(|field| (ItemKind::Directive, field.as_str()));
    let Context { system, before, after, .. } = &directive.context;
    let items = [system, before, after].into_iter().flatten().map(|field| (ItemKind::Knowledge, field.as_str()));
    parent.chain(items)
}

/// The items that a hook names, those with ids that are known only when it runs included.
pub(in crate::lint) fn names_of_hook(hook: &Hook) -> impl Iterator<Item = (ItemKind, &str)> {
    hook.actions.iter().flat_map(|action| {
        let kind = action.item_type.as_deref().and_then(ItemKind::from_word);
        let item = kind.zip(action.item_id.as_ref()).map(|(kind, id)| (kind, id.as_str()));
        let parent = action.set_extends.as_ref().map(|field| (ItemKind::Directive, field.as_str()));
        item.into_iter().chain(parent)
    })
}

/// The files of a tier below the known folders, in byte order of paths.
fn list(tiers: &Tiers, tier: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, FileKind)> {
    let mut found = Vec::new();
    let mut seen = 0;
    for (root, kind) in FOLDERS {
        let mut folders = vec![root.to_string()];
        while let Some(folder) = folders.pop() {
            let entries = match tiers.entries(tier, &folder) {
                Ok(entries) => entries,
                Err(error) => {
                    diagnostics.push(error);
                    continue;
                }
            };
            for entry in entries {
                seen += 1;
                if seen > MOST_ENTRIES {
                    let reason = format!("the project holds more than {MOST_ENTRIES} files and folders");
                    let problem = Problem::Unreadable { reason };
                    diagnostics.push(Diagnostic::at(problem, tiers.place(tier, root.to_string())));
                    return found;
                }
                let path = format!("{folder}/{}", entry.name);
                if entry.is_folder {
                    folders.push(path);
                } else {
                    found.push((path, kind));
                }
            }
        }
    }
    found.par_sort_unstable();
    found
}

/// Reads and parses files.
struct Reader<'a> {
    tiers: &'a Tiers,
    protocol: &'a Protocol,
}

impl Reader<'_> {
    /// A file of the project; none if it is not of a kind that anything reads.
    fn file(&self, tier: usize, kind: FileKind, path: String, is_linted: bool) -> Option<File> {
        let (root, extensions): (&str, &[&str]) = match kind {
            FileKind::Item(kind) => (kind.folder(), kind.extensions()),
            FileKind::Configuration => (".ai/config", &["yaml", "yml", "toml"]),
        };
        let (stem, extension) = path.rsplit_once('.')?;
        if !extensions.contains(&extension) {
            return None;
        }
        let id = stem.strip_prefix(root)?.strip_prefix('/')?.to_string();
        let mut file = File {
            tier,
            kind,
            id,
            path,
            is_linted,
            source: None,
            content: Content::Nothing,
            diagnostics: Vec::new(),
            trust: OnceLock::new(),
            odd: OnceLock::new(),
        };
        match self.tiers.read(tier, &file.path) {
            Ok(Some(source)) => self.parse(&mut file, source),
            // A link that leads nowhere counts as no file.
            Ok(None) => return None,
            Err(error) => file.diagnostics.push(error),
        }
        Some(file)
    }

    /// The copy of an item that counts, in whatever tier.
    fn named(&self, kind: ItemKind, id: &str) -> Result<Option<File>, Diagnostic> {
        let Ok(id) = ItemId::parse(id) else { return Ok(None) };
        let Some(found) = self.tiers.find(kind, &id)? else { return Ok(None) };
        let mut file = File {
            tier: found.tier,
            kind: FileKind::Item(kind),
            id: id.to_string(),
            path: found.source.path().to_string(),
            is_linted: false,
            source: None,
            content: Content::Nothing,
            diagnostics: Vec::new(),
            trust: OnceLock::new(),
            odd: OnceLock::new(),
        };
        self.parse(&mut file, found.source);
        Ok(Some(file))
    }

    fn parse(&self, file: &mut File, source: Arc<Source>) {
        match file.kind {
            FileKind::Item(ItemKind::Directive) => {
                match item::parse_directive(&source, &self.protocol.permission_words) {
                    Ok(Parsed { item, diagnostics }) => {
                        file.content = Content::Directive(Arc::new(item));
                        file.diagnostics = diagnostics;
                    }
                    Err(found) => file.diagnostics = found,
                }
            }
            FileKind::Item(ItemKind::Knowledge) => match item::parse_knowledge(&source) {
                Ok(Parsed { item, diagnostics }) => {
                    file.content = Content::Knowledge(Arc::new(item));
                    file.diagnostics = diagnostics;
                }
                Err(error) => file.diagnostics = vec![error],
            },
            FileKind::Item(ItemKind::Tool) => file.content = Content::Tool,
            FileKind::Configuration if !file.path.ends_with(".toml") => {
                match yaml::load(&source, 0..source.text().len(), YamlLimits::default()) {
                    Ok(loaded) => file.content = Content::Configuration(loaded.node),
                    Err(error) => file.diagnostics.push(error),
                }
            }
            FileKind::Configuration => {}
        }
        debug_assert!(
            !matches!(file.kind, FileKind::Item(ItemKind::Directive))
                || file.directive().is_some()
                || file.diagnostics.iter().any(|found| found.severity() == Severity::Error),
            "a directive is refused for a reason"
        );
        file.source = Some(source);
    }
}
