//! What a coding agent is told in a folder: a value with its rules for each agent, and what they share.

mod agent;
mod arguments;
mod claude_code;
mod codex;
mod connection;
mod decisions;
mod decoding;
mod draft;
mod ecmascript;
mod files;
mod git;
mod glob;
mod ignore_line;
mod installed;
mod instructions;
mod json;
mod known;
mod look;
mod names;
mod opencode;
mod pi;
mod recorded;
mod recording;
mod repository;
mod setting_keys;
mod sf;
mod skills;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod visit;

/// What to do about a skill whose front matter says too little.
const SKILL_HELP: &str = "begin with `---`, `name:` and `description:` lines, and `---`";

/// The rules for the prompt of a folder: a protocol such as `sf`, or those of an agent.
#[derive(Debug, Clone)]
pub enum FolderRules {
    Protocol(Box<Protocol>),
    /// The agent, and the release if one is named.
    Agent(&'static Agent, Option<String>),
}

impl FolderRules {
    /// `codex`, `codex@0.169.0`
    pub fn name(&self) -> String {
        match self {
            Self::Protocol(protocol) => protocol.name.clone(),
            Self::Agent(agent, None) => agent.name.to_string(),
            Self::Agent(agent, Some(version)) => format!("{}@{version}", agent.name),
        }
    }

    /// The name without a release.
    pub fn agent_name(&self) -> &str {
        match self {
            Self::Protocol(protocol) => &protocol.name,
            Self::Agent(agent, _) => agent.name,
        }
    }
}

pub use agent::{Agent, AgentRequest, FolderTrust, KnownFiles, RuleQuestion};
pub use connection::Leading;
pub use files::{ancestors, below, cut_at, folders_from, joined, parent, read, survey_ancestors};
pub use installed::Machine;
pub use look::{look as look_as, render as render_agent, take};
pub use names::{ChoiceReach, ENDS_FRAME, InstructionNames, is_common, is_override};
pub use recorded::{Recordings, Taken, check_version, is_version};
pub use recording::{OwnText, Recording};
pub use repository::{render_repository, repository_request};
pub use sf::*;
pub use visit::AgentLook;
