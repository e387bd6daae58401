//! What decides about files, and what surprises people (Codex CLI, the marked places).

use super::CODEX;
use crate::agents::testing::{decided, request, tree};
use crate::diagnostic::{Location, Severity};
use crate::prompt::{FileReason, FileState, Prompt};
use crate::text::Span;

const CONFIG: &str = "/home/.codex/config.toml";

/// In the folder `/home/app`.
fn prompt(files: &[(&str, &str)]) -> Prompt {
    crate::agents::render_agent(&request(&CODEX, "/home/app", "/home"), &tree(files))
}

/// `CODE PATH:LINE:COLUMN MESSAGE` of warnings and errors; without line and column for a whole file.
fn said(files: &[(&str, &str)]) -> Vec<String> {
    let diagnostics = prompt(files).diagnostics;
    let said = diagnostics.iter().filter(|it| it.severity() > Severity::Note).map(|it| {
        let place = match &it.at {
            Some(Location::Span(span)) => {
                let at = span.place().position;
                format!("{}:{}:{}", span.source().path(), at.line, at.column)
            }
            at => at.as_ref().map_or_else(String::new, |at| at.path().to_string()),
        };
        format!("{} {place} {}", it.code(), it.message())
    });
    said.collect()
}

#[test]
fn a_file_names_the_setting_that_decided() {
    let settings = "project_doc_max_bytes = 4\nproject_doc_fallback_filenames = [\"RULES.md\"]\n\
                    [projects.\"/home/app\"]\ntrust_level = \"trusted\"\n";
    let (rules, own) = ("/home/app/RULES.md", "/home/app/.codex/config.toml");
    let trusted = prompt(&[(CONFIG, settings), (rules, "12345678"), (own, "model = \"m\"\n")]);
    assert_eq!(decided(&trusted, rules), Some(("project_doc_max_bytes".to_string(), 1)));
    assert_eq!(decided(&trusted, own), Some(("trust_level".to_string(), 4)));
    let [(what, at)] = &trusted.notes[0].steps[..] else { panic!("one step") };
    assert_eq!((what.as_str(), at.as_ref().map(Span::line)), ("project_doc_fallback_filenames decides it", Some(2)));

    let untrusted = settings.replace("\"trusted\"", "\"untrusted\"");
    let untrusted = prompt(&[(CONFIG, &untrusted), (rules, "12345678"), (own, "model = \"m\"\n")]);
    for path in [rules, own] {
        assert_eq!(decided(&untrusted, path), Some(("trust_level".to_string(), 4)), "{path}");
    }
    // Without a key, no setting decides.
    assert_eq!(decided(&prompt(&[(own, "model = \"m\"\n")]), own), None);
}

#[test]
fn no_file_is_sent_by_an_agent_that_does_not_start() {
    let skill = "---\nname: ship\ndescription: Ships.\n---\n";
    let path = "/home/app/.agents/skills/ship/SKILL.md";
    let files = tree(&[(path, skill)]);
    let mut files = files;
    files.insert("/home/.codex/rules/a.rules", b"\xff".to_vec());
    let prompt = crate::agents::render_agent(&request(&CODEX, "/home/app", "/home"), &files);
    let file = prompt.files.iter().find(|file| file.path == path).unwrap();
    assert_eq!((file.state, file.why), (FileState::LeftOut, Some(FileReason::Invalid)));
    assert_eq!(decided(&prompt, path), Some(("a.rules".to_string(), 1)));
}

#[test]
fn a_working_folder_must_exist() {
    let mut request = request(&CODEX, "/home/app", "/home");
    request.arguments = ["-C", "nope"].map(str::to_string).to_vec();
    let prompt = crate::agents::render_agent(&request, &tree(&[("/home/app/AGENTS.md", "Be brief.\n")]));
    let refusal = prompt.refusal().unwrap().message();
    assert_eq!(refusal, "codex does not start here: the folder /home/app/nope of `-C` does not exist");
    assert!(prompt.messages.is_empty());
}

