//! What is said on standard error: sentences for people, or one JSON object for programs.

use std::io::{self, IsTerminal, Write};

use super::terminal::{theme, variable, width};
use super::{Ended, screen};
use crate::cli::arguments::Color;
use crate::diagnostic::{Diagnostic, Problem, Severity, print};
use crate::render::json;
use crate::text::visible::visible;
use crate::theme::Theme;

/// What came of a comparison: whether it found a difference that counts, and warnings; or at least one error among them.
pub(super) type Outcome = Result<(bool, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Who reads standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// People.
    Words {
        /// With or without colours.
        theme: Theme,
        /// Columns.
        width: usize,
    },
    /// A program: silence, or the first error as one object.
    Json,
}

impl Report {
    /// For a format that programs read, or one that people do.
    pub(super) fn new(is_machine: bool, color: Color) -> Self {
        if is_machine {
            Self::Json
        } else {
            let is_terminal = io::stderr().is_terminal();
            let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0.into());
            Self::Words { theme: theme(color, is_terminal, variable), width: width(columns, variable) }
        }
    }

    /// Writes errors and warnings. Notes stand in the output, where they belong.
    pub(super) fn write(self, diagnostics: &[Diagnostic]) {
        screen::make_way();
        let text = self.text(diagnostics);
        // The words are visible by themselves; JSON is exact, unless it is people who look at it.
        let text = if self == Self::Json && io::stderr().is_terminal() { visible(&text) } else { text.into() };
        // There is nobody left to tell when standard error is closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Writes what is to be said of a comparison; how the command ended.
    pub(super) fn end(self, outcome: &Outcome) -> Ended {
        let (Ok((_, diagnostics)) | Err(diagnostics)) = outcome;
        self.write(diagnostics);
        match outcome {
            Ok((true, _)) => Ended::Found,
            Ok((false, _)) => Ended::Well,
            Err(_) => Ended::Failed,
        }
    }

    fn text(self, diagnostics: &[Diagnostic]) -> String {
        match self {
            Self::Words { theme, width } => {
                // A note about which assembler was asked stands in no prompt.
                let is_said = |diagnostic: &&Diagnostic| {
                    diagnostic.severity() >= Severity::Warning
                        || matches!(diagnostic.problem, Problem::FolderOfAgents { .. })
                };
                diagnostics.iter().filter(is_said).map(|diagnostic| print(diagnostic, theme, width)).collect()
            }
            Self::Json => {
                let error = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
                error.map_or_else(String::new, one_object)
            }
        }
    }
}

/// `{"error": …}` on a line.
fn one_object(error: &Diagnostic) -> String {
    let mut out = Vec::new();
    // Writing into a vector cannot fail, and JSON is UTF-8.
    let _ = json::write_error(error, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Problem;

    fn both() -> [Diagnostic; 2] {
        [
            Diagnostic::new(Problem::EmptyPrompt),
            Diagnostic::new(Problem::InvalidArgument { what: "no".to_string(), help: Some("yes".to_string()) }),
        ]
    }

    #[test]
    fn programs_get_the_error_alone() {
        let json: serde_json::Value = serde_json::from_str(&Report::Json.text(&both())).unwrap();
        let expected = serde_json::json!({
            "error": {"code": "invalid_argument", "message": "no", "help": "yes", "source": null}
        });
        assert_eq!(json, expected);
        assert_eq!(Report::Json.text(&both()[..1]), "");
    }

    #[test]
    fn people_get_all_of_it() {
        let text = Report::Words { theme: Theme::Plain, width: 80 }.text(&both());
        assert!(text.contains("warning[empty_prompt]"), "{text}");
        assert!(text.contains("error[invalid_argument]: no"), "{text}");
    }
}
