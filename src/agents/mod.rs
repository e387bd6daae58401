//! What a coding agent is told in a folder: a value with its rules for each agent, and what they share.

mod agent;
mod arguments;
mod claude_code;
mod codex;
mod collation;
mod draft;
mod files;
mod git;
mod glob;
mod ignore_line;
mod installed;
mod instructions;
mod json;
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

pub use agent::{Agent, AgentRequest, KnownFiles, RuleQuestion};
pub use files::{ancestors, below, parent, read};
pub use installed::Machine;
pub use sf::*;
pub use visit::render as render_agent;
