use std::collections::BTreeMap;

use super::agent::{Agent, AgentRequest};
use super::instructions::Instructions;
use super::testing::tree;
use super::visit::{Decoding, Visit};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role, Slot};
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
        environment: Default::default(),
        arguments: Vec::new(),
    };
    super::render_agent(&request, files)
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
