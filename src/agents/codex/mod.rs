//! The agent `codex`.

mod arguments;
mod base;
mod folders;
mod instructions;
mod keys;
mod rules;
mod settings;
mod skills;
#[cfg(test)]
mod tests;
mod toml;
mod unread;

use super::agent::Agent;
use super::connection::Connection;
use super::files::joined;
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Role, Slot};
use crate::read::store::PathKind;
use crate::text::Span;

use arguments::{Arguments, FLAGS};
use folders::Folders;
use settings::Settings;

pub(super) static CODEX: Agent = Agent {
    name: "codex",
    releases: &["0.130.0", "0.135.0", "0.140.0", "0.145.0", "0.150.0", "0.155.0", "0.160.0", "0.166.0", "0.169.0"],
    unchanged: &["0.171.0"],
    packages: &["@openai/codex"],
    program: "codex",
    settings: &[".codex", ".agents"],
    settings_files: &[".codex/config.toml"],
    setting_keys: &keys::KEYS,
    variables: &["CODEX_HOME"],
    connection: CONNECTION,
    own_parts: None,
    own_user_start: Some("<environment_context>"),
    read,
    skill_problem_matters: |_, problem| {
        use Problem::{SkillDescriptionMissing, SkillDescriptionTooLong, SkillNameTooLong};
        matches!(problem, SkillDescriptionMissing | SkillDescriptionTooLong { .. } | SkillNameTooLong { .. })
    },
};

const DEFAULT_MODEL: &str = "gpt-6.1-sol";

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    let Arguments { profile, folder, settings } = FLAGS.read(visit)?;
    let overrides = settings.into_iter().collect::<Result<Vec<_>, _>>()?;
    let home = folders::own_folder(visit)?;
    let mut settings = Settings::of_user(visit, &home, profile.as_deref(), overrides)?;
    let cwd = joined(&visit.request.cwd, folder.as_deref().unwrap_or_default());
    if folder.is_some() && visit.kind(&cwd) != Some(PathKind::Folder) {
        return Err(refusal(format!("the folder {cwd} of `-C` does not exist"), None));
    }
    let folders = Folders::new(visit, home, cwd, &settings.markers());
    settings.add_project(visit, &folders)?;
    base::write(visit, &folders, &settings)?;
    base::write_developer(visit, &settings);
    if visit.since("0.145.0") {
        skills::write(visit, &folders, &settings);
        rules::write(visit, &folders, &settings)?;
    } else {
        rules::write(visit, &folders, &settings)?;
        skills::write(visit, &folders, &settings);
    }
    let is_default = settings.text("model").is_none_or(|model| model == DEFAULT_MODEL);
    let own = [("collaboration", true), ("multi_agent_role", is_default), ("multi_agent_mode", is_default)];
    for (id, _) in own.into_iter().filter(|(_, is_there)| *is_there) {
        visit.draft.message(Role::Developer);
        visit.own_part(Slot::DeveloperBase, id);
    }
    instructions::write(visit, &folders, &settings);
    visit.draft.message(Role::User);
    visit.own_part(Slot::UserEnvironment, "environment");
    unread::find(visit, &folders, &settings);
    Ok(())
}

/// Why the agent does not start.
fn refusal(reason: String, at: Option<Span>) -> Diagnostic {
    Diagnostic { problem: Problem::AgentRefuses { agent: "codex", reason }, at: at.map(Into::into) }
}

/// Something that people do not expect of the agent.
fn pitfall(does: impl Into<String>, help: &'static str) -> Problem {
    Problem::AgentPitfall { agent: "codex", does: does.into(), help }
}

const CONNECTION: Connection = Connection {
    arguments: |leading| {
        let provider = format!(r#"model_providers.rye-render={{name="rye-render",base_url="{}/v1"}}"#, leading.url);
        ["-c", &provider, "-c", r#"model_provider="rye-render""#].map(str::to_string).to_vec()
    },
    ..Connection::of("codex")
};
