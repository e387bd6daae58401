//! The agent `claude-code`.

mod allowance;
mod arguments;
mod clean;
mod excludes;
mod folders;
mod front_matter;
mod instructions;
mod lists;
mod markdown;
mod memory;
mod nested;
mod patterns;
mod policy;
mod settings;
mod system;
#[cfg(test)]
mod tests;
mod texts;
mod touch;
mod warnings;

use super::agent::Agent;
use super::connection::Connection;
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};

use arguments::PromptArguments;
use folders::DecidingFolders;
use memory::Memory;
use policy::InstructionPolicy;
use settings::OwnedSettings;

pub(super) static CLAUDE_CODE: Agent = Agent {
    name: NAME,
    releases: &["2.1.276", "2.1.277", "2.1.289", "2.1.295", "2.1.300", "2.1.307", "2.1.311", "2.1.315", "2.1.330"],
    unchanged: &["2.1.332"],
    packages: &["@anthropic-ai/claude-code"],
    program: "claude",
    settings: &[".claude"],
    settings_files: &[".claude/settings.json", ".claude/settings.local.json"],
    setting_keys: &settings::KEYS,
    variables: &[folders::CONFIG_VARIABLE, NO_INSTRUCTIONS, INSTRUCTIONS_OF_ADDED, SKILL_BUDGET],
    connection: CONNECTION,
    own_parts: Some(lists::parts),
    own_user_start: None,
    read,
    // It does not read `.agents/skills`.
    skill_problem_matters: |_, _| false,
};

const NAME: &str = "claude-code";
const NO_INSTRUCTIONS: &str = "CLAUDE_CODE_DISABLE_CLAUDE_MDS";
const INSTRUCTIONS_OF_ADDED: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";
/// How many characters the list of skills may have.
const SKILL_BUDGET: &str = "SLASH_COMMAND_TOOL_CHAR_BUDGET";

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    let arguments = PromptArguments::read(visit)?;
    let folders = DecidingFolders::new(visit, arguments);
    let settings = OwnedSettings::read(visit, &folders)?;
    system::write(visit, &folders.arguments)?;
    let policy = InstructionPolicy::new(visit, &folders, &settings);
    visit.look.names = policy.names();
    let mut instructions = instructions::find(visit, &policy);
    let memory = Memory::find(visit, &policy, &settings);
    instructions::write(visit, &instructions.found, memory.as_ref());
    instructions.found.record(visit);
    let mut joins = lists::write(visit, &folders, &settings);
    let nested = nested::find(visit, &policy, &instructions);
    joins.read(visit, nested.keys().cloned());
    touch::explain(visit, &instructions.found, nested.values());
    touch::write(visit, &policy, instructions.found, nested, &mut joins);
    visit.mark_targets();
    instructions::mark_unread(visit, &folders);
    Ok(())
}

/// Why the agent does not start.
fn refusal(reason: String) -> Diagnostic {
    Diagnostic::new(Problem::AgentRefuses { agent: NAME, reason })
}

const CONNECTION: Connection = Connection {
    variables: |leading| {
        let url = ("ANTHROPIC_BASE_URL", leading.url.to_string());
        [url].into_iter().chain(leading.key("ANTHROPIC_API_KEY")).collect()
    },
    ..Connection::of("claude-cli")
};
