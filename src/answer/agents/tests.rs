use super::*;
use crate::answer::schema::tests::assert_valid;
use crate::prompt::{AgentUse, FileReason, InstalledAgent};
use crate::text::visible::is_hidden;

fn file(path: &str, state: FileState, why: Option<FileReason>) -> FileOutcome {
    FileOutcome { path: path.to_string(), state, why, by: None, layer: None }
}

fn matrix() -> AgentMatrix {
    let prompt = |name, version: &str, installed, files| {
        let agent = AgentUse { name, version: version.to_string(), installed, is_known: true };
        Prompt { agent: Some(agent), files, ..Prompt::default() }
    };
    let installed = InstalledAgent { version: "0.169.0".to_string(), path: "/usr/lib/codex".to_string() };
    let of_pi = vec![
        file("/home/ada/app/AGENTS.md", FileState::Loaded, None),
        file("/home/ada/app/.pi/SYSTEM.md", FileState::LeftOut, Some(FileReason::Untrusted)),
    ];
    let of_codex = vec![file("/home/ada/app/AGENTS.md", FileState::Cut(32_768), Some(FileReason::Budget))];
    let prompts = vec![
        (prompt("pi", "1.5.2", None, of_pi), ["0.57.1", "1.5.2"].as_slice()),
        (prompt("codex", "0.169.0", Some(installed), of_codex), ["0.169.0"].as_slice()),
    ];
    AgentMatrix::new("/home/ada/app", prompts, Tokenizer::Chars4).with_sizes(|_| Some(40_000))
}

fn written(format: AgentsFormat) -> String {
    shown(format, 80)
}

fn shown(format: AgentsFormat, width: usize) -> String {
    shown_on(Screen::plain(width), format, &matrix())
}

fn shown_on(screen: Screen, format: AgentsFormat, matrix: &AgentMatrix) -> String {
    let argument = Some(Path::new("it's here"));
    let view = AgentsView { argument, format, tokenizer: Tokenizer::Chars4, screen };
    let mut out = Vec::new();
    write(matrix, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const TABLE: &str = "\
what agents are told in /home/ada/app

               pi            codex
.pi/SYSTEM.md  ○ untrusted   -
AGENTS.md      ● loaded      ● cut at 32,768

release        1.5.2         0.169.0
tokens         0             0
own text       counted       counted
installed      no            0.169.0
rules known    0.57.1–1.5.2  0.169.0

The exact text: rye-render render --agent codex 'it'\\''s here'
And why:        rye-render explain --agent codex 'it'\\''s here'
";

#[test]
fn each_file_is_a_row_and_each_agent_a_column() {
    assert_eq!(written(AgentsFormat::Text), TABLE);
}

#[test]
fn what_is_too_wide_for_a_table_is_a_list() {
    let text = shown(AgentsFormat::Text, 36);
    assert!(text.contains("\nAGENTS.md\n  pi     ● loaded\n  codex  ● cut at 32,768\n"), "{text}");
    let table = text.split("\n\n").take(3).collect::<String>();
    assert!(table.lines().all(|line| line.chars().count() <= 36), "{table}");
}

#[test]
fn markdown_has_the_same_cells() {
    let text = written(AgentsFormat::Markdown);
    assert!(text.contains("| `AGENTS.md` | **loaded** | **cut at 32,768** |"), "{text}");
    assert!(text.contains("| `.pi/SYSTEM.md` | untrusted | - |"), "{text}");
}

#[test]
fn the_page_has_the_same_cells() {
    let text = written(AgentsFormat::Html);
    assert!(text.contains(">cut at 32,768</td>") && text.contains(">untrusted</td>"), "{text}");
}

#[test]
fn json_has_the_states_of_each_agent() {
    let json: serde_json::Value = serde_json::from_str(&written(AgentsFormat::Json)).unwrap();
    let codex = &json["agents"][1];
    assert_eq!((&codex["name"], &codex["installed"]["version"]), (&"codex".into(), &"0.169.0".into()));
    assert_eq!(codex["files"][0]["state"], "cut");
    assert_eq!(codex["files"][0]["at"], 32_768);
    assert_eq!(json["agents"][0]["files"][0]["why"], serde_json::Value::Null);
    assert_eq!(codex["files"][0]["bytes"], 40_000);
}

#[test]
fn a_terminal_gets_the_same_json() {
    let hidden = AgentMatrix::new("/home/\u{202e}ada", Vec::new(), Tokenizer::Chars4);
    let [plain, terminal] =
        [Screen::plain(80), Screen::terminal(80)].map(|screen| shown_on(screen, AgentsFormat::Json, &hidden));
    assert!(plain.contains(is_hidden) && !terminal.contains(is_hidden));
    let parsed = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    assert_eq!(parsed(&plain), parsed(&terminal));
}

#[test]
fn a_line_is_an_agent_with_its_folder() {
    let mut document = assert_valid("agents", written(AgentsFormat::Json).as_bytes());
    for agent in document["agents"].as_array_mut().unwrap() {
        agent["folder"] = "/home/ada/app".into();
    }
    let lines = written(AgentsFormat::Jsonl);
    let lines: Vec<_> = lines.lines().map(|line| assert_valid("agents-line", line.as_bytes())).collect();
    assert_eq!(document["agents"], serde_json::Value::from(lines));
}
