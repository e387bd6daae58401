//! `lint`: what is wrong in a project.

use std::io::{self, Write as _};
use std::mem;
use std::path::Path;
use std::time::Instant;

use super::arguments::{Color, Lint};
use super::lint_explain;
use super::lint_project::{Done, Looked, look};
use super::lint_scope::{Asked, OfProject, asked};
use super::output::Output;
use super::progress;
use super::report::{Outcome, Report};
use super::resolve::wrong;
use super::terminal::{theme, variable, width};
use super::watch::{self, Runs};
use super::{Ended, leave};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::lint::Selector;
use crate::lint::view::{self, Format, Lists, View};
use crate::text::visible::VisibleWriter;

/// Runs the command.
pub(super) fn run(typed: &Lint, color: Color) -> Ended {
    let is_machine = typed.format.is_some_and(Format::is_machine);
    let runs = Runs { is_watched: typed.watch, output: typed.output.as_deref(), is_machine, color };
    watch::run(&runs, |report| once(typed, color, report))
}

fn once(typed: &Lint, color: Color, report: Report) -> Ended {
    progress::begin(report);
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

fn lint(typed: &Lint, color: Color) -> Outcome {
    let begun = Instant::now();
    let format = typed.format.unwrap_or_default();
    if typed.statistics && !format.has_statistics() {
        let help = "use text, concise, json or jsonl, or leave out --statistics";
        return Err(vec![wrong(&format!("`{format}` has no place for statistics"), help)]);
    }
    // This thread works, too: it has the part of memory that grows at the least cost.
    let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    let Asked { projects, diagnostics } = asked(typed).map_err(|error| vec![error])?;
    let mut all = All { diagnostics, ..All::default() };
    if projects.len() > 1 {
        one_at_a_time(typed, &projects).map_err(|error| vec![error])?;
    }
    all.look(typed, projects);
    let output = Output::new(typed.output.as_deref());
    let view = View {
        format,
        statistics: typed.statistics,
        theme: theme(color, output.is_terminal(), variable),
        width: width(output.terminal_width(), variable),
        visible: output.is_terminal(),
        lists: lists(typed, all.fails_from_note),
    };
    // What goes elsewhere is the same each time.
    let seconds = output.is_terminal().then(|| begun.elapsed().as_secs_f64());
    all.write(&view, seconds, &output);
    Ok((all.has_failed, all.diagnostics))
}

/// The rules whose notes are listed each: those that were typed, or all where notes are worth a failure.
fn lists(typed: &Lint, fails_from_note: bool) -> Lists {
    if fails_from_note {
        return Lists::All;
    }
    let named = typed.select.iter().filter_map(|word| match Selector::parse(word) {
        Ok(Selector::Rule(rule)) => Some(rule.code),
        _ => None,
    });
    Lists::Codes(named.collect())
}

/// What is about one project cannot be asked of several.
fn one_at_a_time(typed: &Lint, projects: &[OfProject]) -> Result<(), Diagnostic> {
    let flags = [
        (typed.baseline.is_some(), "--baseline passes over findings"),
        (typed.show_settings, "--show-settings shows the settings"),
    ];
    let Some((_, what)) = flags.iter().find(|(is_typed, _)| *is_typed) else { return Ok(()) };
    let folders = projects.iter().filter_map(|asked| asked.flags.tiers.project.as_deref());
    let shown: Vec<String> = folders.map(shown).collect();
    let what = format!("{what} of one project, and the paths lie in {}: {}", shown.len(), shown.join(", "));
    Err(wrong(&what, "run it once for each, and name the project with --project"))
}

/// A path from the working folder, where it lies below it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_string(),
        below => below.unwrap_or(path).to_string_lossy().into_owned(),
    }
}

/// What came of all projects.
#[derive(Default)]
struct All {
    found: Vec<view::OfProject>,
    files: Option<Vec<String>>,
    patch: Option<Vec<u8>>,
    has_failed: bool,
    fails_from_note: bool,
    /// What standard input became.
    text: Option<Vec<u8>>,
    diagnostics: Vec<Diagnostic>,
}

impl All {
    /// Looks at each project. What cannot be looked at keeps nobody from the others.
    fn look(&mut self, typed: &Lint, projects: Vec<OfProject>) {
        let speaks = !typed.format.unwrap_or_default().is_machine();
        let is_only = projects.len() == 1;
        for asked in projects {
            let folder = asked.flags.tiers.project.clone().filter(|_| !is_only);
            let (done, diagnostics) = match look(typed, asked, is_only, speaks) {
                Ok(Looked { done, has_failed, fails_from_note, text, diagnostics }) => {
                    self.text = text;
                    self.has_failed |= has_failed;
                    self.fails_from_note |= fails_from_note;
                    (done, diagnostics)
                }
                Err(error) => (Done::Nothing, vec![error]),
            };
            match done {
                Done::Nothing => {}
                Done::Files(files) => self.files.get_or_insert_default().extend(files),
                Done::Patch(patch) => self.patch.get_or_insert_default().extend(patch),
                Done::Report(found) => self.found.push(found),
            }
            for diagnostic in diagnostics.into_iter().map(|it| placed(it, folder.as_deref())) {
                // What was typed wrong is wrong for each of them.
                if !self.diagnostics.contains(&diagnostic) {
                    self.diagnostics.push(diagnostic);
                }
            }
        }
    }

    /// Writes it, unless nothing could be done.
    fn write(&mut self, view: &View, seconds: Option<f64>, output: &Output) {
        let found = mem::take(&mut self.found);
        let written = if !found.is_empty() {
            let report = view::Report { projects: found, seconds };
            let written = match &self.text {
                Some(text) => write_text(text, &report, view, output),
                None => output.write(|out| Ok(view::write(&report, view, out)?)),
            };
            leave(report);
            written
        } else if let Some(patch) = &self.patch {
            output.write(|out| match view.visible {
                true => Ok(VisibleWriter::new(out).write_all(patch)?),
                false => Ok(out.write_all(patch)?),
            })
        } else if let Some(files) = &self.files {
            output.write(|out| Ok(files.iter().try_for_each(|file| writeln!(out, "{file}"))?))
        } else {
            Ok(())
        };
        self.diagnostics.extend(written.err());
    }
}

/// Standard output is what standard input became; the report goes to standard error, unless `-o` names a file for it.
fn write_text(text: &[u8], report: &view::Report, view: &View, output: &Output) -> Result<(), Diagnostic> {
    Output::Standard.write(|out| Ok(out.write_all(text)?))?;
    if *output != Output::Standard {
        return output.write(|out| Ok(view::write(report, view, out)?));
    }
    // There is nobody left to tell when standard error is closed.
    let _ = view::write(report, view, &mut io::stderr().lock());
    Ok(())
}

/// What is said of one of several projects: its files are called as they can be opened.
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
    let path = shown(&project.join(path));
    Diagnostic { at: Some(Location::File { tier: "".into(), path, revision: None, position }), ..diagnostic }
}
