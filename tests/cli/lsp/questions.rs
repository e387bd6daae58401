//! Answers about a place: hover, definition, references, rename, completion, lenses.

use serde_json::json;

use super::editor::{self, Editor};
use super::{BASE, DEPLOY, DIRECTIVE, asking, at, linted, shop};
use crate::running::Files;

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

/// A placeholder leads to the declaration of its input, but not to that of a parent, which is not inherited; both lead to all
/// placeholders. A plain word leads nowhere, and no more does a pattern.
#[test]
fn placeholders_lead_to_their_input_and_back() {
    let files = shop();
    let base = BASE.replace("</metadata>", "</metadata><inputs><input name=\"missing\"/></inputs>");
    files.write("project/.ai/directives/base.md", &base);
    let text =
        DIRECTIVE.replace("<context>", "<permissions><execute><tool>shop.*</tool></execute></permissions><context>");
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(DEPLOY, &text);
    let place = |editor: &Editor, mark: &str| {
        let position = editor::position(&text, text.find(mark).expect("the mark") + mark.len());
        json!({"textDocument": {"uri": editor.uri(DEPLOY)}, "position": position, "context": {"includeDeclaration": false}})
    };
    let found = editor.result("textDocument/definition", &place(&editor, "{input:tar"));
    let start = editor::position(&text, text.find("target\" required").expect("the input"));
    assert_eq!((&found["uri"], &found["range"]["start"]), (&json!(editor.uri(DEPLOY)), &start));
    assert!(editor.result("textDocument/definition", &place(&editor, "{input:mis")).is_null());
    let start = editor::position(&text, text.find("{input:target").expect("the placeholder"));
    for mark in ["<input name=\"tar", "{input:tar"] {
        let places = editor.result("textDocument/references", &place(&editor, mark));
        assert_eq!(
            places.as_array().map(|all| all.iter().map(|it| &it["range"]["start"]).collect()),
            Some(vec![&start])
        );
    }
    for word in ["Deploy t", "shop.", "<descr", "Deploys"] {
        for question in ["definition", "references"] {
            let found = editor.result(&format!("textDocument/{question}"), &place(&editor, word));
            assert!(found.is_null() || found == json!([]), "{question} of {word}: {found}");
        }
    }
    let own = editor.result("textDocument/definition", &place(&editor, "<directive name=\"dep"));
    assert_eq!(own["uri"], editor.uri(DEPLOY));
    assert_eq!(editor.end(), Some(0));
}

