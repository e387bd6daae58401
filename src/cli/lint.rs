//! `lint`: checks projects and agents' working folders.

use std::io::{self, Write as _};
use std::mem;
use std::path::Path;
use std::time::Instant;

use super::arguments::{Color, Lint};
use super::lint_project::{LintResults, check_project};
use super::lint_scope::{LintTarget, targets};
use super::output::{OutputTarget, Printer};
use super::report::{CommandOutcome, StderrReport};
use super::resolve::{relative_to_here, wrong};
use super::watch;
use super::{Exit, leak, lint_explain};
use crate::diagnostic::{Diagnostic, Location};
use crate::lint::Selector;
use crate::lint::view::{self, LintView, ListedNotes};
use crate::read::store::Surroundings;
use crate::text::visible::VisibleWriter;

pub(super) fn run(typed: &Lint, color: Color) -> Exit {
    let report = || StderrReport::for_format("lint", typed.format, color);
    watch::run(typed.watch, typed.output.as_deref(), color, report, |report, here| {
        report.show_progress();
        report.run(|diagnostics| match &typed.explain {
            Some(rule) => lint_explain::explain(rule, typed.output.as_deref(), color),
            None => lint(typed, color, here, report, diagnostics),
        })
    })
}

fn lint(
    typed: &Lint,
    color: Color,
    here: &Surroundings<'_>,
    stderr: StderrReport,
    diagnostics: &mut Vec<Diagnostic>,
) -> CommandOutcome {
    let start = Instant::now();
    let format = typed.format.unwrap_or_default();
    if typed.statistics && !format.has_statistics() {
        let help = "use text, concise, json or jsonl, or leave out --statistics";
        return Err(wrong(&format!("`{format}` cannot show statistics"), help).into());
    }
    // This thread works too, since its part of the heap is the cheapest to grow.
    let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    let (projects, warnings) = targets(typed, here)?;
    if projects.len() > 1 {
        check_flags_for_several(typed, &projects)?;
    }
    let mut all = check(typed, projects, warnings, here, stderr);
    let printer = Printer::new(typed.output.as_deref(), color, false);
    let Printer { theme, width, visible, .. } = printer;
    let view = LintView {
        format,
        statistics: typed.statistics,
        theme,
        width,
        visible,
        lists: lists(typed, all.fails_from_note),
    };
    // Only a terminal shows the time: a file or pipe gets the same bytes each time.
    let seconds = visible.then(|| start.elapsed().as_secs_f64());
    write(&mut all, &view, seconds, &printer.output);
    diagnostics.extend(all.diagnostics);
    Ok(if all.has_failed { Exit::Findings } else { Exit::Success })
}

/// The rules whose notes are listed one by one: the selected ones, or all if notes make the run fail.
fn lists(typed: &Lint, fails_from_note: bool) -> ListedNotes {
    if fails_from_note {
        return ListedNotes::All;
    }
    let named = typed.select.iter().filter_map(|word| match Selector::parse(word) {
        Ok(Selector::Rule(rule)) => Some(rule.code),
        _ => None,
    });
    ListedNotes::Codes(named.collect())
}

/// Refuses flags for one project if there are several.
fn check_flags_for_several(typed: &Lint, projects: &[LintTarget]) -> Result<(), Diagnostic> {
    let flags = [(typed.baseline.is_some(), "--baseline"), (typed.show_settings, "--show-settings")];
    let Some((_, flag)) = flags.iter().find(|(is_typed, _)| *is_typed) else { return Ok(()) };
    let folders = projects.iter().filter_map(|target| target.flags.tiers.project.as_deref());
    let shown: Vec<String> = folders.map(relative_to_here).collect();
    let what =
        format!("{flag} is for one project, and the paths are in {} projects: {}", shown.len(), shown.join(", "));
    Err(wrong(&what, "run it once per project, with --project"))
}

/// Checks each project. One that fails does not stop the others.
fn check(
    typed: &Lint,
    projects: Vec<LintTarget>,
    warnings: Vec<Diagnostic>,
    here: &Surroundings<'_>,
    stderr: StderrReport,
) -> LintResults {
    let is_only = projects.len() == 1;
    let mut all = LintResults { diagnostics: warnings, ..LintResults::default() };
    for target in projects {
        let folder = target.flags.tiers.project.clone().filter(|_| !is_only);
        let result = check_project(typed, target, is_only, here, stderr);
        let mut result =
            result.unwrap_or_else(|error| LintResults { diagnostics: vec![error], ..LintResults::default() });
        result.diagnostics = result.diagnostics.into_iter().map(|it| placed(it, folder.as_deref())).collect();
        all.add(result);
    }
    all
}

fn write(all: &mut LintResults, view: &LintView, seconds: Option<f64>, output: &OutputTarget) {
    let reports = mem::take(&mut all.reports);
    let written = if !reports.is_empty() {
        let report = view::LintReport { projects: reports, seconds };
        let written = match &all.text {
            Some(text) => write_text(text, &report, view, output),
            None => output.write(|out| Ok(view::write(&report, view, out)?)),
        };
        leak(report);
        written
    } else if let Some(patch) = &all.patch {
        output.write(|out| match view.visible {
            true => Ok(VisibleWriter::new(out).write_all(patch)?),
            false => Ok(out.write_all(patch)?),
        })
    } else if let Some(files) = &all.files {
        output.write(|out| Ok(files.iter().try_for_each(|file| writeln!(out, "{file}"))?))
    } else {
        Ok(())
    };
    all.diagnostics.extend(written.err());
}

/// Standard output gets the fixed text; the report goes to standard error, or to the file of `-o`.
fn write_text(
    text: &[u8],
    report: &view::LintReport,
    view: &LintView,
    output: &OutputTarget,
) -> Result<(), Diagnostic> {
    OutputTarget::Standard.write(|out| Ok(out.write_all(text)?))?;
    if *output != OutputTarget::Standard {
        return output.write(|out| Ok(view::write(report, view, out)?));
    }
    // Standard error may be closed.
    let _ = view::write(report, view, &mut io::stderr().lock());
    Ok(())
}

/// Makes the path relative to the working folder, as there are several projects.
fn placed(diagnostic: Diagnostic, project: Option<&Path>) -> Diagnostic {
    let Some(project) = project else { return diagnostic };
    let (tier, path, position) = match &diagnostic.at {
        Some(Location::Span(span)) => {
            let source = span.source();
            (source.tier(), source.path(), Some(source.position(span.range().start)))
        }
        Some(Location::File { tier, path, position, .. }) => (&**tier, path.as_str(), *position),
        None => return diagnostic,
    };
    if tier != "project" {
        return diagnostic;
    }
    let path = relative_to_here(&project.join(path));
    Diagnostic { at: Some(Location::File { tier: "".into(), path, revision: None, position }), ..diagnostic }
}
