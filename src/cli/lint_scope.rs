//! What `lint` is asked to look at: the paths that were typed, and the project that they lie in.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::arguments::{Lint, PromptFlags};
use super::files;
use super::output::Output;
use super::resolve::{check_stdin, surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::lint::Project;
use crate::lint::scope::{Named, Place, Scope, named_project, project_of};
use crate::store::{self, absolute, find_project};

/// What is asked for.
pub(super) struct Asked {
    /// The files that are checked.
    pub scope: Scope,
    /// The text that stands for a file of the project, and its path.
    pub replaced: Option<(String, Vec<u8>)>,
    /// Warnings about paths.
    pub diagnostics: Vec<Diagnostic>,
}

/// The flags of a project. Where nothing names one, it is that of the paths: a hook may be run from the top of a
/// repository that holds it.
pub(super) fn flags(typed: &mut Lint) -> Result<PromptFlags, Diagnostic> {
    if !typed.paths.is_empty() && typed.stdin_filename.is_some() {
        return Err(wrong(
            "standard input is the one file that is checked",
            "leave out --stdin-filename, or the paths",
        ));
    }
    let surroundings = surroundings();
    let arguments = tier_arguments(&typed.tiers, None);
    if store::named_project(&arguments, &surroundings).is_none() {
        let whole = |path| absolute(&surroundings.working_folder, path);
        let paths: Vec<PathBuf> = typed.paths.iter().chain(&typed.stdin_filename).map(|path| whole(path)).collect();
        let own = find_project(&arguments, &surroundings)?;
        let meant = the_project(&paths, own.as_deref(), &surroundings.working_folder)?;
        // A file outside every `.ai/` says where to look only if nothing else does.
        let around = || paths.iter().filter(|_| own.is_none()).find_map(|path| project_of(path));
        typed.tiers.project = meant.or_else(around);
    }
    let (protocol, protocol_file) = (typed.protocol.take(), mem::take(&mut typed.protocol_file));
    let flags = PromptFlags::of_project(mem::take(&mut typed.tiers), protocol, protocol_file);
    check_stdin(&flags, typed.stdin_filename.is_some().then(|| Path::new("-")))?;
    Ok(flags)
}

/// The one project that paths lie in; none if they lie in none. A folder around the `own` one stands for that.
fn the_project(paths: &[PathBuf], own: Option<&Path>, here: &Path) -> Result<Option<PathBuf>, Diagnostic> {
    let mut all: IndexMap<PathBuf, PathBuf> = IndexMap::new();
    for path in paths {
        let is_folder = path.is_dir();
        let found = match own.map(|own| (own, Place::of(path, is_folder, own))) {
            Some((own, Place::Inside(_))) => Some(own.to_path_buf()),
            Some((_, Place::OtherProject(other))) => Some(other),
            Some((_, Place::Elsewhere)) => None,
            None => named_project(path, is_folder),
        };
        // Links may lead to the same one.
        if let Some(found) = found.filter(|found| found.join(".ai").is_dir()) {
            all.entry(found.canonicalize().unwrap_or_else(|_| found.clone())).or_insert(found);
        }
    }
    if all.len() > 1 {
        let shown = |path: &PathBuf| match path.strip_prefix(here) {
            Ok(below) if below.as_os_str().is_empty() => ".".to_string(),
            below => below.unwrap_or(path).to_string_lossy().into_owned(),
        };
        let shown: Vec<String> = all.values().map(shown).collect();
        let what = format!("the paths lie in {} projects: {}", shown.len(), shown.join(", "));
        return Err(wrong(&what, "run it once for each, and name the project with --project"));
    }
    Ok(all.into_values().next())
}

/// What is asked for in the project.
///
/// A file that is no item is passed over: whoever runs this for every changed file names those too.
pub(super) fn asked(typed: &Lint, flags: &PromptFlags) -> Result<Asked, Diagnostic> {
    let scope = Scope { named: None, force_exclude: typed.force_exclude };
    let mut asked = Asked { scope, replaced: None, diagnostics: Vec::new() };
    let surroundings = surroundings();
    let Some(project) = find_project(&tier_arguments(&flags.tiers, None), &surroundings)? else { return Ok(asked) };
    let mut all = Vec::new();
    if let Some(path) = &typed.stdin_filename {
        let place = Place::of(&absolute(&surroundings.working_folder, path), false, &project);
        all.extend(named(place, path, &mut asked.diagnostics));
        let bytes = files::bytes(Path::new("-"), flags.tiers.max_item_size)?;
        asked.replaced = all.first().map(|named| (named.path().to_string(), bytes));
    }
    for path in &typed.paths {
        all.extend(named(place(path, &project)?, path, &mut asked.diagnostics));
    }
    asked.scope.named = Some(all).filter(|_| typed.stdin_filename.is_some() || !typed.paths.is_empty());
    Ok(asked)
}

/// Where a path lies that must be there.
fn place(path: &Path, project: &Path) -> Result<Place, Diagnostic> {
    let whole = absolute(&surroundings().working_folder, path);
    let found = fs::symlink_metadata(&whole).map_err(|error| {
        let path = path.to_string_lossy().into_owned();
        let at = Location::File { tier: "".into(), path, revision: None, position: None };
        Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, at)
    })?;
    Ok(Place::of(&whole, found.is_dir() || whole.is_dir(), project))
}

fn named(place: Place, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<Named> {
    match place {
        Place::Inside(named) => Some(named),
        Place::Elsewhere => None,
        Place::OtherProject(project) => {
            let [path, project] = [path, &project].map(|path| path.to_string_lossy().into_owned());
            diagnostics.push(Diagnostic::new(Problem::OtherProject { path, project }));
            None
        }
    }
}

/// `--show-files`: what is checked, one a line, as it can be opened from the working folder.
pub(super) fn show_files(project: &Project<'_>, output: &Output) -> Result<(), Diagnostic> {
    let root = project.tiers.project_root().map(Path::to_path_buf).unwrap_or_default();
    let here = surroundings().working_folder;
    let shown = |path: PathBuf| path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned();
    output.write(|out| {
        for file in project.linted() {
            writeln!(out, "{}", shown(root.join(&file.path)))?;
        }
        Ok(())
    })
}
