//! The two sides of a comparison of folders in which agents work.

use std::path::{Path, PathBuf};

use super::folder_named::{HERE, Named, from_here};
use super::outcome::{Identity, Rendered, SideOutcome, read};
use super::states::check_saved;
use super::together::together;
use super::{Sides, titled};
use crate::cli::arguments::{Diff, FolderSideFlags, PromptFlags};
use crate::cli::folder::Folder;
use crate::cli::repositories::check_work_tree;
use crate::cli::resolve::{check_stdin, surroundings, wrong};
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff::{Pair, Side};
use crate::prompt::Prompt;
use crate::sf::{self, AtRevision, Disk, Files, Kind, Protocol};
use crate::store::{Repository, Revision, Snapshot, absolute};

/// Reads and renders what the arguments name. Both sides are of one time.
pub(super) fn resolve(typed: &mut Diff, protocols: Pair<Protocol>) -> Result<Sides, Vec<Diagnostic>> {
    let now = sf::present();
    for side in [&mut typed.sides.folders.left, &mut typed.sides.folders.right] {
        side.folder.now.get_or_insert_with(|| now.clone());
    }
    let mut repositories = Repositories::default();
    let named = named(typed, &mut repositories).map_err(|error| vec![error])?;
    let sides = &typed.sides;
    let outcome = |named: Named, own: &[String], prompt, folder, protocol, repositories: &mut Repositories| {
        let title = titled(named.title(), own);
        Asked { prompt, folder, protocol }.outcome(&named, title, repositories)
    };
    let (folders, of_one) = (&sides.folders, &sides.of_one);
    let left = outcome(named.left, &of_one.left, &sides.left, &folders.left, protocols.left, &mut repositories);
    let right = outcome(named.right, &of_one.right, &sides.right, &folders.right, protocols.right, &mut repositories);
    together(left, right)
}

/// The repositories that are read, each opened once, by the folder that lies in it.
#[derive(Default)]
struct Repositories {
    opened: Vec<(PathBuf, Repository)>,
}

impl Repositories {
    fn of(&mut self, folder: &Path) -> Result<&Repository, Diagnostic> {
        let at = match self.opened.iter().position(|(known, _)| known == folder) {
            Some(at) => at,
            None => {
                self.opened.push((folder.to_path_buf(), Repository::find(folder).map_err(no_repository)?));
                self.opened.len() - 1
            }
        };
        let repository = &self.opened[at].1;
        if repository.passes_over(folder) {
            return Err(Diagnostic::new(repository.outside(folder)));
        }
        Ok(repository)
    }
}

fn no_repository(error: Diagnostic) -> Diagnostic {
    match error.problem {
        Problem::NoRepository { folder } => {
            let what = format!("`{folder}` does not lie in a git repository, so there are no revisions of it");
            wrong(&what, "name two folders, or give each side flags of its own, such as --left-tools")
        }
        _ => error,
    }
}

/// What both arguments, or one of them and `--rev`, name.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<Named>, Diagnostic> {
    let (folders, of_one) = (&typed.sides.folders, &typed.sides.of_one);
    let left = one(typed.left.as_deref(), &folders.left, "LEFT")?;
    let right = typed.right.as_deref().map(|right| one(Some(right), &folders.right, "RIGHT")).transpose()?;
    let named = match (&typed.rev, right) {
        (Some(range), right) => {
            let right = right.map_or_else(|| default_right(typed, &left), Ok)?;
            ranged(range, Pair { left, right }, repositories)?
        }
        (None, Some(right)) => Pair { left, right },
        (None, None) => without_right(typed, left, repositories)?,
    };
    for (named, own, side) in [(&named.left, &of_one.left, "left"), (&named.right, &of_one.right, "right")] {
        if let Named::File(_) = named {
            check_saved(&named.title(), own, side)?;
        }
    }
    Ok(named)
}

