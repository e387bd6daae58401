//! The command line: what was typed, what it resolves to, and where the result goes.
//!
//! ```text
//! arguments → resolve → request, tiers, protocol → assemble → view → output
//! ```

mod all;
pub mod arguments;
mod assembler;
mod chain;
mod completions;
mod diff;
mod environment;
mod every;
mod examples;
mod explain;
mod files;
mod folder;
mod git_programs;
mod impact;
mod init;
mod inputs;
mod lint;
mod lint_baseline;
mod lint_explain;
mod lint_fix;
mod lint_folder;
mod lint_project;
mod lint_scope;
mod lint_settings;
mod list;
mod lock;
mod messages;
mod output;
mod pager;
mod progress;
mod render;
mod report;
mod repositories;
mod resolve;
mod schema;
mod screen;
mod sides;
mod terminal;
mod usage;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::mem;
use std::process::ExitCode;

use clap::Parser;

use crate::looked;
use arguments::{Arguments, Color, Command, Late};

/// How a command ended; its number is what the program returns (Output contract, "Exit status, every command").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Done, nothing to report.
    Well = 0,
    /// Done, and something was found that is worth a failure: prompts differ, or something is wrong in an item.
    Found = 1,
    /// It could not be done.
    Failed = 2,
}

impl Ended {
    /// The end of a command that finds nothing that could be worth a failure.
    fn of<T, E>(outcome: &Result<T, E>) -> Self {
        if outcome.is_ok() { Self::Well } else { Self::Failed }
    }
}

/// Runs the program on the arguments of this process.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os().collect()))
}

/// Runs the program; the first argument is its name. Returns the exit status.
pub fn run_with(arguments: Vec<OsString>) -> u8 {
    if completions::answered(&arguments) {
        return Ended::Well as u8;
    }
    // The parser prints the same, but builds every command and argument first, which takes longer than the rest.
    if let [_, only] = arguments.as_slice()
        && (only == "--version" || only == "-V")
    {
        return print_version();
    }
    let ended = match Arguments::try_parse_from(&arguments) {
        Ok(Arguments { command, color }) => run_command(command, color),
        Err(error) => usage::run(&error, &arguments),
    };
    ended as u8
}

fn run_command(command: Command, color: Color) -> Ended {
    match command {
        Command::Init(typed) => init::run(&typed, color),
        Command::Render(Late(typed)) if typed.git_textconv.is_some() => git_programs::textconv(*typed, color),
        Command::Render(Late(typed)) => render::run(&typed, color),
        Command::Explain(Late(typed)) => explain::run(*typed, color),
        Command::Diff(Late(typed)) if git_programs::asks(&typed) => git_programs::diff(*typed, color),
        Command::Diff(Late(typed)) => diff::run(*typed, color),
        Command::Lint(Late(typed)) => lint::run(&typed, color),
        Command::List(Late(typed)) => list::run(*typed, color),
        Command::Lock(Late(typed)) => lock::run(*typed, color),
        Command::Chain(Late(typed)) => chain::run(*typed, color),
        Command::Completions(typed) => completions::run(&typed, color),
        Command::Schema(typed) => schema::run(&typed, color),
    }
}

/// Leaves a value behind. Where the program ends soon, the system takes back at once what would be freed piece by piece.
fn leave<T>(value: T) {
    if !looked::is_kept() {
        mem::forget(value);
    }
}

fn print_version() -> u8 {
    // A reader that went away has seen what it wanted.
    let _ = writeln!(io::stdout(), "rye-render {}", env!("CARGO_PKG_VERSION"));
    0
}
