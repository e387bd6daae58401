use std::collections::BTreeMap;

use super::agent::{Agent, AgentRequest};
use crate::read::environment::Environment;
use crate::read::store::MemoryStore;

/// A request for the prompt of the newest release of an agent in a folder.
pub fn request(agent: &'static Agent, cwd: &str, home: &str) -> AgentRequest {
    AgentRequest {
        chosen: agent.at(None, None),
        cwd: cwd.to_string(),
        home: home.to_string(),
        model: None,
        agent_dir: None,
        variables: BTreeMap::new(),
        environment: Environment::default(),
        arguments: Vec::new(),
        base: None,
        recording: None,
        notes: Vec::new(),
        touch: Vec::new(),
        why: None,
        is_trusted: false,
        keeps_later: false,
    }
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
