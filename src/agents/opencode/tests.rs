use super::OPENCODE;
use crate::agents::testing::{request, tree};
use crate::prompt::Prompt;

const SETTINGS: &str = "/code/app/opencode.json";

fn prompt(files: &[(&str, &str)]) -> Prompt {
    crate::agents::render_agent(&request(&OPENCODE, "/code/app", "/home"), &tree(files))
}

/// The paths whose texts are sent.
fn sent(prompt: &Prompt) -> Vec<&str> {
    let lines = prompt.messages.iter().flat_map(|message| message.text().lines());
    lines.filter_map(|line| line.strip_prefix("Instructions from: ")).collect()
}

#[test]
fn absolute_entries_are_normalized() {
    for entry in ["/lib//a.md", "/x/../lib/./a.md", "/lib/x/../*.md", "~/../lib/a.md"] {
        let settings = format!("{{\"instructions\": [\"{entry}\"]}}");
        let prompt = prompt(&[(SETTINGS, &settings), ("/lib/a.md", "a\n"), ("/home/b", "")]);
        assert_eq!(sent(&prompt), ["/lib/a.md"], "{entry}");
    }
}

#[test]
fn an_entry_without_a_wildcard_passes_nothing_by() {
    let settings = "{\"instructions\": [\"/lib/a.md\"]}";
    let prompt = prompt(&[(SETTINGS, settings), ("/lib/a.md", "a\n"), ("/lib/b.md", "b\n")]);
    assert!(prompt.files.iter().all(|file| file.path != "/lib/b.md"));
}
