//! `lint` in one project.

use std::path::Path;
use std::{env, fs};

use super::arguments::{Lint, PromptFlags};
use super::lint_baseline::BaselineFile;
use super::lint_fix::{Fixed, Linting};
use super::lint_scope::LintTarget;
use super::resolve::{Resolved, relative_to_here};
use super::run::Run;
use super::{agent_choice, leak, lint_folder, lint_settings};
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::lint::scope::repository;
use crate::lint::view::{self, Paths};
use crate::lint::{Known, Level, LintFlags, LintOptions, OpenProject, Project, check, counts};
use crate::read::settings::Settings;
use crate::read::store::{Disk, Surroundings};
use crate::text::visible::visible_line;

/// The results for one project or several: reports, or what a flag asks for instead.
#[derive(Default)]
pub(super) struct LintResults {
    pub reports: Vec<view::ProjectReport>,
    /// `--show-files`
    pub files: Option<Vec<String>>,
    /// `--diff`
    pub patch: Option<Vec<u8>>,
    /// The fixed text of standard input, which only one project can have.
    pub text: Option<Vec<u8>>,
    /// Whether there is a finding at or above `--fail-on`.
    pub has_failed: bool,
    /// Whether `--fail-on` is `note`.
    pub fails_from_note: bool,
    /// Warnings, and errors that do not prevent a result.
    pub diagnostics: Vec<Diagnostic>,
}

/// A target whose files and settings are found.
pub(super) struct Opened {
    pub flags: PromptFlags,
    pub settings: Settings,
    pub request: Request,
    pub diagnostics: Vec<Diagnostic>,
    pub project: OpenProject,
}

pub(super) fn open(typed: &Lint, target: LintTarget, here: &Surroundings<'_>) -> Result<Opened, Diagnostic> {
    let LintTarget { flags, mut scope, replaced, .. } = target;
    let resolved = match &scope.around {
        None => Resolved::at(None, &flags, None, replaced, here)?,
        Some(around) => lint_folder::resolved(&flags, around, replaced, here)?,
    };
    let Resolved { request, tiers, protocol, settings, diagnostics } = resolved;
    match &mut scope.around {
        Some(around) => around.agents = lint_folder::agents(typed, &flags, &around.root, &settings, here)?,
        // Other commands use them.
        None => drop(agent_choice::named_in(&settings)?),
    }
    let rules =
        LintFlags { select: &typed.select, ignore: &typed.ignore, exclude: &typed.exclude, fail_on: typed.fail_on };
    let options = LintOptions::new(&settings, &rules)?;
    let project = OpenProject { tiers: tiers.keeping(None), protocol, options, scope };
    Ok(Opened { flags, settings, request, diagnostics, project })
}

/// Checks a project, after making the changes that the flags request.
pub(super) fn check_project(
    typed: &Lint,
    target: LintTarget,
    is_only: bool,
    run: &Run<'_>,
    results: &mut LintResults,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostic> {
    let (piped, stdin) = (target.replaced.as_ref().map(|(path, _)| path.clone()), target.stdin.clone());
    let Opened { flags, settings, diagnostics: warnings, project, .. } = open(typed, target, &run.here)?;
    diagnostics.extend(warnings);
    if typed.show_settings {
        let (is_of_agents, printer) = (project.scope.around.is_some(), run.printer(typed.output.as_deref(), false));
        return lint_settings::show(typed, &flags, &settings, is_of_agents, &printer);
    }
    let OpenProject { tiers, protocol, options, scope } = project;
    let Some(root) = tiers.project_root() else {
        return Err(Diagnostic::invalid("no project found", "go to its folder, or name it: rye-render lint FOLDER"));
    };
    let paths = match &scope.around {
        None => paths(root, is_only, &run.here.disk),
        Some(around) => paths(root, is_only, &run.here.disk).of_agents(around.settings.clone()),
    };
    let mut baseline = BaselineFile::read(typed, &run.here.disk)?;
    let linting = Linting {
        typed,
        protocol: &protocol,
        options: &options,
        scope: &scope,
        baseline: baseline.as_ref().map(|file| &file.baseline).filter(|_| !typed.update_baseline),
        paths: &paths,
        stderr: run.stderr,
        piped: piped.as_deref(),
    };
    let Fixed { tiers, diagnostics: about_changes, patch, fix_outcome, piped } = linting.change(tiers)?;
    diagnostics.extend(about_changes);
    if let Some(patch) = patch {
        results.has_failed |= !patch.is_empty();
        results.patch.get_or_insert_default().extend(patch);
        return Ok(());
    }
    let project = scope.project(&tiers, &protocol, &options, Known::default());
    diagnostics.extend(scope.warnings(&project));
    if typed.show_files {
        results.files.get_or_insert_default().extend(shown_files(&project));
        return Ok(());
    }
    let mut findings = check(&project);
    if let Some(baseline) = &mut baseline {
        findings = baseline.pass(typed, findings, &project, run.stderr)?;
    }
    let checked = counts(&project);
    // With `--fix` the text is written even if nothing changed.
    results.text = results.text.take().or(stdin.filter(|_| fix_outcome.is_some()).map(|text| piped.unwrap_or(text)));
    let fix_outcomes = fix_outcome.map(|fix_outcome| fix_outcome.files(&findings));
    results.has_failed |= findings.iter().any(|finding| options.is_failure(finding));
    results.fails_from_note |= options.fail_on == Level::Note;
    leak(project);
    leak((tiers, protocol, options));
    results.reports.push(view::ProjectReport { paths, findings, checked, fix_outcomes });
    Ok(())
}

/// `--show-files`: paths relative to the working folder. Escaped control characters keep each path on one line.
fn shown_files(project: &Project<'_>) -> Vec<String> {
    let root = project.tiers.project_root().map(Path::to_path_buf).unwrap_or_default();
    project.linted().map(|file| visible_line(&relative_to_here(&root.join(&file.path))).into_owned()).collect()
}

/// How paths of the project are shown relative to the working folder.
fn paths(project: &Path, is_only: bool, disk: &Disk) -> Paths {
    let working = env::current_dir().and_then(fs::canonicalize);
    let (Ok(project), Ok(working)) = (fs::canonicalize(project), working) else { return Paths::default() };
    let paths = if is_only { Paths::new(&project, &working) } else { Paths::among(&project, &working) };
    match repository(&project, disk) {
        Some(root) => paths.in_repository(&project, root),
        None => paths,
    }
}
