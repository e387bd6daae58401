use super::{OPENCODE, own_parts};
use crate::agents::recording::OwnText;
use crate::agents::testing::{request, tree};
use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::{FileReason, Prompt};

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

fn why(prompt: &Prompt, path: &str) -> Option<FileReason> {
    prompt.files.iter().find(|file| file.path == path).and_then(|file| file.why)
}

#[test]
fn permissions_of_one_word_are_merged_as_maps() {
    let skill = "---\nname: s\ndescription: d\n---\n";
    let listed = |near: &str| {
        let files = [("/home/.config/opencode/opencode.json", "{\"permission\": \"deny\"}"), (SETTINGS, near)];
        let skill = [("/code/app/.opencode/skill/s/SKILL.md", skill)];
        prompt(&[&files[..], &skill].concat()).messages[0].text().contains("<name>s</name>")
    };
    assert!(!listed("{\"permission\": {\"bash\": \"ask\"}}"));
    assert!(listed("{\"permission\": {\"skill\": \"allow\"}}"));
    assert!(!listed("{\"permission\": \"allow\", \"agent\": {\"build\": {\"tools\": {\"skill\": false}}}}"));
    let both = "{\"tools\": {\"skill\": false}, \"permission\": \"allow\"}";
    assert!(listed(&format!("{{\"agent\": {{\"build\": {both}}}}}")));
}

#[test]
fn a_reference_belongs_to_the_file_that_names_it() {
    let global = "/home/.config/opencode/opencode.json";
    let settings = "{\"references\": {\"r\": {\"path\": \"{file:where}\", \"description\": \"d\"}}}";
    let prompt = prompt(&[(global, settings), ("/home/.config/opencode/where", "../docs\n"), ("/code/app/x", "")]);
    assert!(prompt.messages[0].text().contains("<path>/home/.config/docs</path>"));
}

#[test]
fn variables_name_folders_as_they_are() {
    let mut request = request(&OPENCODE, "/code/app", "/home");
    request.variables.insert("OPENCODE_CONFIG_DIR", "~/own".to_string());
    let files = tree(&[("/code/app/~/own/AGENTS.md", "a\n"), ("/home/own/AGENTS.md", "b\n")]);
    assert_eq!(sent(&crate::agents::render_agent(&request, &files)), ["/code/app/~/own/AGENTS.md"]);
}

#[test]
fn a_refusal_makes_every_candidate_invalid() {
    let files = [(SETTINGS, "{"), ("/code/app/AGENTS.md", ""), ("/code/app/CLAUDE.md", "c\n")];
    let others = [("/code/app/.opencode/command/c.md", "c\n"), ("/code/app/GEMINI.md", "g\n")];
    let prompt = prompt(&[&files[..], &others].concat());
    let invalid = files.iter().chain(&others[..1]);
    assert!(invalid.into_iter().all(|(path, _)| why(&prompt, path) == Some(FileReason::Invalid)));
    assert_eq!(why(&prompt, "/code/app/GEMINI.md"), Some(FileReason::NotRead));
}

/// The code and the line of each warning, and of the refusal.
fn warnings(prompt: &Prompt) -> Vec<String> {
    let of = |it: &Diagnostic| match &it.at {
        Some(Location::Span(span)) => {
            let at = span.source().position(span.range().start);
            Some(format!("{} {}:{}:{}", it.code(), span.source().path(), at.line, at.column))
        }
        _ => None,
    };
    prompt.diagnostics.iter().filter_map(of).collect()
}

#[test]
fn what_decides_about_a_file_is_named() {
    let by = |files: &[(&str, &str)], path: &str| {
        let prompt = prompt(files);
        let file = prompt.files.iter().find(|file| file.path == path).unwrap();
        (file.why.unwrap(), file.by.clone().map(|by| by.by).unwrap_or_default())
    };
    let [agents, mode] = ["/code/app/.opencode/agents/x.md", "/code/app/.opencode/mode/x.md"];
    let [config, global] = ["/home/.config/opencode/config.json", "/home/.config/opencode/opencode.json"];
    let [near, rules] = ["/code/app/s/CLAUDE.md", "/code/app/rules.md"];
    let shadowed = |by: &str| (FileReason::Shadowed, by.to_string());
    assert_eq!(by(&[(agents, "a"), (mode, "b")], agents), shadowed(mode));
    let chosen = (SETTINGS, "{\"default_agent\": \"x\"}");
    assert_eq!(by(&[(agents, "a"), (mode, "b"), chosen], agents), shadowed(mode));
    assert_eq!(by(&[("/code/app/s/AGENTS.md", "a"), (near, "b")], near), shadowed("/code/app/s/AGENTS.md"));
    let named = "{\"instructions\": [\"rules.md\"]}";
    let replaced = [(config, named), (global, "{\"instructions\": []}"), (rules, "a\n")];
    assert_eq!(by(&replaced, rules), shadowed(global));
    let broken = [(SETTINGS, "{"), ("/code/app/AGENTS.md", "a\n")];
    assert_eq!(by(&broken, "/code/app/AGENTS.md"), (FileReason::Invalid, "opencode.json".to_string()));
}

