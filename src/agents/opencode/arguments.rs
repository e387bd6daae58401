//! The arguments that `opencode run` itself would be started with.

use crate::agents::arguments::{AgentFlag, AgentFlags};
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;

/// Only one flag changes the prompt.
static FLAGS: AgentFlags<()> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::value(&["--agent"], ()),
        AgentFlag::ignored_value(&["--model", "-m"]),
        AgentFlag::ignored_value(&["--session", "-s"]),
        AgentFlag::ignored_value(&["--command"]),
        AgentFlag::ignored_value(&["--file", "-f"]),
        AgentFlag::ignored_value(&["--title"]),
        AgentFlag::ignored_value(&["--format"]),
        AgentFlag::ignored_value(&["--attach"]),
        AgentFlag::ignored_value(&["--port"]),
        AgentFlag::ignored_value(&["--variant"]),
        AgentFlag::ignored_value(&["--log-level"]),
        AgentFlag::ignored_switch(&["--continue", "-c"]),
        AgentFlag::ignored_switch(&["--fork"]),
        AgentFlag::ignored_switch(&["--share"]),
        AgentFlag::ignored_switch(&["--thinking"]),
        AgentFlag::ignored_switch(&["--print-logs"]),
    ],
};

/// The name of the agent that the arguments name.
pub(super) fn agent(visit: &mut Visit<'_>) -> Result<Option<String>, Diagnostic> {
    Ok(FLAGS.read(visit)?.pop().map(|((), name)| name))
}
