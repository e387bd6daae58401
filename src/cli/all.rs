//! `render --all`: every directive of the tiers, a JSON file each.

use std::fs;
use std::path::Path;

use super::arguments::Render;
use super::every::Every;
use super::output::Output;
use super::render::Outcome;
use super::resolve::Resolved;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity, system_reason};
use crate::prompt::Prompt;
use crate::render::{self, Format, View};
use crate::theme::Theme;
use crate::trust::Verifier;

/// Writes what can be written.
pub(super) fn run(typed: &Render) -> Outcome {
    let resolved = Resolved::new(None, &typed.prompt).map_err(|error| vec![error])?;
    let folder = typed.output.as_deref().unwrap_or(Path::new("."));
    if let Err(error) = make(folder) {
        return Err(resolved.diagnostics.into_iter().chain([error]).collect());
    }
    let (every, mut diagnostics) = Every::new(resolved)?;
    let view = View {
        format: Format::Json,
        role: None,
        tokenizer: typed.tokenizer,
        visible: false,
        theme: Theme::Plain,
        width: usize::MAX,
    };
    let verifier = Verifier::new(&every.tiers);
    let each = every.each(|id, mut prompt| {
        let trust = prompt.trust.insert(verifier.prompt(&prompt));
        match trust.refusal(typed.trust.trust_project_keys).filter(|_| typed.trust.verify) {
            Some(refusal) => Err(refusal),
            None => write_item(folder, id, &prompt, &view),
        }
    });
    let each = match each {
        Ok(each) => each,
        Err(error) => {
            diagnostics.push(error);
            return Err(diagnostics);
        }
    };
    diagnostics.extend(verifier.diagnostics());
    diagnostics.extend(each.failed.into_values().flatten());
    let is_complete = diagnostics.iter().all(|diagnostic| diagnostic.severity() < Severity::Error);
    if is_complete { Ok(diagnostics) } else { Err(diagnostics) }
}

fn write_item(folder: &Path, id: &str, prompt: &Prompt, view: &View) -> Result<(), Diagnostic> {
    let path = folder.join(format!("{id}.json"));
    make(path.parent().unwrap_or(folder))?;
    Output::File(path).write(|out| render::write(prompt, view, out))
}

/// Makes a folder and those around it.
fn make(folder: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(folder).map_err(|error| {
        let what = format!("the folder cannot be made: {}", system_reason(&error));
        let at = Location::File {
            tier: "".into(),
            path: folder.to_string_lossy().into_owned(),
            revision: None,
            position: None,
        };
        Diagnostic::at(Problem::InvalidArgument { what, help: Some("choose another one with -o".to_string()) }, at)
    })
}