/// A side by its argument, or else the working folder.
fn one(argument: Option<&str>, flags: &FolderSideFlags, what: &str) -> Result<Named, Diagnostic> {
    match (argument.map(Named::parse).transpose()?, &flags.folder.cwd) {
        (Some(Named::Folder { .. }), Some(_)) => {
            Err(wrong(&format!("{what} and --cwd both name a folder"), "leave one of the two out"))
        }
        (Some(named), _) => Ok(named),
        (None, Some(cwd)) => Ok(Named::on_disk(&cwd.to_string_lossy())),
        (None, None) => Ok(Named::on_disk(HERE)),
    }
}

/// The right side where no argument names one: the left folder, unless flags name others.
fn default_right(typed: &Diff, left: &Named) -> Result<Named, Diagnostic> {
    let flags = &typed.sides.folders.right;
    match (left, &typed.left, &flags.folder.cwd) {
        (Named::Folder { .. }, Some(_), None) => Ok(left.clone()),
        _ => one(None, flags, "RIGHT"),
    }
}

/// Both sides at the revisions of a range.
fn ranged(range: &str, named: Pair<Named>, repositories: &mut Repositories) -> Result<Pair<Named>, Diagnostic> {
    for side in [&named.left, &named.right] {
        match side {
            Named::Folder { at: None, .. } => {}
            Named::Folder { at: Some(_), .. } => {
                return Err(wrong("--rev and REV:FOLDER both name a revision", "leave one of the two out"));
            }
            Named::File(path) => {
                let what = format!("--rev names revisions, and {} was saved", path.display());
                return Err(wrong(&what, "compare it with REV:FOLDER"));
            }
        }
    }
    let repository = repositories.of(&home_of(&named.left))?;
    let range = repository.range(range)?;
    if range.right.is_none() {
        check_work_tree(repository)?;
    }
    Ok(Pair { left: named.left.at(Some(range.left)), right: named.right.at(range.right) })
}

/// One argument alone is compared with the folder on disk: as it is at the revision that is named, or in `HEAD`; or, if
/// flags of one side make the difference, on disk as well.
fn without_right(typed: &Diff, left: Named, repositories: &mut Repositories) -> Result<Pair<Named>, Diagnostic> {
    match &left {
        Named::Folder { at: Some(_), folder, from_here } => {
            let repository = repositories.of(&home_of(&left))?;
            check_work_tree(repository)?;
            let right = match (&typed.sides.folders.right.folder.cwd, from_here) {
                (Some(cwd), _) => cwd.to_string_lossy().into_owned(),
                (None, true) => folder.clone(),
                (None, false) => shown(&absolute(repository.top(), Path::new(folder))),
            };
            Ok(Pair { left, right: Named::on_disk(&right) })
        }
        Named::Folder { at: None, .. } => {
            let right = default_right(typed, &left)?;
            if typed.sides.of_one != Pair::default() {
                return Ok(Pair { left, right });
            }
            check_work_tree(repositories.of(&home_of(&left))?)?;
            Ok(Pair { left: left.at(Some(Revision::Named("HEAD".to_string()))), right })
        }
        Named::File(_) => Ok(Pair { right: default_right(typed, &left)?, left }),
    }
}

/// A folder that tells in which repository a side lies.
fn home_of(named: &Named) -> PathBuf {
    match named {
        Named::Folder { folder, from_here: true, .. } => from_here(folder),
        // A path from the top of a repository does not tell which repository that is.
        _ => surroundings().working_folder,
    }
}

/// A folder as it is typed: from the working folder, if it lies there.
fn shown(path: &Path) -> String {
    let folder = surroundings().working_folder;
    match path.strip_prefix(&folder).map(Path::to_string_lossy) {
        Ok(below) if below.is_empty() => HERE.to_string(),
        Ok(below) => below.into_owned(),
        Err(_) => path.to_string_lossy().into_owned(),
    }
}

/// What is asked of a folder on one side.
struct Asked<'a> {
    prompt: &'a PromptFlags,
    folder: &'a FolderSideFlags,
    protocol: Protocol,
}

