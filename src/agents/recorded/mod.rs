//! The agent's own text, taken from a recorded request (Agents, "Model").

mod fill;
mod find;
mod guard;
mod pieces;
mod recording;
mod store;
#[cfg(test)]
mod tests;

use super::agent::AgentRequest;
use super::visit;
use crate::diagnostic::Diagnostic;
use crate::prompt::sent::ReadMessage;
use crate::read::store::Store;

pub use fill::fill;
pub use find::OwnParts;
pub use recording::{OwnText, Recording};
pub use store::{Recordings, check_version, is_version};

/// What a recorded request says of the agent's own text, and which messages were recorded otherwise.
pub struct Taken {
    pub recording: Recording,
    pub otherwise: Vec<Diagnostic>,
}

/// Takes the agent's own text from a request that was sent in the folder. Text that a file there holds is left out, and
/// so are the arguments.
pub fn take(request: &AgentRequest, recorded: &[ReadMessage], files: &dyn Store) -> Taken {
    let chosen = &request.chosen;
    let nothing = Recording::new(chosen.agent.name, &chosen.version, &request.cwd);
    let rules = AgentRequest { base: None, recording: Some(nothing.clone().into()), ..request.clone() };
    let prompt = visit::render(&rules, files);
    let found = find::own_texts(&prompt.messages, recorded, chosen.agent);
    let texts = guard::without_files(found.texts, &prompt, &request.arguments, files);
    Taken { recording: Recording { texts, ..nothing }, otherwise: found.otherwise }
}
