//! `diff --all`: the effect of a change on every prompt.

use super::agent_folders::{has_directives, names_directives};
use super::all_directives::AllDirectives;
use super::arguments::{Color, Diff, PromptFlags};
use super::diff_options::{growth, hide_values, losses, options, view};
use super::diff_sides::with_flags;
use super::repeated::{deduplicated, of_one_side};
use super::report::{CommandOutcome, Failure};
use super::repositories::{Repositories, check_work_tree};
use super::resolve::{Resolved, wrong};
use super::{Exit, diff_agents, leak};
use crate::answer::diff::{Change, DiffFormat, Pair};
use crate::answer::impact::{self, Impact, ImpactOptions, ImpactSide};
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::read::settings;
use crate::read::store::{Range, Revision, Snapshot, Surroundings};

pub(super) fn run(typed: &mut Diff, color: Color, diagnostics: &mut Vec<Diagnostic>) -> CommandOutcome {
    hide_values(typed);
    if typed.format == Some(DiffFormat::Patch) {
        let help = "compare one prompt: rye-render diff REV:DIRECTIVE DIRECTIVE --format patch";
        return Err(wrong("--format patch is for one prompt, not for --all", help).into());
    }
    let here = Surroundings::of_process();
    let mut trees = None;
    if let Some(agents) = diff_agents::agents(typed, &mut trees, &here)? {
        return diff_agents::run(typed, &agents, trees, color, &here, diagnostics);
    }
    if typed.max_lost.is_some() {
        let help = "leave it out, or name agents: rye-render diff --all --agent codex,pi";
        return Err(
            wrong("--max-lost is for the prompts of agents, and this compares those of directives", help).into()
        );
    }
    let ComparedTrees { revisions, snapshots, .. } = trees.map_or_else(|| ComparedTrees::of(typed), Ok)?;
    let (left, right) = rayon::join(
        || all_directives(&typed.sides.left, snapshots.left.as_ref()),
        || all_directives(&typed.sides.right, snapshots.right.as_ref()),
    );
    let ((left, of_left), (right, of_right)) = (left?, right?);
    let mut found = of_one_side(Pair { left: of_left, right: of_right });
    let exit = compare(typed, color, &revisions, Pair { left: &left, right: &right }, &mut found);
    leak((left, right, snapshots));
    diagnostics.extend(deduplicated(found));
    exit
}

fn compare(
    typed: &Diff,
    color: Color,
    revisions: &Pair<Option<Revision>>,
    all: Pair<&AllDirectives>,
    diagnostics: &mut Vec<Diagnostic>,
) -> CommandOutcome {
    let of_one = &typed.sides.of_one;
    let title = Pair {
        left: with_flags(title(revisions.left.as_ref()), &of_one.left),
        right: with_flags(title(revisions.right.as_ref()), &of_one.right),
    };
    // The settings explain a change only if the flags of both sides are the same.
    let have_same_flags = of_one.left.is_empty() && of_one.right.is_empty();
    let Pair { left, right } = all;
    let settings_differ = left.examples() != right.examples() || left.protocol != right.protocol;
    let settings_file = (have_same_flags && settings_differ).then_some(settings::PATH);
    let options = ImpactOptions { compared: options(typed), skip_unchanged: true, settings_file };
    let compared = |request: fn(&AllDirectives, &str) -> Request| {
        let (of_left, of_right) = (|id: &str| request(left, id), |id: &str| request(right, id));
        let setting = |title: &String, all, request| setting(title.clone(), all, request);
        Impact::new(setting(&title.left, left, &of_left), setting(&title.right, right, &of_right), &options)
    };
    let shown = compared(AllDirectives::request)?;
    // Hidden values may differ, which is a difference that the view cannot show.
    let unredacted = typed.sides.hide_the_same().then(|| compared(AllDirectives::unredacted_request)).transpose()?;
    let shown = match &unredacted {
        Some(unredacted) => unredacted.hiding(shown),
        None => shown,
    };
    let exit = finish(typed, &shown, unredacted.as_ref(), color, diagnostics);
    leak((shown, unredacted));
    exit
}

