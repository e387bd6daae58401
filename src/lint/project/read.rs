use std::collections::{BTreeSet, HashMap};
use std::mem;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::decide::{DirectiveIndex, IndexedDirective};
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::fill::assemble::Configuration;
use crate::fill::interpolate::hook::has_placeholder;
use crate::read::item::{self, Directive, Hook, Parsed, RefusedDirective};
use crate::read::limits;
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::read::yaml;
use crate::text::Source;
use crate::write::progress;

use super::super::options::LintOptions;
use super::{Cached, FileContent, FileKind, Ids, LintFile, Project};

const FOLDERS: [(&str, FileKind); 4] = [
    (".ai/config", FileKind::Configuration),
    (".ai/directives", FileKind::Item(ItemKind::Directive)),
    (".ai/knowledge", FileKind::Item(ItemKind::Knowledge)),
    (".ai/tools", FileKind::Item(ItemKind::Tool)),
];

/// A suggestion requires listing folders in every tier, so only this many missing ids get one.
const MOST_NEAREST: usize = 200;

impl<'a> Project<'a> {
    /// Reads every file of the project tier, and from other tiers the items that those files name.
    ///
    /// `known` are files of the project tier from an earlier reading, in byte order of paths, whose text is still the same:
    /// they are neither read nor parsed again.
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a LintOptions, known: &[LintFile]) -> Self {
        let mut diagnostics = Vec::new();
        let configuration = Configuration::read(tiers, protocol, &mut diagnostics);
        let configuration = configuration.map_err(|error| diagnostics.push(error)).ok();
        let project = tiers.list().iter().position(|tier| tier.kind == TierKind::Project);
        let listed = project.map(|tier| (tier, list(tiers, tier, &mut diagnostics)));
        let unread_markdown =
            listed.iter().flat_map(|(_, listed)| listed).filter(|(path, kind)| is_odd_markdown(path, *kind));
        let unread_markdown = unread_markdown.map(|(path, _)| path.clone()).collect();
        let reader = ItemFileReader { tiers, protocol, known };
        let files = listed.map_or_else(Vec::new, |(tier, listed)| {
            let progress = progress::begin("reading", "files", listed.len());
            let read = |(path, kind)| {
                progress.step();
                reader.file(tier, kind, path)
            };
            listed.into_par_iter().filter_map(read).collect()
        });
        let files = within_limits(files, tiers, ".ai", &mut diagnostics);
        let mut ids = Ids::default();
        for index in 0..files.len() {
            enter(&mut ids, &files, index);
        }
        let mut project =
            Self { files, configuration, diagnostics, ids, unread_markdown, ..Self::empty(tiers, protocol, options) };
        project.read_named(&reader);
        project.index_directives();
        project
    }

    pub(in crate::lint) fn empty(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a LintOptions) -> Self {
        Self {
            tiers,
            protocol,
            options,
            files: Vec::new(),
            folders: None,
            configuration: None,
            diagnostics: Vec::new(),
            index: DirectiveIndex::default(),
            ids: Ids::default(),
            unread_markdown: Vec::new(),
            trust_only: Default::default(),
            refused: Vec::new(),
            nearest: HashMap::new(),
            cached: Cached::default(),
        }
    }

    /// Reads the items that directives and hooks name but the project lacks, and the items that those name.
    fn read_named(&mut self, reader: &ItemFileReader<'_>) {
        let mut asked: BTreeSet<(ItemKind, String)> = BTreeSet::new();
        let mut from = 0;
        loop {
            let hooks = self.configured_hooks().filter(|_| asked.is_empty()).flat_map(Hook::references);
            let directives = self.files[from..].iter().filter_map(LintFile::readable).flat_map(Directive::references);
            let named =
                hooks.chain(directives).map(|(kind, id)| (kind, id.as_str())).filter(|(_, id)| !has_placeholder(id));
            let unknown = named.filter(|(kind, id)| self.ids.find(*kind, id).is_none());
            let wanted: BTreeSet<_> = unknown.map(|(kind, id)| (kind, id.to_string())).collect();
            let new: Vec<_> = wanted.into_iter().filter(|name| !asked.contains(name)).collect();
            if new.is_empty() {
                return;
            }
            from = self.files.len();
            asked.extend(new.iter().cloned());
            let found: Vec<_> = new.par_iter().map(|(kind, id)| reader.named(*kind, id)).collect();
            for ((kind, id), found) in new.into_iter().zip(found) {
                match found {
                    Ok(Some(file)) => {
                        self.files.push(file);
                        enter(&mut self.ids, &self.files, self.files.len() - 1);
                    }
                    Ok(None) if self.nearest.len() < MOST_NEAREST => {
                        self.nearest.insert((kind, id), OnceLock::new());
                    }
                    Ok(None) => {}
                    Err(refused) => self.refused.push((kind, id, refused)),
                }
            }
        }
    }

    /// Moves the ids of directives into the index, in the order of the files.
    fn index_directives(&mut self) {
        let mut ids: Vec<_> = mem::take(self.ids.of(ItemKind::Directive)).into_iter().collect();
        ids.sort_unstable_by_key(|(_, file)| *file);
        let indexed = |(id, file): (String, usize)| {
            let directive = match &self.files[file].content {
                FileContent::Directive(directive) => Some(Arc::clone(directive)),
                _ => None,
            };
            (id, IndexedDirective { directive, file })
        };
        self.index = DirectiveIndex::new(ids.into_iter().map(indexed).collect());
    }
}

