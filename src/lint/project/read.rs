use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::assemble::Configuration;
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::interpolate::hook::has_placeholder;
use crate::item::{self, Directive, Hook, Parsed, Refused};
use crate::limits;
use crate::progress;
use crate::protocol::Protocol;
use crate::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::text::Source;
use crate::yaml::{self, YamlLimits};

use super::super::options::Options;
use super::{Content, File, FileKind, Ids, Project, Told};

/// Where the files of a project stand.
const FOLDERS: [(&str, FileKind); 4] = [
    (".ai/config", FileKind::Configuration),
    (".ai/directives", FileKind::Item(ItemKind::Directive)),
    (".ai/knowledge", FileKind::Item(ItemKind::Knowledge)),
    (".ai/tools", FileKind::Item(ItemKind::Tool)),
];

/// Of how many ids that lead nowhere it is asked what was meant: each costs a look at whole folders of every tier.
const MOST_NEAREST: usize = 200;

impl<'a> Project<'a> {
    /// Reads every file of the project tier, and of other tiers what those name. `tiers` keep what they read. Findings are
    /// reported in every file of the project; a scope takes that from some.
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a Options) -> Self {
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
        let all = listed.iter().flat_map(|(_, listed)| listed);
        let odd_markdown = all.filter(|(path, kind)| is_odd_markdown(path, *kind));
        let odd_markdown = odd_markdown.map(|(path, _)| path.clone()).collect();
        let reader = Reader { tiers, protocol };
        let files: Vec<File> = match listed {
            Some((tier, listed)) => {
                progress::begin("reading", "files", listed.len());
                let read = |(path, kind)| {
                    progress::step();
                    reader.file(tier, kind, path)
                };
                listed.into_par_iter().filter_map(read).collect()
            }
            None => Vec::new(),
        };
        let files = within_limits(files, tiers, ".ai", &mut diagnostics);
        let mut ids = Ids::default();
        for (index, file) in files.iter().enumerate() {
            enter(&mut ids, &files, index, file);
        }
        let mut project =
            Self { files, configuration, diagnostics, ids, odd_markdown, ..Self::empty(tiers, protocol, options) };
        project.read_named(&reader);
        project
    }

    /// A project of which nothing is read.
    pub(in crate::lint) fn empty(tiers: &'a Tiers, protocol: &'a Protocol, options: &'a Options) -> Self {
        Self {
            tiers,
            protocol,
            options,
            files: Vec::new(),
            folders: None,
            configuration: None,
            diagnostics: Vec::new(),
            ids: Ids::default(),
            odd_markdown: Vec::new(),
            passed_over: Default::default(),
            refused: Vec::new(),
            parents: OnceLock::new(),
            is_chained_too_long: OnceLock::new(),
            costly_patterns: OnceLock::new(),
            is_routed: OnceLock::new(),
            keys: OnceLock::new(),
            children: OnceLock::new(),
            grants: Default::default(),
            risks: OnceLock::new(),
            costs: Default::default(),
            nearest: HashMap::new(),
            dominates: Told::default(),
        }
    }

    /// Reads what directives and hooks name and the project does not have, and what that names in turn.
    fn read_named(&mut self, reader: &Reader<'_>) {
        let mut asked: BTreeSet<(ItemKind, String)> = BTreeSet::new();
        let mut from = 0;
        loop {
            let hooks = self.configured_hooks().filter(|_| asked.is_empty()).flat_map(Hook::references);
            let directives = self.files[from..].iter().filter_map(File::readable).flat_map(Directive::references);
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

/// The files, or none where they are too large together: which of them were refused depends on which were read first.
pub(in crate::lint) fn within_limits(
    files: Vec<File>,
    tiers: &Tiers,
    folder: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<File> {
    let is_over = |found: &&Diagnostic| matches!(found.problem, Problem::OverLimit { unit: limits::OF_A_TIER, .. });
    let refused = files.iter().find_map(|file| Some((file.tier, file.diagnostics.iter().find(is_over)?)));
    let Some((tier, over)) = refused else { return files };
    diagnostics.push(Diagnostic::at(over.problem.clone(), tiers.place(tier, folder.to_string())));
    Vec::new()
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

/// Whether a file is Markdown by a name that nothing reads.
fn is_odd_markdown(path: &str, kind: FileKind) -> bool {
    const ODD: [&str; 3] = ["markdown", "mdown", "mkd"];
    let is_item = matches!(kind, FileKind::Item(ItemKind::Directive | ItemKind::Knowledge));
    is_item
        && path.rsplit_once('.').is_some_and(|(_, extension)| {
            ODD.contains(&extension) || extension != "md" && extension.eq_ignore_ascii_case("md")
        })
}

/// The files of a tier below the known folders, in byte order of paths.
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
                // A link to a folder is not entered; one that leaves the project is told, whoever names what is in it.
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

/// The extensions of the files of a kind that anything reads.
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

/// Reads and parses files.
struct Reader<'a> {
    tiers: &'a Tiers,
    protocol: &'a Protocol,
}

impl Reader<'_> {
    /// A file of the project; none if it is not of a kind that anything reads.
    fn file(&self, tier: usize, kind: FileKind, path: String) -> Option<File> {
        let root = match kind {
            FileKind::Item(kind) => kind.folder(),
            FileKind::Configuration => ".ai/config",
            FileKind::Agents(_) => return None,
        };
        let (stem, _) = path.rsplit_once('.').filter(|_| is_read(&path, kind))?;
        let id = stem.strip_prefix(root)?.strip_prefix('/')?.to_string();
        let mut file = File::new(tier, kind, id, path);
        file.is_linted = true;
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
        let mut file = File::new(found.tier, FileKind::Item(kind), id.to_string(), found.source.path().to_string());
        self.parse(&mut file, found.source);
        Ok(Some(file))
    }

    fn parse(&self, file: &mut File, source: Arc<Source>) {
        match file.kind {
            FileKind::Item(ItemKind::Directive) => {
                match item::read_directive(&source, &self.protocol.permission_words) {
                    Ok(Parsed { item, diagnostics }) => {
                        file.content = Content::Directive(Arc::new(item));
                        file.diagnostics = diagnostics;
                    }
                    Err(Refused { item, diagnostics }) => {
                        file.content = item.map_or(Content::Nothing, |item| Content::Refused(Arc::from(item)));
                        file.diagnostics = diagnostics;
                    }
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
            // They are read where folders are.
            FileKind::Agents(_) => {}
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
