//! The arguments that `claude` itself would be started with.

use super::{NAME, refusal};
use crate::agents::files::joined;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

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
    /// Nothing in the prompt.
    None,
    /// It may change the prompt, and how was not compared.
    Unknown,
}

/// How many arguments behind a flag belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    No,
    One,
    /// One unless the next argument is a flag.
    Optional,
    /// One, and more up to the next flag.
    Many,
}

const FLAGS: [(&[&str], Values, Effect); 61] = [
    (&["--system-prompt"], Values::One, Effect::SystemPrompt),
    (&["--system-prompt-file"], Values::One, Effect::SystemPromptFile),
    (&["--append-system-prompt"], Values::One, Effect::Append),
    (&["--append-system-prompt-file"], Values::One, Effect::AppendFile),
    (&["--add-dir"], Values::Many, Effect::AddFolders),
    (&["--bare"], Values::No, Effect::Bare),
    (&["--setting-sources"], Values::One, Effect::Sources),
    (&["--settings"], Values::One, Effect::Settings),
    (&["--allow-dangerously-skip-permissions"], Values::No, Effect::None),
    (&["--allowedTools", "--allowed-tools"], Values::Many, Effect::None),
    (&["--betas"], Values::Many, Effect::None),
    (&["--chrome"], Values::No, Effect::None),
    (&["--dangerously-skip-permissions"], Values::No, Effect::None),
    (&["--debug", "-d"], Values::Optional, Effect::None),
    (&["--debug-file"], Values::One, Effect::None),
    (&["--effort"], Values::One, Effect::None),
    (&["--fallback-model"], Values::One, Effect::None),
    (&["--fork-session"], Values::No, Effect::None),
    (&["--help", "-h"], Values::No, Effect::None),
    (&["--ide"], Values::No, Effect::None),
    (&["--include-hook-events"], Values::No, Effect::None),
    (&["--include-partial-messages"], Values::No, Effect::None),
    (&["--input-format"], Values::One, Effect::None),
    (&["--json-schema"], Values::One, Effect::None),
    (&["--max-budget-usd"], Values::One, Effect::None),
    (&["--max-turns"], Values::One, Effect::None),
    (&["--mcp-debug"], Values::No, Effect::None),
    (&["--model"], Values::One, Effect::None),
    (&["--name", "-n"], Values::One, Effect::None),
    (&["--no-chrome"], Values::No, Effect::None),
    (&["--no-session-persistence"], Values::No, Effect::None),
    (&["--output-format"], Values::One, Effect::None),
    (&["--permission-mode"], Values::One, Effect::None),
    (&["--permission-prompt-tool"], Values::One, Effect::None),
    (&["--print", "-p"], Values::No, Effect::None),
    (&["--replay-user-messages"], Values::No, Effect::None),
    (&["--session-id"], Values::One, Effect::None),
    (&["--strict-mcp-config"], Values::No, Effect::None),
    (&["--tmux"], Values::No, Effect::None),
    (&["--verbose"], Values::No, Effect::None),
    (&["--version", "-v"], Values::No, Effect::None),
    (&["--agent"], Values::One, Effect::Unknown),
    (&["--agents"], Values::One, Effect::Unknown),
    (&["--continue", "-c"], Values::No, Effect::Unknown),
    (&["--disable-slash-commands"], Values::No, Effect::Unknown),
    (&["--disallowedTools", "--disallowed-tools"], Values::Many, Effect::Unknown),
    (&["--file"], Values::Many, Effect::Unknown),
    (&["--from-pr"], Values::Optional, Effect::Unknown),
    (&["--init"], Values::No, Effect::Unknown),
    (&["--init-only"], Values::No, Effect::Unknown),
    (&["--maintenance"], Values::No, Effect::Unknown),
    (&["--mcp-config"], Values::Many, Effect::Unknown),
    (&["--plugin-dir"], Values::One, Effect::Unknown),
    (&["--remote"], Values::Optional, Effect::Unknown),
    (&["--remote-control"], Values::Optional, Effect::Unknown),
    (&["--resume", "-r"], Values::Optional, Effect::Unknown),
    (&["--teammate-mode"], Values::One, Effect::Unknown),
    (&["--teleport"], Values::Optional, Effect::Unknown),
    (&["--tools"], Values::Many, Effect::Unknown),
    (&["--worktree", "-w"], Values::Optional, Effect::Unknown),
    (&["--exclude-dynamic-system-prompt-sections"], Values::No, Effect::Unknown),
];

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut arguments = Self::default();
        let mut left = visit.request.arguments.iter().peekable();
        while let Some(typed) = left.next() {
            if typed == "--" {
                break;
            }
            // What is no flag is the user's own words.
            if !typed.starts_with('-') {
                continue;
            }
            let (name, written) = match typed.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (typed.as_str(), None),
            };
            let known = FLAGS.iter().find(|(names, ..)| names.contains(&name));
            let &(_, values, effect) = known.ok_or_else(|| unknown(name))?;
            let mut given: Vec<String> = match (values, written) {
                (Values::No, _) => Vec::new(),
                (_, Some(value)) => vec![value],
                (Values::One | Values::Many, None) => vec![left.next().ok_or_else(|| lacks_value(name))?.clone()],
                (Values::Optional, None) => left.next_if(|next| !next.starts_with('-')).cloned().into_iter().collect(),
            };
            while values == Values::Many
                && let Some(value) = left.next_if(|next| !next.starts_with('-'))
            {
                given.push(value.clone());
            }
            match effect {
                Effect::None => {
                    let problem = Problem::AgentArgumentIgnored { agent: NAME, argument: name.to_string() };
                    visit.diagnostics.push(Diagnostic::new(problem));
                }
                Effect::Unknown => return Err(not_compared(name)),
                effect => arguments.set(visit, effect, given)?,
            }
        }
        Ok(arguments)
    }

    fn set(&mut self, visit: &Visit<'_>, effect: Effect, values: Vec<String>) -> Result<(), Diagnostic> {
        let path = |value: &String| joined(&visit.request.cwd, value);
        match effect {
            Effect::AddFolders => self.added.extend(values.iter().map(path)),
            Effect::SystemPrompt => self.system_prompt.text = values.into_iter().next(),
            Effect::SystemPromptFile => self.system_prompt.file = values.first().map(path),
            Effect::Append => self.append.text = values.into_iter().next(),
            Effect::AppendFile => self.append.file = values.first().map(path),
            Effect::Bare => self.is_bare = true,
            Effect::Sources => self.sources = Sources::named(&values.concat())?,
            Effect::Settings => self.settings = values.into_iter().next(),
            Effect::None | Effect::Unknown => {}
        }
        Ok(())
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

fn unknown(name: &str) -> Diagnostic {
    let help = match nearest(name, FLAGS.iter().flat_map(|(names, ..)| names.iter().copied())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "leave it out".to_string(),
    };
    wrong(format!("{NAME} has no flag `{name}`"), help)
}

fn not_compared(name: &str) -> Diagnostic {
    wrong(format!("what `{name}` changes in the prompt of {NAME} is not known"), "leave it out".to_string())
}

fn lacks_value(name: &str) -> Diagnostic {
    wrong(format!("`{name}` of {NAME} lacks its value"), "give one, or leave the flag out".to_string())
}

fn wrong(what: String, help: String) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}
