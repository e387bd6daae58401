//! The agent `pi`: context files, `SYSTEM.md` and `APPEND_SYSTEM.md`, trust, tools and skills.

mod arguments;
mod connection;
mod context;
mod custom;
mod frame;
mod own_text;
mod places;
mod settings;
mod skills;
mod tools;
mod trust;
mod unread;

use super::agent::Agent;
use super::decoding::Decoding;
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::Role;

use arguments::Arguments;
use custom::Customs;
use places::Places;
use settings::Settings;
use tools::Tools;

pub(super) static PI: Agent = Agent {
    name: "pi",
    releases: &["0.57.1", "0.73.1", "0.84.4", "1.0.3", "1.5.2"],
    unchanged: &[],
    packages: &["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
    program: "pi",
    settings: &[".pi", ".agents"],
    settings_files: &[".pi/settings.json"],
    setting_keys: settings::keys,
    variables: &["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"],
    connection: connection::CONNECTION,
    own_parts: None,
    own_user_start: None,
    read,
    skill_problem_matters: |chosen, problem| match problem {
        Problem::SkillNameMismatch { .. } => !chosen.since("0.84.0"),
        _ => true,
    },
};

fn read(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    let arguments = Arguments::read(visit)?;
    let places = Places::new(visit);
    own_text::learn(visit);
    let global = settings::read(visit, &places.agent, "agent");
    let trust = trust::decide(visit, &places, &arguments, &global);
    let is_trusted = trust.as_ref().is_ok_and(|trusted| *trusted);
    let settings = Settings::new(visit, &places, global, is_trusted);
    visit.draft.message(Role::System);
    let customs = Customs::find(visit, &places, &arguments, is_trusted);
    let context = context::find(visit, &places, arguments.no_context_files);
    let tools = Tools::active(visit, &arguments, &settings);
    for name in &tools.unknown {
        let (agent, name) = (visit.request.chosen.agent.name, name.clone());
        visit.diagnostics.push(Diagnostic::new(Problem::AgentToolUnknown { agent, name }));
    }
    let skills = skills::find(visit, &places, &arguments, &settings, is_trusted);
    skills::without_reader(visit, &tools, &skills);
    frame::write(visit, &customs, &context, &tools, &skills);
    unread::find(visit, &places);
    trust.map(drop)
}

/// How the bytes of a file become text.
fn decoding(visit: &Visit<'_>) -> Decoding {
    if visit.since("0.84.0") { Decoding::WithoutMark } else { Decoding::Whole }
}
