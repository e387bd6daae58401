//! `lsp`: findings and fixes over the Language Server Protocol. `.ci/run` asks with the clients of real editors.

mod conversation;
mod editor;
mod findings;
mod fixes;
mod kept;
mod questions;

use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Value, json};

use crate::running::Files;
use editor::Editor;

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

fn rng() -> TestRng {
    TestRng::deterministic_rng(RngAlgorithm::ChaCha)
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
