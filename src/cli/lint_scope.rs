//! Finds the projects and agents' working folders that contain the paths of `lint`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::agent_choice::named_in;
use super::arguments::{Lint, PromptFlags, TierFlags};
use super::folder;
use super::lint_folder::{around, is_for_agents, resolved, root};
use super::resolve::{check_stdin, not_utf8, relative_to_here, tier_arguments, wrong};
use crate::agents;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::lint::Project;
use crate::lint::folders::{AgentFolder, file_owner, is_named_so};
use crate::lint::scope::{
    LintScope, NamedPath, PathLocation, Patterns, is_in_tier, named_project, project_of, projects_below, repository,
};
use crate::lsp::Home;
use crate::read::files;
use crate::read::store::{self, Access, ItemKind, Store as _, Surroundings, absolute, find_project, user_folder};
use crate::system;
use crate::text::visible::visible_line;
use strum::VariantArray as _;

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
        return Err(wrong("--stdin-filename is the only file to check", "leave out the paths, or --stdin-filename"));
    }
    let arguments = tier_arguments(&typed.tiers, None);
    let is_named = store::named_project(&arguments, here).is_some();
    let own = find_project(&arguments, here)?;
    let finder = TargetFinder { typed, own: own.as_deref(), user: user_folder(&arguments, here), here };
    let paths = typed.paths.iter().map(|path| finder.path(path, true));
    let paths = paths.chain(typed.stdin_filename.iter().map(|path| finder.path(path, false)));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    let agents = finder.agents(is_named)?;
    if let Agents::Named(protocol) = &agents {
        return Ok((finder.folders(&paths, protocol)?, Vec::new()));
    }
    if paths.is_empty() {
        return finder.here(&agents);
    }
    if is_named {
        let (named, diagnostics) = finder.in_named_project(&paths);
        return Ok((vec![finder.project(None, Some(named))?], diagnostics));
    }
    let mut projects = finder.projects(&paths)?;
    let mut diagnostics = Vec::new();
    if let Agents::Found(protocol) = &agents {
        let (of_agents, both) = finder.beside_projects(&paths, protocol)?;
        projects.extend(of_agents);
        diagnostics.extend(both);
    }
    if projects.is_empty() {
        projects.push(finder.empty_target(&paths, &agents)?);
    }
    Ok((projects, diagnostics))
}

/// What an editor's file is checked with: the project whose `.ai/` holds it, or the repository or folder of the editor in
/// which agents read it, or else the folder that it is for.
pub(super) fn home(file: &Path, folder: Option<&Path>, here: &Surroundings<'_>) -> Option<Home> {
    let protocol = agents::Protocol::default();
    let (root, of_agents, is_alone) = if is_in_tier(file) {
        (project_of(file, &here.disk)?, false, false)
    } else if let Some(around) = repository(file.parent()?, &here.disk).or(folder) {
        (Some(around).filter(|_| may_be_read(file, &protocol, here))?.to_path_buf(), true, false)
    } else if is_named_so(&system::text(file), &protocol.folder) {
        (file_owner(file, &protocol.folder)?.to_path_buf(), true, true)
    } else {
        return None;
    };
    // Where the editor is makes no difference to directives.
    let folder = folder.filter(|_| of_agents).unwrap_or(&root).to_path_buf();
    Some(Home { root, of_agents, folder, is_alone })
}

pub(super) fn target_at(typed: &Lint, home: &Home, here: &Surroundings<'_>) -> Result<LintTarget, Diagnostic> {
    let finder = TargetFinder { typed, own: None, user: None, here };
    match home.of_agents {
        true => finder.folder(&home.root, None, &agents::Protocol::default()),
        false => finder.project(Some(home.root.clone()), None),
    }
}

struct TypedPath<'t> {
    typed: &'t Path,
    whole: PathBuf,
    is_folder: bool,
}

impl TypedPath<'_> {
    /// The path itself, or the folder of the file.
    fn folder(&self) -> &Path {
        if self.is_folder { &self.whole } else { self.whole.parent().unwrap_or(&self.whole) }
    }
}

