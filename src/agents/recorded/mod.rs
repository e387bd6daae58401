//! The agent's own text, taken from a recorded request (Agents, "Model").

mod fill;
mod find;
mod guard;
mod pieces;
mod store;
#[cfg(test)]
mod tests;

use super::agent::AgentRequest;
use super::recording::Recording;
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::prompt::sent::ReadMessage;
use crate::read::store::Store;

pub use fill::fill;
pub use store::{Recordings, check_version, is_version};

/// What a recorded request says of the agent's own text, and which messages were recorded otherwise.
pub struct Taken {
    pub recording: Recording,
    pub otherwise: Vec<Diagnostic>,
}

/// Takes the agent's own text from a request that was sent in the folder. `prompt` is what the rules make there, without
/// recorded text.
pub fn take(request: &AgentRequest, prompt: &Prompt, recorded: &[ReadMessage], files: &dyn Store) -> Taken {
    let chosen = &request.chosen;
    let found = find::own_texts(&prompt.messages, recorded, chosen.agent);
    let texts = guard::without_files(found.texts, prompt, &request.arguments, files);
    let recording = Recording { texts, ..Recording::new(chosen.agent.name, &chosen.version, &request.cwd) };
    Taken { recording, otherwise: found.otherwise }
}
