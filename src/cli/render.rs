//! `render`: one prompt, or all of them.

use std::mem;

use super::all;
use super::arguments::{Color, Render};
use super::assembler;
use super::folder::{Folder, unsigned};
use super::output::Output;
use super::progress;
use super::report::Report;
use super::resolve::{Resolved, check_render, wrong};
use super::terminal::{theme, variable, width};
use super::watch::{self, Runs};
use super::{Ended, leave};
use crate::assemble;
use crate::diagnostic::{Diagnostic, Problem};
use crate::digest::sha256;
use crate::prompt::Prompt;
use crate::protocol::Protocol;
use crate::render::{self, Format, View};
use crate::request::Request;
use crate::sf;
use crate::store::Tiers;
use crate::theme::Theme;
use crate::trust::{PromptTrust, Verifier};

/// What came of it: warnings, or at least one error among them.
pub(super) type Outcome = Result<Vec<Diagnostic>, Vec<Diagnostic>>;

/// Runs the command.
pub(super) fn run(typed: &Render, color: Color) -> Ended {
    let is_machine = typed.format.is_some_and(Format::is_machine);
    let runs = Runs { is_watched: typed.watch, output: typed.output.as_deref(), is_machine, color };
    watch::run(&runs, |report| once(typed, color, report))
}

fn once(typed: &Render, color: Color, report: Report) -> Ended {
    if typed.all {
        progress::begin(report);
    }
    let checked = check_render(typed).map_err(|error| vec![error]);
    let outcome = checked.and_then(|()| if typed.all { all::run(typed) } else { one(typed, color) });
    let (Ok(diagnostics) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    Ended::of(&outcome)
}

fn one(typed: &Render, color: Color) -> Outcome {
    if let Some(protocol) = assembler::named(&typed.prompt, &typed.folder).map_err(|error| vec![error])? {
        return of_folder(typed, protocol, color);
    }
    if typed.directive.is_none() {
        return Err(vec![assembler::nothing_named()]);
    }
    let resolved = Resolved::new(typed.directive.as_deref(), &typed.prompt).map_err(|error| vec![error])?;
    let Resolved { request, tiers, protocol, mut diagnostics, .. } = resolved;
    let mut prompt = rendered(&request, &tiers, &protocol, &mut diagnostics)?;
    let format = typed.format.unwrap_or_default();
    if typed.trust.verify || format == Format::Json {
        let verifier = Verifier::new(&tiers);
        let trust = prompt.trust.insert(verifier.prompt(&prompt));
        diagnostics.extend(verifier.diagnostics());
        if typed.trust.verify {
            let refused = refusals(trust, format.is_machine(), typed.trust.trust_project_keys);
            if !refused.is_empty() {
                diagnostics.extend(refused);
                return Err(diagnostics);
            }
        }
    }
    let shown = show(typed, &prompt, color);
    leave((request, tiers, protocol, prompt));
    finished(shown, diagnostics)
}

/// The prompt of an agent in a folder.
fn of_folder(typed: &Render, protocol: sf::Protocol, color: Color) -> Outcome {
    if typed.trust.verify {
        return Err(vec![unsigned()]);
    }
    let is_body = matches!(typed.format, Some(Format::Anthropic | Format::Openai));
    if is_body && typed.prompt.model.is_none() {
        return Err(vec![wrong("the body of a request names a model, and a folder has none", "name one with --model")]);
    }
    let folder = Folder::new(&typed.folder, &typed.prompt, typed.directive.as_deref(), protocol);
    let prompt = folder.map_err(|error| vec![error])?.prompt()?;
    let diagnostics = prompt.diagnostics.clone();
    finished(show(typed, &prompt, color), diagnostics)
}

/// What is wrong with the parts of a prompt that are not to be trusted: a sentence for each, or all in one for a program.
fn refusals(trust: &PromptTrust, is_machine: bool, with_project_keys: bool) -> Vec<Diagnostic> {
    if is_machine { trust.refusal(with_project_keys).into_iter().collect() } else { trust.refusals(with_project_keys) }
}

/// The prompt, whose diagnostics come behind those that there are.
pub(super) fn rendered(
    request: &Request,
    tiers: &Tiers,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Prompt, Vec<Diagnostic>> {
    match assemble::render(request, tiers, protocol) {
        Ok(prompt) => {
            diagnostics.extend(prompt.diagnostics.iter().cloned());
            Ok(prompt)
        }
        Err(failure) => {
            diagnostics.extend(failure);
            Err(mem::take(diagnostics))
        }
    }
}

/// The end of a command that has written what it shows, or could not.
pub(super) fn finished(written: Result<(), Diagnostic>, mut diagnostics: Vec<Diagnostic>) -> Outcome {
    match written {
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
        role: typed.role.map(Into::into),
        tokenizer: typed.tokenizer,
        // Coloured text ends on a terminal, whatever it passes through on its way.
        visible: output.is_terminal() || (format == Format::Text && theme == Theme::Coloured),
        theme,
        width: width(output.terminal_width(), variable),
    };
    output.write(|out| render::write(prompt, &view, out))
}
