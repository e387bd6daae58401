//! `lint`: checks projects and agents' working folders.

use std::io;
use std::mem;
use std::path::Path;
use std::time::Instant;

use super::arguments::Lint;
use super::lint_project::{LintResults, check_project};
use super::lint_scope::{LintTarget, targets};
use super::output::{OutputTarget, Printer};
use super::resolve::relative_to_here;
use super::run::{CommandOutcome, Run};
use super::{Exit, leak};
use crate::diagnostic::{Diagnostic, Location};
use crate::lint::view::{self, LintView, ListedNotes};
use crate::lint::{RULES, Rule, Selector, page, unknown_help};
use crate::write::screen::Escaping;

pub(super) fn run(typed: &Lint, run: &mut Run<'_>) -> CommandOutcome {
    run.show_progress();
    match &typed.explain {
        Some(asked) => explain(asked, &run.printer(typed.output.as_deref(), false)),
        None => lint(typed, run),
    }
}

/// Writes the page of a rule, the pages of all rules for `ALL`, or one line per rule for a group or a code prefix.
fn explain(asked: &str, printer: &Printer) -> CommandOutcome {
    let unknown = |nearest: Option<String>| {
        Diagnostic::invalid(format!("unknown rule or group `{asked}`"), unknown_help(nearest.as_deref()))
    };
    let selector = Selector::parse(asked).map_err(unknown)?;
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| selector.names(rule)).collect();
    let text = match selector {
        Selector::Rule(rule) => page::text(rule, printer.screen),
        Selector::All | Selector::Group(_) | Selector::Beginning(..) => page::list(&rules, printer.screen),
    };
    printer.output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Exit::Success)
}

fn lint(typed: &Lint, run: &mut Run<'_>) -> CommandOutcome {
    let start = Instant::now();
    let format = typed.format.unwrap_or_default();
    if typed.statistics && !format.has_statistics() {
        let help = "use text, concise, json or jsonl, or leave out --statistics";
        return Err(Diagnostic::invalid(format!("`{format}` cannot show statistics"), help).into());
    }
    // This thread works too, since its part of the heap is the cheapest to grow.
    let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    let (projects, warnings) = targets(typed, &run.here)?;
    if projects.len() > 1 {
        check_flags_for_several(typed, &projects)?;
    }
    let mut all = LintResults { diagnostics: warnings, ..LintResults::default() };
    check(typed, projects, run, &mut all);
    let printer = run.printer(typed.output.as_deref(), false);
    let lists = lists(typed, all.fails_from_note);
    let view = LintView { format, statistics: typed.statistics, screen: printer.screen, lists };
    // Only a terminal shows the time: a file or pipe gets the same bytes each time.
    let seconds = printer.screen.visible.then(|| start.elapsed().as_secs_f64());
    let written = write(&mut all, &view, seconds, &printer);
    run.diagnostics.extend(all.diagnostics);
    run.diagnostics.extend(written.err());
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
    Err(Diagnostic::invalid(what, "run it once per project, with --project"))
}

/// Checks each project. One that fails does not stop the others.
fn check(typed: &Lint, projects: Vec<LintTarget>, run: &Run<'_>, all: &mut LintResults) {
    let is_only = projects.len() == 1;
    for target in projects {
        let folder = target.flags.tiers.project.clone().filter(|_| !is_only);
        let mut found = Vec::new();
        if let Err(error) = check_project(typed, target, is_only, run, all, &mut found) {
            found = vec![error];
        }
        for diagnostic in found {
            let diagnostic = placed(diagnostic, folder.as_deref());
            // An error in the arguments is the same in each project.
            if !all.diagnostics.contains(&diagnostic) {
                all.diagnostics.push(diagnostic);
            }
        }
    }
}

fn write(all: &mut LintResults, view: &LintView, seconds: Option<f64>, printer: &Printer) -> Result<(), Diagnostic> {
    let projects = mem::take(&mut all.reports);
    if !projects.is_empty() {
        let report = view::LintReport { projects, seconds };
        let written = match &all.text {
            Some(text) => write_text(text, &report, view, &printer.output),
            None => printer.output.write(|out| Ok(view::write(&report, view, out)?)),
        };
        leak(report);
        return written;
    }
    match (&all.patch, &all.files) {
        (Some(patch), _) => printer
            .output
            .write(|out| printer.screen.write_escaped(Escaping::Text, out, |out| Ok(out.write_all(patch)?))),
        (None, Some(files)) => {
            printer.output.write(|out| Ok(files.iter().try_for_each(|file| writeln!(out, "{file}"))?))
        }
        (None, None) => Ok(()),
    }
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
    let (Some(project), Some(at)) = (project, &diagnostic.at) else { return diagnostic };
    if at.tier() != "project" {
        return diagnostic;
    }
    let (path, position) = (relative_to_here(&project.join(at.path())), at.position());
    Diagnostic { at: Some(Location::File { tier: "".into(), path, revision: None, position }), ..diagnostic }
}
