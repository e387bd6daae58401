//! The open documents, and the projects and agents' folders that they belong to.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::agent_settings;
use super::linked::LinkedFiles;
use crate::agents;
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::lint::fix::CheckProject;
use crate::lint::folders::is_named_so;
use crate::lint::scope::{NamedPath, repository};
use crate::lint::{Finding, Known, OpenProject, Project, check};
use crate::read::settings;
use crate::read::store::{Disk, Memo, TierKind};

/// What a document is checked with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home {
    /// The folder that holds `.ai/`, or the top of the repository in which agents work.
    pub root: PathBuf,
    pub of_agents: bool,
    /// The folder of the editor, in which agents are started.
    pub folder: PathBuf,
    /// Whether neither a repository nor a folder of the editor says what belongs to it: nothing is listed.
    pub is_alone: bool,
}

/// Finds and opens projects as the command line does.
pub trait Opener {
    /// The home of a file, which is in a folder of the editor or in none; `None` if nothing reads it.
    fn home(&self, file: &Path, folder: Option<&Path>) -> Option<Home>;

    /// `unsaved` are files of the home, by path from its root. Everything is read from `disk`.
    ///
    /// # Errors
    /// The settings are invalid, or the folder cannot be read.
    fn open(&self, home: &Home, unsaved: &Unsaved, disk: Disk) -> Result<Opened, Diagnostic>;
}

pub struct Opened {
    pub project: OpenProject,
    pub request: Box<MakeRequest>,
}

/// Makes the request for the prompt of a directive, with example inputs.
pub type MakeRequest = dyn Fn(&str) -> Request + Sync;

pub type Unsaved = BTreeMap<String, Vec<u8>>;

pub struct Document {
    /// As the editor writes it.
    pub uri: String,
    pub version: i32,
    pub text: String,
    pub home: Option<Home>,
}

impl Document {
    /// Its home, and its path from there.
    pub fn place(&self, path: &Path) -> Option<(&Home, String)> {
        let home = self.home.as_ref()?;
        Some((home, inside(home, path)?))
    }
}

/// A project as its files are now, with unsaved text.
pub struct Reading<'r> {
    pub project: &'r Project<'r>,
    /// Checks it again with other texts of the open documents.
    pub check: &'r CheckProject<'r>,
    pub request: &'r MakeRequest,
}

/// A home with open documents.
#[derive(Default)]
struct OpenHome {
    opened: Option<Opened>,
    /// The settings with which it was opened, if they are not saved.
    settings: Option<Vec<u8>>,
    /// The project as the last check read it.
    known: Known,
    /// What files were parsed to, for these readings.
    memo: Arc<Memo>,
    readings: usize,
    is_checked: bool,
    links: LinkedFiles,
    /// The open documents that nothing reads, by path from the root.
    unread: BTreeSet<String>,
    /// By path from the root.
    findings: BTreeMap<String, Vec<Finding>>,
    /// Why it could not be opened.
    error: Option<Diagnostic>,
}

impl OpenHome {
    /// Editors report only changes in their own folders: what was read outside of them may be another now.
    fn look_outside(&mut self) {
        if self.opened.as_ref().is_some_and(|opened| opened.project.tiers.disk().has_changed()) {
            (self.is_checked, self.opened) = (false, None);
        }
    }
}

/// The number of readings that share what files were parsed to: it also holds what earlier texts were parsed to.
const MEMO_READINGS: usize = 50;

pub struct Workspace<'o> {
    opener: &'o dyn Opener,
    /// The folders of the editor.
    pub folders: Vec<PathBuf>,
    /// Whether the editor reports changes on disk; else every check reads all files again.
    pub is_told_of_changes: bool,
    documents: BTreeMap<PathBuf, Document>,
    homes: BTreeMap<Home, OpenHome>,
}

