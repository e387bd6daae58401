//! The arguments that `pi` itself would be started with.

use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

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

/// What a flag does.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// Nothing in the prompt.
    None,
    /// Nothing in the prompt; the next argument belongs to it.
    NoneWithValue,
    /// Nothing in the prompt; the next argument belongs to it unless it is a flag.
    NoneWithOptionalValue,
}

struct Flag {
    names: &'static [&'static str],
    since: &'static str,
    effect: Effect,
}

const fn flag(names: &'static [&'static str], since: &'static str, effect: Effect) -> Flag {
    Flag { names, since, effect }
}

static FLAGS: [Flag; 42] = [
    flag(&["--system-prompt"], "0", Effect::SystemPrompt),
    flag(&["--append-system-prompt"], "0", Effect::Append),
    flag(&["--no-context-files", "-nc"], "0.73.1", Effect::NoContextFiles),
    flag(&["--approve", "-a"], "0.79.0", Effect::Trusts(true)),
    flag(&["--no-approve", "-na"], "0.79.0", Effect::Trusts(false)),
    flag(&["--tools"], "0", Effect::Tools),
    flag(&["-t"], "0.73.1", Effect::Tools),
    flag(&["--exclude-tools", "-xt"], "0.84.4", Effect::ExcludeTools),
    flag(&["--no-tools"], "0", Effect::NoTools),
    flag(&["-nt", "--no-builtin-tools", "-nbt"], "0.73.1", Effect::NoTools),
    flag(&["--skill"], "0", Effect::Skill),
    flag(&["--no-skills", "-ns"], "0", Effect::NoSkills),
    flag(&["--help", "-h"], "0", Effect::None),
    flag(&["--version", "-v"], "0", Effect::None),
    flag(&["--mode"], "0", Effect::NoneWithValue),
    flag(&["--continue", "-c"], "0", Effect::None),
    flag(&["--resume", "-r"], "0", Effect::None),
    flag(&["--provider"], "0", Effect::NoneWithValue),
    flag(&["--model"], "0", Effect::NoneWithValue),
    flag(&["--api-key"], "0", Effect::NoneWithValue),
    flag(&["--name", "-n"], "0.84.4", Effect::NoneWithValue),
    flag(&["--no-session"], "0", Effect::None),
    flag(&["--session"], "0", Effect::NoneWithValue),
    flag(&["--session-id"], "0.84.4", Effect::NoneWithValue),
    flag(&["--fork"], "0.73.1", Effect::NoneWithValue),
    flag(&["--session-dir"], "0", Effect::NoneWithValue),
    flag(&["--models"], "0", Effect::NoneWithValue),
    flag(&["--thinking"], "0", Effect::NoneWithValue),
    flag(&["--print", "-p"], "0", Effect::NoneWithOptionalValue),
    flag(&["--export"], "0", Effect::NoneWithValue),
    flag(&["--extension", "-e"], "0", Effect::NoneWithValue),
    flag(&["--no-extensions", "-ne"], "0", Effect::None),
    flag(&["--no-mcp"], "1.5.2", Effect::None),
    flag(&["--prompt-template"], "0", Effect::NoneWithValue),
    flag(&["--theme"], "0", Effect::NoneWithValue),
    flag(&["--use-theme"], "0.84.4", Effect::NoneWithValue),
    flag(&["--no-prompt-templates", "-np"], "0", Effect::None),
    flag(&["--no-themes"], "0", Effect::None),
    flag(&["--list-models"], "0", Effect::NoneWithOptionalValue),
    flag(&["--tui-mode"], "0.84.4", Effect::NoneWithValue),
    flag(&["--verbose"], "0", Effect::None),
    flag(&["--offline"], "0", Effect::None),
];

impl Arguments {
    pub fn read(visit: &mut Visit<'_>) -> Result<Self, Diagnostic> {
        let mut read = Self::default();
        let mut rest = visit.request.arguments.iter().peekable();
        while let Some(typed) = rest.next() {
            if typed == "--" {
                break;
            }
            // A message or `@file`, which the user's own words consist of.
            if !typed.starts_with('-') {
                continue;
            }
            let known = FLAGS.iter().find(|flag| flag.names.contains(&typed.as_str()) && visit.since(flag.since));
            let effect = known.ok_or_else(|| unknown(typed, visit))?.effect;
            let mut value = || rest.next().cloned().ok_or_else(|| without_value(typed));
            match effect {
                Effect::SystemPrompt => read.system_prompt = Some(value()?),
                Effect::Append => read.append.push(value()?),
                Effect::NoContextFiles => read.no_context_files = true,
                Effect::Trusts(trusts) => read.trusts = Some(trusts),
                Effect::Tools => read.tools = Some(names(&value()?)),
                Effect::ExcludeTools => read.excluded_tools = names(&value()?),
                Effect::NoTools => read.no_tools = true,
                Effect::Skill => read.skills.push(value()?),
                Effect::NoSkills => read.no_skills = true,
                Effect::None => note(typed, visit),
                Effect::NoneWithValue => {
                    value()?;
                    note(typed, visit);
                }
                Effect::NoneWithOptionalValue => {
                    rest.next_if(|next| !next.starts_with(['-', '@']));
                    note(typed, visit);
                }
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
            let help = Some("either list the tools, or list only exact changes to the default ones".to_string());
            return Err(Diagnostic::new(Problem::InvalidArgument { what, help }));
        }
        Ok(())
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

fn note(typed: &str, visit: &mut Visit<'_>) {
    let agent = visit.request.chosen.agent.name;
    visit.diagnostics.push(Diagnostic::new(Problem::AgentArgumentIgnored { agent, argument: typed.to_string() }));
}

fn unknown(typed: &str, visit: &Visit<'_>) -> Diagnostic {
    let known = FLAGS.iter().filter(|flag| visit.since(flag.since)).flat_map(|flag| flag.names.iter().copied());
    let help = match nearest(typed, known) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "leave it out; flags of extensions are not known".to_string(),
    };
    let what = format!("{} has no flag `{typed}`", visit.request.chosen.title());
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}

fn without_value(typed: &str) -> Diagnostic {
    let (what, help) = (format!("`{typed}` has no value"), Some("give one after it".to_string()));
    Diagnostic::new(Problem::InvalidArgument { what, help })
}
