//! `lsp`: findings, fixes and answers in an editor. `mcp`: the same answers for coding agents.

use std::io::{self, BufReader};
use std::path::Path;

use clap::{Args as _, Command, FromArgMatches as _};

use super::Exit;
use super::all_directives::RequestsForAll;
use super::arguments::{Lint, McpArguments};
use super::example_inputs::ExampleInputs;
use super::lint_project::{self, Opened};
use super::lint_scope::{home, target_at};
use super::run::CommandOutcome;
use crate::agents::below;
use crate::diagnostic::Diagnostic;
use crate::lsp::{self, Ended, Home, Opener, Unsaved, serve};
use crate::mcp;
use crate::read::settings;
use crate::read::store::{Disk, Surroundings};

pub(super) fn lsp() -> CommandOutcome {
    let _ = rayon::ThreadPoolBuilder::new().use_current_thread().build_global();
    let typed = Lint::augment_args(Command::new("lint")).get_matches_from(["lint"]);
    let typed = Lint::from_arg_matches(&typed).map_err(|error| Diagnostic::invalid(error.to_string(), ""))?;
    let ended = serve(BufReader::new(io::stdin()), io::stdout().lock(), &LintOpener { typed });
    match ended
        .map_err(|error| Diagnostic::invalid(error.to_string(), "an editor starts this command; see docs/editors.md"))?
    {
        Ended::AsAgreed => Ok(Exit::Success),
        // The protocol asks for 1.
        Ended::Suddenly => Ok(Exit::Findings),
    }
}

pub(super) fn mcp(typed: &McpArguments) -> CommandOutcome {
    mcp::serve(&typed.folders).map_err(|error| Diagnostic::invalid(error.to_string(), "name an existing folder"))?;
    Ok(Exit::Success)
}

/// Opens what `lint` without flags would open in the folder of the editor.
struct LintOpener {
    typed: Lint,
}

impl Opener for LintOpener {
    fn home(&self, file: &Path, folder: Option<&Path>) -> Option<Home> {
        home(file, folder, &here(file.parent()?))
    }

    fn open(&self, home: &Home, unsaved: &Unsaved, disk: Disk) -> Result<lsp::Opened, Diagnostic> {
        let here = Surroundings { disk, ..here(&home.folder) };
        let mut target = target_at(&self.typed, home, &here)?;
        if let Some(around) = target.scope.around.as_mut().filter(|_| home.is_alone) {
            around.listed = Some(unsaved.keys().map(|path| below(&around.root, path)).collect());
        }
        let settings = target.scope.around.as_ref().map_or(settings::PATH.to_string(), |it| it.settings.clone());
        target.replaced = unsaved.get(&settings).map(|text| (settings, text.clone()));
        let Opened { project, settings, request, .. } = lint_project::open(&self.typed, target, &here)?;
        let requests = RequestsForAll::new(request, ExampleInputs::read(&settings)?);
        Ok(lsp::Opened { project, request: Box::new(move |id| requests.of(id)) })
    }
}

fn here(folder: &Path) -> Surroundings<'static> {
    Surroundings { working_folder: folder.to_path_buf(), ..Surroundings::of_process() }
}
