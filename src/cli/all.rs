//! `render --all`: every directive of the tiers, a JSON file each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::arguments::Render;
use super::output::Output;
use super::render::Outcome;
use super::resolve::Resolved;
use crate::assemble;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity, system_reason};
use crate::palette::search::{self, Hit};
use crate::prompt::Prompt;
use crate::render::{self, Format, View};
use crate::request::{DirectiveRef, Request};
use crate::store::{ItemKind, Tiers};
use crate::theme::Theme;

/// Writes what can be written; the errors of the rest come in byte order of ids, whatever the threads did.
pub(super) fn run(typed: &Render) -> Outcome {
    let resolved = Resolved::new(None, &typed.prompt).map_err(|error| vec![error])?;
    let Resolved { request, tiers, protocol, mut diagnostics } = resolved;
    let request = Request { placeholders: true, for_many: true, ..request };
    let folder = typed.output.as_deref().unwrap_or(Path::new("."));
    if let Err(error) = make(folder) {
        diagnostics.push(error);
        return Err(diagnostics);
    }
    let (directives, unreadable) = directives(&tiers);
    diagnostics.extend(unreadable);

    let view = View {
        format: Format::Json,
        role: None,
        tokenizer: typed.tokenizer,
        visible: false,
        theme: Theme::Plain,
        width: usize::MAX,
    };
    let write = |id: &String| -> Result<(), Vec<Diagnostic>> {
        let request = Request { directive: DirectiveRef { id: id.clone(), source: None }, ..request.clone() };
        let prompt = assemble::render(&request, &tiers, &protocol)?;
        write_item(folder, id, &prompt, &view).map_err(|error| vec![error])
    };
    let failed: Vec<_> = directives.par_iter().filter_map(|(id, place)| Some((place, write(id).err()?))).collect();
    for (place, errors) in failed {
        // The warnings of a directive stand in its file; of one that has none, the errors are what counts.
        let errors = errors.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
        diagnostics.extend(errors.map(|error| match error.at {
            Some(_) => error,
            None => Diagnostic { at: Some(place.clone()), ..error },
        }));
    }
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
        let at = Location::File { tier: "".into(), path: folder.to_string_lossy().into_owned(), position: None };
        Diagnostic::at(Problem::InvalidArgument { what, help: Some("choose another one with -o".to_string()) }, at)
    })
}

/// The ids of all directives in byte order, each with its file in the first tier that has it, and what cannot be read.
fn directives(tiers: &Tiers) -> (BTreeMap<String, Location>, Vec<Diagnostic>) {
    let mut found = BTreeMap::new();
    let mut unreadable = Vec::new();
    for (index, tier) in tiers.list().iter().enumerate() {
        let (hits, errors) = search::readable(tiers, index, ItemKind::Directive);
        unreadable.extend(errors);
        for Hit { path, id } in hits {
            let place = Location::File { tier: tier.label.clone(), path, position: None };
            found.entry(id).or_insert(place);
        }
    }
    (found, unreadable)
}
