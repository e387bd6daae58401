//! What `lint` is asked to look at: the paths that were typed, and the projects that they lie in.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::arguments::{Lint, PromptFlags, TierFlags};
use super::lint_folder::{around, is_for_agents, root};
use super::resolve::{check_stdin, not_utf8, surroundings, tier_arguments, wrong};
use super::{files, folder};
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::lint::Project;
use crate::lint::folders::{Around, is_named_so};
use crate::lint::scope::{Named, Patterns, Place, Scope, is_in_tier, named_project, project_of, projects_below};
use crate::looked;
use crate::sf::{self, Disk};
use crate::store::{self, Access, Surroundings, absolute, find_project, user_folder};
use crate::text::visible::visible_line;

/// What is asked for.
pub(super) struct Asked {
    /// The projects that are checked, in byte order of their folders; at least one.
    pub projects: Vec<OfProject>,
    /// Warnings about paths.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is asked for in a project.
pub(super) struct OfProject {
    /// The flags of it.
    pub flags: PromptFlags,
    /// The files that are checked.
    pub scope: Scope,
    /// The text that stands for a file of the project, and its path.
    pub replaced: Option<(String, Vec<u8>)>,
    /// That text, even where it is that of no item.
    pub stdin: Option<Vec<u8>>,
}

/// What the paths that were typed ask for. Where nothing names a project, it is those that they lie in: a hook may be run
/// from the top of a repository that holds several.
///
/// A file that is no item is passed over: whoever runs this for every changed file names those too.
pub(super) fn asked(typed: &Lint) -> Result<Asked, Diagnostic> {
    if !typed.paths.is_empty() && typed.stdin_filename.is_some() {
        return Err(wrong(
            "standard input is the one file that is checked",
            "leave out --stdin-filename, or the paths",
        ));
    }
    let surroundings = surroundings();
    let arguments = tier_arguments(&typed.tiers, None);
    let is_named = store::named_project(&arguments, &surroundings).is_some();
    let own = find_project(&arguments, &surroundings)?;
    let asker = Asker { typed, own: own.as_deref(), user: user_folder(&arguments, &surroundings), surroundings };
    let paths = typed.paths.iter().map(|path| asker.path(path, true));
    let paths = paths.chain(typed.stdin_filename.iter().map(|path| asker.path(path, false)));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    let agents = asker.agents(is_named)?;
    if let Agents::Named(protocol) = &agents {
        return Ok(Asked { projects: asker.folders(&paths, protocol)?, diagnostics: Vec::new() });
    }
    if paths.is_empty() {
        let (projects, note) = asker.here(&agents)?;
        return Ok(Asked { projects, diagnostics: note.into_iter().collect() });
    }
    if is_named {
        let (named, diagnostics) = asker.in_named_project(&paths);
        return Ok(Asked { projects: vec![asker.project(None, Some(named))?], diagnostics });
    }
    let mut projects = asker.projects(&paths)?;
    let mut diagnostics = Vec::new();
    if let Agents::Found(protocol) = &agents {
        let (of_agents, both) = asker.beside_projects(&paths, protocol)?;
        projects.extend(of_agents);
        diagnostics.extend(both);
    }
    if projects.is_empty() {
        projects.push(asker.nothing_of(&paths, &agents)?);
    }
    Ok(Asked { projects, diagnostics })
}

/// A path that was typed.
struct Typed<'t> {
    typed: &'t Path,
    whole: PathBuf,
    is_folder: bool,
}

impl Typed<'_> {
    /// The folder that was typed, or that of the file.
    fn folder(&self) -> &Path {
        if self.is_folder { &self.whole } else { self.whole.parent().unwrap_or(&self.whole) }
    }
}

/// That agents work in a folder which is for directives, if they do.
fn both(folder: &Path, protocol: &sf::Protocol) -> Option<Diagnostic> {
    let path = sf::agents_file(&folder.to_string_lossy(), &protocol.folder, &Disk)?;
    Some(Diagnostic::new(Problem::FolderOfAgents { path }))
}

/// Whether the files of agents are checked.
enum Agents {
    /// Their assembler is named, so that nothing else is.
    Named(sf::Protocol),
    /// Where they are found in no project of directives.
    Found(sf::Protocol),
    /// No: a project, or the assembler of directives is named.
    No,
}

/// What decides which projects are meant.
struct Asker<'a> {
    typed: &'a Lint,
    /// The project that is checked where no path says otherwise.
    own: Option<&'a Path>,
    /// The folder of the user tier, which is no project.
    user: Option<PathBuf>,
    surroundings: Surroundings<'a>,
}

