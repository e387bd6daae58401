//! Diagnostics: when they are sent, and that they are those of `lint`.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::editor::{self, Editor};
use super::{BASE, DEPLOY, DIRECTIVE, findings_in, linted, rng, shop, shown};
use crate::running::Files;

/// After each edit, the findings are those of `lint` for the same text.
#[test]
fn findings_are_those_of_lint_after_each_edit() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({"textDocument": {"diagnostic": {}}}));
    let mut text = DIRECTIVE.to_string();
    editor.open(DEPLOY, &text);
    let words = [
        "",
        "x",
        "\n",
        "<",
        "</metadata>",
        "{input:",
        "rules",
        "\"",
        "```",
        "🙂",
        "\u{202e}",
        "<input name=\"target\"/>",
    ];
    let edits = (any::<prop::sample::Index>(), 0..12usize, prop::sample::select(words.to_vec()));
    let mut runner = TestRunner::new_with_rng(Config { cases: 40, ..Config::default() }, rng());
    let (mut compared, mut found) = (0, 0);
    while compared < 40 {
        let (at, length, new) = edits.new_tree(&mut runner).expect("an edit").current();
        let characters: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let first = at.index(characters.len());
        let (start, end) = (characters[first], characters[(first + length).min(characters.len() - 1)]);
        let range = json!({"start": editor::position(&text, start), "end": editor::position(&text, end)});
        text.replace_range(start..end, new);
        // Every tenth edit undoes all others.
        if compared % 10 == 9 {
            text = DIRECTIVE.to_string();
            editor.change(DEPLOY, &json!({"text": text}));
        } else {
            editor.change(DEPLOY, &json!({"range": range, "text": new}));
        }
        let report = editor.pull(DEPLOY);
        let (server, command) = (shown(&report["items"]), linted(&files, DEPLOY, &text));
        let lines =
            |all: &[(String, u64, u64)]| all.iter().map(|(code, line, _)| (code.clone(), *line)).collect::<Vec<_>>();
        assert_eq!(lines(&server), lines(&command), "{text}");
        found += server.len();
        compared += 1;
    }
    assert!(found > 40, "only {found} findings were compared");
    assert_eq!(editor.end(), Some(0));
}

/// An edit of an item changes what is wrong with the prompts that it goes into.
#[test]
fn an_edit_of_an_item_shows_in_the_files_that_it_affects() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    let shows = |editor: &mut Editor, code: &str| {
        let published = editor.published(DEPLOY);
        shown(&published["diagnostics"]).iter().any(|(it, ..)| it == code)
    };
    assert!(!shows(&mut editor, "RR103"));
    editor.open(".ai/directives/base.md", "no directive any more\n");
    assert!(shows(&mut editor, "RR103"));
    editor.change(".ai/directives/base.md", &json!({"text": BASE}));
    assert!(!shows(&mut editor, "RR103"));
    assert_eq!(editor.end(), Some(0));
}

/// Positions count in UTF-8 if the editor can, else in UTF-16.
#[test]
fn positions_are_counted_as_agreed() {
    let files = shop();
    let column = |capabilities: Value| {
        let mut editor = Editor::start(&files, &capabilities);
        editor.open(DEPLOY, DIRECTIVE);
        let found = shown(&editor.published(DEPLOY)["diagnostics"]);
        assert_eq!(editor.end(), Some(0));
        found.iter().find(|(_, line, _)| *line == 12).expect("a finding about the missing input").2
    };
    let before = "Deploy to {input:target}. ".len() as u64;
    assert_eq!(column(json!({})), before + 3);
    assert_eq!(column(json!({"general": {"positionEncodings": ["utf-8"]}})), before + 5);
}

/// In a repository without `.ai/`, instruction files are checked for the agents.
#[test]
fn files_of_agents_are_checked() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    let text = "Read @missing.md first.\n";
    files.write("project/CLAUDE.md", text);
    let mut editor = Editor::start(&files, &json!({}));
    editor.open("CLAUDE.md", text);
    let found = shown(&editor.published("CLAUDE.md")["diagnostics"]);
    assert!(!found.is_empty());
    assert_eq!(found, linted(&files, "CLAUDE.md", text));
    assert_eq!(editor.end(), Some(0));
}

/// Wrong settings are shown where they are, and mended settings count at once.
#[test]
fn wrong_settings_are_shown() {
    let files = shop();
    let settings = ".ai/config/rye-render.yaml";
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    assert!(!shown(&editor.published(DEPLOY)["diagnostics"]).is_empty());
    editor.open(settings, "lint:\n  fail_on: never\n");
    let found = editor.published(settings)["diagnostics"].clone();
    assert!(found[0]["message"].as_str().expect("a message").contains("never"), "{found}");
    editor.change(settings, &json!({"text": "lint:\n  fail_on: \"off\"\n"}));
    assert!(shown(&editor.published(settings)["diagnostics"]).is_empty());
    assert_eq!(editor.end(), Some(0));
}

/// Settings that cannot be read say nothing about files that no agent reads.
#[test]
fn wrong_settings_of_agents_are_shown_where_agents_read() {
    let files = Files::new();
    for (path, text) in [(".git/HEAD", ""), ("AGENTS.md", "Be brief.\n"), (".sf/rye-render.yaml", "agents: [nope\n")] {
        files.write(&format!("project/{path}"), text);
    }
    let mut editor = Editor::start(&files, &json!({}));
    editor.open("README.md", "Hello.\n");
    editor.open("AGENTS.md", "Be brief.\n");
    assert!(!shown(&editor.published("AGENTS.md")["diagnostics"]).is_empty());
    assert!(shown(&editor.published("README.md")["diagnostics"]).is_empty());
    assert_eq!(editor.end(), Some(0));
}

