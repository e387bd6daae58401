//! What is said of what a prompt leaves out: a clause for each reason.

use std::fmt;

use super::skills::Why;
use crate::diagnostic::{Diagnostic, Problem};

/// Of a file without a text.
pub const EMPTY: &str = "it is empty";

/// Of a file of the agent's folder that the project has, too.
pub const PROJECT_COUNTS: &str = "the project's file counts";

/// Of a file of instructions that another one hides.
pub const BESIDE_AGENTS: &str = "an AGENTS.md stands beside it";

/// Of a link in the place of a file of instructions.
pub const DANGLING: &str = "it is a link that leads nowhere";

/// Of a skill that says so.
pub const HIDES_ITSELF: &str = "its front matter hides it from the agent";

/// Of every skill, where no agent could read one.
pub const NO_READ: &str = "the tool read is not active";

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(Problem::SkillUnreadable { reason }) => write!(f, "it cannot be read: {reason}"),
            Self::Unreadable(problem) => f.write_str(&Diagnostic::new(problem.clone()).message()),
            Self::NoDescription => f.write_str("it has no description"),
            Self::Collision { winner } => write!(f, "{winner} has its name"),
            Self::Ignored { folder } => write!(f, "an ignore file in {folder} passes over it"),
        }
    }
}
