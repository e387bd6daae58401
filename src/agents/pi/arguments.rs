//! The arguments that `pi` itself would be started with.

use crate::agents::arguments::{AgentFlag, AgentFlags, invalid};
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;

/// The arguments that change the prompt.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arguments {
    pub system_prompt: Option<String>,
    pub append: Vec<String>,
    pub no_context_files: bool,
    /// Whether the command line trusts the folder; `None` if it does not say.
    pub trusts: Option<bool>,
    pub tools: Option<Vec<String>>,
    pub excluded_tools: Vec<String>,
    pub no_tools: bool,
    pub skills: Vec<String>,
    pub no_skills: bool,
}

#[derive(Debug, Clone, Copy)]
enum Effect {
    SystemPrompt,
    Append,
    NoContextFiles,
    Trusts(bool),
    Tools,
    ExcludeTools,
    NoTools,
    Skill,
    NoSkills,
}

static FLAGS: AgentFlags<Effect> = AgentFlags {
    joins_value: false,
    all: &[
        AgentFlag::value(&["--system-prompt"], Effect::SystemPrompt),
        AgentFlag::value(&["--append-system-prompt"], Effect::Append),
        AgentFlag::switch(&["--no-context-files", "-nc"], Effect::NoContextFiles).since("0.73.1"),
        AgentFlag::switch(&["--approve", "-a"], Effect::Trusts(true)).since("0.79.0"),
        AgentFlag::switch(&["--no-approve", "-na"], Effect::Trusts(false)).since("0.79.0"),
        AgentFlag::value(&["--tools"], Effect::Tools),
        AgentFlag::value(&["-t"], Effect::Tools).since("0.73.1"),
        AgentFlag::value(&["--exclude-tools", "-xt"], Effect::ExcludeTools).since("0.84.4"),
        AgentFlag::switch(&["--no-tools"], Effect::NoTools),
        AgentFlag::switch(&["-nt", "--no-builtin-tools", "-nbt"], Effect::NoTools).since("0.73.1"),
        AgentFlag::value(&["--skill"], Effect::Skill),
        AgentFlag::switch(&["--no-skills", "-ns"], Effect::NoSkills),
        AgentFlag::ignored_switch(&["--help", "-h"]),
        AgentFlag::ignored_switch(&["--version", "-v"]),
        AgentFlag::ignored_value(&["--mode"]),
        AgentFlag::ignored_switch(&["--continue", "-c"]),
        AgentFlag::ignored_switch(&["--resume", "-r"]),
        AgentFlag::ignored_value(&["--provider"]),
        AgentFlag::ignored_value(&["--model"]),
        AgentFlag::ignored_value(&["--api-key"]),
        AgentFlag::ignored_value(&["--name", "-n"]).since("0.84.4"),
        AgentFlag::ignored_switch(&["--no-session"]),
        AgentFlag::ignored_value(&["--session"]),
        AgentFlag::ignored_value(&["--session-id"]).since("0.84.4"),
        AgentFlag::ignored_value(&["--fork"]).since("0.73.1"),
        AgentFlag::ignored_value(&["--session-dir"]),
        AgentFlag::ignored_value(&["--models"]),
        AgentFlag::ignored_value(&["--thinking"]),
        AgentFlag::ignored_switch(&["--print", "-p"]),
        AgentFlag::ignored_value(&["--export"]),
        AgentFlag::ignored_value(&["--extension", "-e"]),
        AgentFlag::ignored_switch(&["--no-extensions", "-ne"]),
        AgentFlag::ignored_switch(&["--no-mcp"]).since("1.5.2"),
        AgentFlag::ignored_value(&["--prompt-template"]),
        AgentFlag::ignored_value(&["--theme"]),
        AgentFlag::ignored_value(&["--use-theme"]).since("0.84.4"),
        AgentFlag::ignored_switch(&["--no-prompt-templates", "-np"]),
        AgentFlag::ignored_switch(&["--no-themes"]),
        AgentFlag::ignored_switch(&["--list-models"]),
        AgentFlag::ignored_value(&["--tui-mode"]).since("0.84.4"),
        AgentFlag::ignored_switch(&["--verbose"]),
        AgentFlag::ignored_switch(&["--offline"]),
    ],
};

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut read = Self::default();
        for (effect, value) in FLAGS.read(visit)? {
            match effect {
                Effect::SystemPrompt => read.system_prompt = Some(value),
                Effect::Append => read.append.push(value),
                Effect::NoContextFiles => read.no_context_files = true,
                Effect::Trusts(trusts) => read.trusts = Some(trusts),
                Effect::Tools => read.tools = Some(names(&value)),
                Effect::ExcludeTools => read.excluded_tools = names(&value),
                Effect::NoTools => read.no_tools = true,
                Effect::Skill => read.skills.push(value),
                Effect::NoSkills => read.no_skills = true,
            }
        }
        // Before, each one replaced the one before it.
        if !visit.since("0.73.1") {
            read.append = read.append.pop().into_iter().collect();
        }
        read.check(visit)?;
        Ok(read)
    }

    /// A list of tools either names them or changes the default.
    fn check(&self, visit: &Visit<'_>) -> Result<(), Diagnostic> {
        let tools = self.tools.as_deref().unwrap_or_default();
        let changes: Vec<_> = tools.iter().filter(|name| name.starts_with(['+', '-'])).collect();
        let is_mixed = !changes.is_empty() && changes.len() < tools.len();
        if visit.since("1.5.0") && (is_mixed || changes.iter().any(|name| name.contains('*'))) {
            let what = "--tools mixes names with +NAME and -NAME, or has a pattern after + or -".to_string();
            return Err(invalid(
                what,
                "either list the tools, or list only exact changes to the default ones".to_string(),
            ));
        }
        Ok(())
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}
