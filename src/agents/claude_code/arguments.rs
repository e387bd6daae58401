//! The arguments that `claude` itself would be started with.

use super::refusal;
use crate::agents::arguments::{AgentFlag, AgentFlags};
use crate::agents::files::joined;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;

/// The arguments that change the prompt. Paths are absolute.
#[derive(Debug, Default)]
pub(super) struct PromptArguments {
    pub system_prompt: PromptText,
    pub append: PromptText,
    /// Further folders, in their order.
    pub added: Vec<String>,
    pub is_bare: bool,
    pub sources: Sources,
    /// The lists that name sources, the last of which counts.
    named_sources: Vec<String>,
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

static FLAGS: AgentFlags<PromptArguments> = AgentFlags {
    joins_value: true,
    all: &[
        AgentFlag::new("--system-prompt=", |read, text| read.system_prompt.text = Some(text)),
        AgentFlag::new("--system-prompt-file=", |read, path| read.system_prompt.file = Some(path)),
        AgentFlag::new("--append-system-prompt=", |read, text| read.append.text = Some(text)),
        AgentFlag::new("--append-system-prompt-file=", |read, path| read.append.file = Some(path)),
        AgentFlag::new("--add-dir=*", |read, path| read.added.push(path)),
        AgentFlag::new("--bare", |read, _| read.is_bare = true),
        AgentFlag::new("--setting-sources=", |read, list| read.named_sources.push(list)),
        AgentFlag::new("--settings=", |read, settings| read.settings = Some(settings)),
        AgentFlag::ignored(
            "--allow-dangerously-skip-permissions --allowedTools|--allowed-tools= --betas= --chrome \
             --dangerously-skip-permissions --debug|-d --debug-file= --effort= --fallback-model= --fork-session \
             --help|-h --ide --include-hook-events --include-partial-messages --input-format= --json-schema= \
             --max-budget-usd= --max-turns= --mcp-debug --model= --name|-n= --no-chrome --no-session-persistence \
             --output-format= --permission-mode= --permission-prompt-tool= --print|-p --replay-user-messages \
             --session-id= --strict-mcp-config --tmux --verbose --version|-v",
        ),
        AgentFlag::not_compared(
            "--agent= --agents= --continue|-c --disable-slash-commands --disallowedTools|--disallowed-tools= --file= \
             --from-pr --init --init-only --maintenance --mcp-config= --plugin-dir= --remote --remote-control \
             --resume|-r --teammate-mode= --teleport --tools= --worktree|-w --exclude-dynamic-system-prompt-sections",
        ),
    ],
};

impl PromptArguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut read = FLAGS.read(visit)?;
        let files = read.system_prompt.file.iter_mut().chain(&mut read.append.file);
        files.chain(&mut read.added).for_each(|path| *path = joined(&visit.request.cwd, path));
        for list in &read.named_sources {
            read.sources = Sources::named(list)?;
        }
        Ok(read)
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
                other => return Err(refusal(format!("`{other}` is not a setting source: use user, project or local"))),
            }
        }
        Ok(sources)
    }
}
