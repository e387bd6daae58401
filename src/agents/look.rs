//! What an agent does when it is started in a folder.

use std::mem;
use std::sync::Arc;

use super::agent::AgentRequest;
use super::draft::Draft;
use super::files::survey_ancestors;
use super::recorded::{self, Taken};
use super::recording::Recording;
use super::visit::{AgentLook, Visit};
use crate::prompt::Prompt;
use crate::prompt::sent::ReadMessage;
use crate::read::store::Store;

/// The prompt of an agent in a folder. If the agent refuses to start, there are no messages, and one of the
/// diagnostics is an error.
pub fn render(request: &AgentRequest, files: &dyn Store) -> Prompt {
    look(request, files).prompt
}

/// [`render`], with what holds for other folders.
pub fn look(request: &AgentRequest, files: &dyn Store) -> AgentLook {
    let Some(base) = &request.base else { return visited(request, files) };
    let Taken { recording, otherwise } = take(request, base, files);
    let mut look = visited(&AgentRequest { recording: Some(recording.into()), ..request.clone() }, files);
    look.prompt.diagnostics.splice(0..0, otherwise);
    look
}

/// Takes the agent's own text from a request that was sent in the folder. Text that a file there holds is left out, and
/// so are the arguments.
pub fn take(request: &AgentRequest, recorded: &[ReadMessage], files: &dyn Store) -> Taken {
    let nothing = Recording::new(request.chosen.agent.name, &request.chosen.version, &request.cwd);
    let rules = AgentRequest { base: None, recording: Some(Arc::new(nothing)), ..request.clone() };
    recorded::take(request, &visited(&rules, files).prompt, recorded, files)
}

fn visited(request: &AgentRequest, files: &dyn Store) -> AgentLook {
    survey_ancestors(files, &request.cwd);
    let mut visit = Visit::new(request, files);
    if let Err(refusal) = (request.chosen.agent.read)(&mut visit) {
        visit.draft = Draft::default();
        visit.refuse(&refusal);
        visit.diagnostics.push(refusal);
    } else if visit.draft.touched().is_empty() {
        request.touch.iter().for_each(|file| visit.draft.touch(file));
    }
    let look = mem::take(&mut visit.look);
    AgentLook { prompt: visit.prompt(), ..look }
}
