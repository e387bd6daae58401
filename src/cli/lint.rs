//! `lint`: what is wrong in a project.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, mem};

use super::Ended;
use super::arguments::{Color, Lint};
use super::lint_baseline::BaselineFile;
use super::lint_explain;
use super::lint_fix::Linting;
use super::lint_scope::{self, Asked};
use super::lint_settings;
use super::output::Output;
use super::report::{Outcome, Report};
use super::resolve::{Resolved, wrong};
use super::terminal::{theme, variable, width};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::view::{self, Checked, Format, Paths, View};
use crate::lint::{FileKind, Options, Project, Typed, check};
use crate::store::ItemKind;
use crate::text::Span;

/// Runs the command.
pub(super) fn run(typed: Lint, color: Color) -> Ended {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    let mut outcome = match &typed.explain {
        Some(asked) => lint_explain::explain(asked, typed.output.as_deref(), color),
        None => lint(typed, color),
    };
    // An error is an error, whatever else was done.
    if let Ok((_, diagnostics)) = &mut outcome
        && diagnostics.iter().any(|diagnostic| diagnostic.severity() >= Severity::Error)
    {
        outcome = Err(mem::take(diagnostics));
    }
    report.end(&outcome)
}

fn lint(mut typed: Lint, color: Color) -> Outcome {
    let begun = Instant::now();
    let format = typed.format.unwrap_or_default();
    if typed.statistics && !format.has_statistics() {
        let help = "use text, concise, json or jsonl, or leave out --statistics";
        return Err(vec![wrong(&format!("`{format}` has no place for statistics"), help)]);
    }
    // This thread works, too: it has the part of memory that grows at the least cost.
    let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    let flags = lint_scope::flags(&mut typed).map_err(|error| vec![error])?;
    let Asked { scope, replaced, diagnostics: about_paths } =
        lint_scope::asked(&typed, &flags).map_err(|error| vec![error])?;
    let resolved = Resolved::replacing(&flags, replaced).map_err(|error| vec![error])?;
    let Resolved { tiers, protocol, settings, mut diagnostics, .. } = resolved;
    diagnostics.extend(about_paths);
    let rules = Typed { select: &typed.select, ignore: &typed.ignore, exclude: &typed.exclude, fail_on: typed.fail_on };
    let options = Options::new(&settings, &rules).map_err(|error| vec![error])?;
    if typed.show_settings {
        return lint_settings::show(&typed, &flags, &settings)
            .map(|()| (false, diagnostics))
            .map_err(|error| vec![error]);
    }
    let Some(root) = tiers.project_root() else {
        let help = "go to its folder, or name it with --project";
        return Err(vec![wrong("there is no project that could be checked", help)]);
    };
    let paths = paths(root);
    let tiers = tiers.keeping(None);
    let mut kept = BaselineFile::read(&typed).map_err(|error| vec![error])?;
    let linting = Linting {
        typed: &typed,
        protocol: &protocol,
        options: &options,
        scope: &scope,
        baseline: kept.as_ref().map(|kept| &kept.baseline).filter(|_| !typed.update_baseline),
        speaks: !format.is_machine(),
    };
    let changed = linting.change(tiers).map_err(|error| vec![error])?;
    diagnostics.extend(changed.diagnostics);
    if let Some(would_differ) = changed.would_differ {
        return Ok((would_differ, diagnostics));
    }
    let (speaks, tiers) = (linting.speaks, changed.tiers);
    let project = scope.project(&tiers, &protocol, &options);
    if typed.show_files {
        let shown = lint_scope::show_files(&project, &Output::new(typed.output.as_deref()));
        return shown.map(|()| (false, diagnostics)).map_err(|error| vec![error]);
    }
    let mut findings = check(&project);
    if let Some(kept) = &mut kept {
        findings = kept.pass(&typed, findings, &project, speaks).map_err(|error| vec![error])?;
    }
    let of_kind = |kind| project.linted().filter(|file| file.kind == FileKind::Item(kind)).count();
    let checked = Checked {
        directives: of_kind(ItemKind::Directive),
        knowledge: of_kind(ItemKind::Knowledge),
        tools: of_kind(ItemKind::Tool),
        hooks: linted_hooks(&project),
        seconds: begun.elapsed().as_secs_f64(),
    };
    let fail_on = options.fail_on.severity();
    let has_failed = fail_on.is_some_and(|from| findings.iter().any(|finding| finding.severity >= from));
    let output = Output::new(typed.output.as_deref());
    let view = View {
        format,
        statistics: typed.statistics,
        paths,
        theme: theme(color, output.is_terminal(), variable),
        width: width(output.terminal_width(), variable),
        visible: output.is_terminal(),
    };
    let report = view::Report { findings, checked };
    let written: Result<(), Diagnostic> = output.write(|out| Ok(view::write(&report, &view, out)?));
    // The program ends here, and the system takes back at once what would be freed piece by piece.
    mem::forget((project, report));
    mem::forget((tiers, protocol, options));
    match written {
        Ok(()) => Ok((has_failed, diagnostics)),
        Err(error) => Err(diagnostics.into_iter().chain([error]).collect()),
    }
}

/// How many hooks the configuration has in files that are checked; a bundle's are others' work.
fn linted_hooks(project: &Project<'_>) -> usize {
    let linted: HashSet<&str> = project.linted().map(|file| file.path.as_str()).collect();
    let places = project.configured_hooks().filter_map(|hook| hook.span.as_ref()).map(Span::source);
    places.filter(|source| source.tier() == "project" && linted.contains(source.path())).count()
}

/// How the files of a project are called from the working folder.
fn paths(project: &Path) -> Paths {
    let working = env::current_dir().and_then(fs::canonicalize);
    match (fs::canonicalize(project), working) {
        (Ok(project), Ok(working)) => Paths::new(&project, &working),
        // Without a working folder nothing can lie below it.
        _ => Paths::default(),
    }
}
