//! Renders or reads a side.

use std::path::{Path, PathBuf};

use super::side_argument::SideArgument;
use crate::answer::diff::{Pair, Side};
use crate::cli::arguments::PromptFlags;
use crate::cli::leak;
use crate::cli::render;
use crate::cli::report::Failure;
use crate::cli::resolve::{Resolved, check_stdin, tier_arguments, wrong};
use crate::decide::request::{Redact, Request};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::KINDS;
use crate::read::store::{Disk, Snapshot, Surroundings, TierArguments, find_project};
use crate::read::{files, limits};

pub(super) struct SideOutcome {
    pub title: String,
    pub side: Result<RenderedSide, Vec<Diagnostic>>,
    /// `None` for a saved file.
    pub identity: Option<Identity>,
    /// Whether it failed because the directive or folder does not exist.
    pub is_absent: bool,
    pub diagnostics: Vec<Diagnostic>,
}

pub(super) struct RenderedSide {
    pub shown: Side,
    /// The side without redaction, if requested.
    pub unredacted: Option<Side>,
}

impl From<Side> for RenderedSide {
    fn from(shown: Side) -> Self {
        Self { shown, unredacted: None }
    }
}

impl SideOutcome {
    pub fn new(
        named: &SideArgument,
        flags: &PromptFlags,
        snapshot: Option<&Snapshot>,
        title: String,
        hides: bool,
    ) -> Self {
        let mut diagnostics = Vec::new();
        let side = match (named, named.directive()) {
            (SideArgument::File(path), _) => {
                let side = check_stdin(flags, Some(path)).and_then(|()| read(path, title.clone()));
                side.map(RenderedSide::from).map_err(|error| vec![error])
            }
            (_, directive) => {
                let directive = directive.unwrap_or_default();
                rendered(&directive, flags, snapshot, hides, &title, &mut diagnostics).map_err(|Failure(errors)| {
                    no_kind(named).filter(|_| are_about_kind(&errors)).map_or(errors, |error| vec![error])
                })
            }
        };
        let is_absent = side.as_ref().err().is_some_and(|errors| is_missing(named, snapshot, errors));
        Self { side, identity: Identity::of(named, flags, snapshot), is_absent, diagnostics, title }
    }

    pub fn absent(&self) -> RenderedSide {
        let absent = || Side::absent(self.title.clone());
        RenderedSide { shown: absent(), unredacted: Some(absent()) }
    }
}

/// Which directive or folder an argument names, whatever its spelling.
pub(super) struct Identity {
    /// The directive's id; empty for a folder.
    id: String,
    /// The folder, the directive's project, or the directive's file if that is in no project.
    path: Option<PathBuf>,
    is_by_id: bool,
}

impl Identity {
    pub fn of_folder(path: PathBuf) -> Self {
        Self { id: String::new(), path: Some(path.canonicalize().unwrap_or(path)), is_by_id: false }
    }

    fn of(named: &SideArgument, flags: &PromptFlags, snapshot: Option<&Snapshot>) -> Option<Self> {
        let directive = named.directive()?;
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        if let Some(file) = named.file_at(snapshot).ok()? {
            let path = real(file.project.unwrap_or(file.path));
            return Some(Self { id: file.id.to_string(), path: Some(path), is_by_id: false });
        }
        let arguments = TierArguments { snapshot: snapshot.cloned(), ..tier_arguments(&flags.tiers, None) };
        let path = find_project(&arguments, &Surroundings::of_process()).ok()?.map(real);
        Some(Self { id: directive.into_owned(), path, is_by_id: true })
    }

    /// The same id in two projects names the same directive.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.id == other.id && (self.path == other.path || (self.is_by_id && other.is_by_id))
    }
}

/// The error for a file that is neither a directive nor a saved prompt.
fn no_kind(named: &SideArgument) -> Option<Diagnostic> {
    let SideArgument::Named { at: None, name, .. } = named else { return None };
    let path = Path::new(name);
    let is_other = path.extension().is_some_and(|extension| extension != "md") && path.is_file();
    let what = || format!("{name} is neither a directive nor a saved prompt, a transcript or a request body");
    is_other.then(|| wrong(&what(), &format!("name a directive, or {KINDS}")))
}

/// Whether the errors may mean that the file is of a different kind.
fn are_about_kind(errors: &[Diagnostic]) -> bool {
    let is_about =
        |problem: &Problem| matches!(problem, Problem::NoXmlBlock { .. } | Problem::DirectiveNotFound { .. });
    errors.iter().any(|error| is_about(&error.problem))
}

/// The error if the working tree's directive, which a saved file is compared with, cannot be rendered.
pub(super) fn chosen(named: &Pair<SideArgument>) -> Diagnostic {
    let Pair { left: file, right: directive } = named;
    let what = format!(
        "{} is compared with {}, its directive in the working tree, which cannot be rendered",
        file.title(),
        directive.title()
    );
    wrong(&what, "provide what it needs, such as inputs with -i, or name a second argument")
}

/// Whether the errors mean that the directive does not exist, rather than that it is invalid.
fn is_missing(named: &SideArgument, snapshot: Option<&Snapshot>, errors: &[Diagnostic]) -> bool {
    // The directive's own file, not one that it extends.
    let has_no_file = || match named.file_at(snapshot) {
        Ok(Some(file)) => match snapshot {
            None => !file.path.exists(),
            Some(snapshot) => !snapshot.within(&file.path).is_some_and(|path| snapshot.holds_file(&path)),
        },
        _ => false,
    };
    errors.iter().any(|error| match &error.problem {
        Problem::DirectiveNotFound { .. } => true,
        Problem::Unreadable { .. } => has_no_file(),
        _ => false,
    })
}

fn rendered(
    directive: &str,
    flags: &PromptFlags,
    snapshot: Option<&Snapshot>,
    hides: bool,
    title: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<RenderedSide, Failure> {
    let resolved = Resolved::at(Some(directive), flags, snapshot, None, &Surroundings::of_process())?;
    let Resolved { request, tiers, protocol, diagnostics: found, .. } = resolved;
    diagnostics.extend(found);
    let side = |request: &Request, diagnostics: &mut Vec<Diagnostic>| {
        let prompt = render::rendered(request, &tiers, &protocol, diagnostics);
        prompt.map(|prompt| Side::rendered(&prompt, title.to_string()))
    };
    let shown = side(&request, diagnostics)?;
    let unredacted = match hides {
        // Its diagnostics have been collected above.
        true => Some(side(&Request { redact: Redact::default(), ..request.clone() }, &mut Vec::new())?),
        false => None,
    };
    leak((request, tiers, protocol));
    Ok(RenderedSide { shown, unredacted })
}

/// Reads a saved prompt, a transcript or a request body.
pub(super) fn read(path: &Path, title: String) -> Result<Side, Diagnostic> {
    let source = files::read(path, limits::FILE_BYTES, &Disk::default())?;
    limits::json(&source, limits::SENT_VALUES)?;
    let side = Side::read(source.text(), title).map_err(|not| files::wrong(&source, not.what, not.help, not.place))?;
    limits::messages(&source, side.messages.len())?;
    Ok(side)
}
