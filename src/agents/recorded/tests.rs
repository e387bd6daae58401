use super::find::own_texts;
use super::*;
use crate::agents::Agent;
use crate::agents::codex::CODEX;
use crate::agents::draft::Draft;
use crate::agents::recording::OwnText;
use crate::prompt::{Layer, LayerKind, Message, Role, Slot};
use crate::text::{BaseFrom, Origin, Traced};

fn agent() -> Agent {
    Agent { own_parts: None, own_user_start: Some("<reminder>"), ..CODEX }
}

fn own(id: &str) -> Traced {
    Traced::of(&format!("{{{{base:{id}}}}}"), Origin::Base { id: id.into(), from: BaseFrom::Unknown })
}

fn prompt(messages: &[(Role, Vec<Traced>)]) -> (Vec<Message>, Vec<Layer>) {
    let mut draft = Draft::default();
    for (role, texts) in messages {
        draft.message(*role);
        for text in texts {
            draft.part(Slot::UserContext, LayerKind::Own, "part", text);
        }
    }
    draft.parts()
}

fn recorded(role: Role, text: &str) -> ReadMessage {
    ReadMessage { role, text: text.to_string(), parts: Vec::new(), other_parts: 0, place: "messages[0]".to_string() }
}

/// Takes the texts and fills them in, and says what was recorded otherwise.
fn take_and_fill(messages: &mut [Message], layers: &mut [Layer], request: &[ReadMessage]) -> Vec<String> {
    let found = own_texts(messages, request, &agent());
    fill(messages, layers, &Recording { texts: found.texts, ..Recording::new("a", "1", "/") }, "/");
    found.otherwise.into_iter().map(|diagnostic| diagnostic.message()).collect()
}

#[test]
fn own_texts_are_found_though_files_have_changed() {
    let frame = |text: &str| Traced::protocol(text);
    let (mut messages, mut layers) = prompt(&[
        (Role::System, vec![own("identity")]),
        (
            Role::User,
            vec![
                frame("<reminder>\n"),
                own("intro"),
                frame("\n\nContents of /a:\n\nnew rules"),
                frame("\n</reminder>\n"),
                own("outro"),
            ],
        ),
        (Role::Developer, vec![own("a"), frame("\n"), own("b")]),
    ]);
    let request = [
        recorded(Role::System, "I am it."),
        recorded(Role::User, "<reminder>\nRead this.\n\nContents of /a:\n\nold rules\n</reminder>\nBye."),
        recorded(Role::System, "One.\nTwo."),
    ];
    let said = take_and_fill(&mut messages, &mut layers, &request);
    let texts: Vec<&str> = messages.iter().map(Message::text).collect();
    let user = "<reminder>\nRead this.\n\nContents of /a:\n\nnew rules\n</reminder>\nBye.";
    assert_eq!(texts, ["I am it.", user, "One.\nTwo."]);
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("recorded otherwise (messages[0])"), "{}", said[0]);
    assert_eq!(layers.iter().map(|layer| layer.bytes).sum::<usize>(), texts.concat().len());
    assert!(messages.iter().flat_map(Message::segments).all(|segment| !segment.origin.is_unknown()));
}

#[test]
fn what_was_not_recorded_stays_unknown() {
    let (mut messages, mut layers) = prompt(&[(Role::User, vec![Traced::protocol("# Rules\n"), own("end")])]);
    let request = [recorded(Role::User, "hello"), recorded(Role::System, "# Rules\nx")];
    let said = take_and_fill(&mut messages, &mut layers, &request);
    assert_eq!(messages[0].text(), "# Rules\n{{base:end}}");
    assert_eq!(said, ["the user message that begins with `# Rules` was not recorded"]);
}

/// The ids and texts that are found.
fn found(messages: &[(Role, Vec<Traced>)], request: &[(Role, &str)]) -> Vec<(String, String)> {
    let request: Vec<_> = request.iter().map(|(role, text)| recorded(*role, text)).collect();
    let texts = own_texts(&prompt(messages).0, &request, &agent()).texts;
    texts.into_iter().map(|text| (text.id, text.text)).collect()
}

fn pair(id: &str, text: &str) -> (String, String) {
    (id.to_string(), text.to_string())
}