impl Asker<'_> {
    /// A path, which must be there unless standard input stands for it.
    fn path<'t>(&self, typed: &'t Path, must_be_there: bool) -> Result<Typed<'t>, Diagnostic> {
        let whole = absolute(&self.surroundings.working_folder, typed);
        looked::at(&whole, Access::Probe);
        let is_folder = match fs::symlink_metadata(&whole) {
            Ok(found) => must_be_there && (found.is_dir() || whole.is_dir()),
            Err(error) if must_be_there => {
                let path = typed.to_string_lossy().into_owned();
                let at = Location::File { tier: "".into(), path, revision: None, position: None };
                return Err(Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, at));
            }
            Err(_) => false,
        };
        // Any file may be named by whoever names all that changed: those that nothing reads are passed over.
        let is_read = || is_in_tier(typed) || is_named_so(&typed.to_string_lossy(), &sf::Protocol::default().folder);
        if typed.to_str().is_none() && (is_folder || is_read()) {
            return Err(not_utf8(typed));
        }
        Ok(Typed { typed, whole, is_folder })
    }

    /// Who is asked, by name or not.
    fn agents(&self, is_named: bool) -> Result<Agents, Diagnostic> {
        let Lint { tiers, protocol, protocol_file, .. } = self.typed;
        let flags = PromptFlags::of_project(tiers.clone(), protocol.clone(), protocol_file.clone());
        match folder::protocol(&flags)? {
            Some(_) if tiers.project.is_some() => {
                let help = "leave it out, and go to the folder or name what lies in it";
                Err(wrong("--project is about directives, and this checks what agents read in a folder", help))
            }
            Some(protocol) => Ok(Agents::Named(protocol)),
            None if is_named || protocol.is_some() => Ok(Agents::No),
            None => Ok(Agents::Found(sf::Protocol::default())),
        }
    }

    /// What is asked for without a path; a note where directives and agents share a folder.
    fn here(&self, agents: &Agents) -> Result<(Vec<OfProject>, Option<Diagnostic>), Diagnostic> {
        let here = &self.surroundings.working_folder;
        match agents {
            Agents::Found(protocol) if self.own.is_none() && is_for_agents(here, protocol) => {
                Ok((vec![self.folder(&root(here, here), None, protocol)?], None))
            }
            Agents::Found(protocol) => {
                let note = self.own.and_then(|_| both(here, protocol));
                Ok((vec![self.project(None, None)?], note))
            }
            _ => Ok((vec![self.project(None, None)?], None)),
        }
    }

    /// The folders of agents that paths ask for which ask for no directives; a note about one that directives share.
    fn beside_projects(
        &self,
        paths: &[Typed<'_>],
        protocol: &sf::Protocol,
    ) -> Result<(Vec<OfProject>, Option<Diagnostic>), Diagnostic> {
        let (mut alone, mut note) = (Vec::new(), None);
        let arguments = tier_arguments(&self.typed.tiers, None);
        for path in paths {
            let here = Surroundings { working_folder: path.folder().to_path_buf(), ..surroundings() };
            let has_project = find_project(&arguments, &here)?.is_some() || !self.below(path).is_empty();
            let is_meant = || match path.is_folder {
                true => is_for_agents(&path.whole, protocol),
                false => is_named_so(&path.whole.to_string_lossy(), &protocol.folder),
            };
            match has_project {
                false if is_meant() => alone.push(path),
                true if note.is_none() && (path.is_folder || is_meant()) => note = both(path.folder(), protocol),
                _ => {}
            }
        }
        let folders = if alone.is_empty() { Vec::new() } else { self.folders(&alone, protocol)? };
        Ok((folders, note))
    }

    /// The folders of agents that paths lie in; that of the working folder without one.
    fn folders<'t>(
        &self,
        paths: &[impl Borrow<Typed<'t>>],
        protocol: &sf::Protocol,
    ) -> Result<Vec<OfProject>, Diagnostic> {
        let here = &self.surroundings.working_folder;
        if paths.is_empty() {
            return Ok(vec![self.folder(&root(here, here), None, protocol)?]);
        }
        let mut all: BTreeMap<PathBuf, Vec<Named>> = BTreeMap::new();
        for path in paths.iter().map(Borrow::borrow) {
            let root = root(path.folder(), here);
            let below = path.whole.strip_prefix(&root).unwrap_or(&path.whole).to_string_lossy().into_owned();
            let named = if path.is_folder { Named::folder(below) } else { Named::file(below) };
            all.entry(root).or_default().push(named);
        }
        all.into_iter().map(|(root, named)| self.folder(&root, Some(named), protocol)).collect()
    }

    /// Nothing, in the project or folder of agents that files lie in which are neither's.
    fn nothing_of(&self, paths: &[Typed<'_>], agents: &Agents) -> Result<OfProject, Diagnostic> {
        // A file outside every `.ai/` says where to look only if nothing else does.
        let folders = || paths.iter().filter(|_| self.own.is_none());
        let around = folders().find_map(|path| project_of(&path.whole));
        match agents {
            Agents::Found(protocol) if around.is_none() => {
                match folders().map(Typed::folder).find(|folder| is_for_agents(folder, protocol)) {
                    Some(folder) => {
                        self.folder(&root(folder, &self.surroundings.working_folder), Some(Vec::new()), protocol)
                    }
                    None => self.project(None, Some(Vec::new())),
                }
            }
            _ => self.project(around, Some(Vec::new())),
        }
    }

    /// What is asked for in a folder of agents.
    fn folder(&self, root: &Path, named: Option<Vec<Named>>, protocol: &sf::Protocol) -> Result<OfProject, Diagnostic> {
        if root.to_str().is_none() {
            return Err(not_utf8(root));
        }
        let mut asked = self.project(None, named)?;
        let piped = asked.replaced.as_ref().map(|(path, _)| path.clone());
        asked.flags.tiers.project = Some(root.to_path_buf());
        asked.scope.around = Some(Around { piped, ..around(root, protocol) });
        Ok(asked)
    }

    /// What is asked for in the project that `--project` or `RYE_PROJECT` names, and warnings about what lies in others.
    fn in_named_project(&self, paths: &[Typed<'_>]) -> (Vec<Named>, Vec<Diagnostic>) {
        let (mut named, mut diagnostics) = (Vec::new(), Vec::new());
        let Some(own) = self.own else { return (named, diagnostics) };
        let other = |path: &Path, project: &Path| {
            let [path, project] = [path, project].map(|path| path.to_string_lossy().into_owned());
            Diagnostic::new(Problem::OtherProject { path, project })
        };
        for path in paths {
            match Place::of(&path.whole, path.is_folder, own) {
                Place::Inside(inside) => named.push(inside),
                Place::OtherProject(project) => diagnostics.push(other(path.typed, &project)),
                Place::Elsewhere => {
                    let below = self.below(path).into_iter();
                    diagnostics.extend(below.map(|project| other(self.shown(&project), &project)));
                }
            }
        }
        (named, diagnostics)
    }

    /// What is asked for in each project that the paths lie in, or that lies in one of them.
    fn projects(&self, paths: &[Typed<'_>]) -> Result<Vec<OfProject>, Diagnostic> {
        let mut all: BTreeMap<PathBuf, (PathBuf, Vec<Named>)> = BTreeMap::new();
        for path in paths {
            for project in self.around(path).into_iter().chain(self.below(path)) {
                // Links may lead to the same one.
                let key = project.canonicalize().unwrap_or_else(|_| project.clone());
                let (project, named) = all.entry(key).or_insert_with(|| (project, Vec::new()));
                if let Place::Inside(inside) = Place::of(&path.whole, path.is_folder, project) {
                    named.push(inside);
                }
            }
        }
        all.into_values().map(|(project, named)| self.project(Some(project), Some(named))).collect()
    }

    /// The project that a path lies in, if any. A folder around the own one stands for that.
    fn around(&self, path: &Typed<'_>) -> Option<PathBuf> {
        let found = match self.own.map(|own| (own, Place::of(&path.whole, path.is_folder, own))) {
            Some((own, Place::Inside(_))) => Some(own.to_path_buf()),
            Some((_, Place::OtherProject(other))) => Some(other),
            Some((_, Place::Elsewhere)) => None,
            None => named_project(&path.whole, path.is_folder),
        };
        found.filter(|found| looked::is_folder(&found.join(".ai")))
    }

    /// The projects in a folder that no `--exclude` names and that are not the user's tier.
    fn below(&self, path: &Typed<'_>) -> Vec<PathBuf> {
        if !path.is_folder {
            return Vec::new();
        }
        // What is no pattern is an error of its own, later.
        let excluded = Patterns::new(self.typed.exclude.iter().map(String::as_str)).unwrap_or_default();
        let is_meant = |project: &PathBuf| {
            let way = project.strip_prefix(&path.whole).unwrap_or(project).join(".ai").to_string_lossy().into_owned();
            Some(project) != self.user.as_ref() && !excluded.matches(&way)
        };
        projects_below(&path.whole).into_iter().filter(is_meant).collect()
    }

    fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.surroundings.working_folder).unwrap_or(path)
    }

    /// What is asked for in a project, by default the one that the flags find.
    fn project(&self, project: Option<PathBuf>, named: Option<Vec<Named>>) -> Result<OfProject, Diagnostic> {
        let Lint { tiers, protocol, protocol_file, stdin_filename, force_exclude, .. } = self.typed;
        let tiers = TierFlags { project: project.or_else(|| tiers.project.clone()), ..tiers.clone() };
        let flags = PromptFlags::of_project(tiers, protocol.clone(), protocol_file.clone());
        let stdin = stdin_filename.as_ref().map(|_| Path::new("-"));
        check_stdin(&flags, stdin)?;
        let bytes = stdin.map(|stdin| files::bytes(stdin, flags.tiers.max_item_size)).transpose()?;
        let path = named.iter().flatten().next().map(|named| named.path().to_string());
        let scope = Scope { named, force_exclude: *force_exclude, ..Scope::default() };
        Ok(OfProject { flags, scope, replaced: path.zip(bytes.clone()), stdin: bytes })
    }
}

/// `--show-files`: what is checked, as it can be opened from the working folder; a line each, whatever files are called.
pub(super) fn shown_files(project: &Project<'_>) -> Vec<String> {
    let root = project.tiers.project_root().map(Path::to_path_buf).unwrap_or_default();
    let here = surroundings().working_folder;
    let shown = |path: PathBuf| path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned();
    project.linted().map(|file| visible_line(&shown(root.join(&file.path))).into_owned()).collect()
}
