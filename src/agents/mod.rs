//! What a coding agent is told in a folder: a value with its rules for each agent, and what they share.

mod agent;
mod arguments;
mod claude_code;
mod codex;
mod collation;
mod connection;
mod draft;
mod files;
mod git;
mod glob;
mod ignore_line;
mod installed;
mod instructions;
mod json;
mod names;
mod opencode;
mod origins;
mod pi;
mod recorded;
mod sf;
mod skills;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod visit;
mod white_space;

/// The rules for the prompt of a folder: a protocol such as `sf`, or those of an agent.
#[derive(Debug, Clone)]
pub enum FolderRules {
    Protocol(Box<Protocol>),
    /// The agent, and the release if one is named.
    Agent(&'static Agent, Option<String>),
}

impl FolderRules {
    pub fn name(&self) -> &str {
        match self {
            Self::Protocol(protocol) => &protocol.name,
            Self::Agent(agent, _) => agent.name,
        }
    }

    /// Whether a folder that holds this path, relative to it, has instructions of its own.
    fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Protocol(protocol) => name == protocol.folder || sf::CONTEXT_NAMES.contains(&name),
            Self::Agent(agent, _) => agent.names.contains(&name),
        }
    }

    /// The folder to which a file gives instructions: `api` for `api/AGENTS.md` and `api/.claude/rules/a.md`. `None`
    /// for any other file.
    pub fn folder_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut start = 0;
        for name in path.split('/') {
            if self.is_named(name) {
                return Some(path[..start].trim_end_matches('/'));
            }
            start += name.len() + 1;
        }
        None
    }
}

pub use agent::{Agent, AgentRequest, KnownFiles, RuleQuestion};
pub use connection::Leading;
pub use files::{ancestors, below, cut_at, parent, read};
pub use installed::Machine;
pub use names::{ChoiceReach, InstructionNames, is_common, is_override};
pub use recorded::{OwnText, Recording, Recordings, Taken, check_version, is_version, take};
pub use sf::*;
pub use visit::{AgentLook, look as look_as, render as render_agent};
