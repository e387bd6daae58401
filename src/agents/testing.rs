use super::agent::{Agent, AgentRequest};
use crate::read::store::MemoryStore;

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
