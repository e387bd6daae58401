//! What the server keeps of a project between edits is what a fresh `lint` reads.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::editor::{self, Editor};
use super::{BASE, DIRECTIVE, rng};
use crate::running::Files;

/// By path: code, line, and message with its help.
type Found = BTreeMap<String, Vec<(String, u64, String)>>;

/// A file of the user's tier, of which the editor says nothing.
const OF_USER: &str = "../home/.ai/knowledge/theirs.md";

/// Files that others see, each with some texts: ids, parents, items, hooks, keys, settings, and names that win over others.
fn texts() -> Vec<(&'static str, Vec<String>)> {
    let own = |text: &str| vec![text.to_string()];
    let item = |name: &str| format!("```yaml\nname: {name}\n```\n\nRules for ${{inputs.target}}. {{input:target}}\n");
    let hook = |fetched: &str| {
        format!(
            "hooks:\n  - id: h\n    event: thread_started\n    position: before\n    \
             condition: {{path: directive, op: eq, value: deploy}}\n    \
             action: {{primary: fetch, item_type: knowledge, item_id: {fetched}}}\n"
        )
    };
    let grants =
        DIRECTIVE.replace("<context>", "<permissions><execute><tool>ship</tool></execute></permissions><context>");
    vec![
        (
            ".ai/directives/base.md",
            vec![
                BASE.to_string(),
                BASE.replace("<description>", "<context><before>mine</before></context><description>"),
                BASE.replace("</metadata>", "</metadata><inputs><input name=\"missing\"/></inputs>"),
                BASE.replace("version=\"1.0.0\"", "version=\"1.0.0\" extends=\"deploy\""),
                BASE.replace("name=\"base\"", "name=\"other\""),
                "no directive any more\n".to_string(),
            ],
        ),
        (
            ".ai/directives/deploy.md",
            vec![
                DIRECTIVE.to_string(),
                DIRECTIVE.replace("extends=\"base\"", "extends=\"lib\""),
                DIRECTIVE.replace("<before>rules</before>", "<before>mine</before><suppress>rules</suppress>"),
                DIRECTIVE.replace("<before>rules", "<before>notes").replace("{input:missing}", ""),
                DIRECTIVE.replace("<before>rules", "<before>rulez"),
                grants,
                DIRECTIVE.replace("<before>rules", "<before>theirs"),
            ],
        ),
        (
            ".ai/directives/lib.md",
            vec![BASE.replace("\"base\"", "\"lib\""), DIRECTIVE.replace("\"deploy\"", "\"lib\"")],
        ),
        (".ai/knowledge/rules.md", vec![item("rules"), item("other"), String::new()]),
        (".ai/knowledge/rules.yaml", own("name: rules\ncontent: From YAML.\n")),
        (".ai/knowledge/mine.md", vec![item("mine")]),
        (OF_USER, vec![item("theirs"), "No block.\n".to_string(), String::new()]),
        (".ai/knowledge/notes.markdown", own("Nothing reads this.\n")),
        (
            ".ai/tools/ship.py",
            vec![
                "__tool_description__ = 'Ships.'\nCONFIG_SCHEMA = {'type': 'object'}\n".to_string(),
                "print()\n".to_string(),
            ],
        ),
        (".ai/config/agent/hooks.yaml", vec![hook("rules"), hook("notes"), hook("mine"), "hooks: [\n".to_string()]),
        (
            ".ai/config/rye-render.yaml",
            vec![
                "lint:\n  ignore: [RR105]\n".to_string(),
                "lint:\n  exclude: [\".ai/directives/lib.md\"]\n".to_string(),
                "protocol: rye-2\n".to_string(),
                "lint: [\n".to_string(),
            ],
        ),
    ]
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Edit,
    Close,
    Write,
    Remove,
}

/// The project as the editor shows it, and the same files saved in another folder.
struct Twin {
    files: Files,
    editor: Editor,
    on_disk: BTreeMap<&'static str, String>,
    open: BTreeMap<&'static str, String>,
}

