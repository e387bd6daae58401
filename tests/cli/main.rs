//! Tests that run the program.

mod arguments;
mod asking;
mod bad_input;
mod cases;
mod chain;
mod conformance;
#[cfg(unix)]
mod documents;
mod drawings;
mod explain_plan;
mod invariants;
mod literals;
mod naming;
mod page;
mod sent;
mod settings;
mod stories;
mod support;
mod vectors;
mod what_if;
mod writing;

use std::io::Write;

/// Says something that is seen even when the test passes, which `println!` is not.
fn announce(sentence: &str) {
    // Nobody reads it when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{sentence}");
}