#[test]
fn a_file_that_is_not_valid_has_a_cause() {
    let mode = "/code/app/.opencode/mode/m.md";
    for (path, text) in [(mode, "---\ntemperature: x\n---\n"), (SETTINGS, "{")] {
        let prompt = prompt(&[(path, text)]);
        assert_eq!(why(&prompt, path), Some(FileReason::Invalid));
        assert!(prompt.notes.iter().any(|note| note.path == path && note.steps[0].1.is_some()), "{path}");
    }
}

#[test]
fn a_warning_stands_where_the_cause_is() {
    let skill = ("/code/app/.opencode/skill/br/SKILL.md", "---\nname: br\ndescription: [\n---\n");
    let said = prompt(&[skill]).diagnostics.iter().map(|it| it.message()).collect::<String>();
    assert!(said.contains("invalid front matter") && !said.contains("no `name`"), "{said}");
    assert!(!warnings(&prompt(&[skill]))[0].ends_with(":1:1"));
    let key = warnings(&prompt(&[(SETTINGS, "{\"$schema\": \"x\", \"permissions\": {}}")]));
    assert_eq!(key, [format!("agent_refuses {SETTINGS}:1:19")]);
    // The near file is the link here, and the far one there.
    for (near, far, expected) in [("->/code/AGENTS.md", "a\n", "/code/app"), ("a\n", "->/code/app/AGENTS.md", "/code")]
    {
        let files = [("/code/app/AGENTS.md", near), ("/code/AGENTS.md", far), ("/code/.git/HEAD", "")];
        assert_eq!(warnings(&prompt(&files)), [format!("agent_pitfall {expected}/AGENTS.md:1:1")], "{near:?}");
    }
}

#[test]
fn a_help_can_be_followed() {
    let help = |files: &[(&str, &str)]| {
        let prompt = prompt(files);
        prompt.diagnostics.iter().filter_map(|it| it.help()).collect::<Vec<_>>().join(", ")
    };
    let settings = (SETTINGS, "{\"$schema\": \"x\", \"instructions\": [\"docs\"]}");
    assert!(help(&[settings, ("/code/app/docs/a.md", "a\n")]).contains("`/*.md`"));
    let [near, far] = ["/code/app/AGENTS.md", "/code/AGENTS.md"];
    assert_eq!(help(&[(near, "a\n"), ("/code/app/CLAUDE.md", "b\n")]), "move its text to that file");
    assert_eq!(help(&[(far, "a\n"), ("/code/app/CLAUDE.md", "b\n")]), "give both the same name");
}

#[test]
fn known_keys_have_types() {
    let is_refused = |settings: &str| prompt(&[(SETTINGS, settings)]).refusal().is_some();
    for (key, right, wrong) in [
        ("temperature", "0.5", "\"0.5\""),
        ("steps", "3", "0"),
        ("steps", "3.0", "1.5"),
        ("color", "\"#00ffAA\"", "\"red\""),
        ("options", "{}", "[]"),
    ] {
        let of = |value: &str| format!("{{\"agent\": {{\"build\": {{\"{key}\": {value}}}}}}}");
        assert!(!is_refused(&of(right)) && is_refused(&of(wrong)), "{key}");
    }
    assert!(!is_refused("{\"default_agent\": \"\", \"subagent_depth\": 0}"));
}

#[test]
fn hostile_input_ends_soon() {
    let braces = "{".repeat(400);
    let nested = "{a,".repeat(200) + &"}".repeat(200);
    let settings = format!("{{\"instructions\": [\"{braces}\", \"{nested}z\", \"{{1..1000}}x*\", \"{{1..1000}}y*\"]}}");
    assert_eq!(sent(&prompt(&[(SETTINGS, &settings), ("/code/app/1x.md", "x\n")])), ["/code/app/1x.md"]);
    let deep = format!("/code/app/.opencode/skill{}/SKILL.md", "/d".repeat(3_000));
    let text = "---\nname: deep\ndescription: d\n---\n";
    assert!(prompt(&[(&deep, text)]).messages[0].text().contains("<name>deep</name>"));
}

#[test]
fn the_environment_is_found_by_its_tag() {
    let text = "Be brief.\n\nYou are m.\nHere:\n<env>\n  x\n</env>";
    let environment = "You are m.\nHere:\n<env>\n  x\n</env>";
    let divided = [OwnText::new("provider", "Be brief.\n\n"), OwnText::new("environment", environment)];
    assert_eq!(own_parts("provider..environment", text), divided);
    assert_eq!(own_parts("provider..environment", "no tag"), [OwnText::new("provider..environment", "no tag")]);
    assert_eq!(own_parts("provider", text).len(), 1);
}