impl Twin {
    fn step(&mut self, step: Step, path: &'static str, text: &str) {
        let real = format!("project/{path}");
        match step {
            Step::Remove if path == OF_USER => drop(std::fs::remove_file(self.files.path(&real))),
            _ if path == OF_USER => self.files.write(&real, text),
            Step::Edit => match self.open.insert(path, text.to_string()) {
                Some(_) => self.editor.change(path, &json!({ "text": text })),
                None => self.editor.open(path, text),
            },
            Step::Close if self.open.remove(path).is_some() => {
                let document = json!({"textDocument": {"uri": self.editor.uri(path)}});
                self.editor.tell("textDocument/didClose", &document);
            }
            Step::Write => {
                let is_new = self.on_disk.insert(path, text.to_string()).is_none();
                self.files.write(&real, text);
                self.tell_change(path, if is_new { 1 } else { 2 });
            }
            Step::Remove if self.on_disk.remove(path).is_some() => {
                self.files.remove(&real);
                self.tell_change(path, 3);
            }
            Step::Close | Step::Remove => return,
        }
        if path == OF_USER {
            return;
        }
        let fresh = format!("fresh/{path}");
        match self.open.get(path).or(self.on_disk.get(path)) {
            Some(text) => self.files.write(&fresh, text),
            None => drop(std::fs::remove_file(self.files.path(&fresh))),
        }
    }

    fn tell_change(&mut self, path: &str, kind: u64) {
        let change = json!({"uri": self.editor.uri(path), "type": kind});
        self.editor.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [change] }));
    }

    /// The findings of a fresh run; none if the settings cannot be read.
    fn fresh(&self) -> Option<Found> {
        let mut command = self.files.command(&["lint", "--format", "json", "--fail-on", "off"]);
        command.current_dir(self.files.path("fresh")).args(self.open.keys());
        let report: Value = serde_json::from_slice(&editor::output(&mut command, "").stdout).ok()?;
        let mut all = Found::new();
        for finding in report["findings"].as_array().expect("findings") {
            let text = |name: &str| finding[name].as_str().unwrap_or_default();
            let message = format!("{}\n{}", text("message"), text("help")).trim_end().to_string();
            let (path, line) = (&finding["source"]["path"], &finding["source"]["line"]);
            let found = (text("code").to_string(), line.as_u64().unwrap_or(1) - 1, message);
            all.entry(path.as_str().unwrap_or_default().to_string()).or_default().push(found);
        }
        Some(tidy(all))
    }

    fn served(&mut self) -> Found {
        let start = self.editor.uri("");
        let mut all = Found::new();
        for path in self.open.keys() {
            let report = self.editor.pull(path);
            all.insert(path.to_string(), diagnostics(&report["items"]));
            for (uri, related) in report["relatedDocuments"].as_object().expect("other files") {
                all.insert(uri.trim_start_matches(&start).to_string(), diagnostics(&related["items"]));
            }
        }
        tidy(all)
    }
}

fn diagnostics(all: &Value) -> Vec<(String, u64, String)> {
    let found = |it: &Value| {
        let [code, message] = ["code", "message"].map(|name| it[name].as_str().expect("a text").to_string());
        (code, it["range"]["start"]["line"].as_u64().expect("a line"), message)
    };
    all.as_array().expect("a list").iter().map(found).collect()
}

fn tidy(mut found: Found) -> Found {
    found.values_mut().for_each(|list| list.sort());
    found.retain(|path, list| !path.is_empty() && !list.is_empty());
    found
}

