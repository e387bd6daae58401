//! `agents`: what becomes of each file around a folder, for every agent.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::arguments::{AgentsArguments, PromptFlags};
use super::folder::{check_folder, of_agent, real};
use super::run::{CommandOutcome, Run};
use super::{Exit, agent_choice};
use crate::agents::{Agent, AgentRequest, render_agent, survey_ancestors};
use crate::answer::agents::{self, AgentMatrix, AgentsFormat, AgentsView};
use crate::diagnostic::Diagnostic;
use crate::read::limits;
use crate::read::store::{Store as _, Surroundings, absolute};

pub(super) fn run(typed: &AgentsArguments, run: &Run<'_>) -> CommandOutcome {
    let matrix = matrix(typed, &run.here)?;
    let format = typed.format.unwrap_or_default();
    let printer = run.printer(typed.output.as_deref(), format == AgentsFormat::Text);
    let view =
        AgentsView { format, tokenizer: typed.tokenizer, argument: typed.folder.as_deref(), screen: printer.screen };
    printer.output.write(|out| Ok(agents::write(&matrix, &view, out)?))?;
    Ok(Exit::Success)
}

fn matrix(typed: &AgentsArguments, here: &Surroundings<'_>) -> Result<AgentMatrix, Diagnostic> {
    let folder = typed.folder.as_deref().map_or(here.working_folder.clone(), |it| absolute(&here.working_folder, it));
    let files = here.disk.whole();
    let cwd = real(&folder, &files)?;
    check_folder(&cwd, &files)?;
    let around = Surroundings { working_folder: folder, ..here.clone() };
    let (named, ()) = rayon::join(
        || agent_choice::named_around(&PromptFlags::default(), &around),
        // Else the first agents would list the same folders at once.
        || survey_ancestors(&files, &cwd),
    );
    let named = named?;
    // A thread takes the next agent when it is done with one: halves of the list would take longer than each other.
    let prompts = Agent::all().enumerate().par_bridge().map(|(at, agent)| {
        let request = of_agent((agent, agent_choice::named_release(&named, agent)), &cwd, None, here, &files)?;
        let request = AgentRequest { looks_below: true, ..request };
        Ok((at, (render_agent(&request, &files), agent.releases)))
    });
    let prompts = prompts.collect::<Result<BTreeMap<_, _>, Diagnostic>>()?.into_values().collect();
    Ok(AgentMatrix::new(&cwd, prompts, typed.tokenizer).with_sizes(|path| files.size(path, limits::FILE_BYTES)))
}
