//! The agent `opencode`.

mod definitions;
mod entries;
mod front_matter;
mod instructions;
mod json;
mod node;
mod places;
mod references;
mod settings;
mod skills;
#[cfg(test)]
mod tests;
mod unread;
mod walk;

use std::collections::HashSet;

use serde_json::json;

use super::agent::Agent;
use super::arguments::{AgentFlag, AgentFlags};
use super::connection::{Connection, KEY};
use super::draft::Text;
use super::instructions::InstructionFile;
use super::recording::OwnText;
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::prompt::{FileReason, FileState, LayerKind, Role, Slot};
use crate::text::{Origin, Span, Traced};

use places::{AgentFolders, Switches};
use settings::MergedSettings;

const AGENT: &str = "opencode";

pub(super) static OPENCODE: Agent = Agent {
    name: AGENT,
    releases: &["1.1.65", "1.2.1", "1.3.2", "1.14.34", "1.15.0", "1.18.33"],
    unchanged: &[],
    packages: &["opencode-ai"],
    program: "opencode",
    settings: &["opencode.json", "opencode.jsonc", ".opencode", ".claude", ".agents"],
    settings_files: &settings::NAMES,
    setting_keys: &settings::keys::OFFERED,
    variables: &[
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_CONTENT",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_DISABLE_CLAUDE_CODE",
        "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT",
        "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS",
        "OPENCODE_DISABLE_EXTERNAL_SKILLS",
        "OPENCODE_DISABLE_PROJECT_CONFIG",
        "XDG_CONFIG_HOME",
    ],
    connection: CONNECTION,
    own_parts: Some(own_parts),
    own_user_start: Some("<system-reminder>"),
    read,
    skill_problem_matters: |_, problem| matches!(problem, Problem::SkillDescriptionMissing),
};

/// Of the flags of `opencode run`, the name of an agent alone changes the prompt.
static FLAGS: AgentFlags<Option<String>> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::new("--agent=", |agent, name| *agent = Some(name)),
        AgentFlag::ignored(
            "--model|-m= --session|-s= --command= --file|-f= --title= --format= --attach= --port= --variant= --log-level= \
             --continue|-c --fork --share --thinking --print-logs",
        ),
    ],
};

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    let named = FLAGS.read(visit)?;
    let (switches, wrong_switch) = match Switches::read(visit) {
        Ok(switches) => (switches, None),
        Err(refusal) => (Switches::default(), Some(refusal)),
    };
    let places = AgentFolders::new(visit, switches);
    let mut settings = MergedSettings::load(visit, &places);
    settings.refusal = wrong_switch.or(settings.refusal.take());
    let agent = definitions::chosen(&settings).unwrap_or_else(|wrong| {
        settings.refuse(wrong);
        String::new()
    });
    let agent = named.and_then(|name| definitions::named(visit, &settings, name)).unwrap_or(agent);
    let sent = write(visit, &places, &mut settings, &agent);
    instructions::write_touched(visit, &places, sent);
    definitions::mark(visit, &settings, &agent);
    unread::find(visit, &places);
    match settings.refusal {
        Some(refusal) => {
            visit.invalidate(&refusal, |file| {
                use FileReason::{Empty, Excluded, Hidden, Shadowed};
                file.state != FileState::LeftOut || matches!(file.why, Some(Shadowed | Hidden | Empty | Excluded))
            });
            Err(refusal)
        }
        None => Ok(()),
    }
}

/// Writes the first request, and returns the paths of the instruction files in it.
fn write(visit: &mut Visit<'_>, places: &AgentFolders, settings: &mut MergedSettings, agent: &str) -> HashSet<String> {
    visit.draft.message(Role::System);
    base(visit, settings, agent);
    visit.draft.separate("\n");
    visit.own_part(Slot::SystemEnvironment, "environment");
    if !visit.since("1.14.34") {
        visit.draft.separate("\n");
        visit.own_part(Slot::SystemEnvironment, "directories");
        skills::write(visit, places, settings, agent);
    }
    references::write(visit, &settings.merged);
    let files = instructions::find(visit, places, settings);
    for file in &files {
        visit.draft.separate("\n");
        visit.context(&file.path, Slot::SystemContext, under_heading(file), FileState::Loaded);
    }
    if visit.since("1.14.34") {
        skills::write(visit, places, settings, agent);
    }
    if agent == "plan" {
        visit.draft.message(Role::User);
        visit.own_part(Slot::UserContext, "plan_reminder");
    }
    files.into_iter().map(|file| file.path).collect()
}

