//! The assembler `sf`: the system prompt of a coding agent, from a base, `AGENTS.md` files, skills, date and folder
//! ("The System Prompt Anatomy").

mod assemble;
mod base;
mod clock;
mod context;
mod extensions;
mod messages;
mod protocol;
pub mod reasons;
mod request;
mod skills;
mod system;
mod tools;

pub use assemble::{Applying, render};
pub use base::{BUILT_IN, Chosen, Hidden};
pub use clock::{parse as now, present, shown};
pub use context::{NAMES as CONTEXT_NAMES, agents_file, from_outside};
pub use extensions::read as read_extensions;
pub use messages::placed;
pub use protocol::Protocol;
pub use request::{GivenText, Request};
#[cfg(feature = "internals")]
pub use skills::discover;
pub use skills::{
    FoundSkills, NameBudget, Root, Skill, UnusedReason, UnusedSkill, discover_within, is_top, roots_up_to,
};
pub use tools::read as read_tools;

/// The owners of the files and skills that apply to a folder, nearest first.
pub const TIERS: [&str; 5] = ["cwd", "ancestor", "agent", "home", "extension"];
