//! What `lint` does in one project.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use super::arguments::Lint;
use super::leave;
use super::lint_baseline::BaselineFile;
use super::lint_fix::{Changed, Linting};
use super::lint_folder;
use super::lint_scope::{OfProject, shown_files};
use super::lint_settings;
use super::resolve::{Resolved, wrong};
use crate::diagnostic::Diagnostic;
use crate::lint::folders::AgentFile;
use crate::lint::scope::repository;
use crate::lint::view::{self, Checked, Paths};
use crate::lint::{FileKind, Level, Options, Project, Typed, check};
use crate::store::ItemKind;
use crate::text::Span;

/// What came of a project.
pub(super) struct Looked {
    /// What is to be written.
    pub done: Done,
    /// Whether it is worth a failure.
    pub has_failed: bool,
    /// Whether a note is worth one.
    pub fails_from_note: bool,
    /// What standard input became, which goes to standard output.
    pub text: Option<Vec<u8>>,
    /// Warnings, and errors that left a result all the same.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is to be written about a project.
pub(super) enum Done {
    /// Nothing more: the settings were shown, or there was an error.
    Nothing,
    /// `--show-files`: the files that are checked.
    Files(Vec<String>),
    /// `--diff`
    Patch(Vec<u8>),
    /// What was found.
    Report(view::OfProject),
}

/// Looks at a project, one of several or the only one.
///
/// # Errors
/// Whatever keeps it from being looked at.
pub(super) fn look(typed: &Lint, asked: OfProject, is_only: bool, speaks: bool) -> Result<Looked, Diagnostic> {
    let OfProject { flags, scope, replaced, stdin } = asked;
    let piped = replaced.as_ref().map(|(path, _)| path.clone());
    let resolved = match &scope.around {
        None => Resolved::replacing(&flags, replaced)?,
        Some(around) => lint_folder::resolved(&flags, around, replaced)?,
    };
    let Resolved { tiers, protocol, settings, mut diagnostics, .. } = resolved;
    let rules = Typed { select: &typed.select, ignore: &typed.ignore, exclude: &typed.exclude, fail_on: typed.fail_on };
    let options = Options::new(&settings, &rules)?;
    if typed.show_settings {
        lint_settings::show(typed, &flags, &settings, scope.around.is_some())?;
        return Ok(Looked { done: Done::Nothing, has_failed: false, fails_from_note: false, text: None, diagnostics });
    }
    let Some(root) = tiers.project_root() else {
        let help = "go to its folder, or name it with --project";
        return Err(wrong("there is no project that could be checked", help));
    };
    let paths = match &scope.around {
        None => paths(root, is_only),
        Some(around) => paths(root, is_only).of_agents(around.settings()),
    };
    let tiers = tiers.keeping(None);
    let mut kept = BaselineFile::read(typed)?;
    let linting = Linting {
        typed,
        protocol: &protocol,
        options: &options,
        scope: &scope,
        baseline: kept.as_ref().map(|kept| &kept.baseline).filter(|_| !typed.update_baseline),
        paths: &paths,
        speaks,
        piped: piped.as_deref(),
    };
    let Changed { tiers, diagnostics: about_changes, patch, treatment, piped } = linting.change(tiers)?;
    diagnostics.extend(about_changes);
    if let Some(patch) = patch {
        return Ok(Looked {
            has_failed: !patch.is_empty(),
            done: Done::Patch(patch),
            fails_from_note: false,
            text: None,
            diagnostics,
        });
    }
    let project = scope.project(&tiers, &protocol, &options);
    diagnostics.extend(scope.warnings(&project));
    if typed.show_files {
        return Ok(Looked {
            done: Done::Files(shown_files(&project)),
            has_failed: false,
            fails_from_note: false,
            text: None,
            diagnostics,
        });
    }
    let mut findings = check(&project);
    if let Some(kept) = &mut kept {
        findings = kept.pass(typed, findings, &project, speaks)?;
    }
    let checked = checked(&project);
    let treatment_asked = treatment.is_some();
    let treated = treatment.map(|treatment| treatment.files(&findings));
    let has_failed = findings.iter().any(|finding| options.is_failure(finding));
    // Whoever pipes a text to be put right takes what comes for it, changed or not.
    let text = stdin.filter(|_| treatment_asked).map(|text| piped.unwrap_or(text));
    let fails_from_note = options.fail_on == Level::Note;
    leave(project);
    leave((tiers, protocol, options));
    let report = view::OfProject { paths, findings, checked, treated };
    Ok(Looked { done: Done::Report(report), has_failed, fails_from_note, text, diagnostics })
}

/// How much is checked of a project.
fn checked(project: &Project<'_>) -> Checked {
    let of_kind = |kind| project.linted().filter(|file| file.kind == kind).count();
    let of_agents = project.linted().filter(|file| matches!(file.kind, FileKind::Agents(_))).count();
    let skills = of_kind(FileKind::Agents(AgentFile::Skill));
    Checked {
        directives: of_kind(FileKind::Item(ItemKind::Directive)),
        knowledge: of_kind(FileKind::Item(ItemKind::Knowledge)),
        tools: of_kind(FileKind::Item(ItemKind::Tool)),
        hooks: linted_hooks(project),
        instructions: of_agents - skills,
        skills,
    }
}

/// How many hooks the configuration has in files that are checked; a bundle's are others' work.
fn linted_hooks(project: &Project<'_>) -> usize {
    let linted: HashSet<&str> = project.linted().map(|file| file.path.as_str()).collect();
    let places = project.configured_hooks().filter_map(|hook| hook.span.as_ref()).map(Span::source);
    places.filter(|source| source.tier() == "project" && linted.contains(source.path())).count()
}

/// How the files of a project are called from the working folder.
fn paths(project: &Path, is_only: bool) -> Paths {
    let working = env::current_dir().and_then(fs::canonicalize);
    // Without a working folder nothing can lie below it.
    let (Ok(project), Ok(working)) = (fs::canonicalize(project), working) else { return Paths::default() };
    let paths = if is_only { Paths::new(&project, &working) } else { Paths::among(&project, &working) };
    match repository(&project) {
        Some(root) => paths.in_repository(&project, root),
        None => paths,
    }
}
