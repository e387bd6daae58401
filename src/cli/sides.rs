//! The two sides that a comparison names: what was typed, and what it is rendered to.

mod named;

use std::collections::HashSet;
use std::mem;
use std::path::{Path, PathBuf};

use super::arguments::{Diff, PromptFlags, SideFlags};
use super::diff::hide_values;
use super::files;
use super::repositories::{Repositories, check_work_tree};
use super::resolve::{Resolved, check_stdin, surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::diff::{Format, Pair, Side};
use crate::request::{Redact, Request};
use crate::sent::KINDS;
use crate::store::{Revision, Snapshot, TierArguments, find_project};

use named::Named;

/// Both sides, and what is to be said about them.
pub(super) struct Sides {
    /// What is compared.
    pub left: Side,
    /// With what.
    pub right: Side,
    /// Both as they are where no value is hidden, if that makes a difference.
    pub revealed: Option<Pair<Side>>,
    /// Warnings of one side, each once.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and renders what the arguments name.
///
/// # Errors
/// What is wrong with either side, or with both.
pub(super) fn resolve(typed: &mut Diff) -> Result<Sides, Vec<Diagnostic>> {
    let mut repositories = Repositories::default();
    let (named, snapshots) = states(typed, &mut repositories).map_err(|error| vec![error])?;
    let as_saved = as_saved(&named, typed);
    if as_saved.is_none() {
        hide_values(typed);
    }
    let has_file = named.left.directive().is_none() || named.right.directive().is_none();
    let SideFlags { left, right, of_one } = &typed.sides;
    let side = |named: &Named, flags, snapshot: &Option<Snapshot>, own: &[String]| {
        let title = titled(named.title(), own);
        SideOutcome::new(named, flags, snapshot.as_ref(), title, typed.sides.hide_alike() && !has_file)
    };
    let left = side(&named.left, left, &snapshots.left, &of_one.left);
    let mut right = side(&named.right, right, &snapshots.right, &of_one.right);
    if let (Named::File(_), None, Err(errors)) = (&named.left, &typed.right, &mut right.side) {
        errors.push(chosen(&named));
    }
    let mut sides = together(left, right)?;
    sides.diagnostics.extend(as_saved);
    Ok(sides)
}

/// What both arguments name, and the states of the repositories that they are read in.
fn states(typed: &Diff, repositories: &mut Repositories) -> Result<(Pair<Named>, Pair<Option<Snapshot>>), Diagnostic> {
    let named = named(typed, repositories)?;
    let SideFlags { left, right, of_one } = &typed.sides;
    for (named, own, side) in [(&named.left, &of_one.left, "left"), (&named.right, &of_one.right, "right")] {
        if let (Named::File(_), Some(flag)) = (named, own.first()) {
            let flag = flag.split(['=', ' ']).next().unwrap_or_default();
            let what = format!("--{side}-{flag} decides a prompt that is rendered, and {} was saved", named.title());
            return Err(wrong(&what, "leave the flag out"));
        }
    }
    let mut snapshot =
        |named: &Named, flags: &PromptFlags| repositories.snapshot(named.file()?.as_ref(), flags, named.revision());
    let snapshots = Pair { left: snapshot(&named.left, left)?, right: snapshot(&named.right, right)? };
    let is_one_project = left.tiers.project == right.tiers.project;
    for (side, flags, other) in [(&named.left, left, &snapshots.right), (&named.right, right, &snapshots.left)] {
        if is_one_project && other.is_some() && side.is_on_disk() {
            check_work_tree(repositories.of(side.file()?.as_ref(), flags)?)?;
        }
    }
    Ok((named, snapshots))
}

/// The warning that what is published shows the values that a file holds: they cannot be told from the rest of its text,
/// so hiding them on the other side alone would only look like a difference.
fn as_saved(named: &Pair<Named>, typed: &Diff) -> Option<Diagnostic> {
    let is_published = typed.format.is_some_and(Format::is_published);
    let files = [&named.left, &named.right].into_iter().filter(|side| side.directive().is_none());
    let files: Vec<_> = files.map(Named::title).collect();
    let was_said = [&typed.sides.left, &typed.sides.right].iter().any(|flags| !flags.redact.is_empty());
    (is_published && !was_said && !files.is_empty()).then(|| Diagnostic::new(Problem::ValuesShown { files }))
}

/// What both arguments, or one of them and `--rev`, name.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<Named>, Diagnostic> {
    // The parser has seen to it that there is a left side.
    let left = Named::parse(typed.left.as_deref().unwrap_or_default())?;
    let right = typed.right.as_deref().map(Named::parse).transpose()?;
    let Some(range) = &typed.rev else { return without_range(left, right, typed, repositories) };
    let right = right.unwrap_or_else(|| left.clone());
    for side in [&left, &right] {
        match side {
            Named::Directive { at: None, .. } => {}
            Named::Directive { at: Some(_), .. } => {
                return Err(wrong("--rev and REV:DIRECTIVE both name a revision", "leave one of the two out"));
            }
            Named::File(path) => {
                let what = format!("--rev names revisions, and {} was saved", path.display());
                return Err(wrong(&what, "compare it with REV:DIRECTIVE"));
            }
        }
    }
    let range = repositories.of(left.file()?.as_ref(), &typed.sides.left)?.range(range)?;
    Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) })
}