/// What the editor shows already is not sent again.
#[test]
fn diagnostics_are_sent_once() {
    let files = shop();
    let settings = ".ai/config/rye-render.yaml";
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    editor.published(DEPLOY);
    editor.open(settings, "lint:\n  fail_on: never\n");
    assert!(!shown(&editor.published(settings)["diagnostics"]).is_empty());
    editor.published(DEPLOY);
    editor.change(settings, &json!({"text": "lint:\n  fail_on: \"off\"\n"}));
    assert!(shown(&editor.published(settings)["diagnostics"]).is_empty());
    editor.published(DEPLOY);
    editor.result("workspace/symbol", &json!({"query": ""}));
    assert!(!editor.has_published(settings));
    editor.change(settings, &json!({"text": "lint:\n  fail_on: error\n"}));
    assert_eq!(editor.published(settings)["diagnostics"], json!([]));
    editor.result("workspace/symbol", &json!({"query": ""}));
    assert!(!editor.has_published(DEPLOY));
    assert_eq!(editor.end(), Some(0));
}

/// The project of each rule's example: with all of its files open, the server finds what the command finds in them.
#[test]
fn findings_are_those_of_lint_in_the_examples_of_all_rules() {
    let mut compared = 0;
    let examples = std::fs::read_dir("testdata/rules").expect("the examples");
    for example in examples.map(|entry| entry.expect("an entry").path().join("composed")).filter(|it| it.is_dir()) {
        let files = Files::empty();
        let mut paths = Vec::new();
        for path in editor::files_below(&example) {
            let text = std::fs::read_to_string(example.join(&path)).unwrap_or_default();
            files.write(&format!("project/{path}"), &text);
            if path.starts_with(".ai/") && !text.is_empty() {
                paths.push((path, text));
            }
        }
        let Some((first, text)) = paths.first() else { continue };
        let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
        let mut editor = Editor::start(&files, &json!({"textDocument": {"diagnostic": {}}, "workspace": watched}));
        paths.iter().for_each(|(path, text)| editor.open(path, text));
        editor.pull(first);
        // Another reading takes over what the first one knows.
        editor.change(first, &json!({"text": text}));
        let mut command = files.command(&["lint", "--format", "json", "--fail-on", "off"]);
        let ran = editor::output(command.args(paths.iter().map(|(path, _)| path)), "");
        let Ok(report) = serde_json::from_slice::<Value>(&ran.stdout) else {
            assert!(!editor.pull(first)["items"].as_array().expect("a list").is_empty(), "{example:?}");
            continue;
        };
        for (path, _) in &paths {
            let (mut server, mut command) = (shown(&editor.pull(path)["items"]), findings_in(&report, path));
            // What the server counts in UTF-16, the command counts in characters.
            [&mut server, &mut command].into_iter().flatten().for_each(|(.., column)| *column = 0);
            assert_eq!(server, command, "{example:?} {path}");
            compared += server.len();
        }
        assert_eq!(editor.end(), Some(0));
    }
    assert!(compared > 50, "only {compared} findings were compared");
}

/// A question right behind an edit does not swallow the findings.
#[test]
fn findings_are_shown_although_a_question_came_first() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    editor.actions(DEPLOY, &json!(["quickfix"]));
    let first = shown(&editor.published(DEPLOY)["diagnostics"]);
    assert!(!first.is_empty());
    editor.change(DEPLOY, &json!({"text": DIRECTIVE.replace("{input:missing}", "")}));
    editor.actions(DEPLOY, &json!(["quickfix"]));
    assert_eq!(shown(&editor.published(DEPLOY)["diagnostics"]).len(), first.len() - 1);
    assert_eq!(editor.end(), Some(0));
}

/// A file outside of all folders and repositories is checked alone: nothing around it is listed.
#[test]
fn nothing_is_listed_around_a_single_file() {
    let files = Files::empty();
    let missing = "Read @missing.md and @there.md first.\n";
    files.write("elsewhere/there.md", "There.\n");
    for path in ["elsewhere/CLAUDE.md", "elsewhere/below/CLAUDE.md"] {
        files.write(path, missing);
    }
    let address = |path: &str| format!("file://{}", files.path(path).display());
    let codes = |editor: &mut Editor, path: &str| {
        let found = shown(&editor.published(&address(path))["diagnostics"]);
        found.into_iter().map(|(code, _, column)| (code, column)).collect::<Vec<_>>()
    };
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(&address("elsewhere/CLAUDE.md"), missing);
    let mut found = codes(&mut editor, "elsewhere/CLAUDE.md");
    found.retain(|(code, _)| code == "RR718");
    assert_eq!(found, [("RR718".to_string(), 5)]);
    let (rule, text) = ("elsewhere/.claude/rules/r.md", "---\npath: a\n---\nUse tabs.\n");
    files.write(rule, text);
    editor.open(&address(rule), text);
    let found = codes(&mut editor, rule);
    assert!(found.iter().any(|(code, _)| code == "RR720"), "{found:?}");
    assert!(!editor.has_published(&address("elsewhere/below/CLAUDE.md")));
    let added = json!({"uri": address("elsewhere"), "name": "elsewhere"});
    editor.tell("workspace/didChangeWorkspaceFolders", &json!({"event": {"added": [added], "removed": []}}));
    assert!(!codes(&mut editor, "elsewhere/below/CLAUDE.md").is_empty());
    assert_eq!(editor.end(), Some(0));
}