impl<'o> Workspace<'o> {
    pub fn new(opener: &'o dyn Opener) -> Self {
        Self {
            opener,
            folders: Vec::new(),
            is_told_of_changes: false,
            documents: BTreeMap::new(),
            homes: BTreeMap::new(),
        }
    }

    pub fn open(&mut self, path: PathBuf, uri: String, version: i32, text: String) {
        let home = self.home(&path);
        if let Some(home) = &home {
            self.homes.entry(home.clone()).or_default();
        }
        for (home, open) in &mut self.homes {
            if let Some(path) = inside(home, &path) {
                open.unread.remove(&path);
            }
        }
        self.readers(&path).for_each(|open| open.is_checked = false);
        self.documents.insert(path, Document { uri, version, text, home });
    }

    /// The homes that read a document, as far as is known: its own, and others around it.
    fn readers(&mut self, path: &Path) -> impl Iterator<Item = &mut OpenHome> {
        let reads = |home: &Home, open: &OpenHome| {
            inside(home, path).is_some_and(|it| !open.unread.contains(&it) && (home.of_agents || is_item(&it)))
        };
        self.homes.iter_mut().filter(move |(home, open)| reads(home, open)).map(|it| it.1)
    }

    fn home(&self, path: &Path) -> Option<Home> {
        let around = self.folders.iter().filter(|folder| path.starts_with(folder));
        // The outermost, so that a project has one home.
        let folder = around.min_by_key(|folder| folder.as_os_str().len());
        self.opener.home(path, folder.map(PathBuf::as_path))
    }

