//! `render`: one prompt, or all of them.

use std::mem;

use super::all;
use super::arguments::{self, Color, Render};
use super::output::Output;
use super::report::Report;
use super::resolve::Resolved;
use super::terminal::{theme, variable, width};
use crate::assemble;
use crate::diagnostic::{Diagnostic, Problem};
use crate::digest::sha256;
use crate::prompt::{Prompt, Role};
use crate::render::{self, Format, View};
use crate::theme::Theme;

/// What came of it: warnings, or at least one error among them.
pub(super) type Outcome = Result<Vec<Diagnostic>, Vec<Diagnostic>>;

/// Runs the command; whether it could be done.
pub(super) fn run(typed: &Render, color: Color) -> bool {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    let outcome = if typed.all { all::run(typed) } else { one(typed, color) };
    let (Ok(diagnostics) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    outcome.is_ok()
}

fn one(typed: &Render, color: Color) -> Outcome {
    let Resolved { request, tiers, protocol, mut diagnostics } = Resolved::new(typed).map_err(|error| vec![error])?;
    let prompt = match assemble::render(&request, &tiers, &protocol) {
        Ok(prompt) => prompt,
        Err(failure) => {
            diagnostics.extend(failure);
            return Err(diagnostics);
        }
    };
    diagnostics.extend(prompt.diagnostics.iter().cloned());
    let shown = show(typed, &prompt, color);
    // The program ends here, and the system takes back at once what would be freed piece by piece.
    mem::forget((request, tiers, protocol, prompt));
    match shown {
        Ok(()) => Ok(diagnostics),
        Err(error) => {
            diagnostics.push(error);
            Err(diagnostics)
        }
    }
}

fn show(typed: &Render, prompt: &Prompt, color: Color) -> Result<(), Diagnostic> {
    if let Some(expected) = &typed.expect_sha256 {
        let actual = sha256(&prompt.messages);
        if *expected != actual {
            return Err(Diagnostic::new(Problem::DigestMismatch { expected: expected.clone(), actual }));
        }
    }
    let output = Output::new(typed.output.as_deref());
    let (format, theme) = (typed.format.unwrap_or_default(), theme(color, output.is_terminal(), variable));
    let view = View {
        format,
        role: typed.role.map(|role| match role {
            arguments::Role::System => Role::System,
            arguments::Role::User => Role::User,
        }),
        tokenizer: typed.tokenizer,
        // Coloured text ends on a terminal, whatever it passes through on its way.
        visible: output.is_terminal() || (format == Format::Text && theme == Theme::Coloured),
        theme,
        width: width(output.terminal_width(), variable),
    };
    output.write(|out| render::write(prompt, &view, out))
}
