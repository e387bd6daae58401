use super::agent::{Agent, AgentRequest};
use super::connection::Connection;
use super::decoding::Decoding;
use super::instructions::Instructions;
use super::testing::{self, tree};
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileReason, FileState, LayerKind, Message, Role, Slot};
use crate::text::Traced;

#[path = "../../testdata/agents/helper.rs"]
mod helper;

/// A request for the prompt of an agent in the folder `/home/app`.
fn request(agent: &'static Agent) -> AgentRequest {
    testing::request(agent, "/home/app", "/home")
}

/// An agent to which `JOINS.md` beside a file that it reads joins.
static JOINER: Agent = Agent { name: "joiner", program: "joiner", read: join, ..helper::HELPER };

fn join(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    visit.draft.message(Role::System);
    visit.draft.separate("first request");
    for file in visit.request.touch.clone() {
        visit.draft.touch(&file);
        let Some((folder, _)) = file.rsplit_once('/') else { continue };
        let path = format!("{folder}/JOINS.md");
        let Ok(text) = visit.text(&path, "cwd", Decoding::Whole) else { continue };
        visit.draft.message(Role::User);
        let layer = visit.draft.part(Slot::UserOnDemand, LayerKind::Context, &path, &Traced::raw(&text));
        visit.stands(&path, FileState::OnDemand, layer);
    }
    Ok(())
}

#[test]
fn what_joins_later_is_no_part_of_the_first_request() {
    let files = tree(&[("/home/app/api/JOINS.md", "api rules\n"), ("/home/app/web/x.ts", "")]);
    let request = AgentRequest {
        touch: ["/home/app/api/x.ts", "/home/app/web/x.ts"].map(str::to_string).to_vec(),
        ..request(&JOINER)
    };
    let prompt = super::render_agent(&request, &files);
    let texts = |messages: &[Message]| messages.iter().map(|message| message.text().to_string()).collect::<Vec<_>>();
    assert_eq!(texts(prompt.request()), ["first request"]);
    let joined = prompt.touched.iter().map(|touched| {
        let messages = texts(&prompt.messages[touched.messages.clone()]);
        (touched.file.as_str(), messages)
    });
    let expected = [("/home/app/api/x.ts", vec!["api rules\n".to_string()]), ("/home/app/web/x.ts", Vec::new())];
    assert_eq!(joined.collect::<Vec<_>>(), expected);
    assert_eq!(prompt.message_names(), ["system", "after reading api/x.ts"]);
    let said: Vec<_> = prompt.diagnostics.iter().map(Diagnostic::message).collect();
    assert_eq!(said, ["nothing joins the prompt of joiner when it reads /home/app/web/x.ts"]);
    assert_eq!(prompt.decisions[0].why, "it joins here");
}

/// Reads a file and then does not start.
static REFUSING: Agent = Agent { name: "refusing", program: "refusing", read: refuse, ..helper::HELPER };

fn refuse(visit: &mut Visit<'_>) -> Result<(), Diagnostic> {
    (helper::HELPER.read)(visit)?;
    let problem = Problem::AgentRefuses { agent: "refusing", reason: "it is Sunday".to_string() };
    Err(Diagnostic::new(problem))
}

#[test]
fn no_file_is_loaded_by_an_agent_that_does_not_start() {
    let prompt = super::render_agent(&request(&REFUSING), &tree(&[("/home/app/NOTES.md", "near\n")]));
    assert!(prompt.messages.is_empty() && prompt.layers.is_empty() && prompt.refusal().is_some());
    let file = &prompt.files[0];
    assert_eq!((file.state, file.why, file.layer), (FileState::LeftOut, Some(FileReason::Invalid), None));
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
    let prompt = super::render_agent(&request(&helper::HELPER), &files);
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

#[test]
fn files_below_the_folder_have_a_state_for_every_agent() {
    // A crowded folder hides no other.
    let crowd: Vec<String> = (0..30_000).map(|number| format!("/home/app/aa/{number}.ts")).collect();
    let instructions = [("/home/app/AGENTS.md", "Top."), ("/home/app/api/AGENTS.md", "Api.")];
    let files = tree(&crowd.iter().map(|path| (path.as_str(), "")).chain(instructions).collect::<Vec<_>>());
    let state = |agent, cwd, looks_below| {
        let request = AgentRequest { looks_below, ..testing::request(agent, cwd, "/home") };
        let prompt = super::render_agent(&request, &files);
        let file = prompt.files.iter().find(|file| file.path == "/home/app/api/AGENTS.md")?;
        Some((file.state, file.why))
    };
    for agent in Agent::all() {
        let (unasked, expected) = match agent.name {
            "codex" | "pi" => (None, (FileState::LeftOut, Some(FileReason::NotRead))),
            _ => (Some((FileState::OnDemand, None)), (FileState::OnDemand, None)),
        };
        assert_eq!(state(agent, "/home/app", true), Some(expected), "{}", agent.name);
        assert_eq!(state(agent, "/home/app", false), unasked, "{}", agent.name);
        // A home may hold a whole life.
        assert_eq!(state(agent, "/home", true), None, "{}", agent.name);
    }
}