/// The text of an instruction file below its heading.
fn under_heading(file: &InstructionFile) -> Traced {
    let mut framed = Traced::protocol("Instructions from: ");
    framed.push_str(&file.path, Origin::Derived(file.text.slice(0..0)));
    framed.push_protocol("\n").push(&Traced::raw(&file.text));
    framed
}

/// Writes the prompt of the agent, or its own text for the model.
fn base(visit: &mut Visit<'_>, settings: &MergedSettings, agent: &str) {
    let Some(prompt) = definitions::prompt(settings, agent) else {
        visit.own_part(Slot::SystemBase, "provider");
        mark_files(visit, settings, None);
        return;
    };
    let name = prompt.span().map_or("prompt".to_string(), |span| span.source().path().to_string());
    let text = Text::named(&name, prompt.clone());
    let layer = visit.draft.section("base", Slot::SystemBase, LayerKind::Base, text);
    mark_files(visit, settings, Some((prompt, layer)));
}

/// Gives the files whose text is in settings and in agents their states.
fn mark_files(visit: &mut Visit<'_>, settings: &MergedSettings, sent: Option<(&Traced, usize)>) {
    let defined = settings.agent_files.iter().map(|file| &file.path);
    let files: HashSet<&String> = settings.files.iter().chain(defined).collect();
    if let Some((prompt, layer)) = sent {
        for path in settings::sources(prompt).filter(|path| files.contains(path)) {
            visit.stands(&path, FileState::Loaded, layer);
        }
    }
    for path in &settings.files {
        match settings.prompt_files.contains(path) {
            true => visit.left_out(Slot::SystemBase, path, FileReason::Shadowed, None),
            false => visit.applied(path),
        }
    }
}

/// Why the agent does not start.
fn refusal(reason: String, at: Option<Span>) -> Diagnostic {
    Diagnostic { problem: Problem::AgentRefuses { agent: AGENT, reason }, at: at.map(Into::into) }
}

/// Warns of something that surprises people.
fn warn(visit: &mut Visit<'_>, at: impl Into<Location>, does: String, help: &'static str) {
    visit.report_at(Problem::AgentPitfall { agent: AGENT, does, help }, at);
}

/// The provider of the model that a flag names is led to the address, else one of its own.
const CONNECTION: Connection = Connection {
    variables: |leading| {
        let options = json!({"baseURL": format!("{}/v1", leading.url), "apiKey": KEY});
        let named = leading.flag(&["--model", "-m"]).and_then(|model| model.split_once('/'));
        let settings = match named {
            Some((provider, _)) => json!({"provider": {provider: {"options": options}}}),
            None => json!({
                "provider": {"rye-render": {
                    "npm": "@ai-sdk/openai-compatible",
                    "options": options,
                    "models": {"m": {}},
                }},
                "model": "rye-render/m",
            }),
        };
        vec![leading.settings("OPENCODE_CONFIG_CONTENT", settings)]
    },
    ..Connection::of("opencode")
};

/// Divides the texts before the instruction files. The environment begins two lines before its tag.
fn own_parts(id: &str, text: &str) -> Vec<OwnText> {
    let whole = || vec![OwnText::new(id, text)];
    let Some(last) = id.strip_prefix("provider..").filter(|last| last.starts_with("environment")) else {
        return whole();
    };
    let Some(tag) = text.find("\n<env>\n") else { return whole() };
    let Some(start) = text[..tag].rmatch_indices('\n').nth(1).map(|(at, _)| at + 1) else { return whole() };
    vec![OwnText::new("provider", &text[..start]), OwnText::new(last, &text[start..])]
}
