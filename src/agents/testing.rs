use super::agent::{Agent, AgentRequest};
use crate::prompt::Prompt;
use crate::read::store::MemoryStore;
use crate::text::Span;

/// A request for the prompt of the newest release of an agent in a folder.
pub fn request(agent: &'static Agent, cwd: &str, home: &str) -> AgentRequest {
    AgentRequest::new(agent.at(None, None), cwd.to_string(), home.to_string())
}

/// Files in memory, by their paths; a link has `->` before its target.
pub fn tree(files: &[(&str, &str)]) -> MemoryStore {
    let mut tree = MemoryStore::new();
    for &(path, text) in files {
        match text.strip_prefix("->") {
            Some(target) => tree.link(path, Some(target.to_string())),
            None => tree.insert(path, text),
        }
    }
    tree
}

/// The setting that decided about a file, and its line.
pub fn decided(prompt: &Prompt, path: &str) -> Option<(String, usize)> {
    let file = prompt.files.iter().find(|file| file.path == path).unwrap();
    let by = file.by.clone()?;
    Some((by.by, by.span.as_ref().map_or(0, Span::line)))
}
