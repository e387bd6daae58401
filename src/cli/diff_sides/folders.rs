//! Comparison of agents' working folders.

use std::path::{Path, PathBuf};

use super::side_argument::{HERE, SideArgument, check_for_range, check_saved};
use super::{Identity, SideOutcome, Sides, merge, read, with_flags};
use crate::agents::{self, FolderRules};
use crate::answer::diff::{Pair, Side};
use crate::cli::arguments::{Diff, SideFlags};
use crate::cli::folder::FolderPromptRequest;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::check_stdin;
use crate::cli::run::Failure;
use crate::diagnostic::Diagnostic;
use crate::read::store::{AtRevision, PathKind, Revision, Snapshot, Store as _, Surroundings, absolute};
use crate::system;

/// Reads and renders both sides, with the same current time.
pub(super) fn resolve(typed: &mut Diff, rules: Pair<FolderRules>, here: &Surroundings<'_>) -> Result<Sides, Failure> {
    let now = agents::present();
    for side in [&mut typed.sides.left, &mut typed.sides.right] {
        side.folder.now.get_or_insert_with(|| now.clone());
    }
    let mut folders = Folders { typed, repositories: Repositories::default(), here };
    let named = folders.named()?;
    check_saved(&named, &typed.sides)?;
    let left = folders.outcome(&named.left, &typed.sides.left, rules.left);
    let right = folders.outcome(&named.right, &typed.sides.right, rules.right);
    merge(left, right)
}

struct Folders<'a> {
    typed: &'a Diff,
    repositories: Repositories,
    here: &'a Surroundings<'a>,
}

impl Folders<'_> {
    /// Reads both sides from two arguments, or from one and `--rev`.
    fn named(&mut self) -> Result<Pair<SideArgument>, Diagnostic> {
        let (typed, sides) = (self.typed, &self.typed.sides);
        let left = one(typed.left.as_deref(), &sides.left, "LEFT")?;
        let right = typed.right.as_deref().map(|right| one(Some(right), &sides.right, "RIGHT")).transpose()?;
        match (&typed.rev, right) {
            (Some(range), right) => {
                let right = right.map_or_else(|| self.default_right(&left), Ok)?;
                self.ranged(range, left, right)
            }
            (None, Some(right)) => Ok(Pair { left, right }),
            (None, None) => self.without_right(left),
        }
    }

    /// The right side if no argument names it: the left folder, unless flags name a different one.
    fn default_right(&self, left: &SideArgument) -> Result<SideArgument, Diagnostic> {
        let flags = &self.typed.sides.right;
        match (left, &self.typed.left, &flags.folder.cwd) {
            (SideArgument::Named { .. }, Some(_), None) => Ok(left.clone()),
            _ => one(None, flags, "RIGHT"),
        }
    }

    fn ranged(
        &mut self,
        range: &str,
        left: SideArgument,
        right: SideArgument,
    ) -> Result<Pair<SideArgument>, Diagnostic> {
        check_for_range(&left, &right, "folder")?;
        let repository = self.repositories.of_folder(&repository_folder(&left, self.here))?;
        let range = repository.range(range)?;
        if range.right.is_none() {
            check_work_tree(repository)?;
        }
        Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) })
    }

    /// Compares a single argument, at its revision or else at `HEAD`, with the folder on disk. With flags for one side
    /// and no revision, both sides are on disk.
    fn without_right(&mut self, left: SideArgument) -> Result<Pair<SideArgument>, Diagnostic> {
        match &left {
            SideArgument::Named { at: Some(_), name, from_here } => {
                let repository = self.repositories.of_folder(&repository_folder(&left, self.here))?;
                check_work_tree(repository)?;
                let right = match (&self.typed.sides.right.folder.cwd, from_here) {
                    (Some(cwd), _) => system::text(cwd),
                    (None, true) => name.clone(),
                    (None, false) => shown(&absolute(repository.top(), Path::new(name)), self.here),
                };
                Ok(Pair { left, right: SideArgument::on_disk(right) })
            }
            SideArgument::Named { at: None, .. } => {
                let right = self.default_right(&left)?;
                if self.typed.sides.differ() {
                    return Ok(Pair { left, right });
                }
                check_work_tree(self.repositories.of_folder(&repository_folder(&left, self.here))?)?;
                Ok(Pair { left: left.at(Some(Revision::Named("HEAD".to_string()))), right })
            }
            SideArgument::File(_) => Ok(Pair { right: self.default_right(&left)?, left }),
        }
    }

    fn outcome(&mut self, named: &SideArgument, flags: &SideFlags, rules: FolderRules) -> SideOutcome {
        let mut outcome = SideOutcome::new(with_flags(named.folder_title(), &flags.own));
        outcome.side = self.side(named, flags, rules, &mut outcome).map_err(|Failure(errors)| errors);
        outcome
    }

    fn side(
        &mut self,
        named: &SideArgument,
        flags: &SideFlags,
        rules: FolderRules,
        outcome: &mut SideOutcome,
    ) -> Result<Side, Failure> {
        let asked = flags.asked(self.here);
        let request = |path: &Path| FolderPromptRequest::new(asked, path, flags.words.as_deref(), rules);
        let prompt = match named {
            SideArgument::File(path) => {
                check_stdin(asked.prompt, Some(path))?;
                return Ok(read(path, outcome.title.clone(), &self.here.disk)?);
            }
            SideArgument::Named { at: None, name, .. } => {
                let path = absolute(&self.here.working_folder, Path::new(name));
                check_folder(self.here.disk.whole().kind(&system::text(&path)).ok(), &path, outcome)?;
                request(&path)?.prompt()?
            }
            SideArgument::Named { at: Some(revision), name, from_here } => {
                let (snapshot, path) = self.files_at(named, revision, name, *from_here)?;
                let files = AtRevision::new(snapshot, &self.here.disk);
                let kind = files.kind(&system::text(&path)).ok();
                if let Some(error) = files.failure() {
                    return Err(error.into());
                }
                check_folder(kind, &path, outcome)?;
                request(&path)?.at(&files)?
            }
        };
        // An agent that does not start has no prompt to compare.
        if let Some(refusal) = prompt.refusal().filter(|_| prompt.agent.is_some()) {
            return Err(refusal.clone().into());
        }
        outcome.diagnostics.extend(prompt.diagnostics.iter().cloned());
        Ok(Side::rendered(&prompt, outcome.title.clone()))
    }

    /// The files of a revision, and the folder's path on disk, which need not exist.
    fn files_at(
        &mut self,
        named: &SideArgument,
        revision: &Revision,
        folder: &str,
        is_from_here: bool,
    ) -> Result<(Snapshot, PathBuf), Diagnostic> {
        let repository = self.repositories.of_folder(&repository_folder(named, self.here))?;
        if *revision == Revision::Index {
            check_work_tree(repository)?;
        }
        let from = if is_from_here { &self.here.working_folder } else { repository.top() };
        let path = absolute(from, Path::new(folder));
        let snapshot = repository.snapshot(revision)?;
        match snapshot.within_tree(&path) {
            Some(_) => Ok((snapshot, path)),
            None => Err(Diagnostic::new(repository.outside(&path))),
        }
    }
}

