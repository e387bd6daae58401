//! `render`: one prompt, or all of them.

use super::arguments::Render;
use super::assembler::{FolderTarget, no_directive};
use super::folder::{no_events, unsigned};
use super::resolve::{Asked, Resolved};
use super::run::{CommandOutcome, Run};
use super::{Exit, leak, machine_formats, render_all};
use crate::answer::render::{self, RenderFormat, RenderView};
use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::assemble;
use crate::prompt::digest::sha256;
use crate::prompt::{Prompt, PromptTrust, Verifier};

pub(super) fn run(typed: &Render, run: &mut Run<'_>) -> CommandOutcome {
    if typed.all {
        run.show_progress();
    }
    check(typed)?;
    if typed.all { render_all::run(typed, run) } else { one(typed, run) }
}

/// Checks combinations that the parser does not.
fn check(typed: &Render) -> Result<(), Diagnostic> {
    let is_lines = typed.format == Some(RenderFormat::Jsonl);
    match typed.format {
        Some(format) if typed.role.is_some() && !matches!(format, RenderFormat::Text | RenderFormat::Plain) => {
            Err(Diagnostic::invalid("--role requires --format text or plain", "leave one of the two out"))
        }
        Some(format) if typed.all && !is_lines && format != RenderFormat::Json => {
            Err(Diagnostic::invalid("--all writes JSON", "leave --format out"))
        }
        _ if typed.all && typed.folder.agent.is_some() => {
            let help = "leave it out, or name a folder in the place of --all";
            Err(Diagnostic::invalid("--all renders directives, and --agent the files of a folder", help))
        }
        _ if typed.all && !is_lines && typed.output.is_none() => {
            Err(Diagnostic::invalid("--all requires -o <DIR>", "add it, or write lines with --format jsonl"))
        }
        _ => Ok(()),
    }
}

fn one(typed: &Render, run: &mut Run<'_>) -> CommandOutcome {
    let directive = typed.directive.as_deref();
    let asked = Asked { prompt: &typed.prompt, folder: &typed.folder, here: &run.here };
    if let Some((target, note)) = asked.found_folder(directive)? {
        run.diagnostics.extend(note);
        return of_folder(typed, target, run);
    }
    if directive.is_none() {
        return Err(no_directive().into());
    }
    let resolved = Resolved::new(directive, &typed.prompt, run)?;
    let mut prompt = rendered(&resolved, &mut run.diagnostics)?;
    let format = typed.format.unwrap_or_default();
    if typed.trust.verify || matches!(format, RenderFormat::Json | RenderFormat::Jsonl) {
        let verifier = Verifier::new(&resolved.tiers);
        let trust = prompt.trust.insert(verifier.prompt(&prompt));
        run.diagnostics.extend(verifier.diagnostics());
        let refusals = if typed.trust.verify { refusals(trust, typed) } else { Vec::new() };
        if !refusals.is_empty() {
            return Err(refusals.into());
        }
    }
    let written = write(typed, &prompt, run);
    leak((resolved, prompt));
    written
}

fn of_folder(typed: &Render, target: FolderTarget<'_>, run: &mut Run<'_>) -> CommandOutcome {
    if typed.trust.verify {
        return Err(unsigned().into());
    }
    if typed.format == Some(RenderFormat::Events) {
        return Err(no_events("text, plain, json, anthropic, openai or gemini").into());
    }
    let is_body = matches!(typed.format, Some(RenderFormat::Anthropic | RenderFormat::Openai));
    if is_body && typed.prompt.model.is_none() {
        return Err(Diagnostic::invalid(
            "a request body requires a model, but a folder does not name one",
            "add --model",
        )
        .into());
    }
    let asked = Asked { prompt: &typed.prompt, folder: &typed.folder, here: &run.here };
    let mut request = target.request(asked)?;
    if matches!(typed.format, Some(RenderFormat::Json | RenderFormat::Jsonl)) {
        request.look_below();
    }
    let prompt = request.prompt()?;
    run.diagnostics.extend(prompt.diagnostics.iter().cloned());
    let is_refused = prompt.refusal().is_some();
    // There is no request to send.
    if is_refused && (is_body || typed.format == Some(RenderFormat::Gemini)) {
        return Ok(Exit::Failure);
    }
    let exit = write(typed, &prompt, run)?;
    Ok(if is_refused { Exit::Failure } else { exit })
}

/// Why parts of a prompt are not trusted: one error per part for people, one error in total for programs.
fn refusals(trust: &PromptTrust, typed: &Render) -> Vec<Diagnostic> {
    let with_project_keys = typed.trust.trust_project_keys;
    if machine_formats::is_for_programs("render", typed.format.unwrap_or_default().into_str()) {
        trust.refusal(with_project_keys).into_iter().collect()
    } else {
        trust.refusals(with_project_keys)
    }
}

/// Renders a prompt and adds its diagnostics to the list.
pub(super) fn rendered(resolved: &Resolved, diagnostics: &mut Vec<Diagnostic>) -> Result<Prompt, Vec<Diagnostic>> {
    let prompt = assemble::render(&resolved.request, &resolved.tiers, &resolved.protocol)?;
    diagnostics.extend(prompt.diagnostics.iter().cloned());
    Ok(prompt)
}

fn write(typed: &Render, prompt: &Prompt, run: &Run<'_>) -> CommandOutcome {
    if let Some(expected) = &typed.expect_sha256 {
        let actual = sha256(prompt.request());
        if *expected != actual {
            return Err(Diagnostic::new(Problem::DigestMismatch { expected: expected.clone(), actual }).into());
        }
    }
    let format = typed.format.unwrap_or_default();
    let printer = run.printer(typed.output.as_deref(), format == RenderFormat::Text);
    let view = RenderView { format, role: typed.role, tokenizer: typed.tokenizer, screen: printer.screen };
    printer.output.write(|out| render::write(prompt, &view, out))?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::arguments::{Arguments, Command};

    #[test]
    fn flags_that_contradict_each_other_are_refused() {
        let checked = |line: &str| {
            let words = ["rye-render", "render"].into_iter().chain(line.split_whitespace());
            let Command::Render(typed) = Arguments::try_parse_from(words).unwrap().command else { unreachable!() };
            check(&typed.0).map_err(|diagnostic| diagnostic.message())
        };
        assert_eq!(checked("x --role user --format plain"), Ok(()));
        assert!(checked("x --role user --format json").is_err());
        assert!(checked("--all -o out --format text").is_err());
        assert_eq!(checked("--all -o out --format json"), Ok(()));
        assert_eq!(checked("--all --format jsonl"), Ok(()));
        assert_eq!(checked("--all"), Err("--all requires -o <DIR>".to_string()));
    }
}
