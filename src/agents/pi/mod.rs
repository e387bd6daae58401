//! The agent `pi`.

use super::agent::Agent;
use super::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::prompt::Role;

pub(super) static PI: Agent = Agent {
    name: "pi",
    releases: &["0.57.1", "0.73.1", "0.84.4", "1.0.3", "1.5.2"],
    packages: &["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
    program: "pi",
    variables: &["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"],
    read,
};

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    visit.draft.message(Role::System);
    Ok(())
}