    /// The editor opened or closed folders: each document may have another home.
    pub fn set_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders = folders;
        self.homes.clear();
        for (path, document) in mem::take(&mut self.documents) {
            self.open(path, document.uri, document.version, document.text);
        }
    }

    /// Whether anything reads the document.
    pub fn change(&mut self, path: &Path, version: i32, change: impl FnOnce(&str) -> String) -> bool {
        let Some(document) = self.documents.get_mut(path) else { return false };
        document.text = change(&document.text);
        document.version = version;
        self.readers(path).map(|open| open.is_checked = false).count() > 0
    }

    pub fn close(&mut self, path: &Path) {
        self.documents.remove(path);
        let documents = &self.documents;
        self.homes.retain(|home, _| documents.values().any(|document| document.home.as_ref() == Some(home)));
        // The text on disk may be another.
        self.readers(path).for_each(|open| (open.is_checked, open.opened) = (false, None));
    }

    /// Whether something may depend on a file that changed on disk. A build writes thousands that nothing reads.
    fn matters(&self, path: &Path) -> bool {
        let below = self.folders.iter().filter_map(|folder| path.strip_prefix(folder).ok());
        let path = below.min_by_key(|below| below.as_os_str().len()).unwrap_or(path);
        let has = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        // What git tracks is in its index, and what it committed last in its log.
        let is_of_git = [".git/index", ".git/logs/HEAD"].iter().any(|end| path.ends_with(end));
        let is_unread = has(".git") && !is_of_git || has("node_modules") || has("target");
        !is_unread || has(".ai")
    }

    /// Files changed on disk: everything is read again. Whether anything is. The text of an open document is the
    /// editor's, but what is saved there also counts: links lead to it.
    pub fn changed_on_disk(&mut self, paths: &[PathBuf]) -> bool {
        let is_any = paths.iter().any(|path| self.matters(path));
        for open in self.homes.values_mut().filter(|_| is_any) {
            (open.is_checked, open.opened) = (false, None);
        }
        is_any
    }

    pub fn document(&self, path: &Path) -> Option<&Document> {
        self.documents.get(path)
    }

    /// Checks what changed.
    pub fn check(&mut self) {
        self.homes.values_mut().filter(|open| open.is_checked).for_each(OpenHome::look_outside);
        let unchecked: Vec<Home> =
            self.homes.iter().filter(|(_, open)| !open.is_checked).map(|(home, _)| home.clone()).collect();
        for home in unchecked {
            let found = self.look(&home, |reading| check(reading.project));
            let Some(open) = self.homes.get_mut(&home) else { continue };
            open.is_checked = true;
            (open.findings, open.error) = match found {
                Ok(found) => (by_path(found), None),
                Err(error) => (BTreeMap::new(), Some(error)),
            };
        }
    }

    /// The findings of all files that have any: the root, and the path from there.
    pub fn findings(&self) -> impl Iterator<Item = (&Path, &str, &[Finding])> {
        self.homes.iter().flat_map(|(home, open)| {
            let findings = open.findings.iter();
            findings.map(|(path, findings)| (home.root.as_path(), path.as_str(), findings.as_slice()))
        })
    }

    /// Whether the home of an open document reads it, as far as is known.
    pub fn is_read(&self, path: &Path) -> bool {
        let home = self.documents.get(path).and_then(|document| document.home.as_ref());
        let open = home.and_then(|home| Some((self.homes.get(home)?, inside(home, path)?, home.of_agents)));
        open.is_some_and(|(open, path, of_agents)| match open.error {
            Some(_) => is_expected(&path, of_agents),
            None => !open.is_checked || !open.unread.contains(&path),
        })
    }

    /// Why homes could not be opened.
    pub fn errors(&self) -> impl Iterator<Item = (&Home, &Diagnostic)> {
        self.homes.iter().filter_map(|(home, open)| Some((home, open.error.as_ref()?)))
    }

    /// The roots of other tiers that are in no folder of the editor.
    pub fn tiers_outside(&self) -> BTreeSet<PathBuf> {
        let opened = self.homes.values().filter_map(|open| open.opened.as_ref());
        let tiers = opened.flat_map(|opened| opened.project.tiers.list());
        let roots = tiers.filter(|tier| tier.kind != TierKind::Project).filter_map(|tier| tier.root.clone());
        roots.filter(|root| !is_watched(&self.folders, root)).collect()
    }

    /// The findings of a document.
    pub fn findings_of(&self, path: &Path) -> &[Finding] {
        let found = || {
            let home = self.documents.get(path)?.home.as_ref()?;
            self.homes.get(home)?.findings.get(&inside(home, path)?)
        };
        found().map_or(&[], Vec::as_slice)
    }

    /// The open documents.
    pub fn documents(&self) -> impl Iterator<Item = (&Path, &Document)> {
        self.documents.iter().map(|(path, document)| (path.as_path(), document))
    }

    /// Reads the project of a document, for a question about it; `None` if that does not read the document.
    pub fn read<T>(&mut self, path: &Path, then: impl FnOnce(&Reading<'_>) -> T) -> Option<T> {
        if !self.is_read(path) {
            return None;
        }
        let home = self.documents.get(path)?.home.clone()?;
        let below = inside(&home, path)?;
        self.look(&home, |reading| reads(reading.project, &home, &below).then(|| then(reading))).ok()?
    }

    /// Reads a home with the text of all documents that are open there.
    fn look<T>(&mut self, home: &Home, then: impl FnOnce(&Reading<'_>) -> T) -> Result<T, Diagnostic> {
        self.look_through(home, true, then)
    }

    /// `again` says whether to read again if the links are other ones than before.
    fn look_through<T>(
        &mut self,
        home: &Home,
        again: bool,
        then: impl FnOnce(&Reading<'_>) -> T,
    ) -> Result<T, Diagnostic> {
        let below = || self.documents.iter().filter_map(|(path, it)| Some((inside(home, path)?, it)));
        let mut unsaved: Unsaved = below().map(|(path, document)| (path, document.text.clone().into_bytes())).collect();
        let own = below().filter(|(_, document)| document.home.as_ref() == Some(home));
        let own: Vec<NamedPath> = own.map(|(path, _)| NamedPath::file(path)).collect();
        // An editor watches its own folders.
        let is_told = self.is_told_of_changes && is_watched(&self.folders, &home.root);
        let open = self.homes.entry(home.clone()).or_default();
        open.look_outside();
        open.links.add_to(&mut unsaved);
        let around = open.opened.as_ref().and_then(|opened| opened.project.scope.around.as_ref());
        let settings_path = around.map(|around| around.settings.clone());
        let settings = unsaved.get(settings_path.as_deref().unwrap_or(settings::PATH));
        let opened = match open.opened.take() {
            Some(opened) if is_told && open.settings.as_ref() == settings => opened,
            _ => {
                open.known = Known::default();
                open.settings = settings.cloned();
                let disk = if is_told { Disk::recording_outside(&self.folders) } else { Disk::default() };
                self.opener.open(home, &unsaved, disk)?
            }
        };
        let Opened { project, request } = open.opened.insert(opened);
        // The index of a linked work tree is elsewhere.
        let is_git_watched = |top: &Path| is_watched(&self.folders, top) && top.join(".git").is_dir();
        if repository(&home.root, project.tiers.disk()).is_some_and(|top| !is_git_watched(top)) {
            (project.scope.tracked, project.scope.removed) = Default::default();
        }
        project.scope.named = Some(own);
        if let Some(around) = &mut project.scope.around {
            around.piped = unsaved.keys().filter(|path| !home.root.join(path).exists()).cloned().collect();
        }
        open.readings += 1;
        if open.readings.is_multiple_of(MEMO_READINGS) {
            open.memo = Arc::default();
        }
        let tiers = project.tiers.replacing(&unsaved).with_memo(Arc::clone(&open.memo));
        let OpenProject { protocol, options, scope, .. } = &*project;
        let replaced: BTreeSet<String> = unsaved.keys().cloned().collect();
        let known = mem::take(&mut open.known).replacing(replaced.clone());
        let read = scope.project(&tiers, protocol, options, known);
        let links = LinkedFiles::of(&read, home);
        if links != open.links && again {
            (open.links, open.known) = (links, read.into());
            return self.look_through(home, false, then);
        }
        open.unread = unsaved.into_keys().filter(|path| !reads(&read, home, path)).collect();
        let result = then(&Reading {
            project: &read,
            check: &|tiers, take| {
                let project = scope.project(tiers, protocol, options, Known::from(&read).replacing(replaced.clone()));
                take(&project, check(&project));
            },
            request,
        });
        open.known = read.into();
        Ok(result)
    }
}

/// Whether the path in a home is that of an item, or of a file beside it.
fn is_item(path: &str) -> bool {
    path.starts_with(".ai/")
}

/// Whether a home reads a file with this path, whatever its text and those of others are.
fn is_expected(path: &str, of_agents: bool) -> bool {
    let is_named = || is_named_so(path, &agents::Protocol::default().folder) || agent_settings::agent(path).is_some();
    if of_agents { is_named() } else { is_item(path) }
}

/// Whether a project reads a file of its home, whatever it makes of it.
fn reads(project: &Project<'_>, home: &Home, path: &str) -> bool {
    // A file of agents may be one that they refuse at the moment.
    if is_expected(path, home.of_agents) {
        return true;
    }
    let Some(folders) = &project.folders else { return false };
    let whole = home.root.join(path);
    let mut seen = folders.prompts.iter().flat_map(|prompt| &prompt.files);
    project.files.iter().any(|file| file.path == path) || seen.any(|file| whole == *file.path)
}

/// Whether a path is in one of the editor's folders, which the editor watches.
fn is_watched(folders: &[PathBuf], path: &Path) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn by_path(findings: Vec<Finding>) -> BTreeMap<String, Vec<Finding>> {
    let mut all: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        all.entry(finding.path().to_string()).or_default().push(finding);
    }
    all
}

/// The path from the root, with `/` as separator.
pub fn inside(home: &Home, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(&home.root).ok()?.to_str()?;
    Some(inside.replace(std::path::MAIN_SEPARATOR, "/"))
}
