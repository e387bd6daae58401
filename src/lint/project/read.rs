use std::collections::BTreeSet;
use std::mem;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::decide::DirectiveIndex;
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::fill::assemble::Configuration;
use crate::fill::interpolate::hook::has_placeholder;
use crate::read::FILES_AT_A_TIME;
use crate::read::item::{self, Hook, Parsed, RefusedDirective};
use crate::read::limits;
use crate::read::listing::ListedFolders;
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::read::yaml;
use crate::text::Source;
use crate::write::progress;

use super::super::options::LintOptions;
use super::known::{Ids, Known, Listing, Names, Reading};
use super::{Cached, FileContent, FileKind, LintFile, Project};

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
    #[cfg(any(test, feature = "internals"))]
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a LintOptions) -> Self {
        Self::read_again(tiers, protocol, options, Known::default())
    }

    /// Like `read`, but takes over what an earlier reading knows.
    pub fn read_again(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a LintOptions, known: Known) -> Self {
        let mut diagnostics = Vec::new();
        let configuration = Configuration::read(tiers, protocol, &mut diagnostics);
        let configuration = configuration.map_err(|error| diagnostics.push(error)).ok();
        let mut project = Self { configuration, diagnostics, ..Self::empty(tiers, protocol, options) };
        if let Some(tier) = tiers.list().iter().position(|tier| tier.kind == TierKind::Project) {
            project.read_listed(&ItemFileReader { tiers, protocol, tier }, known);
        }
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
            listing: Listing::default(),
            trust_only: Default::default(),
            names: Names::default(),
            cached: Cached::default(),
        }
    }

    fn read_listed(&mut self, reader: &ItemFileReader<'_>, known: Known) {
        let Known { reading, replaced } = known;
        let is_kept = |kept: &Option<Arc<Configuration>>| match (kept, &self.configuration) {
            (Some(kept), Some(now)) => Arc::ptr_eq(kept, now),
            _ => false,
        };
        match reading.and_then(|reading| reader.again(reading, &replaced)) {
            Some((Reading { files, configuration, listing, ids, index, names }, true)) if is_kept(&configuration) => {
                (self.files, self.listing, self.ids, self.index, self.names) = (files, listing, ids, index, names);
            }
            again => {
                let listed = again.map_or_else(|| reader.all(replaced), |(reading, _)| reading.into_listed());
                (self.files, self.listing) = listed;
                self.index_items(reader);
            }
        }
        self.diagnostics.extend(self.listing.diagnostics.iter().cloned());
    }

    /// Reads the items that directives and hooks name but the project lacks, and the items that those name.
    fn index_items(&mut self, reader: &ItemFileReader<'_>) {
        let mut names = Names::default();
        let of_hooks = self.configured_hooks().flat_map(Hook::references);
        let of_hooks: Vec<_> = of_hooks.map(|(kind, id)| (kind, id.as_str().to_string())).collect();
        let (mut ids, mut named) = rayon::join(|| Ids::of(&self.files), || names.enter_all(&self.files, 0));
        named.extend(of_hooks);
        let mut asked = BTreeSet::new();
        loop {
            let is_new = |name: &(ItemKind, String)| ids.find(name.0, &name.1).is_none() && !asked.contains(name);
            let new: BTreeSet<_> = mem::take(&mut named).into_iter().filter(is_new).collect();
            if new.is_empty() {
                break;
            }
            let from = self.files.len();
            asked.extend(new.iter().cloned());
            let find = |(kind, id): &(ItemKind, String)| match has_placeholder(id) {
                true => Ok(None),
                false => reader.named(*kind, id),
            };
            let found: Vec<_> = new.par_iter().map(find).collect();
            for ((kind, id), found) in new.into_iter().zip(found) {
                match found {
                    Ok(Some(file)) => {
                        self.files.push(file);
                        ids.enter(&self.files, self.files.len() - 1);
                        continue;
                    }
                    Ok(None) if names.nearest.len() < MOST_NEAREST && !has_placeholder(&id) => {
                        names.nearest.insert((kind, id), OnceLock::new());
                    }
                    Ok(None) => {}
                    Err(refused) => names.refused.push((kind, id, refused)),
                }
                names.is_any_missing = true;
            }
            named = names.enter_all(&self.files, from);
        }
        self.index = DirectiveIndex::new(mem::take(&mut ids.directives));
        (self.ids, self.names) = (ids, names);
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
        let mut folders = ListedFolders::below(tiers, tier, root.to_string(), ListedFolders::SEVERAL);
        while let Some((folder, entries)) = folders.next() {
            let entries = match entries {
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
                    // A reader that looks for an item of this name fails.
                    if matches!(kind, FileKind::Item(ItemKind::Directive | ItemKind::Knowledge)) && is_read(&path, kind)
                    {
                        found.push((path.clone(), kind));
                    }
                    folders.enter(path);
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
    // The files of each folder are already in order.
    found.sort();
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
    /// The project's.
    tier: usize,
}

impl ItemFileReader<'_> {
    /// Reads all files of the project.
    fn all(&self, replaced: BTreeSet<String>) -> (Vec<LintFile>, Listing) {
        let mut diagnostics = Vec::new();
        let found = list(self.tiers, self.tier, &mut diagnostics);
        let unread_markdown = found.iter().filter(|(path, kind)| is_odd_markdown(path, *kind));
        let unread_markdown = unread_markdown.map(|(path, _)| path.clone()).collect();
        let progress = progress::begin("reading", "files", found.len());
        let read = |(path, kind)| {
            progress.step();
            self.file(kind, path)
        };
        // Each result is written to its place; `filter_map` would gather lists and then join them.
        let files: Vec<Option<LintFile>> = found.into_par_iter().with_max_len(FILES_AT_A_TIME).map(read).collect();
        // `flatten` would move them to another list.
        #[expect(clippy::filter_map_identity)]
        let files: Vec<LintFile> = files.into_iter().filter_map(|file| file).collect();
        let count = files.len();
        let files = within_limits(files, self.tiers, ".ai", &mut diagnostics);
        let listed = (files.len() == count).then_some(count);
        (files, Listing { files: listed, unread_markdown, diagnostics, replaced })
    }

    /// Reads the files again whose text may be another, and tells whether they name the same items; `None` if there may
    /// be other files now.
    fn again(&self, mut reading: Reading, replaced: &BTreeSet<String>) -> Option<(Reading, bool)> {
        let listed = reading.listing.files?;
        reading.files.par_iter_mut().enumerate().for_each(|(at, file)| file.forget(at < listed));
        let before = mem::replace(&mut reading.listing.replaced, replaced.clone());
        let mut names_same = true;
        for path in before.union(replaced) {
            match reading.files[..listed].binary_search_by(|file| file.path.as_str().cmp(path)) {
                Ok(at) => {
                    let file = self.file(reading.files[at].kind, path.clone())?;
                    names_same &= reading.replace(at, file);
                }
                // No reading reads it.
                Err(_) if before.contains(path) && replaced.contains(path) => {}
                Err(_) => return None,
            }
        }
        // The store of this reading counts only what it reads.
        let sources = reading.files[..listed].iter().filter_map(|file| file.source.as_deref());
        let bytes = sources.map(|source| source.text().len() as u64).sum();
        limits::too_large_for_a_tier(bytes, self.tiers.options().max_item_size)
            .is_none()
            .then_some((reading, names_same))
    }

    /// Reads a file of the project; none if its extension is never read.
    fn file(&self, kind: FileKind, path: String) -> Option<LintFile> {
        let root = match kind {
            FileKind::Item(kind) => kind.folder(),
            FileKind::Configuration => ".ai/config",
            FileKind::Agents(_) => return None,
        };
        let (stem, _) = path.rsplit_once('.').filter(|_| is_read(&path, kind))?;
        let id = stem.strip_prefix(root)?.strip_prefix('/')?.to_string();
        let mut file = LintFile::new(self.tier, kind, id, path);
        file.is_linted = true;
        match self.tiers.read(self.tier, &file.path) {
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
