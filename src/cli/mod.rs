//! The command line: what was typed, what it resolves to, and where the result goes.
//!
//! ```text
//! arguments → resolve → request, tiers, protocol → assemble → view → output
//! ```

mod all;
pub mod arguments;
mod chain;
mod environment;
mod explain;
mod files;
mod inputs;
mod messages;
mod output;
mod render;
mod report;
mod resolve;
mod schema;
mod settings;
mod terminal;
mod usage;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

/// What a program that could not do what was asked returns (Output contract, "Exit status, every command").
const FAILED: u8 = 2;

/// Runs the program on the arguments of this process.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os().collect()))
}

/// Runs the program; the first argument is its name. Returns the exit status.
pub fn run_with(arguments: Vec<OsString>) -> u8 {
    // The parser prints the same, but builds every command and argument first, which takes longer than the rest.
    if let [_, only] = arguments.as_slice()
        && (only == "--version" || only == "-V")
    {
        return print_version();
    }
    let done = match Arguments::try_parse_from(&arguments) {
        Ok(Arguments { command: Command::Render(typed), color }) => render::run(&typed, color),
        Ok(Arguments { command: Command::Explain(typed), color }) => explain::run(*typed, color),
        Ok(Arguments { command: Command::Chain(typed), color }) => chain::run(*typed, color),
        Ok(Arguments { command: Command::Schema(typed), color }) => schema::run(&typed, color),
        Err(error) => usage::run(&error, &arguments),
    };
    if done { 0 } else { FAILED }
}

fn print_version() -> u8 {
    // A reader that went away has seen what it wanted.
    let _ = writeln!(io::stdout(), "rye-render {}", env!("CARGO_PKG_VERSION"));
    0
}