#[test]
fn the_kept_project_is_the_one_that_lint_reads() {
    let files = Files::empty();
    files.write("home/.ai/knowledge/mine.md", "```yaml\nname: mine\n```\n\nMine.\n");
    std::fs::create_dir_all(files.path("fresh/.ai")).expect("a folder");
    std::fs::create_dir_all(files.path("project/.ai")).expect("a folder");
    let editor = Editor::start(
        &files,
        &json!({
            "textDocument": {"diagnostic": {"relatedDocumentSupport": true}},
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
        }),
    );
    let texts = texts();
    let mut twin = Twin { files, editor, on_disk: BTreeMap::new(), open: BTreeMap::new() };
    for (path, texts) in &texts[..4] {
        twin.step(Step::Write, path, &texts[0]);
    }
    let (mut compared, mut elsewhere) = (0, 0);
    let mut step = |step: Step, path: &'static str, text: &str| {
        twin.step(step, path, text);
        let served = twin.served();
        if twin.open.is_empty() {
            return;
        }
        let Some(fresh) = twin.fresh() else {
            assert!(!served.is_empty(), "{step:?} {path}");
            return;
        };
        assert_eq!(served, fresh, "{step:?} {path}\n{text}");
        compared += fresh.len();
        elsewhere += fresh.keys().filter(|path| !twin.open.contains_key(path.as_str())).count();
    };
    // Each text after each other, while nothing happens on disk; the last file is that of the settings.
    for (path, texts) in texts.iter().take(texts.len() - 1).cycle().take(2 * texts.len()) {
        texts.iter().for_each(|text| step(Step::Edit, path, text));
    }
    let kinds =
        prop_oneof![9 => Just(Step::Edit), 2 => Just(Step::Close), 1 => Just(Step::Write), 1 => Just(Step::Remove)];
    let steps = (kinds, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng());
    for _ in 0..120 {
        let (kind, path, text) = steps.new_tree(&mut runner).expect("a step").current();
        let (path, texts) = path.get(&texts);
        let text: &String = text.get(texts);
        step(kind, path, text);
    }
    assert!(compared > 200 && elsewhere > 20, "only {compared} and {elsewhere} files were compared");
    assert_eq!(twin.editor.end(), Some(0));
}

/// A build writes thousands of files into folders with such names, but an item may be in one, too.
#[test]
fn items_in_a_folder_that_builds_use_are_read_again() {
    const CHILD: &str = ".ai/directives/child.md";
    let files = Files::empty();
    let directive = |name: &str, more: &str| {
        format!(
            "```xml\n<directive name=\"{name}\" version=\"1.0.0\"{more}><metadata><description>D.</description></metadata></directive>\n```\n\nDo it.\n"
        )
    };
    let child = directive("child", " extends=\"target/base\"");
    files.write(&format!("project/{CHILD}"), &child);
    files.write("project/.ai/directives/target/base.md", &directive("base", ""));
    let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let mut editor = Editor::start(&files, &json!({"textDocument": {"diagnostic": {}}, "workspace": watched}));
    let codes = |editor: &mut Editor| {
        let found = diagnostics(&editor.pull(CHILD)["items"]);
        found.into_iter().map(|(code, ..)| code).collect::<Vec<_>>()
    };
    editor.open(CHILD, &child);
    assert!(!codes(&mut editor).contains(&"RR101".to_string()));
    files.remove("project/.ai/directives/target/base.md");
    let change = json!({"uri": editor.uri(".ai/directives/target/base.md"), "type": 3});
    editor.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [change] }));
    assert!(codes(&mut editor).contains(&"RR101".to_string()));
    assert_eq!(editor.end(), Some(0));
}

/// An editor that can watch other folders tells of a change in the user's tier at once.
#[test]
fn the_tier_of_the_user_is_watched() {
    let files = super::shop();
    files.write(&format!("project/{OF_USER}"), "```yaml\nname: theirs\n```\n\nTheirs.\n");
    let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}});
    let mut editor = Editor::start(&files, &json!({ "workspace": watched }));
    let deploy = ".ai/directives/deploy.md";
    editor.open(deploy, &DIRECTIVE.replace("<before>rules", "<before>theirs"));
    let is_missing = |editor: &mut Editor| {
        let found = diagnostics(&editor.published(deploy)["diagnostics"]);
        found.iter().any(|(code, ..)| code == "RR106")
    };
    assert!(!is_missing(&mut editor));
    let home = format!("file://{}", files.path("home").display());
    let pattern = |asked: Value| asked["registrations"][0]["registerOptions"]["watchers"][0]["globPattern"].clone();
    assert_eq!(pattern(editor.asked("client/registerCapability")), "**/*");
    let expected = json!({"baseUri": home, "pattern": ".ai/**/*"});
    assert_eq!(pattern(editor.asked("client/registerCapability")), expected);
    files.remove(&format!("project/{OF_USER}"));
    let change = json!({"uri": format!("{home}/.ai/knowledge/theirs.md"), "type": 3});
    editor.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [change] }));
    assert!(is_missing(&mut editor));
    assert_eq!(editor.end(), Some(0));
}