/// The argument, else `--cwd`, else the working folder.
fn one(argument: Option<&str>, flags: &SideFlags, what: &str) -> Result<SideArgument, Diagnostic> {
    match (argument.map(SideArgument::parse_folder).transpose()?, &flags.folder.cwd) {
        (Some(SideArgument::Named { .. }), Some(_)) => {
            Err(Diagnostic::invalid(format!("{what} and --cwd both name a folder"), "leave one of the two out"))
        }
        (Some(named), _) => Ok(named),
        (None, Some(cwd)) => Ok(SideArgument::on_disk(system::text(cwd))),
        (None, None) => Ok(SideArgument::on_disk(HERE)),
    }
}

/// A folder from which to find the repository of a side.
fn repository_folder(named: &SideArgument, here: &Surroundings<'_>) -> PathBuf {
    match named {
        SideArgument::Named { name, from_here: true, .. } => absolute(&here.working_folder, Path::new(name)),
        // A path relative to the top of a repository does not say which repository.
        _ => here.working_folder.clone(),
    }
}

/// A folder as a user would type it: relative to the working folder, if it is below it.
fn shown(path: &Path, here: &Surroundings<'_>) -> String {
    match path.strip_prefix(&here.working_folder).map(system::text) {
        Ok(below) if below.is_empty() => HERE.to_string(),
        Ok(below) => below,
        Err(_) => system::text(path),
    }
}

/// Refuses a file and a missing folder. If the other side exists, the missing folder becomes an absent side.
fn check_folder(kind: Option<PathKind>, path: &Path, outcome: &mut SideOutcome) -> Result<(), Diagnostic> {
    outcome.identity = Some(Identity::of_path(String::new(), path.to_path_buf()));
    outcome.is_absent = kind.is_none();
    let what = match kind {
        Some(PathKind::Folder) => return Ok(()),
        Some(PathKind::File) => format!("{} is a file, but a side is a folder", outcome.title),
        None => format!("folder {} not found", outcome.title),
    };
    Err(Diagnostic::invalid(
        what,
        "name an existing folder: `.` is this one, and HEAD: the top of the repository in HEAD",
    ))
}