/// The files, or none if together they exceed the limit: which file exceeds it would depend on the order of reading.
pub(in crate::lint) fn within_limits(
    files: Vec<LintFile>,
    tiers: &Tiers,
    folder: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LintFile> {
    let is_over = |found: &&Diagnostic| matches!(found.problem, Problem::OverLimit { unit: limits::OF_A_TIER, .. });
    let refused = files.iter().find_map(|file| Some((file.tier, file.diagnostics.iter().find(is_over)?)));
    let Some((tier, over)) = refused else { return files };
    diagnostics.push(Diagnostic::at(over.problem.clone(), tiers.place(tier, folder.to_string())));
    Vec::new()
}

/// Indexes a file by its id. If several files have the same id, the first extension wins.
fn enter(ids: &mut Ids, files: &[LintFile], index: usize) {
    let file = &files[index];
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

/// Whether a file is Markdown with an extension that is never read.
fn is_odd_markdown(path: &str, kind: FileKind) -> bool {
    const UNREAD: [&str; 3] = ["markdown", "mdown", "mkd"];
    let is_item = matches!(kind, FileKind::Item(ItemKind::Directive | ItemKind::Knowledge));
    is_item
        && path.rsplit_once('.').is_some_and(|(_, extension)| {
            UNREAD.contains(&extension) || extension != "md" && extension.eq_ignore_ascii_case("md")
        })
}

/// The files of a tier in the folders of items and configuration, in byte order of paths.
fn list(tiers: &Tiers, tier: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, FileKind)> {
    let mut found = Vec::new();
    let mut left = limits::LISTED;
    for (root, kind) in FOLDERS {
        let mut folders = vec![root.to_string()];
        while let Some(folder) = folders.pop() {
            let entries = match tiers.all_entries(tier, &folder) {
                Ok(entries) => entries,
                Err(error) => {
                    diagnostics.push(error);
                    continue;
                }
            };
            if entries.len() > left {
                let reason = format!("the project holds more than {} files and folders", limits::LISTED);
                diagnostics.push(Diagnostic::at(Problem::Unreadable { reason }, tiers.place(tier, folder)));
                break;
            }
            left -= entries.len();
            for entry in entries {
                let path = format!("{folder}/{}", entry.name);
                if !entry.is_named {
                    if entry.is_folder || is_read(&path, kind) {
                        diagnostics.push(Diagnostic::at(Problem::NameNotUtf8, tiers.place(tier, path)));
                    }
                    continue;
                }
                if entry.is_folder {
                    folders.push(path);
                    continue;
                }
                // Links to folders are not followed; those that leave the project are reported.
                if !is_read(&path, kind)
                    && let Err(error) = tiers.entries(tier, &path)
                    && error.problem == Problem::OutsideTier
                {
                    diagnostics.push(error);
                }
                found.push((path, kind));
            }
        }
    }
    found.par_sort_unstable();
    found
}

fn extensions(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::Item(kind) => kind.extensions(),
        FileKind::Configuration => &["yaml", "yml", "toml"],
        FileKind::Agents(_) => &["md"],
    }
}

fn is_read(path: &str, kind: FileKind) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions(kind).contains(&extension))
}

