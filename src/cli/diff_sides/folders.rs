//! Comparison of agents' working folders.

use std::path::{Path, PathBuf};

use super::folder_argument::{HERE, from_here};
use super::merge::merge;
use super::rendered::{Identity, RenderedSide, SideOutcome, read};
use super::side_argument::{SideArgument, check_for_range, check_saved};
use super::{Sides, with_flags};
use crate::agents::{self, FolderRules};
use crate::answer::diff::{Pair, Side};
use crate::cli::arguments::{Diff, FolderSideFlags, PromptFlags};
use crate::cli::folder::FolderPromptRequest;
use crate::cli::report::Failure;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::{check_stdin, wrong};
use crate::diagnostic::Diagnostic;
use crate::read::store::{AtRevision, Disk, PathKind, Revision, Snapshot, Store as _, Surroundings, absolute};
use crate::system;

/// Reads and renders both sides, with the same current time.
pub(super) fn resolve(typed: &mut Diff, rules: Pair<FolderRules>) -> Result<Sides, Failure> {
    let now = agents::present();
    for side in [&mut typed.sides.folders.left, &mut typed.sides.folders.right] {
        side.folder.now.get_or_insert_with(|| now.clone());
    }
    let mut repositories = Repositories::default();
    let named = named(typed, &mut repositories)?;
    let sides = &typed.sides;
    let outcome = |named: SideArgument, own: &[String], prompt, folder, rules, repositories: &mut Repositories| {
        let title = with_flags(named.folder_title(), own);
        FolderRequest { prompt, folder, rules }.outcome(&named, title, repositories)
    };
    let (folders, of_one) = (&sides.folders, &sides.of_one);
    let left = outcome(named.left, &of_one.left, &sides.left, &folders.left, rules.left, &mut repositories);
    let right = outcome(named.right, &of_one.right, &sides.right, &folders.right, rules.right, &mut repositories);
    merge(left, right)
}

/// Reads both sides from two arguments, or from one and `--rev`.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<SideArgument>, Diagnostic> {
    let folders = &typed.sides.folders;
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
    check_saved(&named, &typed.sides.of_one)?;
    Ok(named)
}

/// The argument, else `--cwd`, else the working folder.
fn one(argument: Option<&str>, flags: &FolderSideFlags, what: &str) -> Result<SideArgument, Diagnostic> {
    match (argument.map(SideArgument::parse_folder).transpose()?, &flags.folder.cwd) {
        (Some(SideArgument::Named { .. }), Some(_)) => {
            Err(wrong(&format!("{what} and --cwd both name a folder"), "leave one of the two out"))
        }
        (Some(named), _) => Ok(named),
        (None, Some(cwd)) => Ok(SideArgument::on_disk(system::text(cwd))),
        (None, None) => Ok(SideArgument::on_disk(HERE)),
    }
}

/// The right side if no argument names it: the left folder, unless flags name a different one.
fn default_right(typed: &Diff, left: &SideArgument) -> Result<SideArgument, Diagnostic> {
    let flags = &typed.sides.folders.right;
    match (left, &typed.left, &flags.folder.cwd) {
        (SideArgument::Named { .. }, Some(_), None) => Ok(left.clone()),
        _ => one(None, flags, "RIGHT"),
    }
}

fn ranged(
    range: &str,
    named: Pair<SideArgument>,
    repositories: &mut Repositories,
) -> Result<Pair<SideArgument>, Diagnostic> {
    check_for_range(&named.left, &named.right, "folder")?;
    let repository = repositories.of_folder(&repository_folder(&named.left))?;
    let range = repository.range(range)?;
    if range.right.is_none() {
        check_work_tree(repository)?;
    }
    Ok(Pair { left: named.left.at(Some(range.left)), right: named.right.at(range.right) })
}

/// Compares a single argument, at its revision or else at `HEAD`, with the folder on disk. With flags for one side and
/// no revision, both sides are on disk.
fn without_right(
    typed: &Diff,
    left: SideArgument,
    repositories: &mut Repositories,
) -> Result<Pair<SideArgument>, Diagnostic> {
    match &left {
        SideArgument::Named { at: Some(_), name, from_here } => {
            let repository = repositories.of_folder(&repository_folder(&left))?;
            check_work_tree(repository)?;
            let right = match (&typed.sides.folders.right.folder.cwd, from_here) {
                (Some(cwd), _) => system::text(cwd),
                (None, true) => name.clone(),
                (None, false) => shown(&absolute(repository.top(), Path::new(name))),
            };
            Ok(Pair { left, right: SideArgument::on_disk(right) })
        }
        SideArgument::Named { at: None, .. } => {
            let right = default_right(typed, &left)?;
            if typed.sides.of_one != Pair::default() {
                return Ok(Pair { left, right });
            }
            check_work_tree(repositories.of_folder(&repository_folder(&left))?)?;
            Ok(Pair { left: left.at(Some(Revision::Named("HEAD".to_string()))), right })
        }
        SideArgument::File(_) => Ok(Pair { right: default_right(typed, &left)?, left }),
    }
}

