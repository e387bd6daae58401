//! `lint` in one project.

use std::path::Path;
use std::{env, fs};

use super::agent_choice;
use super::arguments::{Lint, PromptFlags};
use super::leak;
use super::lint_baseline::BaselineFile;
use super::lint_fix::{Fixed, Linting};
use super::lint_folder;
use super::lint_scope::{LintTarget, shown_files};
use super::lint_settings;
use super::report::StderrReport;
use super::resolve::{Resolved, wrong};
use crate::decide::request::Request;
use crate::diagnostic::Diagnostic;
use crate::lint::scope::repository;
use crate::lint::view::{self, Paths};
use crate::lint::{Known, Level, LintFlags, LintOptions, OpenProject, check, counts};
use crate::read::settings::Settings;
use crate::read::store::{Disk, Surroundings};

/// The results for one project or several: reports, or what a flag asks for instead.
#[derive(Default)]
pub(super) struct LintResults {
    pub reports: Vec<view::ProjectReport>,
    /// `--show-files`
    pub files: Option<Vec<String>>,
    /// `--diff`
    pub patch: Option<Vec<u8>>,
    /// The fixed text of standard input.
    pub text: Option<Vec<u8>>,
    /// Whether there is a finding at or above `--fail-on`.
    pub has_failed: bool,
    /// Whether `--fail-on` is `note`.
    pub fails_from_note: bool,
    /// Warnings, and errors that do not prevent a result.
    pub diagnostics: Vec<Diagnostic>,
}

impl LintResults {
    pub(super) fn add(&mut self, other: Self) {
        self.reports.extend(other.reports);
        self.files = joined(self.files.take(), other.files);
        self.patch = joined(self.patch.take(), other.patch);
        // Only one project can come from standard input.
        self.text = self.text.take().or(other.text);
        self.has_failed |= other.has_failed;
        self.fails_from_note |= other.fails_from_note;
        for diagnostic in other.diagnostics {
            // An error in the arguments is the same in each project.
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

fn joined<T>(these: Option<Vec<T>>, those: Option<Vec<T>>) -> Option<Vec<T>> {
    match (these, those) {
        (Some(these), Some(those)) => Some(these.into_iter().chain(those).collect()),
        (these, those) => these.or(those),
    }
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
        Some(around) => around.agents = lint_folder::agents(typed, &around.root, &settings, here)?,
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
    here: &Surroundings<'_>,
    stderr: StderrReport,
) -> Result<LintResults, Diagnostic> {
    let (piped, stdin) = (target.replaced.as_ref().map(|(path, _)| path.clone()), target.stdin.clone());
    let Opened { flags, settings, mut diagnostics, project, .. } = open(typed, target, here)?;
    if typed.show_settings {
        lint_settings::show(typed, &flags, &settings, project.scope.around.is_some())?;
        return Ok(LintResults { diagnostics, ..LintResults::default() });
    }
    let OpenProject { tiers, protocol, options, scope } = project;
    let Some(root) = tiers.project_root() else {
        return Err(wrong("no project found", "go to its folder, or name it: rye-render lint FOLDER"));
    };
    let paths = match &scope.around {
        None => paths(root, is_only, &here.disk),
        Some(around) => paths(root, is_only, &here.disk).of_agents(around.settings.clone()),
    };
    let mut baseline = BaselineFile::read(typed, &here.disk)?;
    let linting = Linting {
        typed,
        protocol: &protocol,
        options: &options,
        scope: &scope,
        baseline: baseline.as_ref().map(|file| &file.baseline).filter(|_| !typed.update_baseline),
        paths: &paths,
        stderr,
        piped: piped.as_deref(),
    };
    let Fixed { tiers, diagnostics: about_changes, patch, fix_outcome, piped } = linting.change(tiers)?;
    diagnostics.extend(about_changes);
    if let Some(patch) = patch {
        let has_failed = !patch.is_empty();
        return Ok(LintResults { patch: Some(patch), has_failed, diagnostics, ..LintResults::default() });
    }
    let project = scope.project(&tiers, &protocol, &options, Known::default());
    diagnostics.extend(scope.warnings(&project));
    if typed.show_files {
        let files = Some(shown_files(&project));
        return Ok(LintResults { files, diagnostics, ..LintResults::default() });
    }
    let mut findings = check(&project);
    if let Some(baseline) = &mut baseline {
        findings = baseline.pass(typed, findings, &project, stderr)?;
    }
    let checked = counts(&project);
    let has_fixes = fix_outcome.is_some();
    let fix_outcomes = fix_outcome.map(|fix_outcome| fix_outcome.files(&findings));
    let has_failed = findings.iter().any(|finding| options.is_failure(finding));
    let fails_from_note = options.fail_on == Level::Note;
    // With `--fix` the text is written even if nothing changed.
    let text = stdin.filter(|_| has_fixes).map(|text| piped.unwrap_or(text));
    leak(project);
    leak((tiers, protocol, options));
    let reports = vec![view::ProjectReport { paths, findings, checked, fix_outcomes }];
    Ok(LintResults { reports, text, has_failed, fails_from_note, diagnostics, ..LintResults::default() })
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
