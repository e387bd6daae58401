//! The agent `codex`.

use super::agent::Agent;
use super::visit::Visit;
use crate::diagnostic::Diagnostic;

pub(super) static CODEX: Agent = Agent {
    name: "codex",
    releases: &["0.130.0", "0.135.0", "0.140.0", "0.145.0", "0.150.0", "0.155.0", "0.160.0", "0.166.0", "0.169.0"],
    packages: &["@openai/codex"],
    program: "codex",
    variables: &["CODEX_HOME"],
    read,
};

fn read(_visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    Ok(())
}
