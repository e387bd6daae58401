//! Finds the projects and agents' working folders that contain the paths of `lint`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use strum::VariantArray as _;

use super::agent_choice::named_around;
use super::arguments::{Lint, PromptFlags};
use super::folder;
use super::lint_folder::{agents_file, around, is_for_agents, root};
use super::resolve::{check_stdin, check_utf8, not_utf8, tier_arguments};
use crate::agents::Protocol;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::lint::folders::{AgentFolder, file_owner, is_named_so};
use crate::lint::scope::{
    LintScope, NamedPath, PathLocation, Patterns, is_in_tier, named_project, project_of, projects_below, repository,
};
use crate::lsp::Home;
use crate::read::files;
use crate::read::store::{
    self, Access, ItemKind, Store as _, Surroundings, TierArguments, absolute, find_project, user_folder,
};
use crate::system::text;

/// A project or an agent's working folder to check.
pub(super) struct LintTarget {
    pub flags: PromptFlags,
    pub scope: LintScope,
    /// The path of `--stdin-filename` and its text, if it is a file of the project.
    pub replaced: Option<(String, Vec<u8>)>,
    /// The text of `--stdin-filename`, even if the file is not an item.
    pub stdin: Option<Vec<u8>>,
}

/// Resolves the paths. Without a named project, the targets are the projects that contain them: a hook may run at the
/// top of a repository with several projects. There is at least one target; they are in byte order of folders. The
/// diagnostics are warnings about paths.
///
/// Files that are not items are ignored, since a hook may pass every changed file.
pub(super) fn targets(typed: &Lint, here: &Surroundings<'_>) -> Result<(Vec<LintTarget>, Vec<Diagnostic>), Diagnostic> {
    if !typed.paths.is_empty() && typed.stdin_filename.is_some() {
        return Err(Diagnostic::invalid(
            "--stdin-filename is the only file to check",
            "leave out the paths, or --stdin-filename",
        ));
    }
    let arguments = tier_arguments(&typed.tiers, None);
    let is_named = store::named_project(&arguments, here).is_some();
    let own = find_project(&arguments, here)?;
    let paths = typed.paths.iter().map(|path| TypedPath::new(path, true, here));
    let paths = paths.chain(typed.stdin_filename.iter().map(|path| TypedPath::new(path, false, here)));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    let named = named_protocol(typed, here)?;
    let checked = match named {
        Some(_) => Checked::Agents,
        None if is_named || typed.protocol.is_some() => Checked::Directives,
        None => Checked::Both,
    };
    let (user, protocol) = (user_folder(&arguments, here), named.unwrap_or_default());
    let finder = TargetFinder { typed, own: own.as_deref(), user, protocol, checked, arguments, here };
    if paths.is_empty() {
        return finder.here();
    }
    if is_named && checked == Checked::Directives {
        let (named, diagnostics) = finder.in_named_project(&paths);
        return Ok((vec![finder.project(None, Some(named))?], diagnostics));
    }
    let mut targets = if checked == Checked::Agents { Vec::new() } else { finder.projects(&paths)? };
    let (mut left, mut note) = (Vec::new(), None);
    for path in &paths {
        match finder.owner(path, || finder.holds_project(path))? {
            Owner::Agents => left.push(path),
            Owner::Project(found) => note = note.or(found),
        }
    }
    targets.extend(finder.folders(left)?);
    if targets.is_empty() {
        targets.push(finder.empty_target(&paths)?);
    }
    Ok((targets, note.into_iter().collect()))
}

/// The assembler for folders, if a flag names it or an agent.
fn named_protocol(typed: &Lint, here: &Surroundings<'_>) -> Result<Option<Protocol>, Diagnostic> {
    let named = match typed.agent {
        Some(_) => Some(Protocol::default()),
        None => folder::protocol(&flags(typed), &here.disk)?,
    };
    if named.is_some() && typed.tiers.project.is_some() {
        let help = "leave it out, and go to the folder or name a path in it";
        return Err(Diagnostic::invalid("--project is for directives, but this is an agent's working folder", help));
    }
    Ok(named)
}

pub(super) fn flags(typed: &Lint) -> PromptFlags {
    PromptFlags::of_project(typed.tiers.clone(), typed.protocol.clone(), typed.protocol_file.clone())
}

