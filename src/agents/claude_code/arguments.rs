//! The arguments that `claude` itself would be started with.

use super::{NAME, refusal};
use crate::agents::arguments::{AgentFlag, AgentFlags, invalid};
use crate::agents::files::joined;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;

/// The arguments that change the prompt. Paths are absolute.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub system_prompt: PromptText,
    pub append: PromptText,
    /// Further folders, in their order.
    pub added: Vec<String>,
    pub is_bare: bool,
    pub sources: Sources,
    /// A path of a file, or JSON.
    pub settings: Option<String>,
}

/// What two flags say together: one names a file, one is the text.
#[derive(Debug, Default)]
pub(super) struct PromptText {
    pub file: Option<String>,
    pub text: Option<String>,
}

/// Whose files count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sources {
    pub user: bool,
    pub project: bool,
    pub local: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Self { user: true, project: true, local: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    SystemPrompt,
    SystemPromptFile,
    Append,
    AppendFile,
    AddFolders,
    Bare,
    Sources,
    Settings,
    /// It may change the prompt, and how was not compared.
    NotCompared(&'static str),
}

static FLAGS: AgentFlags<Effect> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::value(&["--system-prompt"], Effect::SystemPrompt),
        AgentFlag::value(&["--system-prompt-file"], Effect::SystemPromptFile),
        AgentFlag::value(&["--append-system-prompt"], Effect::Append),
        AgentFlag::value(&["--append-system-prompt-file"], Effect::AppendFile),
        AgentFlag::values(&["--add-dir"], Effect::AddFolders),
        AgentFlag::switch(&["--bare"], Effect::Bare),
        AgentFlag::value(&["--setting-sources"], Effect::Sources),
        AgentFlag::value(&["--settings"], Effect::Settings),
        AgentFlag::ignored_switch(&["--allow-dangerously-skip-permissions"]),
        AgentFlag::ignored_value(&["--allowedTools", "--allowed-tools"]),
        AgentFlag::ignored_value(&["--betas"]),
        AgentFlag::ignored_switch(&["--chrome"]),
        AgentFlag::ignored_switch(&["--dangerously-skip-permissions"]),
        AgentFlag::ignored_switch(&["--debug", "-d"]),
        AgentFlag::ignored_value(&["--debug-file"]),
        AgentFlag::ignored_value(&["--effort"]),
        AgentFlag::ignored_value(&["--fallback-model"]),
        AgentFlag::ignored_switch(&["--fork-session"]),
        AgentFlag::ignored_switch(&["--help", "-h"]),
        AgentFlag::ignored_switch(&["--ide"]),
        AgentFlag::ignored_switch(&["--include-hook-events"]),
        AgentFlag::ignored_switch(&["--include-partial-messages"]),
        AgentFlag::ignored_value(&["--input-format"]),
        AgentFlag::ignored_value(&["--json-schema"]),
        AgentFlag::ignored_value(&["--max-budget-usd"]),
        AgentFlag::ignored_value(&["--max-turns"]),
        AgentFlag::ignored_switch(&["--mcp-debug"]),
        AgentFlag::ignored_value(&["--model"]),
        AgentFlag::ignored_value(&["--name", "-n"]),
        AgentFlag::ignored_switch(&["--no-chrome"]),
        AgentFlag::ignored_switch(&["--no-session-persistence"]),
        AgentFlag::ignored_value(&["--output-format"]),
        AgentFlag::ignored_value(&["--permission-mode"]),
        AgentFlag::ignored_value(&["--permission-prompt-tool"]),
        AgentFlag::ignored_switch(&["--print", "-p"]),
        AgentFlag::ignored_switch(&["--replay-user-messages"]),
        AgentFlag::ignored_value(&["--session-id"]),
        AgentFlag::ignored_switch(&["--strict-mcp-config"]),
        AgentFlag::ignored_switch(&["--tmux"]),
        AgentFlag::ignored_switch(&["--verbose"]),
        AgentFlag::ignored_switch(&["--version", "-v"]),
        AgentFlag::value(&["--agent"], Effect::NotCompared("--agent")),
        AgentFlag::value(&["--agents"], Effect::NotCompared("--agents")),
        AgentFlag::switch(&["--continue", "-c"], Effect::NotCompared("--continue")),
        AgentFlag::switch(&["--disable-slash-commands"], Effect::NotCompared("--disable-slash-commands")),
        AgentFlag::value(&["--disallowedTools", "--disallowed-tools"], Effect::NotCompared("--disallowedTools")),
        AgentFlag::value(&["--file"], Effect::NotCompared("--file")),
        AgentFlag::switch(&["--from-pr"], Effect::NotCompared("--from-pr")),
        AgentFlag::switch(&["--init"], Effect::NotCompared("--init")),
        AgentFlag::switch(&["--init-only"], Effect::NotCompared("--init-only")),
        AgentFlag::switch(&["--maintenance"], Effect::NotCompared("--maintenance")),
        AgentFlag::value(&["--mcp-config"], Effect::NotCompared("--mcp-config")),
        AgentFlag::value(&["--plugin-dir"], Effect::NotCompared("--plugin-dir")),
        AgentFlag::switch(&["--remote"], Effect::NotCompared("--remote")),
        AgentFlag::switch(&["--remote-control"], Effect::NotCompared("--remote-control")),
        AgentFlag::switch(&["--resume", "-r"], Effect::NotCompared("--resume")),
        AgentFlag::value(&["--teammate-mode"], Effect::NotCompared("--teammate-mode")),
        AgentFlag::switch(&["--teleport"], Effect::NotCompared("--teleport")),
        AgentFlag::value(&["--tools"], Effect::NotCompared("--tools")),
        AgentFlag::switch(&["--worktree", "-w"], Effect::NotCompared("--worktree")),
        AgentFlag::switch(
            &["--exclude-dynamic-system-prompt-sections"],
            Effect::NotCompared("--exclude-dynamic-system-prompt-sections"),
        ),
    ],
};

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut arguments = Self::default();
        let given = FLAGS.read(visit)?;
        let path = |value: &str| joined(&visit.request.cwd, value);
        for (effect, value) in given {
            match effect {
                Effect::AddFolders => arguments.added.push(path(&value)),
                Effect::SystemPrompt => arguments.system_prompt.text = Some(value),
                Effect::SystemPromptFile => arguments.system_prompt.file = Some(path(&value)),
                Effect::Append => arguments.append.text = Some(value),
                Effect::AppendFile => arguments.append.file = Some(path(&value)),
                Effect::Bare => arguments.is_bare = true,
                Effect::Sources => arguments.sources = Sources::named(&value)?,
                Effect::Settings => arguments.settings = Some(value),
                Effect::NotCompared(name) => {
                    let what = format!("what `{name}` changes in the prompt of {NAME} is not known");
                    return Err(invalid(what, "leave it out".to_string()));
                }
            }
        }
        Ok(arguments)
    }
}

impl Sources {
    fn named(list: &str) -> Result<Self, Diagnostic> {
        let mut sources = Self { user: false, project: false, local: false };
        for name in list.split(',').map(str::trim) {
            match name {
                "user" => sources.user = true,
                "project" => sources.project = true,
                "local" => sources.local = true,
                "" => {}
                other => return Err(refusal(format!("`{other}` is none of the sources user, project and local"))),
            }
        }
        Ok(sources)
    }
}