#[test]
fn mistakes_have_a_place() {
    let skill = "/home/app/.agents/skills/a/SKILL.md";
    let good = "---\nname: a\ndescription: A.\n---\n";
    for (path, text, expected) in [
        (skill, "---\nname: a\nname: b\n---\n", "SKILL.md:3:1 codex does not list this skill: the file has invalid"),
        (
            skill,
            "---\nname: a\n",
            "SKILL.md:1:1 codex does not list this skill: the file has front matter without an end",
        ),
        (skill, "name: a\n", "SKILL.md:1:1 codex does not list this skill: the file has no front matter at its top"),
        ("/home/app/.agents/skills/a/agents/openai.yaml", "policy:\n  products: x\n", "agents/openai.yaml:2:13"),
        (
            "/home/app/.agents/skills/a/.codex-plugin/plugin.json",
            "{\n  \"name\": 1\n}",
            ".codex-plugin/plugin.json:2:11",
        ),
        (
            "/home/app/.codex/config.toml",
            "model = \"m\"\n",
            "config.toml codex ignores the files for codex in /home/app",
        ),
    ] {
        let said = said(&[(skill, good), (path, text)]);
        assert!(said.len() == 1 && said[0].contains(expected), "{text:?}: {said:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_have_a_place() {
    let mut files = tree(&[]);
    files.insert(CONFIG, b"model = \"m\"\nx = \"\xff\"\n".to_vec());
    let prompt = crate::agents::render_agent(&request(&CODEX, "/home/app", "/home"), &files);
    let Some(Location::Span(span)) = &prompt.refusal().unwrap().at else { panic!("no place") };
    assert_eq!((span.line(), span.place().position.column), (2, 6));
}

#[test]
fn what_surprises_people_is_told() {
    let skill = "---\nname: a\ndescription: A.\n---\n";
    let path = "/home/app/.agents/skills/a/SKILL.md";
    let hidden = skill.replace("A.\n", "A.\ndisable-model-invocation: true\n");
    let switch = "[[skills.config]]\npath = \"/home/app/.agents/skills/a\"\nenabled = false\n";
    let above = "[projects.\"/home\"]\ntrust_level = \"trusted\"\n";
    let untrusted = "[projects.\"/home/app\"]\ntrust_level = \"untrusted\"\n";
    let rule = ("/home/.codex/rules/a.rules", "prefix_rule(pattern=[\"git\"])\n");
    let cases: [(&[(&str, &str)], &str); 6] = [
        (
            &[(path, "->/home/a.md"), ("/home/a.md", skill)],
            "agent_pitfall /home/app/.agents/skills/a/SKILL.md codex does not find",
        ),
        (
            &[(path, &hidden)],
            "agent_pitfall /home/app/.agents/skills/a/SKILL.md:4:1 codex ignores this key, and lists the skill",
        ),
        (
            &[(path, skill), (CONFIG, switch)],
            "agent_pitfall /home/.codex/config.toml:2:8 codex compares this path with files",
        ),
        (
            &[(CONFIG, above), ("/home/app/AGENTS.md", "A\n")],
            "agent_trust_pitfall /home/.codex/config.toml:2:15 codex does not apply this to /home/app,",
        ),
        (
            &[(CONFIG, untrusted), rule],
            "agent_trust_pitfall /home/.codex/config.toml:2:15 codex does not say which commands",
        ),
        (
            &[("/home/AGENTS.md", "A\n"), ("/home/app/x", "")],
            "agent_pitfall /home/AGENTS.md codex does not look above its working folder",
        ),
    ];
    for (files, expected) in cases {
        let said = said(files);
        assert!(said.len() == 1 && said[0].starts_with(expected), "{expected}: {said:?}");
    }
    // A marker is found.
    assert!(said(&[("/home/AGENTS.md", "A\n"), ("/home/app/.git/HEAD", "")]).is_empty());
}
