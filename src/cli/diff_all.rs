//! `diff --all`: the effect of a change on every prompt.

use std::mem;

use super::agent_folders::{has_directives, names_directives};
use super::all_directives::AllDirectives;
use super::arguments::{Diff, SideFlags};
use super::diff::{check, growth, hide_values, losses, options, view};
use super::diff_sides::with_flags;
use super::repeated::{deduplicated, of_one_side};
use super::repositories::{Repositories, check_work_tree};
use super::resolve::Resolved;
use super::run::{CommandOutcome, Failure, Run};
use super::{Exit, diff_agents, leak};
use crate::answer::diff::{Change, DiffFormat, Pair};
use crate::answer::impact::{self, Impact, ImpactOptions, ImpactSide};
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::read::settings;
use crate::read::store::{Range, Revision, Snapshot, Surroundings};

pub(super) fn run(mut typed: Diff, run: &mut Run<'_>) -> CommandOutcome {
    run.show_progress();
    check(&typed, &run.here)?;
    hide_values(&mut typed);
    if typed.format == Some(DiffFormat::Patch) {
        let help = "compare one prompt: rye-render diff REV:DIRECTIVE DIRECTIVE --format patch";
        return Err(Diagnostic::invalid("--format patch is for one prompt, not for --all", help).into());
    }
    let named = diff_agents::named(&typed.sides, &run.here)?;
    if named.is_none() && typed.sides.as_ref().into_array().iter().any(|side| names_directives(&side.prompt)) {
        check_lost(&typed)?;
    }
    let trees = ComparedTrees::of(&typed, &run.here)?;
    if named.is_some() || !trees.have_directives(&typed.sides, &run.here)? {
        return diff_agents::run(&mut typed, named, trees, run);
    }
    check_lost(&typed)?;
    let ComparedTrees { revisions, snapshots, .. } = trees;
    let sides = typed.sides.as_ref().zip(snapshots.as_ref());
    let all = |(flags, snapshot): (&SideFlags, &Option<Snapshot>)| all_directives(flags, snapshot.as_ref(), &run.here);
    let (left, right) = rayon::join(|| all(sides.left), || all(sides.right));
    let ((left, of_left), (right, of_right)) = (left?, right?);
    run.diagnostics = of_one_side(Pair { left: of_left, right: of_right });
    let exit = compare(&typed, &revisions, Pair { left: &left, right: &right }, run);
    leak((left, right, snapshots));
    run.diagnostics = deduplicated(mem::take(&mut run.diagnostics));
    exit
}

/// Refuses a flag that is for agents.
fn check_lost(typed: &Diff) -> Result<(), Diagnostic> {
    if typed.max_lost.is_none() {
        return Ok(());
    }
    let help = "leave it out, or name agents: rye-render diff --all --agent codex,pi";
    Err(Diagnostic::invalid("--max-lost is for the prompts of agents, and this compares those of directives", help))
}

fn compare(
    typed: &Diff,
    revisions: &Pair<Option<Revision>>,
    all: Pair<&AllDirectives>,
    run: &mut Run<'_>,
) -> CommandOutcome {
    let titles = titles(typed, revisions);
    // The settings explain a change only if the flags of both sides are the same.
    let settings_differ =
        all.left.requests.examples != all.right.requests.examples || all.left.protocol != all.right.protocol;
    let settings_file = (!typed.sides.differ() && settings_differ).then_some(settings::PATH);
    let options = ImpactOptions { compared: options(typed), skip_unchanged: true, settings_file };
    let compared = |request: fn(&AllDirectives, &str) -> Request| {
        let (of_left, of_right) = (|id: &str| request(all.left, id), |id: &str| request(all.right, id));
        let left = setting(titles.left.clone(), all.left, &of_left);
        Impact::new(left, setting(titles.right.clone(), all.right, &of_right), &options)
    };
    let shown = compared(|all, id| all.requests.of(id))?;
    // Hidden values may differ, which is a difference that the view cannot show.
    let unredacted = typed.sides.hide_the_same().then(|| compared(AllDirectives::unredacted_request)).transpose()?;
    let shown = match &unredacted {
        Some(unredacted) => unredacted.hiding(shown),
        None => shown,
    };
    let exit = finish(typed, &shown, unredacted.as_ref(), run);
    leak((shown, unredacted));
    exit
}

