//! The agent `pi`: context files, `SYSTEM.md` and `APPEND_SYSTEM.md`, trust, tools and skills.

mod arguments;
mod context;
mod custom;
mod frame;
mod own_text;
mod settings;
mod skills;
#[cfg(test)]
mod tests;
mod tools;
mod unread;

use super::agent::Agent;
use super::connection::{Connection, KEY};
use super::decoding::Decoding;
use super::files::{below, resolved};
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileOutcome, FileReason, FileState, Role};

use arguments::Arguments;
use custom::Customs;
use settings::{Settings, Trust};
use tools::Tools;

pub(super) static PI: Agent = Agent {
    name: "pi",
    releases: &["0.57.1", "0.73.1", "0.84.4", "1.0.3", "1.5.2"],
    unchanged: &[],
    packages: &["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
    program: "pi",
    settings: &[".pi", ".agents"],
    settings_files: &[".pi/settings.json"],
    setting_keys: &settings::KEYS,
    variables: &["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"],
    connection: CONNECTION,
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
    let trust = settings::trusts(visit, &places, &arguments, &global);
    let is_trusted = trust.as_ref().is_ok_and(|trust| trust.is_trusted);
    let settings = Settings::new(visit, &places, global, is_trusted);
    visit.draft.message(Role::System);
    let customs = Customs::find(visit, &places, &arguments, is_trusted);
    let context = context::find(visit, &places, arguments.no_context_files);
    let tools = Tools::active(visit, &arguments, &settings);
    for name in &tools.unknown {
        let (agent, name) = (visit.request.chosen.agent.name, name.clone());
        visit.report(Problem::AgentToolUnknown { agent, name });
    }
    let skills = skills::find(visit, &places, &arguments, &settings);
    skills::without_reader(visit, &tools, &skills);
    frame::write(visit, &customs, &context, &tools, &skills);
    unread::find(visit, &places);
    trust.map(|trust| decided(visit, &places, &trust))
}

/// Names what decided that the files which need trust count, or do not.
fn decided(visit: &mut Visit<'_>, places: &Places, trust: &Trust) {
    let (project, of_user) = (below(&places.project, ""), below(&places.home, ".agents/skills/"));
    let needs_trust = |path: &str| path.starts_with(&project) || path.contains("/.agents/skills/");
    let of_trust = |file: &FileOutcome| match file.state {
        FileState::LeftOut => file.why == Some(FileReason::Untrusted),
        _ => trust.is_trusted && needs_trust(&file.path) && !file.path.starts_with(&of_user),
    };
    let paths = visit.paths(of_trust);
    if let (None, Some(first)) = (&trust.by, paths.first().filter(|_| !trust.is_trusted)) {
        let folder = places.cwd.clone();
        let help = format!("write `{{\"{folder}\": true}}` into {}, or add --approve", settings::list(places));
        let problem = Problem::AgentSettingsUntrusted { agent: "pi", folder, help };
        visit.report_file(problem, first, "cwd");
    }
    for path in paths {
        visit.decided(&path, trust.by.clone());
    }
}

/// How the bytes of a file become text.
fn decoding(visit: &Visit<'_>) -> Decoding {
    if visit.since("0.84.0") { Decoding::WithoutMark } else { Decoding::Whole }
}

/// An extension adds the provider.
const CONNECTION: Connection = Connection {
    arguments: |leading| ["-e", leading.file, "--provider", "rye-render", "--model", "m"].map(str::to_string).to_vec(),
    file: Some(|leading| {
        let provider = serde_json::json!({
            "baseUrl": format!("{}/v1", leading.url),
            "apiKey": KEY,
            "api": "openai-completions",
            "models": [{
                "id": "m",
                "name": "m",
                "reasoning": false,
                "input": ["text"],
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                "contextWindow": 200_000,
                "maxTokens": 1_000,
            }],
        });
        format!("export default (pi) => pi.registerProvider(\"rye-render\", {provider});\n")
    }),
    ..Connection::of("pi")
};

/// The folders that `pi` looks into.
pub(super) struct Places {
    pub cwd: String,
    pub home: String,
    /// The user's own folder of the agent.
    pub agent: String,
    /// The project's folder: that of the working folder only, never that of an ancestor.
    pub project: String,
}

impl Places {
    pub fn new(visit: &Visit<'_>) -> Self {
        let request = visit.request;
        let (cwd, home) = (request.cwd.clone(), request.home.clone());
        let agent = match (&request.agent_dir, visit.variable("PI_CODING_AGENT_DIR")) {
            (Some(folder), _) => folder.clone(),
            (None, Some(folder)) => resolved(folder, &cwd, &home),
            (None, None) => Self::usual(&home),
        };
        Self { project: below(&cwd, ".pi"), cwd, home, agent }
    }

    /// Where the agent's folder is unless something moves it.
    pub fn usual(home: &str) -> String {
        below(home, ".pi/agent")
    }

    /// A path as a user types it, relative to a folder.
    pub fn resolved(&self, path: &str, base: &str) -> String {
        resolved(path, base, &self.home)
    }
}