#[test]
fn what_the_user_typed_is_not_the_agents() {
    let messages = [(Role::System, vec![own("system")]), (Role::User, vec![own("reminder")])];
    let request = [(Role::System, "I am it."), (Role::User, "hello"), (Role::User, "<reminder>\nRead.\n</reminder>")];
    let expected = [pair("system", "I am it."), pair("reminder", "<reminder>\nRead.\n</reminder>")];
    assert_eq!(found(&messages, &request), expected);
    assert_eq!(found(&messages, &request[..2]), expected[..1]);
    let [system, hello, reminder] = request;
    for typed in ["<task>my password</task>", "<reminder> to me"] {
        assert_eq!(found(&messages, &[system, (Role::User, typed)]), expected[..1]);
    }
    assert_eq!(found(&messages, &[system, reminder, (Role::User, "<task>my password</task>")]), expected);
    assert_eq!(
        found(&messages, &[system, reminder, (Role::User, "<reminder> to me")]),
        expected[..1],
        "which one is not known"
    );
    assert_eq!(found(&messages, &[system, reminder]), expected[..1], "it may be what the user typed");

    let joined = [(Role::User, vec![own("start"), Traced::protocol("Of a file."), own("end")])];
    let request = [(Role::User, "<reminder> to me"), hello, (Role::User, "<joined>Of a file.</joined>")];
    assert_eq!(found(&joined, &request), [pair("start", "<joined>"), pair("end", "</joined>")]);
}

#[test]
fn the_first_own_text_may_be_several_messages() {
    let last = (Role::System, vec![own("lists")]);
    let request = [(Role::System, "One."), (Role::System, "Two."), (Role::User, "hello"), (Role::System, "Lists.")];
    let expected = [pair("system", "One."), pair("system", "Two."), pair("lists", "Lists.")];
    assert_eq!(found(&[(Role::System, vec![own("system")]), last.clone()], &request), expected);

    let more = (Role::System, vec![own("system"), Traced::protocol("\n\nMore.")]);
    let request = [(Role::System, "One."), (Role::System, "Two.\n\nMore."), (Role::System, "Lists.")];
    assert_eq!(found(&[more, last], &request), expected);
}

#[test]
fn the_lines_next_to_a_text_tell_it_from_others() {
    let entry = |name: &str, text: Traced| {
        [Traced::protocol(&format!("<name>{name}</name>\n<text>")), text, Traced::protocol("</text>\n")]
    };
    let list = [entry("a", Traced::protocol("Of a file.")), entry("b", own("b"))].concat();
    let request = "<name>a</name>\n<text>Of a file.</text>\n<name>b</name>\n<text>Mine.</text>\n";
    assert_eq!(found(&[(Role::System, list.clone())], &[(Role::System, request)]), [pair("b", "Mine.")]);
    let changed = "<name>b</name>\n<text>Mine.</text>\n<name>c</name>\n";
    assert_eq!(found(&[(Role::System, list)], &[(Role::System, changed)]), [pair("b", "Mine.")]);

    let repeated = Traced::protocol("# A\n\n---\nText.\n# A\n\n---\n");
    let request = "# A\n\n---\nText.\n# A\n\n---\nMine.";
    assert_eq!(found(&[(Role::System, vec![repeated, own("c")])], &[(Role::System, request)]), [pair("c", "Mine.")]);
}

#[test]
fn a_text_that_two_runs_share_stays_unknown() {
    let (mut messages, mut layers) =
        prompt(&[(Role::System, vec![own("a"), own("b"), Traced::protocol("file\n"), own("b"), own("c")])]);
    let texts = [("a", "A"), ("b", "B"), ("c", "C")].map(|(id, text)| OwnText::new(id, text)).to_vec();
    let recording = Recording { texts, ..Recording::new("a", "1", "/") };
    assert!(!fill(&mut messages, &mut layers, &recording, "/"));
    let (mut messages, mut layers) = prompt(&[(Role::System, vec![own("a"), Traced::protocol(" \n"), own("b")])]);
    assert!(fill(&mut messages, &mut layers, &recording, "/"));
    assert_eq!(messages[0].text(), "AB");
}

#[test]
fn a_whole_file_or_a_telling_line_is_found() {
    let own: HashSet<&str> = lines("# Environment\nkey: 1234\n  Read this before you begin.").collect();
    assert!(stands_in("key: 1234\n", &own));
    assert!(stands_in("Mine.\nRead this before you begin.", &own));
    assert!(!stands_in("# Environment\nMine.", &own), "a short line may be shared");
    assert!(!stands_in("\n \n", &own));
}