/// One argument alone is compared with the working tree: a directive as it is in `HEAD` or at the revision that is
/// named, and what a file holds.
fn without_range(
    left: Named,
    right: Option<Named>,
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<Pair<Named>, Diagnostic> {
    if let Some(right) = right {
        return Ok(Pair { left, right });
    }
    match &left {
        Named::Directive { at: Some(revision), directive, .. } => {
            let flags = &typed.sides.left;
            let snapshot = repositories.snapshot(left.file()?.as_ref(), flags, Some(revision))?;
            let file = left.file_at(snapshot.as_ref())?;
            let right = file.map_or_else(|| directive.clone(), |file| from_here(&file.path));
            Ok(Pair { left, right: Named::on_disk(right) })
        }
        Named::Directive { at: None, .. } => {
            let head = Some(Revision::Named("HEAD".to_string()));
            Ok(Pair { left: left.clone().at(head), right: left })
        }
        Named::File(path) => match read(path, String::new())?.directive {
            Some(directive) => Ok(Pair { left, right: Named::on_disk(directive) }),
            None => {
                let what = format!("{} does not tell which directive it is of", path.display());
                Err(wrong(&what, "name what it is compared with as a second argument"))
            }
        },
    }
}

/// The path of a directive's file as it is typed: from the working folder, if it lies there.
fn from_here(path: &Path) -> String {
    match path.strip_prefix(surroundings().working_folder) {
        Ok(below) if below.extension().is_some_and(|extension| extension == "md") => below,
        _ => path,
    }
    .to_string_lossy()
    .into_owned()
}

/// A title with the flags of its side alone, which may be all that tells it from the other one.
pub(super) fn titled(title: String, own: &[String]) -> String {
    if own.is_empty() { title } else { format!("{title} ({})", own.join(", ")) }
}

/// A side, or why there is none; with its warnings.
struct SideOutcome {
    title: String,
    side: Result<Rendered, Vec<Diagnostic>>,
    /// Which directive it is; none for a file, and for an argument that names none.
    identity: Option<Identity>,
    /// Whether the directive is what is not there.
    is_absent: bool,
    diagnostics: Vec<Diagnostic>,
}

/// A side as it is shown, and as it is where no value is hidden, if that is asked for.
struct Rendered {
    shown: Side,
    revealed: Option<Side>,
}

impl SideOutcome {
    fn new(named: &Named, flags: &PromptFlags, snapshot: Option<&Snapshot>, title: String, hides: bool) -> Self {
        let mut diagnostics = Vec::new();
        let side = match (named, named.directive()) {
            (Named::File(path), _) => {
                let side = check_stdin(flags, Some(path)).and_then(|()| read(path, title.clone()));
                side.map(|shown| Rendered { shown, revealed: None }).map_err(|error| vec![error])
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

    /// The side as it is where the directive is not there.
    fn absent(&self) -> Rendered {
        let absent = || Side::absent(self.title.clone());
        Rendered { shown: absent(), revealed: Some(absent()) }
    }
}

/// Which directive an argument names, however it is spelled.
struct Identity {
    id: String,
    /// The folder of its project; of a file that lies in none, the file; of an id, where it is looked for first.
    place: Option<PathBuf>,
    is_by_id: bool,
}

impl Identity {
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
    fn is_that_of(&self, other: &Self) -> bool {
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
fn chosen(named: &Pair<Named>) -> Diagnostic {
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
        let prompt = super::render::rendered(request, &tiers, &protocol, diagnostics);
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
fn read(path: &Path, title: String) -> Result<Side, Diagnostic> {
    let source = files::read(path, files::MAX_SIZE)?;
    Side::read(source.text(), title).map_err(|not| files::wrong(&source, not.what, not.help, not.place))
}

/// Both sides, of which one may be absent where both are the same directive.
fn together(left: SideOutcome, right: SideOutcome) -> Result<Sides, Vec<Diagnostic>> {
    let are_one =
        left.identity.as_ref().zip(right.identity.as_ref()).is_some_and(|(left, right)| left.is_that_of(right));
    let absent = Pair { left: left.absent(), right: right.absent() };
    let mut diagnostics = Pair { left: left.diagnostics, right: right.diagnostics };
    let (left, right) = match (left.side, right.side) {
        (Ok(left), Ok(right)) => (left, right),
        (Ok(side), Err(_)) if right.is_absent && are_one => (side, absent.right),
        (Err(_), Ok(side)) if left.is_absent && are_one => (absent.left, side),
        (left, right) => {
            let mut errors = Pair { left: left.err().unwrap_or_default(), right: right.err().unwrap_or_default() };
            merge(&mut errors);
            diagnostics.left.extend(errors.left);
            diagnostics.right.extend(errors.right);
            return Err(of_one_side(diagnostics));
        }
    };
    // Of a side that is not there, only that counts.
    let is_told = |diagnostic: &Diagnostic| diagnostic.severity() < Severity::Error;
    diagnostics.left.retain(is_told);
    diagnostics.right.retain(is_told);
    let revealed = left.revealed.zip(right.revealed).map(|(left, right)| Pair { left, right });
    Ok(Sides { left: left.shown, right: right.shown, revealed, diagnostics: of_one_side(diagnostics) })
}

/// A directive that is on neither side is one error, which names the tiers of both.
fn merge(errors: &mut Pair<Vec<Diagnostic>>) {
    let ([left], [right]) = (&mut *errors.left, &*errors.right) else { return };
    if let (
        Problem::DirectiveNotFound { id, searched, nearest },
        Problem::DirectiveNotFound { id: other, searched: also, nearest: or },
    ) = (&mut left.problem, &right.problem)
        && id == other
    {
        let further: Vec<_> = also.iter().filter(|place| !searched.contains(place)).cloned().collect();
        searched.extend(further);
        *nearest = nearest.take().or_else(|| or.clone());
        errors.right.clear();
    }
}

/// What is to be said, each of it once: errors, and the warnings that one side has and the other has not. What both are
/// warned of is no part of the difference.
pub(super) fn of_one_side(diagnostics: Pair<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    // The lines of a file may have moved.
    let keys = |side: &[Diagnostic]| side.iter().map(|it| key(it, false)).collect::<HashSet<_>>();
    let known = Pair { left: keys(&diagnostics.left), right: keys(&diagnostics.right) };
    let own = |side: Vec<Diagnostic>, other: HashSet<String>| {
        let is_own = move |it: &Diagnostic| it.severity() == Severity::Error || !other.contains(&key(it, false));
        side.into_iter().filter(is_own)
    };
    once(own(diagnostics.left, known.right).chain(own(diagnostics.right, known.left)))
}

/// Each of them once: what is wrong on both sides is the same sentence about the same place.
pub(super) fn once(diagnostics: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut known = HashSet::new();
    diagnostics.filter(|diagnostic| known.insert(key(diagnostic, true))).collect()
}

/// What tells a diagnostic from others: the sentence and the file that it is about, and the line in it, if that counts.
fn key(diagnostic: &Diagnostic, with_line: bool) -> String {
    let place = match &diagnostic.at {
        Some(Location::Span(span)) => {
            let line = if with_line { span.line() } else { 0 };
            format!("{}\0{}\0{line}", span.source().tier(), span.source().path())
        }
        Some(Location::File { tier, path, .. }) => format!("{tier}\0{path}"),
        None => String::new(),
    };
    format!("{}\0{}\0{place}", diagnostic.code(), diagnostic.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_sides_are_warned_of_is_no_part_of_the_difference() {
        let [both, one, error] = [
            Problem::EmptyPrompt,
            Problem::OutputsInMetadata,
            Problem::InvalidArgument { what: "no".to_string(), help: None },
        ]
        .map(Diagnostic::new);
        let left = vec![both.clone(), one.clone(), one.clone(), error.clone()];
        let told = of_one_side(Pair { left, right: vec![both, error.clone()] });
        assert_eq!(told, [one, error]);
    }
}