/// Writes an impact, and decides on the exit status. `unredacted` is the same impact without hidden values.
pub(super) fn finish(typed: &Diff, shown: &Impact, unredacted: Option<&Impact>, run: &mut Run<'_>) -> CommandOutcome {
    let (printer, view) = view(typed, run);
    printer.output.write(|out| impact::write(shown, &view, out))?;
    let impact = unredacted.unwrap_or(shown);
    let too_large = |limit| -> Vec<Diagnostic> {
        let prompts = impact.changed.iter();
        prompts
            .filter_map(|it| growth(&it.id, it.tokens, (it.change == Change::Added, it.has_unknown), limit))
            .collect()
    };
    let lost = |limit| -> Vec<Diagnostic> { impact.changed.iter().flat_map(|it| losses(it, limit)).collect() };
    let limits = [typed.max_token_growth.map(too_large), typed.max_lost.map(lost)];
    let is_finding = match limits.iter().flatten().next() {
        Some(_) => limits.iter().flatten().any(|beyond| !beyond.is_empty()),
        None => !impact.changed.is_empty(),
    };
    run.diagnostics.extend(limits.into_iter().flatten().flatten());
    run.diagnostics.extend(impact.failed.iter().flat_map(|it| [&it.errors.left, &it.errors.right]).flatten().cloned());
    Ok(if is_finding && !typed.exit_zero { Exit::Findings } else { Exit::Success })
}

/// What is compared: of each side the revision, and its files; `None` for the working tree.
pub(super) struct ComparedTrees {
    pub repositories: Repositories,
    pub revisions: Pair<Option<Revision>>,
    pub snapshots: Pair<Option<Snapshot>>,
}

impl ComparedTrees {
    fn of(typed: &Diff, here: &Surroundings<'_>) -> Result<Self, Diagnostic> {
        let mut repositories = Repositories::default();
        let revisions = revisions(typed, &mut repositories, here)?;
        let (left, right) = (&typed.sides.left.prompt, &typed.sides.right.prompt);
        if revisions.left.is_some() && revisions.right.is_none() && left.tiers.project == right.tiers.project {
            check_work_tree(repositories.of(None, right, here)?)?;
        }
        let snapshots = Pair {
            left: repositories.snapshot(None, left, revisions.left.as_ref(), here)?,
            right: repositories.snapshot(None, right, revisions.right.as_ref(), here)?,
        };
        Ok(Self { repositories, revisions, snapshots })
    }

    /// Whether a side has directives: a change may remove or add all of them.
    fn have_directives(&self, sides: &Pair<SideFlags>, here: &Surroundings<'_>) -> Result<bool, Diagnostic> {
        let has = |side: &SideFlags, snapshot: &Option<Snapshot>| has_directives(&side.prompt, snapshot.as_ref(), here);
        Ok(names_directives(&sides.right.prompt)
            || has(&sides.left, &self.snapshots.left)?
            || has(&sides.right, &self.snapshots.right)?)
    }
}

/// `--rev`, else `HEAD` and the working tree; with flags for one side only, the working tree on both sides.
fn revisions(
    typed: &Diff,
    repositories: &mut Repositories,
    here: &Surroundings<'_>,
) -> Result<Pair<Option<Revision>>, Diagnostic> {
    match &typed.rev {
        Some(range) => {
            let Range { left, right } = repositories.of(None, &typed.sides.left.prompt, here)?.range(range)?;
            Ok(Pair { left: Some(left), right })
        }
        None if typed.sides.differ() => Ok(Pair { left: None, right: None }),
        None => Ok(Pair { left: Some(Revision::Named("HEAD".to_string())), right: None }),
    }
}

fn all_directives(
    flags: &SideFlags,
    snapshot: Option<&Snapshot>,
    here: &Surroundings<'_>,
) -> Result<(AllDirectives, Vec<Diagnostic>), Failure> {
    let mut diagnostics = Vec::new();
    let resolved = Resolved::at(None, &flags.prompt, snapshot, None, here)?;
    match AllDirectives::new(resolved, &mut diagnostics) {
        Ok(all) => Ok((all, diagnostics)),
        Err(error) => Err(Failure(diagnostics.into_iter().chain([error]).collect())),
    }
}

fn setting<'a>(title: String, all: &'a AllDirectives, request: &'a (dyn Fn(&str) -> Request + Sync)) -> ImpactSide<'a> {
    let AllDirectives { tiers, protocol, directives, .. } = all;
    ImpactSide { title, directives, request, tiers, protocol }
}

/// The titles of both sides, with the flags for one side.
pub(super) fn titles(typed: &Diff, revisions: &Pair<Option<Revision>>) -> Pair<String> {
    revisions.as_ref().zip(typed.sides.as_ref()).map(|(revision, side)| {
        let title = match revision {
            Some(Revision::Named(name)) => name.clone(),
            Some(Revision::Index) => "index".to_string(),
            None => "working tree".to_string(),
        };
        with_flags(title, &side.own)
    })
}
