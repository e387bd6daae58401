//! What `lint` is asked to look at: the paths that were typed, and the projects that they lie in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::arguments::{Lint, PromptFlags, TierFlags};
use super::files;
use super::resolve::{check_stdin, surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::lint::Project;
use crate::lint::scope::{Named, Patterns, Place, Scope, named_project, project_of, projects_below};
use crate::store::{self, Surroundings, absolute, find_project, user_folder};
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
    if paths.is_empty() {
        let projects = vec![asker.project(None, None)?];
        return Ok(Asked { projects, diagnostics: Vec::new() });
    }
    if is_named {
        let (named, diagnostics) = asker.in_named_project(&paths);
        return Ok(Asked { projects: vec![asker.project(None, Some(named))?], diagnostics });
    }
    let mut projects = asker.projects(&paths)?;
    if projects.is_empty() {
        // A file outside every `.ai/` says where to look only if nothing else does.
        let around = || paths.iter().filter(|_| own.is_none()).find_map(|path| project_of(&path.whole));
        projects.push(asker.project(around(), Some(Vec::new()))?);
    }
    Ok(Asked { projects, diagnostics: Vec::new() })
}

/// A path that was typed.
struct Typed<'t> {
    typed: &'t Path,
    whole: PathBuf,
    is_folder: bool,
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
        let is_folder = match fs::symlink_metadata(&whole) {
            Ok(found) => must_be_there && (found.is_dir() || whole.is_dir()),
            Err(error) if must_be_there => {
                let path = typed.to_string_lossy().into_owned();
                let at = Location::File { tier: "".into(), path, revision: None, position: None };
                return Err(Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, at));
            }
            Err(_) => false,
        };
        Ok(Typed { typed, whole, is_folder })
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
        found.filter(|found| found.join(".ai").is_dir())
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
