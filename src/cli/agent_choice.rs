//! Chooses the agent of a folder if no flag names one.

use super::arguments::{FolderFlags, PromptFlags};
use super::resolve::{tier_arguments, user_config};
use super::{folder, lint_folder};
use crate::agents::{Agent, FolderRules, Protocol};
use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::folders::SETTINGS;
use crate::read::protocol::Builtin;
use crate::read::settings::{Settings, refused, texts};
use crate::read::store::{Store as _, Surroundings, find_project, find_tiers};
use crate::system;

/// The chosen rules.
pub(super) struct ChosenRules {
    pub rules: FolderRules,
    /// Those that are named or installed, too.
    pub others: Vec<FolderRules>,
    /// Names the other agents if it is not certain which is meant.
    pub note: Option<Diagnostic>,
}

impl ChosenRules {
    fn first(agents: Vec<FolderRules>) -> Option<Self> {
        let mut agents = agents.into_iter();
        let (rules, others) = (agents.next()?, agents.collect::<Vec<_>>());
        let note = (!others.is_empty()).then(|| choice_note(&rules, &others));
        Some(Self { rules, others, note })
    }
}

fn choice_note(rules: &FolderRules, others: &[FolderRules]) -> Diagnostic {
    let others: Vec<String> = others.iter().map(FolderRules::name).collect();
    Diagnostic::new(Problem::SeveralAgents { agent: rules.name(), others: others.join(", ") })
}

/// The agents that the flags name. `typed` is the value of `--agent`.
pub(super) fn named(
    typed: Option<&str>,
    prompt: &PromptFlags,
    here: &Surroundings<'_>,
) -> Result<Option<Vec<FolderRules>>, Diagnostic> {
    match typed {
        Some(typed) => folder::each_once(typed).into_iter().map(folder::agent).collect::<Result<_, _>>().map(Some),
        None => {
            let protocol = folder::protocol(prompt, &here.disk)?;
            Ok(protocol.map(|protocol| vec![FolderRules::Protocol(Box::new(protocol))]))
        }
    }
}

/// The first agent that the settings name, else the first that is installed, else `sf`, with a note unless a flag of `sf`
/// or a folder of it is there.
pub(super) fn of_folder(
    prompt: &PromptFlags,
    typed: &FolderFlags,
    here: &Surroundings<'_>,
) -> Result<ChosenRules, Diagnostic> {
    let has_flag = typed.of_protocols().is_some();
    let chosen = match has_flag {
        true => None,
        false => of_settings(prompt, here)?.or_else(|| ChosenRules::first(installed(here))),
    };
    Ok(chosen.unwrap_or_else(|| {
        let rules = FolderRules::Protocol(Box::default());
        let note = (!has_flag && !holds_protocol(here)).then(|| choice_note(&rules, &all()));
        ChosenRules { rules, others: Vec::new(), note }
    }))
}

/// Whether `.sf/` in the folder, or above it in the repository, holds more than settings, which all agents have there.
fn holds_protocol(here: &Surroundings<'_>) -> bool {
    let (top, files) = (lint_folder::root(&here.working_folder, here), here.disk.whole());
    let above = here.working_folder.ancestors().take_while(|above| above.starts_with(&top));
    let entries = above.filter_map(|above| files.list(&system::text(&above.join(Protocol::default().folder))).ok());
    entries.flatten().any(|entry| entry.name != SETTINGS)
}

/// The first agent that the settings name, and the others.
pub(super) fn of_settings(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Option<ChosenRules>, Diagnostic> {
    Ok(ChosenRules::first(named_by_settings(prompt, here)?))
}

/// The agents of a project: those that the settings name, else those that are installed, else all.
pub(super) fn of_project(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<FolderRules>, Diagnostic> {
    let named = named_by_settings(prompt, here)?;
    let agents = if named.is_empty() { installed(here) } else { named };
    Ok(if agents.is_empty() { all() } else { agents })
}

/// The agents in the settings of the project, or of the folder if there is none.
pub(super) fn named_by_settings(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<FolderRules>, Diagnostic> {
    let arguments = tier_arguments(&prompt.tiers, None);
    if find_project(&arguments, here)?.is_none() {
        return named_around(prompt, here);
    }
    let (tiers, _) = find_tiers(&arguments, here, Builtin::Layers)?;
    named_in(&Settings::read(&tiers, user_config(&prompt.tiers, &here.disk)?, &mut Vec::new())?)
}

/// The agents in the settings that count for agents in the working folder.
pub(super) fn named_around(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<FolderRules>, Diagnostic> {
    let around = lint_folder::around(&lint_folder::root(&here.working_folder, here), &Protocol::default(), here);
    named_in(&lint_folder::resolved(prompt, &around, None, here)?.settings)
}

/// The agents that settings name.
pub(super) fn named_in(settings: &Settings) -> Result<Vec<FolderRules>, Diagnostic> {
    let Some(node) = settings.part("agents") else { return Ok(Vec::new()) };
    let mut named = Vec::new();
    for (name, node) in texts(&node, "`agents`")? {
        let rules = folder::agent(name).map_err(|unknown| refused(node, unknown.message(), unknown.help()))?;
        named.push(rules);
    }
    Ok(named)
}

/// The release of an agent, if one of these names it.
pub(super) fn named_release(all: &[FolderRules], agent: &Agent) -> Option<String> {
    all.iter().find_map(|rules| match rules {
        FolderRules::Agent(one, release) if one.name == agent.name => release.clone(),
        _ => None,
    })
}

/// The agents that are installed on this machine.
pub(super) fn installed(here: &Surroundings<'_>) -> Vec<FolderRules> {
    let files = here.disk.whole();
    let Ok(cwd) = folder::real(&here.working_folder, &files) else { return Vec::new() };
    let installed = Agent::all().filter(|agent| folder::installed(agent, &cwd, here, &files).is_some());
    installed.map(|agent| FolderRules::Agent(agent, None)).collect()
}

/// Every agent, with the rules of any release.
pub(super) fn all() -> Vec<FolderRules> {
    Agent::all().map(|agent| FolderRules::Agent(agent, None)).collect()
}