impl Asked<'_> {
    /// The side, or why there is none.
    fn outcome(self, named: &Named, title: String, repositories: &mut Repositories) -> SideOutcome {
        let mut outcome =
            SideOutcome { title, side: Err(Vec::new()), identity: None, is_absent: false, diagnostics: Vec::new() };
        let side = match named {
            Named::File(path) => check_stdin(self.prompt, Some(path))
                .and_then(|()| read(path, outcome.title.clone()))
                .map_err(|error| vec![error]),
            Named::Folder { at: None, folder, .. } => self.on_disk(&from_here(folder), &mut outcome),
            Named::Folder { at: Some(revision), folder, from_here } => {
                let place = place(named, revision, folder, *from_here, repositories);
                place.map_err(|error| vec![error]).and_then(|(snapshot, path)| self.at(&path, snapshot, &mut outcome))
            }
        };
        outcome.side = side.map(Rendered::from);
        outcome
    }

    fn on_disk(self, path: &Path, outcome: &mut SideOutcome) -> Result<Side, Vec<Diagnostic>> {
        let kind = Disk.kind(&path.to_string_lossy());
        check_folder(kind, path, outcome)?;
        let found = self.of(path).and_then(|folder| folder.prompt());
        side(found, outcome)
    }

    fn at(self, path: &Path, snapshot: Snapshot, outcome: &mut SideOutcome) -> Result<Side, Vec<Diagnostic>> {
        let files = AtRevision::new(snapshot);
        let kind = files.kind(&path.to_string_lossy());
        if let Some(error) = files.failure() {
            return Err(vec![error]);
        }
        check_folder(kind, path, outcome)?;
        let found = self.of(path).and_then(|folder| folder.at(&files));
        side(found, outcome)
    }

    fn of(self, path: &Path) -> Result<Folder, Vec<Diagnostic>> {
        let Self { prompt, folder, protocol } = self;
        Folder::of(path, &folder.folder, prompt, folder.prompt.as_deref(), protocol).map_err(|error| vec![error])
    }
}

/// The files of a revision, and where the folder lies on disk, whether it is there or not.
fn place(
    named: &Named,
    revision: &Revision,
    folder: &str,
    is_from_here: bool,
    repositories: &mut Repositories,
) -> Result<(Snapshot, PathBuf), Diagnostic> {
    let repository = repositories.of(&home_of(named))?;
    if *revision == Revision::Index {
        check_work_tree(repository)?;
    }
    let path = if is_from_here { from_here(folder) } else { absolute(repository.top(), Path::new(folder)) };
    let snapshot = repository.snapshot(revision)?;
    match snapshot.within_tree(&path) {
        Some(_) => Ok((snapshot, path)),
        None => Err(Diagnostic::new(repository.outside(&path))),
    }
}

/// Refuses what is no folder; one that is not there may be absent.
fn check_folder(kind: Option<Kind>, path: &Path, outcome: &mut SideOutcome) -> Result<(), Vec<Diagnostic>> {
    outcome.identity = Some(Identity::of_folder(path.to_path_buf()));
    outcome.is_absent = kind.is_none();
    let what = match kind {
        Some(Kind::Folder) => return Ok(()),
        Some(Kind::File) => format!("{} is a file, and a side is a folder", outcome.title),
        None => format!("there is no folder {}", outcome.title),
    };
    Err(vec![wrong(&what, "name a folder that is there: `.` is this one, and HEAD: the top of the repository in HEAD")])
}

/// What was rendered as a side, and what is to be said of it.
fn side(found: Result<Prompt, Vec<Diagnostic>>, outcome: &mut SideOutcome) -> Result<Side, Vec<Diagnostic>> {
    let prompt = found?;
    outcome.diagnostics.extend(prompt.diagnostics.iter().cloned());
    Ok(Side::rendered(&prompt, outcome.title.clone()))
}
