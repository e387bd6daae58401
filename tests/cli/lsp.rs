//! `lsp`: findings and fixes over the Language Server Protocol. `.ci/run` asks with the clients of real editors.

mod editor;
mod kept;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::running::Files;
use editor::{Editor, framed};

const DEPLOY: &str = ".ai/directives/deploy.md";

const DIRECTIVE: &str = "\
# deploy

```xml
<directive name=\"deploy\" version=\"1.0.0\" extends=\"base\">
  <metadata>
    <description>Deploys.</description>
    <context><before>rules</before></context>
  </metadata>
  <inputs><input name=\"target\" required=\"true\"/></inputs>
</directive>
```

Deploy to {input:target}. 😀 {input:missing}
";

const BASE: &str = "\
```xml
<directive name=\"base\" version=\"1.0.0\"><metadata><description>Base.</description></metadata></directive>
```

Base.
";

fn shop() -> Files {
    let files = Files::empty();
    files.write("project/.ai/directives/deploy.md", DIRECTIVE);
    files.write("project/.ai/directives/base.md", BASE);
    files.write("project/.ai/knowledge/rules.md", "---\nname: rules\n---\nBe careful.\n");
    files
}

/// The code, line and column of each finding of `lint`, with this text for the file.
fn linted(files: &Files, path: &str, text: &str) -> Vec<(String, u64, u64)> {
    let mut command = files.command(&["lint", "--format", "json", "--fail-on", "off", "--stdin-filename", path]);
    let ran = editor::output(&mut command, text);
    let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    findings_in(&report, path)
}

fn findings_in(report: &Value, path: &str) -> Vec<(String, u64, u64)> {
    let findings = report["findings"].as_array().expect("findings");
    let place = |finding: &Value| {
        let at = &finding["source"];
        let number = |name: &str| at[name].as_u64().unwrap_or(1) - 1;
        (finding["code"].as_str().expect("a code").to_string(), number("line"), number("column"))
    };
    findings.iter().filter(|finding| finding["source"]["path"] == path).map(place).collect()
}

fn shown(diagnostics: &Value) -> Vec<(String, u64, u64)> {
    let place = |it: &Value| {
        let start = &it["range"]["start"];
        let number = |name: &str| start[name].as_u64().expect("a number");
        (it["code"].as_str().expect("a code").to_string(), number("line"), number("character"))
    };
    diagnostics.as_array().expect("a list").iter().map(place).collect()
}

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

fn rng() -> proptest::test_runner::TestRng {
    proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
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

/// The fixes of the editor make the text that `--fix` makes.
#[test]
fn fixes_are_those_of_the_command() {
    let files = shop();
    let text = DIRECTIVE.replace("rules</before>", "rules</before><before>rules</before>").replace('\n', "\r\n");
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, &text);
    let fixed = editor::output(&mut files.command(&["lint", "--fix", "--stdin-filename", DEPLOY]), &text);
    let fixed = String::from_utf8(fixed.stdout).expect("UTF-8");
    let all = editor.actions(DEPLOY, &json!(["source.fixAll"]));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(editor::edited(&text, &all[0]["edit"]), fixed);
    assert_ne!(text, fixed);
    assert_eq!(editor.end(), Some(0));
}

/// A comment that the editor adds allows the finding for which it was offered, and no other.
#[test]
fn a_finding_is_allowed_by_a_comment() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({"textDocument": {"diagnostic": {}}}));
    editor.open(DEPLOY, DIRECTIVE);
    let before = shown(&editor.pull(DEPLOY)["items"]);
    let actions = editor.actions(DEPLOY, &json!(["quickfix"]));
    let allow = actions.iter().find(|action| action["title"].as_str().expect("a title").starts_with("Allow "));
    let allow = allow.unwrap_or_else(|| panic!("no comment is offered: {actions:?}"));
    let code = allow["diagnostics"][0]["code"].as_str().expect("a code").to_string();
    editor.change(DEPLOY, &json!({"text": editor::edited(DIRECTIVE, &allow["edit"])}));
    let after = shown(&editor.pull(DEPLOY)["items"]);
    let count = |all: &[(String, u64, u64)]| all.iter().filter(|(it, ..)| *it == code).count();
    assert_eq!((after.len(), count(&after)), (before.len() - 1, count(&before) - 1), "{before:?} {after:?}");
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

#[test]
fn the_lifecycle_is_that_of_the_protocol() {
    let refused = |answer: &Value| answer["error"]["code"].as_i64();
    let files = shop();
    let mut editor = Editor::connect(&files);
    let early = editor.ask("textDocument/diagnostic", &json!({}));
    assert_eq!(refused(&editor.answer(early)), Some(-32002));
    let hello = editor.ask("initialize", &json!({"capabilities": {}}));
    assert_eq!(editor.answer(hello)["result"]["serverInfo"]["name"], "rye-render");
    let unknown = editor.ask("textDocument/unknown", &json!({}));
    assert_eq!(refused(&editor.answer(unknown)), Some(-32601));
    let wrong = editor.ask("textDocument/codeAction", &json!({"range": 1}));
    assert_eq!(refused(&editor.answer(wrong)), Some(-32602));
    editor.send(&framed("{\"jsonrpc\""));
    editor.send(&framed(&format!("{{\"method\":\"x\",\"params\":\"{}\"}}", "y".repeat(10_000_000))));
    let last = editor.ask("shutdown", &Value::Null);
    assert_eq!(editor.answer(last)["result"], Value::Null);
    let late = editor.ask("textDocument/diagnostic", &json!({}));
    assert_eq!(refused(&editor.answer(late)), Some(-32600));
    editor.tell("exit", &json!({}));
    assert_eq!(editor.wait(), Some(0));
}

/// An editor that is gone, or that exits without a word, ends the server with 1; half a message with 2.
#[test]
fn an_editor_may_be_gone() {
    let files = shop();
    for (last, status) in [("", 1), ("Content-Length: 100\r\n\r\n{", 2), ("Content-Length: x\r\n\r\n", 2)] {
        let mut editor = Editor::start(&files, &json!({}));
        editor.open(DEPLOY, DIRECTIVE);
        editor.send(last);
        editor.leave();
        assert_eq!(editor.wait(), Some(status), "{last}");
    }
    let mut editor = Editor::start(&files, &json!({}));
    editor.tell("exit", &json!({}));
    assert_eq!(editor.wait(), Some(1));
}

/// Requests that were cancelled before their turn are not answered with a result.
#[test]
fn requests_can_be_cancelled() {
    let (_files, mut editor) = asking();
    editor.published(DEPLOY);
    let params = at(&editor, "Deploy to", 0);
    let hover = |id| json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": params});
    let cancel = |id| json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}});
    let messages = (1000..1030).map(hover).chain((1000..1030).map(cancel));
    let text: String = messages.map(|message| framed(&message.to_string())).collect();
    editor.send(&text);
    let answers: Vec<Value> = (1000..1030).map(|id| editor.answer(id)).collect();
    let cancelled = answers.iter().filter(|answer| answer["error"]["code"] == -32800).count();
    assert!(cancelled > 10, "{cancelled} of 30 were cancelled");
    assert_eq!(editor.end(), Some(0));
}

/// Without a folder, the files of a project still see each other's text.
#[test]
fn a_project_is_one_without_folders() {
    let files = shop();
    let mut editor = Editor::connect(&files);
    let hello = editor.ask("initialize", &json!({"capabilities": {"textDocument": {"diagnostic": {}}}}));
    editor.answer(hello);
    editor.tell("initialized", &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    editor.open(".ai/knowledge/rules.md", "```yaml\nname: rules\n```\n\nTyped just now.\n");
    let lens = editor.result("textDocument/codeLens", &json!({"textDocument": {"uri": editor.uri(DEPLOY)}}));
    let text = editor.result("workspace/executeCommand", &lens[0]["command"]);
    assert!(text.as_str().expect("a text").contains("Typed just now."), "{text}");
    // An editor that asks is told of settings that cannot be read, wherever they are.
    files.write("project/.ai/config/rye-render.yaml", "lint: [\n");
    editor.change(DEPLOY, &json!({"text": BASE}));
    let found = editor.pull(DEPLOY)["items"].clone();
    let place = &found[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(*place, editor.uri(".ai/config/rye-render.yaml"), "{found}");
    assert_eq!(editor.end(), Some(0));
}

/// The position of the first `mark` in the directive, and `after` characters more.
fn at(editor: &Editor, mark: &str, after: usize) -> Value {
    let offset = DIRECTIVE.find(mark).expect("the mark") + after;
    json!({"textDocument": {"uri": editor.uri(DEPLOY)}, "position": editor::position(DIRECTIVE, offset)})
}

fn asking() -> (Files, Editor) {
    let files = shop();
    let edit = json!({"documentChanges": true, "resourceOperations": ["rename"]});
    let mut editor = Editor::start(&files, &json!({"workspace": {"workspaceEdit": edit}}));
    editor.open(DEPLOY, DIRECTIVE);
    (files, editor)
}

/// A hover says in how many prompts a line stands, and explains it as `explain --from` does.
#[test]
fn a_hover_explains_the_line() {
    let (files, mut editor) = asking();
    let hover = editor.result("textDocument/hover", &at(&editor, "Deploy to", 0));
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("This line stands in 1 of 1 prompt that the file can change."), "{shown}");
    let line = format!("{DEPLOY}:13");
    let told = files.command(&["explain", "deploy", "--placeholders", "--from", &line]).env("COLUMNS", "76").output();
    let told = String::from_utf8(told.expect("it runs").stdout).expect("UTF-8");
    assert!(shown.contains(told.trim_end()), "{shown}\n{told}");
    let hover = editor.result("textDocument/hover", &at(&editor, "rules", 2));
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("knowledge `rules`: project `.ai/knowledge/rules.md`, 8 tokens"), "{shown}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn ids_lead_to_their_files_and_back() {
    let (_files, mut editor) = asking();
    for (mark, path) in [("base", ".ai/directives/base.md"), ("rules", ".ai/knowledge/rules.md")] {
        let found = editor.result("textDocument/definition", &at(&editor, mark, 1));
        assert_eq!(found["uri"], editor.uri(path));
    }
    editor.open(".ai/knowledge/rules.md", "---\nname: rules\n---\nBe careful.\n");
    let uri = editor.uri(".ai/knowledge/rules.md");
    let start = json!({"line": 0, "character": 0});
    let params = json!({"textDocument": {"uri": uri}, "position": start, "context": {"includeDeclaration": true}});
    let found = editor.result("textDocument/references", &params);
    let places: Vec<&str> = found.as_array().expect("places").iter().filter_map(|it| it["uri"].as_str()).collect();
    assert_eq!(places, [editor.uri(".ai/knowledge/rules.md"), editor.uri(DEPLOY)]);
    let items = editor.result("workspace/symbol", &json!({"query": "ba"}));
    assert_eq!(items[0]["name"], "base");
    assert_eq!(editor.end(), Some(0));
}

/// A `<suppress>` leads to the hook that it names, and the id of the hook back.
#[test]
fn ids_of_hooks_lead_to_their_declaration_and_back() {
    let files = shop();
    let hooks = ".ai/config/agent/hooks.yaml";
    let declared = "hooks:\n  - id: greeting\n    event: thread_started\n    position: before\n    \
                    action: {primary: fetch, item_type: knowledge, item_id: rules}\n";
    files.write(&format!("project/{hooks}"), declared);
    let text = DIRECTIVE.replace("</before>", "</before><suppress>greeting</suppress>");
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, &text);
    let place = |editor: &Editor, path: &str, text: &str, mark: &str| {
        let offset = text.find(mark).expect("the mark") + mark.len();
        json!({"textDocument": {"uri": editor.uri(path)}, "position": editor::position(text, offset)})
    };
    let named = place(&editor, DEPLOY, &text, "<suppress>gree");
    let found = editor.result("textDocument/definition", &named);
    assert_eq!(found["uri"], editor.uri(hooks));
    assert_eq!(found["range"]["start"], json!({"line": 1, "character": 8}));
    let labels = editor.result("textDocument/completion", &named);
    assert_eq!(labels.as_array().expect("labels").iter().map(|it| &it["label"]).collect::<Vec<_>>(), ["greeting"]);
    editor.open(hooks, declared);
    let id = place(&editor, hooks, declared, "id: gree");
    let places = editor.result("textDocument/references", &id);
    let places = places.as_array().expect("places");
    assert_eq!(places.len(), 1, "{places:?}");
    assert_eq!((&places[0]["uri"], &places[0]["range"]["start"]["line"]), (&json!(editor.uri(DEPLOY)), &json!(6)));
    assert_eq!(editor.end(), Some(0));
}

/// After the edits of a rename, the project has the findings that it had before.
#[test]
fn a_rename_changes_every_place() {
    let (files, mut editor) = asking();
    let before = linted(&files, DEPLOY, DIRECTIVE);
    let prepared = editor.result("textDocument/prepareRename", &at(&editor, "base", 1));
    let [start, end] = [0, 4].map(|after| at(&editor, "base", after)["position"].clone());
    assert_eq!(prepared, json!({"start": start, "end": end}));
    let mut params = at(&editor, "base", 1);
    for wrong in ["null", "a: b", "a<b", "deploy"] {
        params["newName"] = json!(wrong);
        let id = editor.ask("textDocument/rename", &params);
        assert_eq!(editor.answer(id)["error"]["code"], -32803, "{wrong}");
    }
    params["newName"] = json!("shared/root");
    let edit = editor.result("textDocument/rename", &params);
    let changes = edit["documentChanges"].as_array().expect("changes");
    let mut text = DIRECTIVE.to_string();
    for change in changes {
        let edits = json!({"changes": {"x": change["edits"]}});
        if change["kind"] == "rename" {
            assert_eq!(change["newUri"], editor.uri(".ai/directives/shared/root.md"));
        } else if change["textDocument"]["uri"] == editor.uri(DEPLOY) {
            text = editor::edited(DIRECTIVE, &edits);
        } else {
            files.write("project/.ai/directives/shared/root.md", &editor::edited(BASE, &edits));
            files.remove("project/.ai/directives/base.md");
        }
    }
    assert!(text.contains("extends=\"shared/root\""), "{text}");
    let after = linted(&files, DEPLOY, &text);
    let codes =
        |all: &[(String, u64, u64)]| all.iter().map(|(code, line, _)| (code.clone(), *line)).collect::<Vec<_>>();
    assert_eq!(codes(&after), codes(&before));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_fits_is_suggested() {
    let (_files, mut editor) = asking();
    let labels = |editor: &mut Editor, mark: &str, after: usize| {
        let items = editor.result("textDocument/completion", &at(editor, mark, after));
        let labels = items.as_array().expect("items").iter().filter_map(|it| it["label"].as_str());
        labels.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(labels(&mut editor, "base\"", 2), ["base"]);
    assert_eq!(labels(&mut editor, "{input:", 7), ["target"]);
    assert!(labels(&mut editor, "rules", 1).contains(&"rules".to_string()));
    assert_eq!(editor.end(), Some(0));
}

/// A lens names the cost of the prompt, and opens it: the text is what `render` prints, and follows the edits.
#[test]
fn a_lens_opens_the_prompt() {
    let (files, mut editor) = asking();
    let document = json!({"textDocument": {"uri": editor.uri(DEPLOY)}});
    let lenses = editor.result("textDocument/codeLens", &document);
    let command = &lenses[0]["command"];
    let title = command["title"].as_str().expect("a title");
    assert!(title.starts_with("deploy: ") && title.contains(" tokens"), "{title}");
    let text = editor.result("workspace/executeCommand", command);
    let told = files.command(&["render", "deploy", "--placeholders"]).env("COLUMNS", "100").output().expect("it runs");
    assert_eq!(text.as_str().expect("a text"), String::from_utf8_lossy(&told.stdout));
    editor.change(DEPLOY, &json!({"text": DIRECTIVE.replace("Deploy to", "Ship to")}));
    let content = editor.result("workspace/textDocumentContent", &json!({"uri": command["arguments"][0]}));
    assert!(content["text"].as_str().expect("a text").contains("Ship to"));
    let symbols = editor.result("textDocument/documentSymbol", &document);
    let names: Vec<&str> = symbols.as_array().expect("symbols").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["target", "deploy"]);
    let hints = editor.result("textDocument/inlayHint", &document);
    assert_eq!(hints[0]["position"]["line"], 0);
    assert_eq!(editor.end(), Some(0));
}

/// Files of agents: what each agent gets, where it cuts, and where imports lead.
#[test]
fn agents_are_told_apart() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    files.write("project/docs/style.md", "Use tabs.\n");
    let (claude, agents) = ("Read @docs/style.md first.\n", "x".repeat(40_000));
    files.write("project/CLAUDE.md", claude);
    files.write("project/AGENTS.md", &agents);
    let mut editor = Editor::start(&files, &json!({}));
    editor.open("CLAUDE.md", claude);
    editor.open("AGENTS.md", &agents);
    let place = |editor: &Editor, character: u64| {
        let position = json!({"line": 0, "character": character});
        json!({"textDocument": {"uri": editor.uri("CLAUDE.md")}, "position": position})
    };
    let found = editor.result("textDocument/definition", &place(&editor, 8));
    assert_eq!(found["uri"], editor.uri("docs/style.md"));
    let hover = editor.result("textDocument/hover", &place(&editor, 0));
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("This line reaches claude-code ("), "{shown}");
    let lenses = editor.result("textDocument/codeLens", &place(&editor, 0));
    let titles = lenses.as_array().expect("lenses").iter().filter_map(|lens| lens["command"]["title"].as_str());
    let titles: Vec<&str> = titles.collect();
    assert!(titles.iter().any(|it| it.starts_with("claude-code: loaded, ")), "{titles:?}");
    assert!(titles.iter().any(|it| it.starts_with("codex: not read; prompt: ")), "{titles:?}");
    let labels = editor.result("textDocument/completion", &place(&editor, 11));
    assert_eq!(labels[0]["label"], "docs/style.md");
    let hints = editor.result("textDocument/inlayHint", &json!({"textDocument": {"uri": editor.uri("AGENTS.md")}}));
    let cut = hints.as_array().expect("hints").iter().find(|hint| hint["label"] == "cut here for codex");
    assert_eq!(cut.expect("codex cuts it")["position"], json!({"line": 0, "character": 32_768}));
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

/// Line ends of two bytes and characters of several do not move what is suggested.
#[test]
fn places_are_found_in_files_with_other_line_ends() {
    let files = shop();
    let mut editor = Editor::start(&files, &json!({}));
    let text = format!("{DIRECTIVE}{} {{input:", "€".repeat(60)).replace('\n', "\r\n");
    editor.open(DEPLOY, &text);
    let position = json!({"line": 13, "character": 68});
    let params = json!({"textDocument": {"uri": editor.uri(DEPLOY)}, "position": position});
    assert_eq!(editor.result("textDocument/completion", &params)[0]["label"], "target");
    assert_eq!(editor.end(), Some(0));
}

/// A file outside of all folders is checked only if its project or repository says where to stop.
#[test]
fn nothing_is_listed_around_a_single_file() {
    let files = Files::empty();
    files.write("home/CLAUDE.md", "Read @missing.md first.\n");
    let folder = format!("file://{}", files.path("home").display());
    let document = format!("{folder}/CLAUDE.md");
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(&document, "Read @missing.md first.\n");
    assert_eq!(shown(&editor.published(&document)["diagnostics"]), []);
    let added = json!({"uri": folder, "name": "home"});
    editor.tell("workspace/didChangeWorkspaceFolders", &json!({"event": {"added": [added], "removed": []}}));
    assert!(!shown(&editor.published(&document)["diagnostics"]).is_empty());
    assert_eq!(editor.end(), Some(0));
}
