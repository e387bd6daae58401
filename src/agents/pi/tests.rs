//! What decides about files, and what surprises people (Agent `pi`, the marked places).

use super::PI;
use crate::agents::testing::{decided, request, tree};
use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::{FileReason, FileState, Prompt};

const TRUST: &str = "/home/.pi/agent/trust.json";
const SETTINGS: &str = "/home/.pi/agent/settings.json";
const SYSTEM: &str = "/home/app/.pi/SYSTEM.md";

/// In the folder `/home/app`.
fn prompt(files: &[(&str, &str)]) -> Prompt {
    crate::agents::render_agent(&request(&PI, "/home/app", "/home"), &tree(files))
}

fn position(diagnostic: &Diagnostic) -> (usize, usize) {
    let Some(Location::Span(span)) = &diagnostic.at else { panic!("no place") };
    (span.line(), span.place().position.column)
}

#[test]
fn a_file_names_the_setting_that_decided() {
    for (word, state) in [("true", FileState::Loaded), ("false", FileState::LeftOut)] {
        let list = format!("{{\n  \"/home/app\": {word}\n}}\n");
        let prompt = prompt(&[(TRUST, &list), (SYSTEM, "Be brief.\n")]);
        assert_eq!(decided(&prompt, SYSTEM), Some(("trust.json".to_string(), 2)), "{word}");
        assert_eq!(prompt.files.iter().find(|file| file.path == SYSTEM).unwrap().state, state);
    }
    let prompt = prompt(&[(SETTINGS, "{\n\"defaultProjectTrust\": \"always\"}"), (SYSTEM, "Be brief.\n")]);
    assert_eq!(decided(&prompt, SYSTEM), Some(("defaultProjectTrust".to_string(), 2)));
}

#[test]
fn an_entry_of_the_settings_that_leaves_out_a_skill_has_a_place() {
    let skill = "/home/.pi/agent/skills/a/SKILL.md";
    let settings = "{\"skills\": [\n  \"-skills/a\"\n]}";
    let prompt = prompt(&[(SETTINGS, settings), (skill, "---\ndescription: A.\n---\n")]);
    assert_eq!(decided(&prompt, skill), Some(("-skills/a".to_string(), 2)));
}

#[test]
fn a_broken_list_of_folders_has_a_place_and_no_file_is_sent() {
    for (list, expected) in [("{\"/x\":\n tru}", (2, 5)), ("{\"/x\":\n \"yes\"}", (2, 2)), ("[]", (1, 1))] {
        let prompt = prompt(&[(TRUST, list), ("/home/AGENTS.md", "Be brief.\n")]);
        assert_eq!(position(prompt.refusal().unwrap()), expected, "{list}");
        let file = prompt.files.iter().find(|file| file.path == "/home/AGENTS.md").unwrap();
        assert_eq!((file.state, file.why), (FileState::LeftOut, Some(FileReason::Invalid)));
        assert_eq!(decided(&prompt, "/home/AGENTS.md").unwrap().0, "trust.json");
    }
}

#[test]
fn what_surprises_people_is_told() {
    let said = |files: &[(&str, &str)]| {
        let diagnostics = prompt(files).diagnostics;
        let of_files = diagnostics.iter().filter(|it| it.code() != "own_text_unknown");
        of_files.map(|it| (it.code(), it.help().unwrap_or_default())).collect::<Vec<_>>()
    };
    let [(code, help)] = &said(&[(SYSTEM, "Be brief.\n")])[..] else { panic!("one") };
    assert_eq!(*code, "agent_settings_untrusted");
    assert!(help.contains("write `{\"/home/app\": true}` into /home/.pi/agent/trust.json"), "{help}");
    // The folder was refused on purpose.
    assert!(said(&[(SYSTEM, "Be brief.\n"), (TRUST, "{\"/home/app\": false}")]).is_empty());
    let stars = said(&[(SETTINGS, "{\"skills\": [\"lib/*.md\"]}")]);
    assert!(stars.len() == 1 && stars[0].0 == "agent_pitfall", "{stars:?}");
    assert!(said(&[(SETTINGS, "{\"skills\": [\"lib\", \"lib/*.md\"]}")]).is_empty());
}