/// What an editor's file is checked with: the project whose `.ai/` holds it, or the repository or folder of the editor in
/// which agents read it, or else the folder that it is for.
pub(super) fn home(file: &Path, folder: Option<&Path>, here: &Surroundings<'_>) -> Option<Home> {
    let protocol = Protocol::default();
    let (root, of_agents, is_alone) = if is_in_tier(file) {
        (project_of(file, &here.disk)?, false, false)
    } else if let Some(around) = repository(file.parent()?, &here.disk).or(folder) {
        (Some(around).filter(|_| may_be_read(file, &protocol, here))?.to_path_buf(), true, false)
    } else if is_named_so(&text(file), &protocol.folder) {
        (file_owner(file, &protocol.folder)?.to_path_buf(), true, true)
    } else {
        return None;
    };
    // Where the editor is makes no difference to directives.
    let folder = folder.filter(|_| of_agents).unwrap_or(&root).to_path_buf();
    Some(Home { root, of_agents, folder, is_alone })
}

pub(super) fn target_at(typed: &Lint, home: &Home, here: &Surroundings<'_>) -> Result<LintTarget, Diagnostic> {
    let (protocol, arguments, checked) = (Protocol::default(), TierArguments::default(), Checked::Both);
    let finder = TargetFinder { typed, own: None, user: None, protocol, checked, arguments, here };
    match home.of_agents {
        true => finder.folder(&home.root, None),
        false => finder.project(Some(home.root.clone()), None),
    }
}

/// Whether agents may read a file: because of its name, or because the instructions for its folder may name any file. Without
/// instructions, no search is worth its time.
fn may_be_read(file: &Path, protocol: &Protocol, here: &Surroundings<'_>) -> bool {
    let above = || agents_file(file.parent()?, protocol, here);
    is_named_so(&text(file), &protocol.folder) || above().is_some()
}

struct TypedPath<'t> {
    typed: &'t Path,
    whole: PathBuf,
    is_folder: bool,
}

impl<'t> TypedPath<'t> {
    /// Resolves a path, which must exist unless it stands for standard input.
    fn new(typed: &'t Path, must_exist: bool, here: &Surroundings<'_>) -> Result<Self, Diagnostic> {
        let whole = absolute(&here.working_folder, typed);
        here.disk.record(&whole, Access::Probe);
        let is_folder = match fs::symlink_metadata(&whole) {
            Ok(found) => must_exist && (found.is_dir() || whole.is_dir()),
            Err(error) if must_exist => {
                let problem = Problem::Unreadable { reason: system_reason(&error) };
                return Err(Diagnostic::at(problem, files::location(text(typed))));
            }
            Err(_) => false,
        };
        // A hook may pass every changed file; files that nothing reads are ignored.
        let is_read = || is_in_tier(typed) || is_named_so(&text(typed), &Protocol::default().folder);
        if typed.to_str().is_none() && (is_folder || is_read()) {
            return Err(not_utf8(typed));
        }
        Ok(Self { typed, whole, is_folder })
    }

    /// The path itself, or the folder of the file.
    fn folder(&self) -> &Path {
        if self.is_folder { &self.whole } else { self.whole.parent().unwrap_or(&self.whole) }
    }

    /// Where the path is, as seen from a project.
    fn location(&self, project: &Path, here: &Surroundings<'_>) -> PathLocation {
        PathLocation::of(&self.whole, self.is_folder, project, &here.disk)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    /// A flag names an agent or the assembler for folders.
    Agents,
    /// A project or the assembler for directives is named.
    Directives,
    /// Agents' files are checked outside projects of directives.
    Both,
}

/// Who reads what is at a path.
enum Owner {
    Agents,
    /// A project or nobody, with a note if agents read the folder, too.
    Project(Option<Diagnostic>),
}

struct TargetFinder<'a> {
    typed: &'a Lint,
    /// The project of the working folder.
    own: Option<&'a Path>,
    /// The folder of the user tier, which is not a project.
    user: Option<PathBuf>,
    protocol: Protocol,
    checked: Checked,
    arguments: TierArguments,
    here: &'a Surroundings<'a>,
}

