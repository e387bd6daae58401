//! Comparison of directives.

use std::path::Path;

use super::side_argument::{SideArgument, check_for_range, check_saved};
use super::{Identity, SideOutcome, Sides, merge, read, with_flags};
use crate::answer::diff::{DiffFormat, Pair, Side};
use crate::cli::arguments::{Diff, SideFlags};
use crate::cli::assembler::no_directive;
use crate::cli::diff::hide_values;
use crate::cli::leak;
use crate::cli::render::rendered;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::{Resolved, check_stdin, tier_arguments};
use crate::cli::run::Failure;
use crate::decide::request::Redact;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::KINDS;
use crate::read::store::{Revision, Snapshot, Surroundings, TierArguments, find_project};

/// Reads and renders both sides.
pub(super) fn resolve(typed: &mut Diff, here: &Surroundings<'_>) -> Result<Sides, Failure> {
    let mut repositories = Repositories::default();
    let named = named(typed, &mut repositories, here)?;
    check_saved(&named, &typed.sides)?;
    let snapshots = snapshots(&named, &typed.sides, &mut repositories, here)?;
    let values_shown = values_shown(&named, typed);
    if values_shown.is_none() {
        hide_values(typed);
    }
    let has_file = named.left.directive().is_none() || named.right.directive().is_none();
    let hides = typed.sides.hide_the_same() && !has_file;
    let side = |named, flags, snapshot: &Option<Snapshot>| {
        DirectiveSide { named, flags, snapshot: snapshot.as_ref(), hides, here }.outcome()
    };
    let left = side(&named.left, &typed.sides.left, &snapshots.left);
    let mut right = side(&named.right, &typed.sides.right, &snapshots.right);
    if let (SideArgument::File(_), None, Err(errors)) = (&named.left, &typed.right, &mut right.side) {
        errors.push(chosen(&named));
    }
    let mut sides = merge(left, right)?;
    sides.diagnostics.extend(values_shown);
    Ok(sides)
}

/// Reads both sides from two arguments, or from one and `--rev`.
fn named(
    typed: &Diff,
    repositories: &mut Repositories,
    here: &Surroundings<'_>,
) -> Result<Pair<SideArgument>, Diagnostic> {
    let flags = &typed.sides.left.prompt;
    let left = SideArgument::parse_directive(typed.left.as_deref().ok_or_else(no_directive)?)?;
    let right = typed.right.as_deref().map(SideArgument::parse_directive).transpose()?;
    if let Some(range) = &typed.rev {
        let right = right.unwrap_or_else(|| left.clone());
        check_for_range(&left, &right, "directive")?;
        let range = repositories.of(left.file(&here.working_folder)?.as_ref(), flags, here)?.range(range)?;
        return Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) });
    }
    if let Some(right) = right {
        return Ok(Pair { left, right });
    }
    // A single argument is compared with the working tree: a directive at `HEAD` or the named revision, or a saved prompt.
    match &left {
        SideArgument::Named { at: Some(revision), name, .. } => {
            let file = left.file(&here.working_folder)?;
            let snapshot = repositories.snapshot(file.as_ref(), flags, Some(revision), here)?;
            let file = left.file_at(snapshot.as_ref(), &here.working_folder)?;
            let right = file.map_or_else(|| name.clone(), |file| from_here(&file.path, &here.working_folder));
            Ok(Pair { left, right: SideArgument::on_disk(right) })
        }
        SideArgument::Named { at: None, .. } => {
            let head = Some(Revision::Named("HEAD".to_string()));
            Ok(Pair { left: left.clone().at(head), right: left })
        }
        SideArgument::File(path) => match read(path, String::new(), &here.disk)?.directive {
            Some(directive) => Ok(Pair { left, right: SideArgument::on_disk(directive) }),
            None => {
                let what = format!("{} does not name its directive", path.display());
                Err(Diagnostic::invalid(what, "name the directive as a second argument"))
            }
        },
    }
}

/// A directive's file as a user would type it: relative to the working folder, if it is below it.
fn from_here(path: &Path, working_folder: &Path) -> String {
    let below = path.strip_prefix(working_folder).ok();
    let below = below.filter(|below| below.extension().is_some_and(|extension| extension == "md"));
    below.unwrap_or(path).to_string_lossy().into_owned()
}

/// The files of the revisions that the sides name.
fn snapshots(
    named: &Pair<SideArgument>,
    sides: &Pair<SideFlags>,
    repositories: &mut Repositories,
    here: &Surroundings<'_>,
) -> Result<Pair<Option<Snapshot>>, Diagnostic> {
    let file = |side: &SideArgument| side.file(&here.working_folder);
    let mut snapshot = |side: &SideArgument, flags: &SideFlags| match side {
        SideArgument::Named { at, .. } => repositories.snapshot(file(side)?.as_ref(), &flags.prompt, at.as_ref(), here),
        SideArgument::File(_) => Ok(None),
    };
    let snapshots = Pair { left: snapshot(&named.left, &sides.left)?, right: snapshot(&named.right, &sides.right)? };
    let others = [(&named.left, &sides.left, &snapshots.right), (&named.right, &sides.right, &snapshots.left)];
    let is_one_project = sides.left.prompt.tiers.project == sides.right.prompt.tiers.project;
    for (side, flags, other) in others.into_iter().filter(|_| is_one_project) {
        if other.is_some() && matches!(side, SideArgument::Named { at: None, .. }) {
            check_work_tree(repositories.of(file(side)?.as_ref(), &flags.prompt, here)?)?;
        }
    }
    Ok(snapshots)
}

