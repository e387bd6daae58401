//! A made-up agent: what one needs to write to add an agent. In each folder from the working folder up, `HELPER.md` or
//! else `NOTES.md` is sent, nearest first.

use super::{Agent, Connection, Decoding, Diagnostic, FileState, Instructions, Role, Slot, Traced, Visit};

pub static HELPER: Agent = Agent {
    name: "helper",
    releases: &["1.0.0"],
    unchanged: &[],
    packages: &[],
    program: "helper",
    settings: &[],
    settings_files: &[],
    setting_keys: &[],
    variables: &[],
    connection: Connection::of("helper"),
    own_parts: None,
    own_user_start: None,
    read,
    skill_problem_matters: |_, _| false,
};

const INSTRUCTIONS: Instructions = Instructions { names: &["HELPER.md", "NOTES.md"], decoding: Decoding::Whole };

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    visit.draft.message(Role::System);
    for file in INSTRUCTIONS.find(visit).into_iter().rev() {
        visit.context(&file.path, Slot::SystemContext, Traced::raw(&file.text), FileState::Loaded);
    }
    Ok(())
}