/// A folder from which to find the repository of a side.
fn repository_folder(named: &SideArgument) -> PathBuf {
    match named {
        SideArgument::Named { name, from_here: true, .. } => from_here(name),
        // A path relative to the top of a repository does not say which repository.
        _ => Surroundings::of_process().working_folder,
    }
}

/// A folder as a user would type it: relative to the working folder, if it is below it.
fn shown(path: &Path) -> String {
    let folder = Surroundings::of_process().working_folder;
    match path.strip_prefix(&folder).map(system::text) {
        Ok(below) if below.is_empty() => HERE.to_string(),
        Ok(below) => below,
        Err(_) => system::text(path),
    }
}

struct FolderRequest<'a> {
    prompt: &'a PromptFlags,
    folder: &'a FolderSideFlags,
    rules: FolderRules,
}

impl FolderRequest<'_> {
    fn outcome(self, named: &SideArgument, title: String, repositories: &mut Repositories) -> SideOutcome {
        let mut outcome =
            SideOutcome { title, side: Err(Vec::new()), identity: None, is_absent: false, diagnostics: Vec::new() };
        let side = self.side(named, repositories, &mut outcome);
        outcome.side = side.map(RenderedSide::from).map_err(|Failure(errors)| errors);
        outcome
    }

    fn side(
        self,
        named: &SideArgument,
        repositories: &mut Repositories,
        outcome: &mut SideOutcome,
    ) -> Result<Side, Failure> {
        let prompt = match named {
            SideArgument::File(path) => {
                check_stdin(self.prompt, Some(path))?;
                return Ok(read(path, outcome.title.clone())?);
            }
            SideArgument::Named { at: None, name, .. } => {
                let path = from_here(name);
                check_folder(Disk::default().whole().kind(&system::text(&path)).ok(), &path, outcome)?;
                self.folder(&path)?.prompt()?
            }
            SideArgument::Named { at: Some(revision), name, from_here } => {
                let (snapshot, path) = files_at(named, revision, name, *from_here, repositories)?;
                let files = AtRevision::new(snapshot, &Disk::default());
                let kind = files.kind(&system::text(&path)).ok();
                if let Some(error) = files.failure() {
                    return Err(error.into());
                }
                check_folder(kind, &path, outcome)?;
                self.folder(&path)?.at(&files)?
            }
        };
        // An agent that does not start has no prompt to compare.
        if let Some(refusal) = prompt.refusal().filter(|_| prompt.agent.is_some()) {
            return Err(refusal.clone().into());
        }
        outcome.diagnostics.extend(prompt.diagnostics.iter().cloned());
        Ok(Side::rendered(&prompt, outcome.title.clone()))
    }

    fn folder(self, path: &Path) -> Result<FolderPromptRequest, Diagnostic> {
        let Self { prompt, folder, rules } = self;
        FolderPromptRequest::new(
            path,
            &folder.folder,
            prompt,
            folder.prompt.as_deref(),
            rules,
            &Surroundings::of_process(),
        )
    }
}

/// The files of a revision, and the folder's path on disk, which need not exist.
fn files_at(
    named: &SideArgument,
    revision: &Revision,
    folder: &str,
    is_from_here: bool,
    repositories: &mut Repositories,
) -> Result<(Snapshot, PathBuf), Diagnostic> {
    let repository = repositories.of_folder(&repository_folder(named))?;
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

/// Refuses a file and a missing folder. If the other side exists, the missing folder becomes an absent side.
fn check_folder(kind: Option<PathKind>, path: &Path, outcome: &mut SideOutcome) -> Result<(), Diagnostic> {
    outcome.identity = Some(Identity::of_folder(path.to_path_buf()));
    outcome.is_absent = kind.is_none();
    let what = match kind {
        Some(PathKind::Folder) => return Ok(()),
        Some(PathKind::File) => format!("{} is a file, but a side is a folder", outcome.title),
        None => format!("folder {} not found", outcome.title),
    };
    Err(wrong(&what, "name an existing folder: `.` is this one, and HEAD: the top of the repository in HEAD"))
}
