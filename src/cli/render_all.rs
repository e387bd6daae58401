//! `render --all`: every directive of the tiers, as one JSON file or one line each.

use std::fs;
use std::path::Path;

use super::Exit;
use super::all_directives::AllDirectives;
use super::arguments::Render;
use super::output::OutputTarget;
use super::resolve::Resolved;
use super::run::{CommandOutcome, Run};
use crate::answer::render::{self, RenderFormat, RenderView};
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::prompt::{Prompt, Verifier};
use crate::read::files;
use crate::write::screen::Screen;

/// Writes the prompts that can be rendered, and reports the others as errors.
pub(super) fn run(typed: &Render, run: &mut Run<'_>) -> CommandOutcome {
    let all = AllDirectives::new(Resolved::new(None, &typed.prompt, run)?, &mut run.diagnostics)?;
    let verifier = Verifier::new(&all.tiers);
    let verified = |prompt: &mut Prompt| {
        let trust = prompt.trust.insert(verifier.prompt(prompt));
        let refusal = trust.refusal(typed.trust.trust_project_keys).filter(|_| typed.trust.verify);
        refusal.map_or(Ok(()), Err)
    };
    let failed = match typed.format {
        Some(RenderFormat::Jsonl) => write_lines(typed, run, &all, verified),
        _ => write_files(typed, &all, verified),
    }?;
    run.diagnostics.extend(verifier.diagnostics());
    run.diagnostics.extend(failed);
    Ok(Exit::Success)
}

/// One line per directive, in byte order of ids. Returns the errors of those that cannot be rendered.
fn write_lines(
    typed: &Render,
    run: &Run<'_>,
    all: &AllDirectives,
    verified: impl Fn(&mut Prompt) -> Result<(), Diagnostic> + Sync,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let printer = run.printer(typed.output.as_deref(), false);
    let view = RenderView { screen: printer.screen, ..view(typed) };
    let mut failed = Vec::new();
    printer.output.write(|out| {
        let line = |_: &str, mut prompt| {
            verified(&mut prompt)?;
            let mut line = Vec::new();
            Ok(render::write(&prompt, &view, &mut line).map(|()| line))
        };
        all.render_in_order(line, |id, place, line| {
            match line {
                Ok(line) => out.write_all(&line?)?,
                Err(errors) => {
                    if let Some(error) = errors.first() {
                        render::write_failed(id, place, error, &view, &mut *out)?;
                    }
                    failed.extend(errors);
                }
            }
            Ok(())
        })
    })?;
    Ok(failed)
}

/// One file per directive. Returns the errors of those that cannot be rendered.
fn write_files(
    typed: &Render,
    all: &AllDirectives,
    verified: impl Fn(&mut Prompt) -> Result<(), Diagnostic> + Sync,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let folder = typed.output.as_deref().unwrap_or(Path::new("."));
    create(folder)?;
    let view = view(typed);
    let rendered = all.render(|id, mut prompt| {
        verified(&mut prompt)?;
        write_item(folder, id, &prompt, &view)
    })?;
    Ok(rendered.failed.into_values().flatten().collect())
}

fn view(typed: &Render) -> RenderView {
    RenderView { format: RenderFormat::Json, role: None, tokenizer: typed.tokenizer, screen: Screen::default() }
}

fn write_item(folder: &Path, id: &str, prompt: &Prompt, view: &RenderView) -> Result<(), Diagnostic> {
    let path = folder.join(format!("{id}.json"));
    create(path.parent().unwrap_or(folder))?;
    OutputTarget::File(path).write(|out| render::write(prompt, view, out))
}

fn create(folder: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(folder).map_err(|error| {
        let what = format!("the folder cannot be created: {}", system_reason(&error));
        Diagnostic::at(
            Problem::invalid(what, "choose another folder with -o"),
            files::location(folder.to_string_lossy()),
        )
    })
}
