use std::collections::BTreeMap;

use super::agent::{Agent, AgentRequest};
use super::instructions::Instructions;
use super::testing::tree;
use super::visit::{Decoding, Visit};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileState, Prompt, Role, Slot};
use crate::read::store::MemoryStore;

#[path = "../../testdata/agents/helper.rs"]
mod helper;

/// The prompt of an agent in the folder `/home/app`.
fn prompt(agent: &'static Agent, files: &MemoryStore) -> Prompt {
    let request = AgentRequest {
        chosen: agent.at(None, None),
        cwd: "/home/app".to_string(),
        home: "/home".to_string(),
        model: None,
        agent_dir: None,
        variables: BTreeMap::new(),
        arguments: Vec::new(),
    };
    super::render_agent(&request, files)
}

/// Reads a file and then does not start.
static REFUSING: Agent =
    Agent { name: "refusing", releases: &["1.0.0"], packages: &[], program: "refusing", variables: &[], read: refuse };

fn refuse(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    (helper::HELPER.read)(visit)?;
    let problem = Problem::AgentRefuses { agent: "refusing", reason: "it is Sunday".to_string() };
    Err(Diagnostic::new(problem))
}

#[test]
fn files_of_an_agent_that_does_not_start_keep_their_states() {
    let prompt = prompt(&REFUSING, &tree(&[("/home/app/NOTES.md", "near\n")]));
    assert!(prompt.messages.is_empty() && prompt.layers.is_empty() && prompt.refusal().is_some());
    assert_eq!((prompt.files[0].state, prompt.files[0].layer), (FileState::Loaded, None));
}

/// One file and one line of the table add an agent.
#[test]
fn an_agent_is_a_value() {
    let files = tree(&[
        ("/home/app/NOTES.md", "near\n"),
        ("/home/HELPER.md", "far\n"),
        ("/home/NOTES.md", "hidden\n"),
        ("/home/app/below/HELPER.md", "below\n"),
    ]);
    let prompt = prompt(&helper::HELPER, &files);
    assert_eq!(prompt.messages[0].text(), "near\nfar\n");
    let states = prompt.files.iter().map(|file| {
        let why = file.why.map_or("", |why| why.into_str());
        format!("{} {} {why}", file.path, file.state.into_str()).trim_end().to_string()
    });
    let expected =
        ["/home/HELPER.md loaded", "/home/NOTES.md left_out shadowed", "/home/app/NOTES.md loaded"].map(str::to_string);
    assert_eq!(states.collect::<Vec<_>>(), expected);
    assert_eq!((prompt.decisions.len(), prompt.layers.len()), (3, 2));
}