/// After the edits of a rename, the project has the findings that it had before.
#[test]
fn a_rename_changes_every_place() {
    let (files, mut editor) = asking();
    let before = linted(&files, DEPLOY, DIRECTIVE);
    let prepared = editor.result("textDocument/prepareRename", &at(&editor, "base", 1));
    let [start, end] = [0, 4].map(|after| at(&editor, "base", after)["position"].clone());
    assert_eq!(prepared, json!({"range": {"start": start, "end": end}, "placeholder": "base"}));
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

/// A rename also changes the examples of a directive in the settings, and the name that a knowledge item gives itself.
#[test]
fn a_rename_changes_examples_and_own_names() {
    let files = shop();
    let settings = ".ai/config/rye-render.yaml";
    let examples = "# deploy: {}\nexamples:\n  \"deploy\": {target: eu}\n  'deploy*': {target: us}\n";
    files.write(&format!("project/{settings}"), examples);
    let (house, rules) = (".ai/knowledge/house/rules.md", "```yaml\nname: \"rules\"\n```\n\nBe careful.\n");
    files.write(&format!("project/{house}"), rules);
    let text = DIRECTIVE.replace("rules</before>", "house/rules</before><suppress>house/rules</suppress>");
    let edit = json!({"documentChanges": true, "resourceOperations": ["rename"]});
    let mut editor = Editor::start(&files, &json!({"workspace": {"workspaceEdit": edit}}));
    editor.open(DEPLOY, &text);
    editor.open(settings, examples);
    editor.open(house, rules);
    let place = json!({"textDocument": {"uri": editor.uri(house)}, "position": {"line": 1, "character": 9}});
    let prepared = editor.result("textDocument/prepareRename", &place);
    let range = json!({"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 12}});
    assert_eq!(prepared, json!({"range": range, "placeholder": "house/rules"}));
    let mut renamed = |in_file: (&str, &str), mark: &str, new: &str, path: &str, before: &str| {
        let position = editor::position(in_file.1, in_file.1.find(mark).expect("the mark") + mark.len());
        let document = json!({"uri": editor.uri(in_file.0)});
        let params = json!({"textDocument": document, "position": position, "newName": new});
        let edit = editor.result("textDocument/rename", &params);
        let uri = editor.uri(path);
        let changes = edit["documentChanges"].as_array().expect("changes").iter();
        let mut of_file = changes.filter(|change| change["textDocument"]["uri"] == uri);
        editor::edited(before, &json!({"changes": {"x": of_file.next().expect("an edit")["edits"]}}))
    };
    let expected = examples.replace("\"deploy\"", "\"ship/it\"");
    assert_eq!(renamed((DEPLOY, &text), "name=\"dep", "ship/it", settings, examples), expected);
    let expected = text.replace("name=\"deploy\"", "name=\"it\"");
    assert_eq!(renamed((settings, examples), "  \"dep", "ship/it", DEPLOY, &text), expected);
    let expected = rules.replace("rules", "laws");
    assert_eq!(renamed((DEPLOY, &text), "<before>hou", "house/laws", house, rules), expected);
    let expected = text.replace("house/rules", "house/laws");
    assert_eq!(renamed((DEPLOY, &text), "<before>hou", "house/laws", DEPLOY, &text), expected);
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

/// A hover says which agent cuts a line, for which agents a file is on demand, and nothing of agents that never read it.
#[test]
fn a_hover_tells_what_becomes_of_a_line() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    let rule = "---\npaths: src/**\n---\nUse tabs.\n";
    let skill = "---\nname: ship\ndescription: Ships.\n---\nSteps.\n";
    let (long, at) = ("Use tabs.\n".repeat(4_000), |line: u64| json!({"line": line, "character": 0}));
    let mut editor = Editor::start(&files, &json!({}));
    let mut first_line = |path: &str, text: &str, line: u64| {
        files.write(&format!("project/{path}"), text);
        editor.open(path, text);
        let place = json!({"textDocument": {"uri": editor.uri(path)}, "position": at(line)});
        let hover = editor.result("textDocument/hover", &place);
        hover["contents"]["value"].as_str().map(|it| it.lines().next().unwrap_or_default().to_string())
    };
    let cut = first_line("AGENTS.md", &long, 3_999).expect("a text");
    assert!(cut.contains("pi (") && cut.contains("; not codex: cut at 32,768"), "{cut}");
    let on_demand = |agents: &str| Some(format!("This line reaches no prompt; the file is on demand for {agents}."));
    assert_eq!(first_line(".claude/rules/api.md", rule, 3), on_demand("claude-code"));
    assert_eq!(first_line(".claude/skills/ship/SKILL.md", skill, 4), on_demand("claude-code, opencode"));
    assert_eq!(first_line(".claude/settings.json", "{}\n", 0), None);
    assert_eq!(editor.end(), Some(0));
}

/// Settings can change the prompts of the project, but those of other tiers are not listed.
#[test]
fn prompts_of_the_project_are_counted() {
    let files = shop();
    let text = DIRECTIVE.replace("\"base\"", "\"mine\"");
    files.write("home/.ai/directives/mine.md", &BASE.replace("\"base\"", "\"mine\""));
    files.write(&format!("project/{DEPLOY}"), &text);
    let (settings, lint) = (".ai/config/rye-render.yaml", "lint:\n  fail_on: error\n");
    files.write(&format!("project/{settings}"), lint);
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(settings, lint);
    let place = json!({"textDocument": {"uri": editor.uri(settings)}, "position": {"line": 1, "character": 4}});
    let hover = editor.result("textDocument/hover", &place);
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("This line stands in 0 of 2 prompts that"), "{shown}");
    assert_eq!(editor.end(), Some(0));
}

/// References of an import, and of an imported file at its first line, are all imports of that file.
#[test]
fn imports_of_a_file_are_its_references() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    let (style, claude) = ("# Style\nUse tabs.\n", "# All\r\nRead @docs/style.md first.\r\n@docs/more.md\r\n");
    files.write("project/docs/style.md", style);
    files.write("project/docs/more.md", "More.\nSee @style.md there.\n");
    files.write("project/CLAUDE.md", claude);
    let mut editor = Editor::start(&files, &json!({}));
    editor.open("CLAUDE.md", claude);
    editor.open("docs/style.md", style);
    let references = |editor: &mut Editor, path: &str, line: u64, character: u64| {
        let at = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": editor.uri(path)}, "position": at, "context": {"includeDeclaration": false}});
        let found = editor.result("textDocument/references", &params);
        let place = |it: &serde_json::Value| {
            let start = &it["range"]["start"];
            let name = it["uri"].as_str().expect("an address").rsplit('/').next().map(ToString::to_string);
            (name.expect("a name"), start["line"].as_u64().expect("a line"), start["character"].as_u64())
        };
        let mut found: Vec<_> = found.as_array().expect("places").iter().map(place).collect();
        found.sort();
        found
    };
    let expected = [("CLAUDE.md".to_string(), 1, Some(5)), ("more.md".to_string(), 1, Some(4))];
    assert_eq!(references(&mut editor, "CLAUDE.md", 1, 8), expected);
    assert_eq!(references(&mut editor, "docs/style.md", 0, 3), expected);
    assert_eq!(references(&mut editor, "docs/style.md", 1, 3), []);
    assert_eq!(references(&mut editor, "CLAUDE.md", 0, 3), []);
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

/// In the settings of an agent, the keys that it reads there are suggested, each with what it does.
#[test]
fn keys_of_settings_are_suggested() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    files.write("project/CLAUDE.md", "Use tabs.\n");
    let (settings, text) = (".claude/settings.json", "{\r\n  \"permissions\": {\r\n    \"de\"\r\n  }\r\n}\r\n");
    files.write("project/.claude/settings.json", text);
    let mut editor = Editor::start(&files, &json!({}));
    editor.open(settings, text);
    let position = json!({"line": 2, "character": 7});
    let params = json!({"textDocument": {"uri": editor.uri(settings)}, "position": position});
    let range = json!({"start": {"line": 2, "character": 5}, "end": position});
    let deny =
        json!({"label": "deny", "detail": "tools that never run", "textEdit": {"range": range, "newText": "deny"}});
    assert_eq!(editor.result("textDocument/completion", &params), json!([deny]));
    assert_eq!(editor.end(), Some(0));
}
