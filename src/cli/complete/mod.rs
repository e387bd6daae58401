//! Shell completion: prints the script and answers its requests.
//!
//! ```text
//! shell → word list → partial line → candidates → shell
//! ```
//!
//! `Completes` says what an argument takes; the candidates come from the project that the line names. There are no
//! errors: if something cannot be read, fewer candidates are offered.

mod candidates;
mod partial_line;
mod shell;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::sync::Arc;

use clap::builder::ValueHint;
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::engine::{self, ArgValueCompleter, CompletionCandidate};

use super::arguments::{Arguments, Completions};
use super::output::print;
use super::run::CommandOutcome;
use crate::decide::completes::Completes;
use crate::read::store::Surroundings;
use candidates::Completer;
use partial_line::PartialLine;
use shell::{Offer, WordList, lines, offer, paths};

pub use shell::Shell;

/// The environment variable in which the script passes the name of its shell.
const VARIABLE: &str = "RYE_RENDER_COMPLETE";

pub(super) fn run(typed: &Completions) -> CommandOutcome {
    print(typed.shell.script())
}

/// Answers a request from a shell's script; returns whether there was one. A request never fails.
pub(super) fn answered(arguments: &[OsString]) -> bool {
    let Some(shell) = std::env::var_os(VARIABLE) else { return false };
    let Some(shell) = shell.to_str().and_then(|name| name.parse().ok()) else { return false };
    let words = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned();
    if let Some(answer) = answer(shell, words) {
        // The shell may have closed the pipe.
        let _ = io::stdout().write_all(answer.as_bytes());
    }
    true
}

fn answer(shell: Shell, arguments: impl IntoIterator<Item = OsString>) -> Option<String> {
    let WordList { words, current, kept } = shell.words(arguments)?;
    let mut command = Arguments::command();
    command.build();
    let line = Arc::new(PartialLine::read(&command, &words, current));
    let mut command = with_completers(command, &line);
    let here = Surroundings::of_process().working_folder;
    let typed = words.get(current)?.to_string_lossy().into_owned();
    let found = engine::complete(&mut command, words, current, Some(&here)).ok()?;
    let (paths, mut candidates): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| offer(found).is_some());
    let kind = paths.last().and_then(offer).unwrap_or(Offer::Values);
    // Flags would only clutter a list of files or values.
    if !typed.starts_with('-') && (kind != Offer::Values || candidates.iter().any(|found| !is_flag(found))) {
        candidates.retain(|found| !is_flag(found));
    }
    let kind = if candidates.is_empty() { kind } else { Offer::Values };
    Some(lines(shell, kind, &candidates, &kept))
}

fn is_flag(candidate: &CompletionCandidate) -> bool {
    candidate.get_value().as_encoded_bytes().starts_with(b"-")
}

fn with_completers(command: Command, line: &Arc<PartialLine>) -> Command {
    let completed = |arg: Arg| {
        let completer = match (arg.get::<Completes>(), paths_of(&arg)) {
            (Some(&what), _) => {
                ArgValueCompleter::new(Completer { what, id: arg.get_id().to_string(), line: line.clone() })
            }
            (None, Some(kind)) => ArgValueCompleter::new(move |_: &OsStr| paths(kind)),
            (None, None) => return arg,
        };
        arg.add(completer)
    };
    command.mut_subcommands(|subcommand| subcommand.mut_args(completed))
}

/// Whether an argument is the path of a file or a folder.
fn paths_of(arg: &Arg) -> Option<Offer> {
    let is_folder = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "DIR"));
    match arg.get_value_hint() {
        ValueHint::DirPath => Some(Offer::Folders),
        ValueHint::AnyPath if is_folder => Some(Offer::Folders),
        ValueHint::AnyPath | ValueHint::FilePath => Some(Offer::Files),
        _ => None,
    }
}