impl TargetFinder<'_> {
    /// The target if no path is given.
    fn here(&self) -> Result<(Vec<LintTarget>, Vec<Diagnostic>), Diagnostic> {
        let whole = self.here.working_folder.clone();
        let path = TypedPath { typed: Path::new("."), whole, is_folder: true };
        match self.owner(&path, || Ok(self.own.is_some()))? {
            Owner::Agents => {
                let root = root(&self.here.working_folder, self.here);
                Ok((vec![self.folder(&root, None)?], Vec::new()))
            }
            Owner::Project(note) => Ok((vec![self.project(None, None)?], note.into_iter().collect())),
        }
    }

    /// Who reads what is at a path. `holds_project`: whether the path is in a project or holds one.
    fn owner(
        &self,
        path: &TypedPath<'_>,
        holds_project: impl FnOnce() -> Result<bool, Diagnostic>,
    ) -> Result<Owner, Diagnostic> {
        let is_of_agents = match path.is_folder {
            _ if self.checked != Checked::Both => self.checked == Checked::Agents,
            // Whatever else is in its folder.
            false => !is_in_tier(&path.whole) && may_be_read(&path.whole, &self.protocol, self.here),
            true if self.is_left_to_agents(&path.whole)? => true,
            true if holds_project()? => {
                let note = agents_file(&path.whole, &self.protocol, self.here);
                return Ok(Owner::Project(note.map(|path| Diagnostic::new(Problem::FolderOfAgents { path }))));
            }
            true => is_for_agents(&path.whole, &self.protocol, self.here),
        };
        Ok(if is_of_agents { Owner::Agents } else { Owner::Project(None) })
    }

    /// Whether the project of a folder has no items, and the settings that count for agents there name some.
    fn is_left_to_agents(&self, folder: &Path) -> Result<bool, Diagnostic> {
        let here = &Surroundings { working_folder: folder.to_path_buf(), ..self.here.clone() };
        let Some(project) = find_project(&self.arguments, here)? else { return Ok(false) };
        let files = here.disk.whole();
        let listed = |kind: &ItemKind| files.list(&text(&project.join(kind.folder()))).unwrap_or_default();
        if ItemKind::VARIANTS.iter().any(|kind| !listed(kind).is_empty()) {
            return Ok(false);
        }
        Ok(!named_around(&flags(self.typed), here)?.is_empty())
    }

    /// [`Self::is_left_to_agents`]; what is wrong with its settings is reported when it is checked.
    fn is_left(&self, project: &Path) -> bool {
        self.is_left_to_agents(project).unwrap_or_default()
    }

    fn holds_project(&self, path: &TypedPath<'_>) -> Result<bool, Diagnostic> {
        let around = Surroundings { working_folder: path.folder().to_path_buf(), ..self.here.clone() };
        Ok(find_project(&self.arguments, &around)?.is_some() || !self.below(path).is_empty())
    }

    /// The agents' working folders that contain the paths.
    fn folders<'t>(&self, paths: impl IntoIterator<Item = &'t TypedPath<'t>>) -> Result<Vec<LintTarget>, Diagnostic> {
        let mut all: BTreeMap<PathBuf, Vec<NamedPath>> = BTreeMap::new();
        for path in paths {
            let root = root(path.folder(), self.here);
            let below = text(path.whole.strip_prefix(&root).unwrap_or(&path.whole));
            let named = if path.is_folder { NamedPath::folder(below) } else { NamedPath::file(below) };
            all.entry(root).or_default().push(named);
        }
        all.into_iter().map(|(root, named)| self.folder(&root, Some(named))).collect()
    }

    /// An empty target for files that belong neither to a project nor to agents.
    fn empty_target(&self, paths: &[TypedPath<'_>]) -> Result<LintTarget, Diagnostic> {
        // The project of the working folder takes precedence.
        let paths = || paths.iter().filter(|_| self.own.is_none());
        let around = paths().find_map(|path| project_of(&path.whole, &self.here.disk));
        let is_of_agents = |folder: &&Path| is_for_agents(folder, &self.protocol, self.here);
        let mut folders = paths().map(TypedPath::folder).filter(|_| self.checked == Checked::Both && around.is_none());
        match folders.find(is_of_agents) {
            Some(folder) => self.folder(&root(folder, self.here), Some(Vec::new())),
            None => self.project(around, Some(Vec::new())),
        }
    }

    fn folder(&self, root: &Path, named: Option<Vec<NamedPath>>) -> Result<LintTarget, Diagnostic> {
        check_utf8([root])?;
        let mut target = self.project(None, named)?;
        let piped = target.replaced.iter().map(|(path, _)| path.clone()).collect();
        target.flags.tiers.project = Some(root.to_path_buf());
        target.scope.around = Some(AgentFolder { piped, ..around(root, &self.protocol, self.here) });
        Ok(target)
    }

    /// The paths in the project of `--project` or `RYE_PROJECT`, and warnings about paths in other projects.
    fn in_named_project(&self, paths: &[TypedPath<'_>]) -> (Vec<NamedPath>, Vec<Diagnostic>) {
        let (mut named, mut diagnostics) = (Vec::new(), Vec::new());
        let Some(own) = self.own else { return (named, diagnostics) };
        let other = |path: &Path, project: &Path| {
            let [path, project] = [path, project].map(text);
            Diagnostic::new(Problem::OtherProject { path, project })
        };
        let shown = |project: &Path| project.strip_prefix(&self.here.working_folder).unwrap_or(project).to_path_buf();
        for path in paths {
            match path.location(own, self.here) {
                PathLocation::Inside(inside) => named.push(inside),
                PathLocation::OtherProject(project) => diagnostics.push(other(path.typed, &project)),
                PathLocation::Elsewhere => {
                    diagnostics.extend(self.below(path).iter().map(|project| other(&shown(project), project)));
                }
            }
        }
        (named, diagnostics)
    }

    /// The projects that contain a path or are below one.
    fn projects(&self, paths: &[TypedPath<'_>]) -> Result<Vec<LintTarget>, Diagnostic> {
        let mut all: BTreeMap<PathBuf, (PathBuf, Vec<NamedPath>)> = BTreeMap::new();
        for path in paths {
            let around = self.around(path).filter(|it| !path.is_folder || !self.is_left(it));
            for project in around.into_iter().chain(self.below(path)) {
                // Links may lead to the same project.
                let key = project.canonicalize().unwrap_or_else(|_| project.clone());
                let (project, named) = all.entry(key).or_insert_with(|| (project, Vec::new()));
                if let PathLocation::Inside(inside) = path.location(project, self.here) {
                    named.push(inside);
                }
            }
        }
        all.into_values().map(|(project, named)| self.project(Some(project), Some(named))).collect()
    }

    /// The project that contains a path. A folder above the working folder's project stands for that project.
    fn around(&self, path: &TypedPath<'_>) -> Option<PathBuf> {
        let found = match self.own {
            None => named_project(&path.whole, path.is_folder, &self.here.disk),
            Some(own) => match path.location(own, self.here) {
                PathLocation::Inside(_) => Some(own.to_path_buf()),
                PathLocation::OtherProject(other) => Some(other),
                PathLocation::Elsewhere => None,
            },
        };
        found.filter(|found| self.here.disk.is_folder(&found.join(".ai")))
    }

    /// The projects below a folder, except excluded ones, the user's tier and those that are left to agents.
    fn below(&self, path: &TypedPath<'_>) -> Vec<PathBuf> {
        if !path.is_folder {
            return Vec::new();
        }
        // An invalid pattern is reported later.
        let excluded = Patterns::new(self.typed.exclude.iter().map(String::as_str)).unwrap_or_default();
        let is_meant = |project: &PathBuf| {
            let way = text(&project.strip_prefix(&path.whole).unwrap_or(project).join(".ai"));
            Some(project) != self.user.as_ref() && !excluded.matches(&way) && !self.is_left(project)
        };
        projects_below(&path.whole, &self.here.disk).into_iter().filter(is_meant).collect()
    }

    /// A target in a project; `None` means the project that the flags select.
    fn project(&self, project: Option<PathBuf>, named: Option<Vec<NamedPath>>) -> Result<LintTarget, Diagnostic> {
        let Lint { tiers, stdin_filename, force_exclude, .. } = self.typed;
        let mut flags = flags(self.typed);
        flags.tiers.project = project.or_else(|| tiers.project.clone());
        let stdin = stdin_filename.as_ref().map(|_| Path::new("-"));
        check_stdin(&flags, stdin)?;
        let bytes = stdin.map(|stdin| files::bytes(stdin, flags.tiers.max_item_size, &self.here.disk)).transpose()?;
        let path = named.iter().flatten().next().map(|named| named.path().to_string());
        let scope = LintScope { named, force_exclude: *force_exclude, ..LintScope::default() };
        Ok(LintTarget { flags, scope, replaced: path.zip(bytes.clone()), stdin: bytes })
    }
}
