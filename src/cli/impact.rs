//! `diff --all`: what a change does to every prompt.

use std::mem;

use super::arguments::{Color, Diff, PromptFlags};
use super::diff::{grown, hide_values, options, view};
use super::every::Every;
use super::output::Output;
use super::report::Outcome;
use super::repositories::{Repositories, check_work_tree};
use super::resolve::{Resolved, wrong};
use super::sides::{of_one_side, once, titled};
use crate::diagnostic::{Diagnostic, Severity};
use crate::diff::{Change, Format, Pair};
use crate::impact::{self, Impact, Options, Setting};
use crate::request::Request;
use crate::settings;
use crate::store::{Range, Revision, Snapshot};

/// Compares every prompt; whether any differs so that it counts.
pub(super) fn run(typed: &mut Diff, color: Color) -> Outcome {
    hide_values(typed);
    if typed.format == Some(Format::Patch) {
        let help = "name the directive: rye-render diff REV:DIRECTIVE DIRECTIVE --format patch";
        return Err(vec![wrong("--format patch is about one directive, and --all about every one", help)]);
    }
    let mut repositories = Repositories::default();
    let range = range(typed, &mut repositories).map_err(|error| vec![error])?;
    if range.left.is_some()
        && range.right.is_none()
        && typed.sides.left.tiers.project == typed.sides.right.tiers.project
    {
        let repository = repositories.of(None, &typed.sides.right);
        repository.and_then(check_work_tree).map_err(|error| vec![error])?;
    }
    let mut snapshot = |flags, revision: &Option<Revision>| {
        repositories.snapshot(None, flags, revision.as_ref()).map_err(|error| vec![error])
    };
    let snapshots =
        Pair { left: snapshot(&typed.sides.left, &range.left)?, right: snapshot(&typed.sides.right, &range.right)? };
    let (left, right) = rayon::join(
        || every(&typed.sides.left, snapshots.left.as_ref()),
        || every(&typed.sides.right, snapshots.right.as_ref()),
    );
    let ((left, of_left), (right, of_right)) = (left?, right?);
    let mut diagnostics = of_one_side(Pair { left: of_left, right: of_right });

    let of_one = &typed.sides.of_one;
    let title = Pair {
        left: titled(called(range.left.as_ref()), &of_one.left),
        right: titled(called(range.right.as_ref()), &of_one.right),
    };
    // What one side alone is asked differently counts before what the settings of both say.
    let are_asked_alike = of_one.left.is_empty() && of_one.right.is_empty();
    let differ = are_asked_alike && (left.examples != right.examples || left.protocol != right.protocol);
    let settings_file = differ.then_some(settings::PATH);
    let options = Options { compared: options(typed), skip_unchanged: true, settings_file };
    let compared = |asked: fn(&Every, &str) -> Request| {
        let (of_left, of_right) = (|id: &str| asked(&left, id), |id: &str| asked(&right, id));
        let setting = |title: &String, every, request| setting(title.clone(), every, request);
        Impact::new(setting(&title.left, &left, &of_left), setting(&title.right, &right, &of_right), &options)
    };
    let shown = compared(Every::request).map_err(|error| vec![error])?;
    // What is hidden in a format does not decide how the command ends.
    let revealed = typed.sides.hide_alike().then(|| compared(Every::revealed)).transpose();
    let revealed = revealed.map_err(|error| vec![error])?;
    let shown = match &revealed {
        Some(revealed) => revealed.hiding(shown),
        None => shown,
    };

    let output = Output::new(typed.output.as_deref());
    let view = view(typed, &output, color);
    if let Err(error) = output.write(|out| impact::write(&shown, &view, out)) {
        diagnostics.push(error);
        return Err(once(diagnostics.into_iter()));
    }
    let impact = revealed.as_ref().unwrap_or(&shown);
    let too_large = |most| -> Vec<Diagnostic> {
        let prompts = impact.changed.iter();
        prompts.filter_map(|it| grown(&it.id, it.tokens, it.change == Change::Added, most)).collect()
    };
    let grown = typed.max_token_growth.map(too_large);
    let counts = grown.as_ref().map_or(!impact.changed.is_empty(), |grown| !grown.is_empty());
    diagnostics.extend(grown.into_iter().flatten());
    diagnostics.extend(impact.failed.iter().flat_map(|it| [&it.errors.left, &it.errors.right]).flatten().cloned());
    // The program ends soon, and the system takes back at once what would be freed piece by piece.
    mem::forget((left, right, snapshots, shown, revealed));
    let diagnostics = once(diagnostics.into_iter());
    let is_complete = diagnostics.iter().all(|diagnostic| diagnostic.severity() < Severity::Error);
    if is_complete { Ok((counts && !typed.exit_zero, diagnostics)) } else { Err(diagnostics) }
}

/// What is compared: revisions that were named, or `HEAD` with the working tree; where only flags tell the sides apart,
/// both are the working tree.
fn range(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<Option<Revision>>, Diagnostic> {
    match &typed.rev {
        Some(range) => {
            let Range { left, right } = repositories.of(None, &typed.sides.left)?.range(range)?;
            Ok(Pair { left: Some(left), right })
        }
        None if typed.sides.of_one == Pair::default() => {
            Ok(Pair { left: Some(Revision::Named("HEAD".to_string())), right: None })
        }
        None => Ok(Pair { left: None, right: None }),
    }
}

/// All directives of a side.
fn every(flags: &PromptFlags, snapshot: Option<&Snapshot>) -> Result<(Every, Vec<Diagnostic>), Vec<Diagnostic>> {
    Every::new(Resolved::at(None, flags, snapshot).map_err(|error| vec![error])?)
}

fn setting<'a>(title: String, every: &'a Every, request: &'a (dyn Fn(&str) -> Request + Sync)) -> Setting<'a> {
    let Every { tiers, protocol, directives, .. } = every;
    Setting { title, directives, request, tiers, protocol }
}

/// What views call a state of the files.
fn called(revision: Option<&Revision>) -> String {
    match revision {
        Some(Revision::Named(name)) => name.clone(),
        Some(Revision::Index) => "index".to_string(),
        None => "working tree".to_string(),
    }
}
