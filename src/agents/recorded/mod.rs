//! The agent's own text, taken from a recorded request (Agents, "Model").

mod fill;
mod find;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::agents::agent::AgentRequest;
use crate::agents::recording::{OwnText, Recording};
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::prompt::sent::ReadMessage;
use crate::read::limits;
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
    let texts = without_files(found.texts, prompt, &request.arguments, files);
    let recording = Recording { texts, ..Recording::new(chosen.agent.name, &chosen.version, &request.cwd) };
    Taken { recording, otherwise: found.otherwise }
}

/// A line that no two texts share by chance.
const TELLING: usize = 20;

/// Leaves out each text that holds a file's, which the rules do not expect there, or what the user typed.
fn without_files(texts: Vec<OwnText>, prompt: &Prompt, arguments: &[String], files: &dyn Store) -> Vec<OwnText> {
    let read = |path: &String| files.read(path, limits::FILE_BYTES).ok();
    let contents: Vec<String> = prompt
        .files
        .iter()
        .filter_map(|file| read(&file.path))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let is_typed = |text: &str| arguments.iter().any(|argument| text.trim() == argument.trim());
    let is_own = |text: &OwnText| {
        let lines = lines(&text.text).collect();
        !is_typed(&text.text) && !contents.iter().any(|content| stands_in(content, &lines))
    };
    texts.into_iter().filter(is_own).collect()
}

/// Whether a telling line of a file, or each of its lines, is one of these.
fn stands_in(content: &str, own: &HashSet<&str>) -> bool {
    let is_there = |line: &str| own.contains(line);
    let is_whole = lines(content).next().is_some() && lines(content).all(is_there);
    is_whole || lines(content).any(|line| line.len() >= TELLING && is_there(line))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