/// What is saved shows where a link leads to it, although the document itself is open.
#[cfg(unix)]
#[test]
fn a_link_to_a_saved_document_is_read_again() {
    let files = super::shop();
    let rules = ".ai/knowledge/rules.md";
    std::os::unix::fs::symlink("rules.md", files.path("project/.ai/knowledge/alias.md")).expect("a link");
    let text = DIRECTIVE.replace("<before>rules", "<before>alias");
    let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let mut editor = Editor::start(&files, &json!({ "workspace": watched }));
    editor.open(".ai/directives/deploy.md", &text);
    let of = |text: &str| format!("```yaml\nname: rules\n```\n\n{text}\n");
    files.write(&format!("project/{rules}"), &of("Be careful."));
    editor.open(rules, &of("Be careful."));
    let prompt = |editor: &mut Editor| {
        let document = json!({"textDocument": {"uri": editor.uri(".ai/directives/deploy.md")}});
        let lenses = editor.result("textDocument/codeLens", &document);
        editor.result("workspace/executeCommand", &lenses[0]["command"]).to_string()
    };
    assert!(prompt(&mut editor).contains("Be careful."));
    editor.change(rules, &json!({"text": of("Be quick.")}));
    files.write(&format!("project/{rules}"), &of("Be quick."));
    let change = json!({"uri": editor.uri(rules), "type": 2});
    editor.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [change] }));
    assert!(prompt(&mut editor).contains("Be quick."));
    assert_eq!(editor.end(), Some(0));
}

/// What is imported counts as it is typed, and as it is saved once it is closed. It is a file of the agents, too.
#[test]
fn an_import_counts_as_it_is_typed() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    files.write("project/docs/style.md", "# Style\nUse tabs.\n@deep.md\n");
    files.write("project/docs/deep.md", "Deep.\n");
    files.write("project/README.md", "# Read me\n");
    files.write("project/opencode.json", "{\"instructions\": [\"docs/d*.md\"]}\n");
    let claude = "Read @docs/style.md first.\n";
    files.write("project/CLAUDE.md", claude);
    let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let mut editor = Editor::start(&files, &json!({ "workspace": watched }));
    editor.open("CLAUDE.md", claude);
    editor.open("docs/style.md", "# Style\nUse tabs.\n@deep.md\n");
    editor.open("docs/deep.md", "Deep.\n");
    editor.open("README.md", "# Read me\n");
    let lens = |editor: &mut Editor, agent: &str, path: &str| {
        let lenses = editor.result("textDocument/codeLens", &json!({"textDocument": {"uri": editor.uri(path)}}));
        let is_it = |lens: &&Value| lens["command"]["title"].as_str().is_some_and(|it| it.starts_with(agent));
        lenses.as_array().into_iter().flatten().find(is_it).expect("a lens").clone()
    };
    let prompt = |editor: &mut Editor, agent: &str, path: &str| {
        let lens = lens(editor, agent, path);
        editor.result("workspace/executeCommand", &lens["command"]).to_string()
    };
    assert!(prompt(&mut editor, "claude-code: ", "CLAUDE.md").contains("Use tabs."));
    editor.change("docs/style.md", &json!({"text": "# Style\nUse spaces.\n@deep.md\n"}));
    assert!(prompt(&mut editor, "claude-code: ", "CLAUDE.md").contains("Use spaces."));
    editor.change("docs/deep.md", &json!({"text": "Deeper.\n"}));
    assert!(prompt(&mut editor, "claude-code: loaded", "docs/deep.md").contains("Deeper."));
    assert!(prompt(&mut editor, "opencode: loaded", "docs/deep.md").contains("Deeper."));

    let place = |editor: &Editor, path: &str, line: u64| json!({"textDocument": {"uri": editor.uri(path)}, "position": {"line": line, "character": 2}});
    let hover = editor.result("textDocument/hover", &place(&editor, "docs/style.md", 1));
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.starts_with("This line reaches claude-code ("), "{shown}");
    let found = editor.result("textDocument/definition", &place(&editor, "docs/style.md", 2));
    assert_eq!(found["uri"], editor.uri("docs/deep.md"));
    for (path, symbols) in [("docs/style.md", json!("Style")), ("README.md", Value::Null)] {
        let found = editor.result("textDocument/documentSymbol", &json!({"textDocument": {"uri": editor.uri(path)}}));
        assert_eq!(found[0]["name"], symbols, "{path}");
    }
    editor.tell("textDocument/didClose", &json!({"textDocument": {"uri": editor.uri("docs/style.md")}}));
    assert!(prompt(&mut editor, "claude-code: ", "CLAUDE.md").contains("Use tabs."));
    // A file that nothing read is read once it is imported.
    editor.change("CLAUDE.md", &json!({"text": "@README.md\n"}));
    editor.change("README.md", &json!({"text": "# Typed\n"}));
    assert!(prompt(&mut editor, "claude-code: ", "README.md").contains("# Typed"));
    assert_eq!(editor.end(), Some(0));
}