/// Writes an impact, and decides on the exit status. `unredacted` is the same impact without hidden values.
pub(super) fn finish(
    typed: &Diff,
    shown: &Impact,
    unredacted: Option<&Impact>,
    color: Color,
    diagnostics: &mut Vec<Diagnostic>,
) -> CommandOutcome {
    let (printer, view) = view(typed, color);
    printer.output.write(|out| impact::write(shown, &view, out))?;
    let impact = unredacted.unwrap_or(shown);
    let too_large = |limit| -> Vec<Diagnostic> {
        let prompts = impact.changed.iter();
        prompts.filter_map(|it| growth(&it.id, it.tokens, it.change == Change::Added, limit)).collect()
    };
    let lost = |limit| -> Vec<Diagnostic> { impact.changed.iter().flat_map(|it| losses(it, limit)).collect() };
    let limits = [typed.max_token_growth.map(too_large), typed.max_lost.map(lost)];
    let is_finding = match limits.iter().flatten().next() {
        Some(_) => limits.iter().flatten().any(|beyond| !beyond.is_empty()),
        None => !impact.changed.is_empty(),
    };
    diagnostics.extend(limits.into_iter().flatten().flatten());
    diagnostics.extend(impact.failed.iter().flat_map(|it| [&it.errors.left, &it.errors.right]).flatten().cloned());
    Ok(if is_finding && !typed.exit_zero { Exit::Findings } else { Exit::Success })
}

/// What is compared: of each side the revision, and its files; `None` for the working tree.
pub(super) struct ComparedTrees {
    pub repositories: Repositories,
    pub revisions: Pair<Option<Revision>>,
    pub snapshots: Pair<Option<Snapshot>>,
}

impl ComparedTrees {
    pub fn of(typed: &Diff) -> Result<Self, Diagnostic> {
        let mut repositories = Repositories::default();
        let revisions = revisions(typed, &mut repositories)?;
        let snapshots = snapshots(typed, &revisions, &mut repositories)?;
        Ok(Self { repositories, revisions, snapshots })
    }
}

/// Whether a side has directives: a change may remove or add all of them. Makes the trees if no flag tells.
pub(super) fn have_directives(
    typed: &Diff,
    trees: &mut Option<ComparedTrees>,
    here: &Surroundings<'_>,
) -> Result<bool, Diagnostic> {
    let (left, right) = (&typed.sides.left, &typed.sides.right);
    if names_directives(left) || names_directives(right) {
        return Ok(true);
    }
    let ComparedTrees { snapshots, .. } = trees.insert(ComparedTrees::of(typed)?);
    Ok(has_directives(left, snapshots.left.as_ref(), here)? || has_directives(right, snapshots.right.as_ref(), here)?)
}

/// `--rev`, else `HEAD` and the working tree; with flags for one side only, the working tree on both sides.
fn revisions(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<Option<Revision>>, Diagnostic> {
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

fn snapshots(
    typed: &Diff,
    revisions: &Pair<Option<Revision>>,
    repositories: &mut Repositories,
) -> Result<Pair<Option<Snapshot>>, Diagnostic> {
    let (left, right) = (&typed.sides.left, &typed.sides.right);
    if revisions.left.is_some() && revisions.right.is_none() && left.tiers.project == right.tiers.project {
        check_work_tree(repositories.of(None, right)?)?;
    }
    Ok(Pair {
        left: repositories.snapshot(None, left, revisions.left.as_ref())?,
        right: repositories.snapshot(None, right, revisions.right.as_ref())?,
    })
}

fn all_directives(
    flags: &PromptFlags,
    snapshot: Option<&Snapshot>,
) -> Result<(AllDirectives, Vec<Diagnostic>), Failure> {
    let mut diagnostics = Vec::new();
    let resolved = Resolved::at(None, flags, snapshot, None, &Surroundings::of_process())?;
    match AllDirectives::new(resolved, &mut diagnostics) {
        Ok(all) => Ok((all, diagnostics)),
        Err(error) => Err(Failure(diagnostics.into_iter().chain([error]).collect())),
    }
}

fn setting<'a>(title: String, all: &'a AllDirectives, request: &'a (dyn Fn(&str) -> Request + Sync)) -> ImpactSide<'a> {
    let AllDirectives { tiers, protocol, directives, .. } = all;
    ImpactSide { title, directives, request, tiers, protocol }
}

pub(super) fn title(revision: Option<&Revision>) -> String {
    match revision {
        Some(Revision::Named(name)) => name.clone(),
        Some(Revision::Index) => "index".to_string(),
        None => "working tree".to_string(),
    }
}
