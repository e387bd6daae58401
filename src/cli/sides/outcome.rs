//! A side as it is rendered or read, or why there is none.

use std::mem;
use std::path::{Path, PathBuf};

use super::named::Named;
use crate::cli::arguments::PromptFlags;
use crate::cli::files;
use crate::cli::render;
use crate::cli::resolve::{Resolved, check_stdin, surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff::{Pair, Side};
use crate::limits;
use crate::request::{Redact, Request};
use crate::sent::KINDS;
use crate::store::{Snapshot, TierArguments, find_project};

/// A side, or why there is none; with its warnings.
pub(super) struct SideOutcome {
    pub title: String,
    pub side: Result<Rendered, Vec<Diagnostic>>,
    /// Which directive or folder it is; none for a file, and for an argument that names none.
    pub identity: Option<Identity>,
    /// Whether that is what is not there.
    pub is_absent: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// A side as it is shown, and as it is where no value is hidden, if that is asked for.
pub(super) struct Rendered {
    pub shown: Side,
    pub revealed: Option<Side>,
}

impl From<Side> for Rendered {
    fn from(shown: Side) -> Self {
        Self { shown, revealed: None }
    }
}

impl SideOutcome {
    pub fn new(named: &Named, flags: &PromptFlags, snapshot: Option<&Snapshot>, title: String, hides: bool) -> Self {
        let mut diagnostics = Vec::new();
        let side = match (named, named.directive()) {
            (Named::File(path), _) => {
                let side = check_stdin(flags, Some(path)).and_then(|()| read(path, title.clone()));
                side.map(Rendered::from).map_err(|error| vec![error])
            }
            (_, directive) => {
                let directive = directive.unwrap_or_default();
                rendered(&directive, flags, snapshot, hides, &title, &mut diagnostics).map_err(|errors| {
                    no_kind(named).filter(|_| are_about_kind(&errors)).map_or(errors, |error| vec![error])
                })
            }
        };
        let is_absent = side.as_ref().err().is_some_and(|errors| is_not_there(named, snapshot, errors));
        Self { side, identity: Identity::of(named, flags, snapshot), is_absent, diagnostics, title }
    }

    /// The side as it is where the directive or the folder is not there.
    pub fn absent(&self) -> Rendered {
        let absent = || Side::absent(self.title.clone());
        Rendered { shown: absent(), revealed: Some(absent()) }
    }
}

/// Which directive or folder an argument names, however it is spelled.
pub(super) struct Identity {
    /// The id of the directive; of a folder nothing.
    id: String,
    /// The folder, or that of the directive's project; of a file that lies in none, the file; of an id, where it is looked
    /// for first.
    place: Option<PathBuf>,
    is_by_id: bool,
}

impl Identity {
    /// A folder.
    pub fn of_folder(path: PathBuf) -> Self {
        Self { id: String::new(), place: Some(path.canonicalize().unwrap_or(path)), is_by_id: false }
    }

    fn of(named: &Named, flags: &PromptFlags, snapshot: Option<&Snapshot>) -> Option<Self> {
        let directive = named.directive()?;
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        if let Some(file) = named.file_at(snapshot).ok()? {
            let place = real(file.project.unwrap_or(file.path));
            return Some(Self { id: file.id.to_string(), place: Some(place), is_by_id: false });
        }
        let arguments = TierArguments { snapshot: snapshot.cloned(), ..tier_arguments(&flags.tiers, None) };
        let place = find_project(&arguments, &surroundings()).ok()?.map(real);
        Some(Self { id: directive.into_owned(), place, is_by_id: true })
    }

    /// Whether both are one directive. By its id it may be that of two projects.
    pub fn is_that_of(&self, other: &Self) -> bool {
        self.id == other.id && (self.place == other.place || (self.is_by_id && other.is_by_id))
    }
}

/// What is wrong with a file that is neither a directive by its name nor by what it holds; none for anything else.
fn no_kind(named: &Named) -> Option<Diagnostic> {
    let Named::Directive { at: None, directive, .. } = named else { return None };
    let path = Path::new(directive);
    let is_other = path.extension().is_some_and(|extension| extension != "md") && path.is_file();
    let what = || format!("{directive} holds no directive, and nothing that was saved or sent");
    is_other.then(|| wrong(&what(), &format!("name a directive, or {KINDS}")))
}

/// Whether errors may come of a file of another kind.
fn are_about_kind(errors: &[Diagnostic]) -> bool {
    let is_about =
        |problem: &Problem| matches!(problem, Problem::NoXmlBlock { .. } | Problem::DirectiveNotFound { .. });
    errors.iter().any(|error| is_about(&error.problem))
}

/// Why a directive is rendered that nobody named.
pub(super) fn chosen(named: &Pair<Named>) -> Diagnostic {
    let Pair { left: file, right: directive } = named;
    let what = format!(
        "{} is compared with {}, the directive of that id in the working tree, which cannot be rendered",
        file.title(),
        directive.title()
    );
    wrong(&what, "give what it needs, such as inputs with -i, or name a second argument")
}

/// Whether the errors say that there is no such directive, rather than that it is wrong.
fn is_not_there(named: &Named, snapshot: Option<&Snapshot>, errors: &[Diagnostic]) -> bool {
    // A file that was named, and not one that it extends.
    let is_no_file = || match named.file_at(snapshot) {
        Ok(Some(file)) => match snapshot {
            None => !file.path.exists(),
            Some(snapshot) => !snapshot.within(&file.path).is_some_and(|path| snapshot.holds_file(&path)),
        },
        _ => false,
    };
    errors.iter().any(|error| match &error.problem {
        Problem::DirectiveNotFound { .. } => true,
        Problem::Unreadable { .. } => is_no_file(),
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
) -> Result<Rendered, Vec<Diagnostic>> {
    let resolved = Resolved::at(Some(directive), flags, snapshot).map_err(|error| vec![error])?;
    let Resolved { request, tiers, protocol, diagnostics: found, .. } = resolved;
    diagnostics.extend(found);
    let side = |request: &Request, diagnostics: &mut Vec<Diagnostic>| {
        let prompt = render::rendered(request, &tiers, &protocol, diagnostics);
        prompt.map(|prompt| Side::rendered(&prompt, title.to_string()))
    };
    let shown = side(&request, diagnostics)?;
    let revealed = match hides {
        // What is to be said of it has been said.
        true => Some(side(&Request { redact: Redact::default(), ..request.clone() }, &mut Vec::new())?),
        false => None,
    };
    // The program ends soon, and the system takes back at once what would be freed piece by piece.
    mem::forget((request, tiers, protocol));
    Ok(Rendered { shown, revealed })
}

/// What was saved or sent.
pub(super) fn read(path: &Path, title: String) -> Result<Side, Diagnostic> {
    let source = files::read(path, limits::FILE_BYTES)?;
    limits::json(&source, limits::SENT_VALUES)?;
    let side = Side::read(source.text(), title).map_err(|not| files::wrong(&source, not.what, not.help, not.place))?;
    limits::messages(&source, side.messages.len())?;
    Ok(side)
}
