//! Chooses the agent of a folder if no flag names one.

use super::arguments::{FolderFlags, PromptFlags};
use super::resolve::{tier_arguments, user_config};
use super::{folder, lint_folder};
use crate::agents::{Agent, FolderRules, Protocol};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::Builtin;
use crate::read::settings::{Settings, refused, texts};
use crate::read::store::{Store as _, Surroundings, find_project, find_tiers};

/// The chosen rules, and a note if there are others.
type ChosenRules = (FolderRules, Option<Diagnostic>);

/// The first agent that the settings name, else the first that is installed, else `sf`.
pub(super) fn of_folder(
    prompt: &PromptFlags,
    typed: &FolderFlags,
    here: &Surroundings<'_>,
) -> Result<ChosenRules, Diagnostic> {
    // Flags of `sf` ask for it.
    if typed.of_protocols().is_some() {
        return Ok((FolderRules::Protocol(Box::default()), None));
    }
    Ok(of_settings(prompt, here)?.unwrap_or_else(|| of_this_machine(here)))
}

/// The first agent that the settings name.
pub(super) fn of_settings(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Option<ChosenRules>, Diagnostic> {
    let named = all_of_settings(prompt, here)?;
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let note = names.split_first().and_then(|(first, others)| note(first, others));
    Ok(named.into_iter().next().map(|(_, rules)| (rules, note)))
}

/// The agents of a project: those that the settings name, else those that are installed, else all.
pub(super) fn of_project(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<FolderRules>, Diagnostic> {
    let named = named_by_settings(prompt, here)?;
    if !named.is_empty() {
        return Ok(named);
    }
    let installed = installed(here);
    let agents = if installed.is_empty() { Agent::all().collect() } else { installed };
    Ok(agents.into_iter().map(|agent| FolderRules::Agent(agent, None)).collect())
}

/// The agents that the settings name.
pub(super) fn named_by_settings(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<FolderRules>, Diagnostic> {
    Ok(all_of_settings(prompt, here)?.into_iter().map(|(_, rules)| rules).collect())
}

/// The agents in the settings of the project, or of the folder if there is none.
fn all_of_settings(prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<Vec<(String, FolderRules)>, Diagnostic> {
    let arguments = tier_arguments(&prompt.tiers, None);
    let settings = match find_project(&arguments, here)? {
        Some(_) => {
            let (tiers, _) = find_tiers(&arguments, here, Builtin::Layers)?;
            Settings::read(&tiers, user_config(&prompt.tiers, &here.disk)?, &mut Vec::new())?
        }
        None => {
            let root = lint_folder::root(&here.working_folder, here);
            let around = lint_folder::around(&root, &Protocol::default(), here);
            lint_folder::resolved(prompt, &around, None, here)?.settings
        }
    };
    named_in(&settings)
}

/// The agents that settings name, with their rules.
pub(super) fn named_in(settings: &Settings) -> Result<Vec<(String, FolderRules)>, Diagnostic> {
    let Some(node) = settings.part("agents") else { return Ok(Vec::new()) };
    let mut named = Vec::new();
    for (name, node) in texts(&node, "`agents`")? {
        let rules = folder::agent(name).map_err(|unknown| {
            let (what, help) = (unknown.message(), unknown.help());
            refused(node, what, help)
        })?;
        named.push((name.to_string(), rules));
    }
    Ok(named)
}

/// The first agent that is installed, else `sf`.
fn of_this_machine(here: &Surroundings<'_>) -> ChosenRules {
    let installed = installed(here);
    let Some((first, others)) = installed.split_first() else { return (FolderRules::Protocol(Box::default()), None) };
    let others: Vec<&str> = others.iter().map(|agent| agent.name).collect();
    (FolderRules::Agent(first, None), note(first.name, &others))
}

/// The agents that are installed on this machine.
pub(super) fn installed(here: &Surroundings<'_>) -> Vec<&'static Agent> {
    let cwd = here.disk.whole().real(&here.working_folder.to_string_lossy());
    Agent::all().filter(|agent| folder::installed(agent, &cwd, here).is_some()).collect()
}

fn note(first: &str, others: &[&str]) -> Option<Diagnostic> {
    let problem = Problem::SeveralAgents { agent: first.to_string(), others: others.join(", ") };
    (!others.is_empty()).then(|| Diagnostic::new(problem))
}
