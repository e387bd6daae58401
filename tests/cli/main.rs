//! Tests that run the program.

mod agent_answers;
mod agent_choice;
mod agent_why;
mod arguments;
mod asking;
mod cases;
mod chain;
mod chain_folder;
mod completions;
mod conformance;
#[cfg(unix)]
mod diff;
mod diff_text;
#[cfg(unix)]
mod documents;
mod drawings;
mod explain_plan;
mod folder;
mod folder_diff;
mod folder_explain;
mod git_programs;
mod hostile;
mod impact;
mod impact_agents;
mod init;
mod invariants;
mod library;
mod lint_agent;
mod lint_agent_formats;
mod lint_allow;
mod lint_baseline;
mod lint_fix;
mod lint_folders;
mod lint_formats;
mod lint_released;
mod lint_settings;
mod lint_status;
mod lint_structure;
#[cfg(unix)]
mod lint_terminal;
mod lint_where;
mod list;
mod literals;
mod lock;
mod lock_agents;
mod lsp;
mod manual;
mod mcp;
mod naming;
mod page;
mod pager;
#[cfg(unix)]
mod progress;
mod record;
mod repo;
mod repository_only;
mod revisions;
mod running;
mod self_check;
mod sent;
mod settings;
mod source;
mod stories;
mod support;
mod trust;
mod vectors;
mod watch;
mod what_if;
mod writing;

use std::io::Write;

/// Prints a sentence that is visible even if the test passes, unlike with `println!`.
fn announce(sentence: &str) {
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "{sentence}");
}
