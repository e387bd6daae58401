//! The arguments that `pi` itself would be started with.

use crate::agents::arguments::{AgentFlag, AgentFlags};
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

static FLAGS: AgentFlags<Arguments> = AgentFlags {
    joins_value: false,
    all: &[
        AgentFlag::new("--system-prompt=", |read, text| read.system_prompt = Some(text)),
        AgentFlag::new("--append-system-prompt=", |read, text| read.append.push(text)),
        AgentFlag::since("0.73.1", "--no-context-files|-nc", |read, _| read.no_context_files = true),
        AgentFlag::since("0.79.0", "--approve|-a", |read, _| read.trusts = Some(true)),
        AgentFlag::since("0.79.0", "--no-approve|-na", |read, _| read.trusts = Some(false)),
        AgentFlag::new("--tools=", |read, list| read.tools = Some(names(&list))),
        AgentFlag::since("0.73.1", "-t=", |read, list| read.tools = Some(names(&list))),
        AgentFlag::since("0.84.4", "--exclude-tools|-xt=", |read, list| read.excluded_tools = names(&list)),
        AgentFlag::new("--no-tools", |read, _| read.no_tools = true),
        AgentFlag::since("0.73.1", "-nt|--no-builtin-tools|-nbt", |read, _| read.no_tools = true),
        AgentFlag::new("--skill=", |read, path| read.skills.push(path)),
        AgentFlag::new("--no-skills|-ns", |read, _| read.no_skills = true),
        AgentFlag::ignored(
            "--help|-h --version|-v --mode= --continue|-c --resume|-r --provider= --model= --api-key= --no-session \
             --session= --session-dir= --models= --thinking= --print|-p --export= --extension|-e= --no-extensions|-ne \
             --prompt-template= --theme= --no-prompt-templates|-np --no-themes --list-models --verbose --offline",
        ),
        AgentFlag::ignored_since("0.73.1", "--fork="),
        AgentFlag::ignored_since("0.84.4", "--name|-n= --session-id= --use-theme= --tui-mode="),
        AgentFlag::ignored_since("1.5.2", "--no-mcp"),
    ],
};

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut read = FLAGS.read(visit)?;
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
            return Err(Diagnostic::invalid(
                what,
                "either list the tools, or list only exact changes to the default ones",
            ));
        }
        Ok(())
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}
