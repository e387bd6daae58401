//! A run of a command, and its errors and warnings on standard error: sentences for people, or one JSON object for
//! programs.

use std::env;
use std::io::{self, IsTerminal, Write};

use super::arguments::Color;
use super::machine_formats::is_for_programs;
use super::terminal::{theme, variable, width};
use super::{Exit, pending};
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::prompt::json;
use crate::read::store::Surroundings;
use crate::write::notice::print_all;
use crate::write::screen::{Escaping, Screen};
use crate::write::theme::Theme;

pub(super) use crate::diagnostic::Failure;

/// How a command ended; warnings are reported separately.
pub(super) type CommandOutcome = Result<Exit, Failure>;

/// A run of a command: where it runs, and what it reports besides its result.
pub(super) struct Run<'a> {
    pub here: Surroundings<'a>,
    pub color: Color,
    pub stderr: StderrReport,
    /// Warnings, and errors that do not prevent a result.
    pub diagnostics: Vec<Diagnostic>,
}

impl Run<'_> {
    /// A run in this process. The format decides whether programs read standard error.
    pub(super) fn new(command: &str, format: Option<impl Into<&'static str>>, color: Color) -> Self {
        let is_for_programs = format.is_some_and(|format| is_for_programs(command, format.into()));
        let (here, stderr) = (Surroundings::of_process(), StderrReport::new(is_for_programs, color));
        Self { here, color, stderr, diagnostics: Vec::new() }
    }

    /// Runs the command and reports the diagnostics that it collects, then why it failed. Returns failure if one of them
    /// is an error, even if there is a result.
    pub(super) fn end(mut self, command: impl FnOnce(&mut Self) -> CommandOutcome) -> Exit {
        let exit = command(&mut self).unwrap_or_else(|failure| {
            self.diagnostics.extend(failure.0);
            Exit::Failure
        });
        self.stderr.write(&self.diagnostics);
        if has_error(&self.diagnostics) { Exit::Failure } else { exit }
    }

    /// Shows the progress of long work, unless standard error is for programs.
    pub(super) fn show_progress(&self) {
        if self.stderr != StderrReport::Json {
            pending::show_progress();
        }
    }
}

/// The format of standard error, for people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StderrReport {
    /// With the width at which to wrap the first line of a diagnostic, unless programs may read it.
    Words {
        theme: Theme,
        width: usize,
        title_width: Option<usize>,
    },
    Json,
}

impl StderrReport {
    pub(super) fn new(is_for_programs: bool, color: Color) -> Self {
        if is_for_programs {
            return Self::Json;
        }
        let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0.into());
        let (is_terminal, width) = (io::stderr().is_terminal(), width(columns, variable));
        Self::Words { theme: theme(color, is_terminal, variable), width, title_width: is_terminal.then_some(width) }
    }

    /// Tells people what was done, unless standard error is for programs.
    pub(super) fn say(self, lines: &str) {
        if self != Self::Json {
            pending::clear();
            // Standard error may be closed.
            let _ = writeln!(io::stderr().lock(), "{lines}");
        }
    }

    pub(super) fn write(self, diagnostics: &[Diagnostic]) {
        pending::clear();
        let gone = has_error(diagnostics).then(folder_gone).flatten();
        let text = self.text(&gone.into_iter().chain(diagnostics.iter().cloned()).collect::<Vec<_>>());
        let mut stderr = io::stderr().lock();
        let screen = Screen { visible: stderr.is_terminal(), ..Screen::default() };
        let escaping = if self == Self::Json { Escaping::Json } else { Escaping::Itself };
        // Standard error may be closed.
        let _ = screen.write_escaped(escaping, &mut stderr, |out| out.write_all(text.as_bytes()));
    }

    fn text(self, diagnostics: &[Diagnostic]) -> String {
        match self {
            Self::Words { theme, width, title_width } => {
                // Most notes are part of the result.
                let is_reported = |diagnostic: &&Diagnostic| {
                    diagnostic.severity() >= Severity::Warning
                        || matches!(
                            diagnostic.problem,
                            Problem::FolderOfAgents { .. }
                                | Problem::NothingJoins { .. }
                                | Problem::OtherReleaseRecorded { .. }
                                | Problem::OwnTextRecorded { .. }
                                | Problem::SeveralAgents { .. }
                        )
                };
                print_all(diagnostics.iter().filter(is_reported), theme, width, title_width)
            }
            Self::Json => {
                let mut out = Vec::new();
                if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error) {
                    // Writing to a vector cannot fail, and JSON is UTF-8.
                    let _ = json::write_error(error, &mut out);
                }
                String::from_utf8(out).unwrap_or_default()
            }
        }
    }
}

/// Why a command may fail in a working folder that was deleted. Other errors name paths that look right, or none.
fn folder_gone() -> Option<Diagnostic> {
    env::current_dir().err().map(|_| Diagnostic::invalid("the working folder no longer exists", "go to another folder"))
}

pub(super) fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning_and_error() -> [Diagnostic; 2] {
        [Diagnostic::new(Problem::EmptyPrompt), Diagnostic::invalid("no", "yes")]
    }

    #[test]
    fn programs_get_only_the_error() {
        let json: serde_json::Value = serde_json::from_str(&StderrReport::Json.text(&warning_and_error())).unwrap();
        let expected = serde_json::json!({
            "error": {"code": "invalid_argument", "message": "no", "help": "yes", "source": null}
        });
        assert_eq!(json, expected);
        assert_eq!(StderrReport::Json.text(&warning_and_error()[..1]), "");
    }

    #[test]
    fn people_get_warnings_and_errors() {
        let text = StderrReport::Words { theme: Theme::Plain, width: 80, title_width: None }.text(&warning_and_error());
        assert!(text.contains("warning[empty_prompt]"), "{text}");
        assert!(text.contains("error[invalid_argument]: no"), "{text}");
    }
}
