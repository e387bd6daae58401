use crate::agents::files::{below, resolved};
use crate::agents::visit::Visit;

/// The folders that `pi` looks into.
pub(super) struct Places {
    pub cwd: String,
    pub home: String,
    /// The user's own folder of the agent.
    pub agent: String,
    /// The project's folder: that of the working folder only, never that of an ancestor.
    pub project: String,
}

impl Places {
    pub fn new(visit: &Visit<'_>) -> Self {
        let request = visit.request;
        let (cwd, home) = (request.cwd.clone(), request.home.clone());
        let agent = match (&request.agent_dir, visit.variable("PI_CODING_AGENT_DIR")) {
            (Some(folder), _) => folder.clone(),
            (None, Some(folder)) => resolved(folder, &cwd, &home),
            (None, None) => Self::usual(&home),
        };
        Self { project: below(&cwd, ".pi"), cwd, home, agent }
    }

    /// Where the agent's folder is unless something moves it.
    pub fn usual(home: &str) -> String {
        below(home, ".pi/agent")
    }

    /// A path as a user types it, relative to a folder.
    pub fn resolved(&self, path: &str, base: &str) -> String {
        resolved(path, base, &self.home)
    }
}