/// The warning that a published format shows the values in a saved prompt. They cannot be recognised there, and hiding
/// them on the other side only would look like a difference.
fn values_shown(named: &Pair<SideArgument>, typed: &Diff) -> Option<Diagnostic> {
    let is_published = typed.format.is_some_and(DiffFormat::is_published);
    let files = named.as_ref().into_array().into_iter().filter(|side| side.directive().is_none());
    let files: Vec<_> = files.map(SideArgument::title).collect();
    let is_chosen = typed.sides.as_ref().into_array().iter().any(|side| !side.prompt.redact.is_empty());
    (is_published && !is_chosen && !files.is_empty()).then(|| Diagnostic::new(Problem::ValuesShown { files }))
}

/// The error if the working tree's directive, which a saved file is compared with, cannot be rendered.
fn chosen(named: &Pair<SideArgument>) -> Diagnostic {
    let Pair { left: file, right: directive } = named;
    let what = format!(
        "{} is compared with {}, its directive in the working tree, which cannot be rendered",
        file.title(),
        directive.title()
    );
    Diagnostic::invalid(what, "provide what it needs, such as inputs with -i, or name a second argument")
}

struct DirectiveSide<'a> {
    named: &'a SideArgument,
    flags: &'a SideFlags,
    snapshot: Option<&'a Snapshot>,
    /// Whether the side is also rendered without redaction.
    hides: bool,
    here: &'a Surroundings<'a>,
}

impl DirectiveSide<'_> {
    fn outcome(&self) -> SideOutcome {
        let mut outcome = SideOutcome::new(with_flags(self.named.title(), &self.flags.own));
        let side = self.side(&mut outcome);
        outcome.is_absent = side.as_ref().err().is_some_and(|Failure(errors)| self.is_missing(errors));
        outcome.side = side.map_err(|Failure(errors)| errors);
        outcome.identity = self.identity();
        outcome
    }

    /// Renders or reads the side.
    fn side(&self, outcome: &mut SideOutcome) -> Result<Side, Failure> {
        if let SideArgument::File(path) = self.named {
            check_stdin(&self.flags.prompt, Some(path))?;
            return Ok(read(path, outcome.title.clone(), &self.here.disk)?);
        }
        let rendered = self.rendered(&self.named.directive().unwrap_or_default(), outcome);
        rendered.map_err(|Failure(errors)| {
            let may_be_other = |error: &Diagnostic| {
                matches!(error.problem, Problem::NoXmlBlock { .. } | Problem::DirectiveNotFound { .. })
            };
            let no_kind = self.no_kind().filter(|_| errors.iter().any(may_be_other));
            no_kind.map_or(Failure(errors), Failure::from)
        })
    }

    fn rendered(&self, directive: &str, outcome: &mut SideOutcome) -> Result<Side, Failure> {
        let mut resolved = Resolved::at(Some(directive), &self.flags.prompt, self.snapshot, None, self.here)?;
        outcome.diagnostics.append(&mut resolved.diagnostics);
        let shown = rendered(&resolved, &mut outcome.diagnostics)?;
        if self.hides {
            resolved.request.redact = Redact::default();
            // Its diagnostics have been collected above.
            let unredacted = rendered(&resolved, &mut Vec::new())?;
            outcome.unredacted = Some(Side::rendered(&unredacted, outcome.title.clone()));
        }
        leak(resolved);
        Ok(Side::rendered(&shown, outcome.title.clone()))
    }

    /// Whether the errors mean that the directive does not exist, rather than that it is invalid.
    fn is_missing(&self, errors: &[Diagnostic]) -> bool {
        // The directive's own file, not one that it extends.
        let has_no_file = || match (self.named.file_at(self.snapshot, &self.here.working_folder), self.snapshot) {
            (Ok(Some(file)), None) => !file.path.exists(),
            (Ok(Some(file)), Some(snapshot)) => {
                !snapshot.within(&file.path).is_some_and(|path| snapshot.holds_file(&path))
            }
            _ => false,
        };
        errors.iter().any(|error| match &error.problem {
            Problem::DirectiveNotFound { .. } => true,
            Problem::Unreadable { .. } => has_no_file(),
            _ => false,
        })
    }

    fn identity(&self) -> Option<Identity> {
        let directive = self.named.directive()?;
        if let Some(file) = self.named.file_at(self.snapshot, &self.here.working_folder).ok()? {
            return Some(Identity::of_path(file.id.to_string(), file.project.unwrap_or(file.path)));
        }
        let tiers = &self.flags.prompt.tiers;
        let arguments = TierArguments { snapshot: self.snapshot.cloned(), ..tier_arguments(tiers, None) };
        let project = find_project(&arguments, self.here).ok()?;
        let path = project.map(|project| project.canonicalize().unwrap_or(project));
        Some(Identity { id: directive.into_owned(), path, is_by_id: true })
    }

    /// The error for a file that is neither a directive nor a saved prompt.
    fn no_kind(&self) -> Option<Diagnostic> {
        let SideArgument::Named { at: None, name, .. } = self.named else { return None };
        let path = Path::new(name);
        let is_other = path.extension().is_some_and(|extension| extension != "md") && path.is_file();
        let what = || format!("{name} is neither a directive nor a saved prompt, a transcript or a request body");
        is_other.then(|| Diagnostic::invalid(what(), format!("name a directive, or {KINDS}")))
    }
}
