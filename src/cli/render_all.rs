//! `render --all`: every directive of the tiers, one JSON file each.

use std::fs;
use std::path::Path;

use super::Exit;
use super::all_directives::AllDirectives;
use super::arguments::Render;
use super::output::OutputTarget;
use super::report::CommandOutcome;
use super::resolve::Resolved;
use crate::answer::render::{self, RenderFormat, RenderView};
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::prompt::Prompt;
use crate::prompt::Verifier;
use crate::read::files;
use crate::read::store::Surroundings;
use crate::write::theme::Theme;

/// Writes the prompts that can be rendered, and reports the others as errors.
pub(super) fn run(typed: &Render, here: &Surroundings<'_>, diagnostics: &mut Vec<Diagnostic>) -> CommandOutcome {
    let mut resolved = Resolved::new(None, &typed.prompt, here)?;
    diagnostics.append(&mut resolved.diagnostics);
    let folder = typed.output.as_deref().unwrap_or(Path::new("."));
    create(folder)?;
    let all = AllDirectives::new(resolved, diagnostics)?;
    let view = RenderView {
        format: RenderFormat::Json,
        role: None,
        tokenizer: typed.tokenizer,
        visible: false,
        theme: Theme::Plain,
        width: usize::MAX,
    };
    let verifier = Verifier::new(&all.tiers);
    let rendered = all.render(|id, mut prompt| {
        let trust = prompt.trust.insert(verifier.prompt(&prompt));
        match trust.refusal(typed.trust.trust_project_keys).filter(|_| typed.trust.verify) {
            Some(refusal) => Err(refusal),
            None => write_item(folder, id, &prompt, &view),
        }
    })?;
    diagnostics.extend(verifier.diagnostics());
    diagnostics.extend(rendered.failed.into_values().flatten());
    Ok(Exit::Success)
}

fn write_item(folder: &Path, id: &str, prompt: &Prompt, view: &RenderView) -> Result<(), Diagnostic> {
    let path = folder.join(format!("{id}.json"));
    create(path.parent().unwrap_or(folder))?;
    OutputTarget::File(path).write(|out| render::write(prompt, view, out))
}

fn create(folder: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(folder).map_err(|error| {
        let what = format!("the folder cannot be created: {}", system_reason(&error));
        let help = Some("choose another folder with -o".to_string());
        Diagnostic::at(Problem::InvalidArgument { what, help }, files::location(folder.to_string_lossy()))
    })
}
