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
pub(crate) mod complete;
mod completions;
mod diff;
mod diff_agents;
mod diff_all;
mod diff_options;
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
mod lsp;
mod machine_formats;
mod mcp;
mod messages;
mod output;
mod pager;
mod record;
mod recordings;
mod render;
mod render_all;
mod repeated;
mod report;
mod repositories;
mod repository_only;
mod resolve;
mod schema;
mod screen;
mod self_check;
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
use report::Run;

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
    if completions::answered(&arguments) {
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
    let start = |command, format| Run::new(command, format, color);
    match command {
        Command::Init(typed) => start("init", None).end(|_| init::run(&typed)),
        Command::Render(Deferred(typed)) if typed.git_textconv.is_some() => {
            start("render", None).end(|_| git_programs::textconv(*typed))
        }
        Command::Render(Deferred(typed)) => {
            let start = || start("render", typed.format.map(Into::into));
            watch::run(typed.watch, typed.output.as_deref(), start, |run| render::run(&typed, run))
        }
        Command::Explain(Deferred(mut typed)) => {
            explain::hide_values(&mut typed);
            let start = || start("explain", typed.format.map(Into::into));
            watch::run(typed.watch, typed.output.as_deref(), start, |run| explain::run(&typed, run))
        }
        Command::Diff(Deferred(typed)) if git_programs::is_run_by_git(&typed) => {
            start("diff", typed.format.map(Into::into)).end(|run| git_programs::diff(*typed, run))
        }
        Command::Diff(Deferred(typed)) => start("diff", typed.format.map(Into::into)).end(|run| diff::run(*typed, run)),
        Command::Lint(Deferred(typed)) => {
            let start = || start("lint", typed.format.map(Into::into));
            watch::run(typed.watch, typed.output.as_deref(), start, |run| lint::run(&typed, run))
        }
        Command::List(Deferred(typed)) => start("list", typed.format.map(Into::into)).end(|run| list::run(&typed, run)),
        Command::Lock(Deferred(typed)) => start("lock", typed.format.map(Into::into)).end(|run| lock::run(*typed, run)),
        Command::Chain(Deferred(typed)) => {
            start("chain", typed.format.map(Into::into)).end(|run| chain::run(&typed, run))
        }
        Command::Agents(Deferred(typed)) => {
            start("agents", typed.format.map(Into::into)).end(|run| agents::run(&typed, run))
        }
        Command::Record(Deferred(typed)) => {
            start("record", typed.format.map(Into::into)).end(|run| record::run(&typed, run))
        }
        Command::Lsp(Deferred(_)) => start("lsp", None).end(|_| lsp::run()),
        Command::Mcp(Deferred(typed)) => start("mcp", None).end(|_| mcp::run(&typed)),
        Command::Completions(typed) => start("completions", None).end(|_| completions::run(&typed)),
        Command::Schema(typed) => start("schema", None).end(|_| schema::run(&typed)),
        Command::SelfCheck => start("self-check", None).end(|_| self_check::run()),
    }
}

/// Leaks a value: a process that is about to exit need not free it piece by piece. With `--watch` it is freed.
fn leak<T>(value: T) {
    if !watch::is_watching() {
        mem::forget(value);
    }
}