/// The note that a folder of directives is also for agents, if it is.
fn both(folder: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> Option<Diagnostic> {
    let path = agents::agents_file(&system::text(folder), &protocol.folder, &here.disk.whole())?;
    Some(Diagnostic::new(Problem::FolderOfAgents { path }))
}

/// Whether agents may read a file: because of its name, or because the instructions for its folder may name any file. Without
/// instructions, no search is worth its time.
fn may_be_read(file: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> bool {
    let above = || agents::agents_file(&system::text(file.parent()?), &protocol.folder, &here.disk.whole());
    is_named_so(&system::text(file), &protocol.folder) || above().is_some()
}

enum Agents {
    /// `--protocol` names the assembler for folders: nothing else is checked.
    Named(agents::Protocol),
    /// Agents' files are checked outside projects of directives.
    Found(agents::Protocol),
    /// A project or the assembler for directives is named: agents' files are not checked.
    No,
}

struct TargetFinder<'a> {
    typed: &'a Lint,
    /// The project of the working folder.
    own: Option<&'a Path>,
    /// The folder of the user tier, which is not a project.
    user: Option<PathBuf>,
    here: &'a Surroundings<'a>,
}

impl TargetFinder<'_> {
    /// Resolves a path, which must exist unless it stands for standard input.
    fn path<'t>(&self, typed: &'t Path, must_exist: bool) -> Result<TypedPath<'t>, Diagnostic> {
        let whole = absolute(&self.here.working_folder, typed);
        self.here.disk.record(&whole, Access::Probe);
        let is_folder = match fs::symlink_metadata(&whole) {
            Ok(found) => must_exist && (found.is_dir() || whole.is_dir()),
            Err(error) if must_exist => {
                let path = system::text(typed);
                let problem = Problem::Unreadable { reason: system_reason(&error) };
                return Err(Diagnostic::at(problem, files::location(path)));
            }
            Err(_) => false,
        };
        // A hook may pass every changed file; files that nothing reads are ignored.
        let is_read = || is_in_tier(typed) || is_named_so(&system::text(typed), &agents::Protocol::default().folder);
        if typed.to_str().is_none() && (is_folder || is_read()) {
            return Err(not_utf8(typed));
        }
        Ok(TypedPath { typed, whole, is_folder })
    }

    fn agents(&self, is_named: bool) -> Result<Agents, Diagnostic> {
        let Lint { tiers, protocol, protocol_file, agent, .. } = self.typed;
        let flags = PromptFlags::of_project(tiers.clone(), protocol.clone(), protocol_file.clone());
        let of_agent = agent.as_ref().map(|_| agents::Protocol::default());
        match of_agent.map_or_else(|| folder::protocol(&flags, &self.here.disk), |it| Ok(Some(it)))? {
            Some(_) if tiers.project.is_some() => {
                let help = "leave it out, and go to the folder or name a path in it";
                Err(wrong("--project is for directives, but this is an agent's working folder", help))
            }
            Some(protocol) => Ok(Agents::Named(protocol)),
            None if is_named || protocol.is_some() => Ok(Agents::No),
            None => Ok(Agents::Found(agents::Protocol::default())),
        }
    }

    /// The targets if no path is given, and a note if directives and agents share the folder.
    fn here(&self, agents: &Agents) -> Result<(Vec<LintTarget>, Vec<Diagnostic>), Diagnostic> {
        let folder = &self.here.working_folder;
        let Agents::Found(protocol) = agents else { return Ok((vec![self.project(None, None)?], Vec::new())) };
        let is_of_agents = match self.own {
            None => is_for_agents(folder, protocol, self.here),
            Some(_) => self.is_left_to_agents(folder)?,
        };
        if is_of_agents {
            return Ok((self.folders([], protocol)?, Vec::new()));
        }
        let note = self.own.and_then(|_| both(folder, protocol, self.here));
        Ok((vec![self.project(None, None)?], note.into_iter().collect()))
    }

    /// Whether the project of a folder has no items, and the settings that count for agents there name some.
    fn is_left_to_agents(&self, folder: &Path) -> Result<bool, Diagnostic> {
        let Lint { tiers, protocol, protocol_file, .. } = self.typed;
        let here = &Surroundings { working_folder: folder.to_path_buf(), ..self.here.clone() };
        let Some(project) = find_project(&tier_arguments(tiers, None), here)? else { return Ok(false) };
        let files = here.disk.whole();
        let listed = |kind: &ItemKind| files.list(&system::text(&project.join(kind.folder()))).unwrap_or_default();
        if ItemKind::VARIANTS.iter().any(|kind| !listed(kind).is_empty()) {
            return Ok(false);
        }
        let flags = PromptFlags::of_project(tiers.clone(), protocol.clone(), protocol_file.clone());
        let around = around(&root(folder, here), &agents::Protocol::default(), here);
        Ok(!named_in(&resolved(&flags, &around, None, here)?.settings)?.is_empty())
    }

    /// [`Self::is_left_to_agents`]; what is wrong with its settings is reported when it is checked.
    fn is_left(&self, project: &Path) -> bool {
        self.is_left_to_agents(project).unwrap_or_default()
    }

    /// The agents' working folders for named files of agents and for folders outside projects, and a note if directives and
    /// agents share a folder.
    fn beside_projects(
        &self,
        paths: &[TypedPath<'_>],
        protocol: &agents::Protocol,
    ) -> Result<(Vec<LintTarget>, Option<Diagnostic>), Diagnostic> {
        let (mut alone, mut note) = (Vec::new(), None);
        let arguments = tier_arguments(&self.typed.tiers, None);
        for path in paths {
            let around = Surroundings { working_folder: path.folder().to_path_buf(), ..self.here.clone() };
            let is_meant = match path.is_folder {
                // Whatever else is in its folder.
                false => !is_in_tier(&path.whole) && may_be_read(&path.whole, protocol, self.here),
                true if self.is_left_to_agents(&path.whole)? => true,
                true if find_project(&arguments, &around)?.is_some() || !self.below(path).is_empty() => {
                    note = note.or_else(|| both(&path.whole, protocol, self.here));
                    false
                }
                true => is_for_agents(&path.whole, protocol, self.here),
            };
            if is_meant {
                alone.push(path);
            }
        }
        let folders = if alone.is_empty() { Vec::new() } else { self.folders(alone, protocol)? };
        Ok((folders, note))
    }

    /// The agents' working folders that contain the paths; without paths, the current folder.
    fn folders<'t>(
        &self,
        paths: impl IntoIterator<Item = &'t TypedPath<'t>>,
        protocol: &agents::Protocol,
    ) -> Result<Vec<LintTarget>, Diagnostic> {
        let mut all: BTreeMap<PathBuf, Vec<NamedPath>> = BTreeMap::new();
        for path in paths {
            let root = root(path.folder(), self.here);
            let below = system::text(path.whole.strip_prefix(&root).unwrap_or(&path.whole));
            let named = if path.is_folder { NamedPath::folder(below) } else { NamedPath::file(below) };
            all.entry(root).or_default().push(named);
        }
        if all.is_empty() {
            return Ok(vec![self.folder(&root(&self.here.working_folder, self.here), None, protocol)?]);
        }
        all.into_iter().map(|(root, named)| self.folder(&root, Some(named), protocol)).collect()
    }

    /// An empty target for files that belong neither to a project nor to agents.
    fn empty_target(&self, paths: &[TypedPath<'_>], agents: &Agents) -> Result<LintTarget, Diagnostic> {
        // The project of the working folder takes precedence.
        let folders = || paths.iter().filter(|_| self.own.is_none());
        let around = folders().find_map(|path| project_of(&path.whole, &self.here.disk));
        if let (Agents::Found(protocol), None) = (agents, &around)
            && let Some(folder) =
                folders().map(TypedPath::folder).find(|folder| is_for_agents(folder, protocol, self.here))
        {
            let root = root(folder, self.here);
            return self.folder(&root, Some(Vec::new()), protocol);
        }
        self.project(around, Some(Vec::new()))
    }

    fn folder(
        &self,
        root: &Path,
        named: Option<Vec<NamedPath>>,
        protocol: &agents::Protocol,
    ) -> Result<LintTarget, Diagnostic> {
        if root.to_str().is_none() {
            return Err(not_utf8(root));
        }
        let mut target = self.project(None, named)?;
        let piped = target.replaced.iter().map(|(path, _)| path.clone()).collect();
        target.flags.tiers.project = Some(root.to_path_buf());
        target.scope.around = Some(AgentFolder { piped, ..around(root, protocol, self.here) });
        Ok(target)
    }

    /// The paths in the project of `--project` or `RYE_PROJECT`, and warnings about paths in other projects.
    fn in_named_project(&self, paths: &[TypedPath<'_>]) -> (Vec<NamedPath>, Vec<Diagnostic>) {
        let (mut named, mut diagnostics) = (Vec::new(), Vec::new());
        let Some(own) = self.own else { return (named, diagnostics) };
        let other = |path: &Path, project: &Path| {
            let [path, project] = [path, project].map(system::text);
            Diagnostic::new(Problem::OtherProject { path, project })
        };
        for path in paths {
            match PathLocation::of(&path.whole, path.is_folder, own, &self.here.disk) {
                PathLocation::Inside(inside) => named.push(inside),
                PathLocation::OtherProject(project) => diagnostics.push(other(path.typed, &project)),
                PathLocation::Elsewhere => {
                    let below = self.below(path).into_iter();
                    diagnostics.extend(below.map(|project| other(self.shown(&project), &project)));
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
                if let PathLocation::Inside(inside) =
                    PathLocation::of(&path.whole, path.is_folder, project, &self.here.disk)
                {
                    named.push(inside);
                }
            }
        }
        all.into_values().map(|(project, named)| self.project(Some(project), Some(named))).collect()
    }

    /// The project that contains a path. A folder above the working folder's project stands for that project.
    fn around(&self, path: &TypedPath<'_>) -> Option<PathBuf> {
        let found = match self.own.map(|own| (own, PathLocation::of(&path.whole, path.is_folder, own, &self.here.disk)))
        {
            Some((own, PathLocation::Inside(_))) => Some(own.to_path_buf()),
            Some((_, PathLocation::OtherProject(other))) => Some(other),
            Some((_, PathLocation::Elsewhere)) => None,
            None => named_project(&path.whole, path.is_folder, &self.here.disk),
        };
        found.filter(|found| self.here.disk.is_folder(&found.join(".ai")))
    }

    /// The projects below a folder, except excluded ones and the user's tier.
    fn below(&self, path: &TypedPath<'_>) -> Vec<PathBuf> {
        if !path.is_folder {
            return Vec::new();
        }
        // An invalid pattern is reported later.
        let excluded = Patterns::new(self.typed.exclude.iter().map(String::as_str)).unwrap_or_default();
        let is_meant = |project: &PathBuf| {
            let way = system::text(&project.strip_prefix(&path.whole).unwrap_or(project).join(".ai"));
            Some(project) != self.user.as_ref() && !excluded.matches(&way) && !self.is_left(project)
        };
        projects_below(&path.whole, &self.here.disk).into_iter().filter(is_meant).collect()
    }

    fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.here.working_folder).unwrap_or(path)
    }

    /// A target in a project; `None` means the project that the flags select.
    fn project(&self, project: Option<PathBuf>, named: Option<Vec<NamedPath>>) -> Result<LintTarget, Diagnostic> {
        let Lint { tiers, protocol, protocol_file, stdin_filename, force_exclude, .. } = self.typed;
        let tiers = TierFlags { project: project.or_else(|| tiers.project.clone()), ..tiers.clone() };
        let flags = PromptFlags::of_project(tiers, protocol.clone(), protocol_file.clone());
        let stdin = stdin_filename.as_ref().map(|_| Path::new("-"));
        check_stdin(&flags, stdin)?;
        let bytes = stdin.map(|stdin| files::bytes(stdin, flags.tiers.max_item_size, &self.here.disk)).transpose()?;
        let path = named.iter().flatten().next().map(|named| named.path().to_string());
        let scope = LintScope { named, force_exclude: *force_exclude, ..LintScope::default() };
        Ok(LintTarget { flags, scope, replaced: path.zip(bytes.clone()), stdin: bytes })
    }
}

/// `--show-files`: paths relative to the working folder. Escaped control characters keep each path on one line.
pub(super) fn shown_files(project: &Project<'_>) -> Vec<String> {
    let root = project.tiers.project_root().map(Path::to_path_buf).unwrap_or_default();
    project.linted().map(|file| visible_line(&relative_to_here(&root.join(&file.path))).into_owned()).collect()
}
