//! Reasons why a prompt leaves something out.

use std::fmt;

use super::skills::UnusedReason;
use crate::diagnostic::{Diagnostic, Problem};

pub const EMPTY: &str = "it is empty";

/// For an agent's file that the project overrides.
pub const PROJECT_WINS: &str = "the project's file wins";

/// For an instruction file hidden by another.
pub const BESIDE_AGENTS: &str = "there is an AGENTS.md next to it";

/// For a link in place of an instruction file.
pub const DANGLING: &str = "it is a dangling link";

pub const HIDES_ITSELF: &str = "its front matter hides it from the agent";

pub const NO_READ: &str = "the tool read is not active";

impl fmt::Display for UnusedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(Problem::SkillUnreadable { reason }) => write!(f, "it cannot be read: {reason}"),
            Self::Unreadable(problem) => f.write_str(&Diagnostic::new(problem.clone()).message()),
            Self::NoDescription => f.write_str("it has no description"),
            Self::Collision { winner } => write!(f, "{winner} has the same name"),
            Self::Ignored { folder } => write!(f, "an ignore file in {folder} excludes it"),
        }
    }
}