/// Agents read a file through a link to it, while the editor shows the file itself.
#[cfg(unix)]
#[test]
fn text_behind_a_link_counts_as_it_is_typed() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    files.write("project/AGENTS.md", "Use tabs.\n");
    std::os::unix::fs::symlink("AGENTS.md", files.path("project/CLAUDE.md")).expect("a link");
    let watched = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let mut editor = Editor::start(&files, &json!({ "workspace": watched }));
    // It is not saved when it is opened.
    editor.open("AGENTS.md", "Use a lot of spaces.\n");
    let document = json!({"uri": editor.uri("AGENTS.md")});
    for text in ["Use a lot of spaces.\n", "Use spaces here.\n"] {
        if !text.contains("lot") {
            editor.change("AGENTS.md", &json!({ "text": text }));
        }
        let at = json!({"textDocument": document, "position": {"line": 0, "character": 0}});
        let hover = editor.result("textDocument/hover", &at)["contents"]["value"].to_string();
        let tokens = text.trim().len().div_ceil(4);
        assert!(hover.contains(&format!("claude-code ({tokens} tokens)")), "{hover}");
    }
    // What the editor shows at the link counts there.
    editor.open("CLAUDE.md", "# One\n\n# Two\n");
    let symbols =
        editor.result("textDocument/documentSymbol", &json!({"textDocument": {"uri": editor.uri("CLAUDE.md")}}));
    assert_eq!(symbols.as_array().map(Vec::len), Some(2), "{symbols}");
    assert_eq!(editor.end(), Some(0));
}

/// The editor names all files through the link by which its folder was opened.
#[cfg(unix)]
#[test]
fn a_folder_may_be_opened_through_a_link() {
    let files = Files::empty();
    files.write("project/.git/HEAD", "");
    files.write("project/docs/style.md", "Use tabs.\n");
    let text = "Read @docs/style.md first.\n";
    files.write("project/CLAUDE.md", text);
    std::os::unix::fs::symlink("project", files.path("linked")).expect("a link");
    let mut editor = Editor::connect(&files);
    let folder = format!("file://{}", files.path("linked").display());
    let hello = editor.ask("initialize", &json!({"capabilities": {}, "rootUri": folder}));
    editor.answer(hello);
    editor.tell("initialized", &json!({}));
    let file = format!("{folder}/CLAUDE.md");
    editor.open(&file, text);
    assert_eq!(editor.published(&file)["diagnostics"], json!([]));
    let at = json!({"textDocument": {"uri": file}, "position": {"line": 0, "character": 8}});
    let found = editor.result("textDocument/definition", &at);
    assert_eq!(found["uri"], format!("{folder}/docs/style.md"));
    assert_eq!(editor.end(), Some(0));
}