struct ItemFileReader<'a> {
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    known: &'a [LintFile],
}

impl ItemFileReader<'_> {
    /// Reads a file of the project; none if its extension is never read.
    fn file(&self, tier: usize, kind: FileKind, path: String) -> Option<LintFile> {
        let root = match kind {
            FileKind::Item(kind) => kind.folder(),
            FileKind::Configuration => ".ai/config",
            FileKind::Agents(_) => return None,
        };
        if let Ok(at) = self.known.binary_search_by(|known| known.path.cmp(&path)) {
            return Some(LintFile { is_linted: true, ..self.known[at].as_read() });
        }
        let (stem, _) = path.rsplit_once('.').filter(|_| is_read(&path, kind))?;
        let id = stem.strip_prefix(root)?.strip_prefix('/')?.to_string();
        let mut file = LintFile::new(tier, kind, id, path);
        file.is_linted = true;
        match self.tiers.read(tier, &file.path) {
            Ok(Some(source)) => self.parse(&mut file, source),
            // A dangling link is treated as a missing file.
            Ok(None) => return None,
            Err(error) => file.diagnostics.push(error),
        }
        Some(file)
    }

    /// The copy of an item that the tiers resolve to.
    fn named(&self, kind: ItemKind, id: &str) -> Result<Option<LintFile>, Diagnostic> {
        let Ok(id) = ItemId::parse(id) else { return Ok(None) };
        let Some(found) = self.tiers.find(kind, &id)? else { return Ok(None) };
        let mut file = LintFile::new(found.tier, FileKind::Item(kind), id.to_string(), found.source.path().to_string());
        self.parse(&mut file, found.source);
        Ok(Some(file))
    }

    fn parse(&self, file: &mut LintFile, source: Arc<Source>) {
        match file.kind {
            FileKind::Item(ItemKind::Directive) => {
                (file.content, file.diagnostics) = match item::read_directive(&source, self.protocol) {
                    Ok(Parsed { item, diagnostics }) => (FileContent::Directive(Arc::new(item)), diagnostics),
                    Err(RefusedDirective { item: Some(item), diagnostics }) => {
                        (FileContent::Refused(item.into()), diagnostics)
                    }
                    Err(RefusedDirective { item: None, diagnostics }) => (FileContent::Nothing, diagnostics),
                };
            }
            FileKind::Item(ItemKind::Knowledge) => {
                (file.content, file.diagnostics) = match item::parse_knowledge(&source) {
                    Ok(Parsed { item, diagnostics }) => (FileContent::Knowledge(Arc::new(item)), diagnostics),
                    Err(error) => (FileContent::Nothing, vec![error]),
                };
            }
            FileKind::Item(ItemKind::Tool) => file.content = FileContent::Tool,
            FileKind::Configuration if !file.path.ends_with(".toml") => match yaml::load(&source.whole()) {
                Ok(loaded) => file.content = FileContent::Configuration(loaded.node),
                Err(error) => file.diagnostics.push(error),
            },
            // `folders` reads the files of agents.
            FileKind::Agents(_) | FileKind::Configuration => {}
        }
        debug_assert!(
            !matches!(file.kind, FileKind::Item(ItemKind::Directive))
                || file.directive().is_some()
                || file.diagnostics.iter().any(|found| found.severity() == Severity::Error),
            "a refused directive has an error"
        );
        file.source = Some(source);
    }
}
