//! The command line: what was typed, what it resolves to, and where the result goes.
//!
//! ```text
//! arguments → resolve → request, tiers, protocol → assemble → view → output
//! ```

mod agent_choice;
mod agent_folders;
mod agents;
mod all_directives;
pub mod arguments;
mod assembler;
mod chain;
mod complete;
mod diff;
mod diff_agents;
mod diff_all;
mod diff_sides;
mod example_inputs;
mod explain;
mod folder;
mod folder_protocol;
mod git_programs;
mod init;
mod inputs;
mod lint;
mod lint_baseline;
mod lint_fix;
mod lint_folder;
mod lint_project;
mod lint_scope;
mod lint_settings;
mod list;
mod lock;
mod lock_agents;
mod machine_formats;
mod output;
mod pager;
mod pending;
mod record;
mod render;
mod render_all;
mod repeated;
mod repositories;
mod resolve;
mod run;
mod schema;
mod self_check;
mod servers;
mod terminal;
mod usage;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::mem;
use std::process::ExitCode;

use clap::Parser;

use crate::read::files;
use arguments::{Arguments, Color, Command, Deferred, with_agent_arguments};
use run::Run;

/// How a command ended; the number is the exit status (output contract, "Exit status, every command").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Success = 0,
    /// Prompts differ, or there is a finding at or above `--fail-on`.
    Findings = 1,
    Failure = 2,
}

/// Runs the program on the arguments of this process.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os().collect()))
}

/// Runs the program and returns the exit status. The first argument is the program's name.
pub fn run_with(arguments: Vec<OsString>) -> u8 {
    files::forget_streams();
    output::forget_reader();
    if complete::answered(&arguments) {
        return Exit::Success as u8;
    }
    // The parser would print the same, but building every command and argument takes longer than the rest of the run.
    if let [_, only] = arguments.as_slice()
        && (only == "--version" || only == "-V")
    {
        // A closed pipe is not an error.
        let _ = writeln!(io::stdout(), "rye-render {}", arguments::VERSION);
        return Exit::Success as u8;
    }
    let arguments = with_agent_arguments(arguments);
    let exit = match Arguments::try_parse_from(&arguments) {
        Ok(Arguments { command, color }) => run_command(command, color),
        Err(error) => usage::run(&error, &arguments),
    };
    exit as u8
}

fn run_command(command: Command, color: Color) -> Exit {
    let plain = || Run::new("", None::<&str>, color);
    match command {
        Command::Init(typed) => plain().end(|_| init::run(&typed)),
        Command::Render(Deferred(typed)) if typed.git_textconv.is_some() => {
            plain().end(|_| git_programs::textconv(*typed))
        }
        Command::Render(Deferred(typed)) => {
            let start = || Run::new("render", typed.format, color);
            watch::run(typed.watch, typed.output.as_deref(), start, |run| render::run(&typed, run))
        }
        Command::Explain(Deferred(mut typed)) => {
            explain::hide_values(&mut typed);
            let start = || Run::new("explain", typed.format, color);
            watch::run(typed.watch, typed.output.as_deref(), start, |run| explain::run(&typed, run))
        }
        Command::Diff(Deferred(typed)) if git_programs::is_run_by_git(&typed) => {
            Run::new("diff", typed.format, color).end(|run| git_programs::diff(*typed, run))
        }
        Command::Diff(Deferred(typed)) if typed.all => {
            Run::new("diff", typed.format, color).end(|run| diff_all::run(*typed, run))
        }
        Command::Diff(Deferred(typed)) => Run::new("diff", typed.format, color).end(|run| diff::run(*typed, run)),
        Command::Lint(Deferred(typed)) => {
            let start = || Run::new("lint", typed.format, color);
            watch::run(typed.watch, typed.output.as_deref(), start, |run| lint::run(&typed, run))
        }
        Command::List(Deferred(typed)) => Run::new("list", typed.format, color).end(|run| list::run(&typed, run)),
        Command::Lock(Deferred(typed)) => Run::new("lock", typed.format, color).end(|run| lock::run(*typed, run)),
        Command::Chain(Deferred(typed)) => Run::new("chain", typed.format, color).end(|run| chain::run(&typed, run)),
        Command::Agents(Deferred(typed)) => Run::new("agents", typed.format, color).end(|run| agents::run(&typed, run)),
        Command::Record(Deferred(typed)) => Run::new("record", typed.format, color).end(|run| record::run(&typed, run)),
        Command::Lsp(Deferred(_)) => plain().end(|_| servers::lsp()),
        Command::Mcp(Deferred(typed)) => plain().end(|_| servers::mcp(&typed)),
        Command::Completions(typed) => plain().end(|_| complete::run(&typed)),
        Command::Schema(typed) => plain().end(|_| schema::run(&typed)),
        Command::SelfCheck => plain().end(|_| self_check::run()),
    }
}

/// Leaks a value: a process that is about to exit need not free it piece by piece. With `--watch` it is freed.
fn leak<T>(value: T) {
    if !watch::is_watching() {
        mem::forget(value);
    }
}
