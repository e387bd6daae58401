//! The output formats of `lint`, and its pages about rules.
//!
//! `RYE_RENDER_SARIF` names a folder whose `node_modules` has the SARIF schema.

use std::path::Path;

use serde_json::Value;

use crate::announce;
use crate::support::{Ran, Test};

/// A directive that cannot be read.
const BROKEN: &str = "# Sale\r\n\r\nNo fence.\r\n";

/// A directive with a suppression that matches nothing, after wide characters.
const SUPPRESSES: &str = "\
```xml
<directive name=\"deploy\" version=\"1.0.0\">
  <metadata>
    <description>Deploy</description>
    <context><before>deploy/rules</before>
      <!-- É😀 --><suppress>rules</suppress></context>
  </metadata>
</directive>
```

Deploy.
";

const RULES: &str = "```yaml\nname: rules\n```\n\nNever deploy on a Friday.\n";

/// A project with both findings, independent of other rules.
fn found(folder: &str) -> Test {
    Test::new()
        .file(&format!("{folder}/.ai/directives/50% off, now.md"), BROKEN)
        .file(&format!("{folder}/.ai/directives/deploy.md"), SUPPRESSES)
        .file(&format!("{folder}/.ai/knowledge/deploy/rules.md"), RULES)
        .args(["lint", "--select", "RR001,RR105"])
        .status(1)
        .any_stdout()
}

fn text(arguments: [&str; 2]) -> Ran {
    found("project").args(arguments).run()
}

#[test]
fn text_shows_the_lines_of_each_finding() {
    let shown = text(["--color", "never"]).stdout;
    assert_eq!(
        shown,
        "\
error[RR001]: no xml block: a directive needs a line ```xml, a <directive> element, and a line ```
  --> .ai/directives/50% off, now.md
  = help: add the block, or check that its backticks begin the line
  = more: rye-render lint --explain RR001

warning[RR105]: `rules` suppresses nothing: the last segment of an id alone never matches
 --> .ai/directives/deploy.md:6:28
  |
6 |       <!-- É😀 --><suppress>rules</suppress></context>
  |                             ^^^^^
  |
  = help: did you mean `deploy/rules`?
  = fix: write `deploy/rules` (with --fix)
  = more: rye-render lint --explain RR105

.ai: 2 directives, 1 knowledge item, 0 hooks checked
1 error, 1 warning; 1 can be fixed with --fix
"
    );
}

#[test]
fn paths_start_at_the_working_folder() {
    let concise = text(["--format", "concise"]).stdout;
    assert!(concise.starts_with(".ai/directives/50% off, now.md"), "{concise}");
    let below = found("project/my shop").args(["--project", "my shop", "--format", "concise"]).run().stdout;
    assert!(below.starts_with("my shop/.ai/directives/50% off, now.md"), "{below}");
    let elsewhere = found("shop").args(["--project", "../shop", "--format", "concise"]).run().stdout;
    assert_eq!(elsewhere, concise);
    // Paths for programs do not depend on the working folder.
    let json = |test: Test| test.args(["--format", "json"]).run().stdout;
    assert_eq!(
        json(found("project/my shop").args(["--project", "my shop"])),
        json(found("shop").args(["--project", "../shop"]))
    );
}

/// A service shows findings next to the lines of a repository, so it needs paths from its root.
#[test]
fn paths_for_services_start_at_the_root_of_the_repository() {
    let below = |format: &str, arguments: [&str; 2]| {
        let test = found("project/apps/my shop").file("project/apps/b", "").file("project/.git", "gitdir: elsewhere\n");
        test.args(["--format", format]).args(arguments).run().stdout
    };
    for (format, expected) in [
        ("sarif", "\"uri\":\"apps/my%20shop/.ai/directives/50%25%20off%2C%20now.md\""),
        ("github", "file=apps/my shop/.ai/directives/50%25 off%2C now.md,"),
        ("gitlab", "\"path\":\"apps/my shop/.ai/directives/50% off, now.md\""),
        ("rdjson", "\"path\":\"apps/my shop/.ai/directives/50% off, now.md\""),
        ("junit", "file=\"apps/my shop/.ai/directives/50% off, now.md\""),
    ] {
        // From the root itself, and from elsewhere.
        let [here, elsewhere] =
            ["apps/my shop", "../project/apps/my shop"].map(|way| below(format, ["--project", way]));
        assert!(here.contains(expected), "{format}: {here}");
        assert_eq!(here, elsewhere);
    }
    // From the project, which is below the root.
    let inside = found("project").file(".git", "gitdir: elsewhere\n").args(["--format", "gitlab"]).run().stdout;
    assert!(inside.contains("\"path\":\"project/.ai/directives/50% off, now.md\""), "{inside}");
}

#[test]
fn sarif_matches_its_schema() {
    let Some(folder) = std::env::var_os("RYE_RENDER_SARIF") else {
        return announce("formats: SARIF schema: not run: RYE_RENDER_SARIF is not set");
    };
    let path = Path::new(&folder).join("node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    let schema = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // JavaScript patterns allow an unmatched closing bracket; other engines require a backslash.
    let schema = schema.replace("{2}]?$", "{2}\\\\]?$");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is valid");
    let clean = Test::new().args(["lint", "--format", "sarif"]).any_stdout().run().json();
    let mut log = text(["--format", "sarif"]).json();
    for log in [&clean, &log] {
        let errors: Vec<_> = validator.iter_errors(log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    log["runs"][0]["results"][0]["level"] = "loud".into();
    assert!(!validator.is_valid(&log), "the schema rejects an invalid level");
    announce("formats: SARIF schema ran");
}

#[test]
fn findings_are_counted_by_rule() {
    let counted = text(["--statistics", "--color=never"]).stdout;
    assert!(
        counted.starts_with(
            "1  RR001  no_xml_block        error\n1  RR105  suppress_base_name  warning  1 with --fix\n\n"
        ),
        "{counted}"
    );
    let json = found("project").args(["--statistics", "--format", "json"]).run().json();
    assert!(json["findings"].is_null());
    assert_eq!(json["statistics"][1]["code"], "RR105");
    Test::new()
        .args(["lint", "--statistics", "--format", "sarif"])
        .status(2)
        .stderr("{\"error\":{\"code\":\"invalid_argument\",\"message\":\"`sarif` cannot show statistics\",\"help\":\"use text, concise, json or jsonl, or leave out --statistics\",\"source\":null}}\n")
        .run();
}

#[test]
fn a_report_can_be_written_to_a_file() {
    let ran = found("project").stdout("").args(["--format", "gitlab", "--output-file", "report.json"]).run();
    let report: Value = serde_json::from_str(&ran.read("project/report.json")).expect("it is JSON");
    assert_eq!(report[0]["location"]["path"], ".ai/directives/50% off, now.md");
}

#[test]
fn hooks_of_other_tiers_are_not_counted() {
    let hooks = |ids: &[&str]| {
        let one = |id: &&str| {
            format!(
                "  - id: {id}\n    event: thread_started\n    layer: 3\n    action:\n      primary: fetch\n      \
                 item_type: knowledge\n      item_id: deploy/rules\n"
            )
        };
        format!("hooks:\n{}", ids.iter().map(one).collect::<String>())
    };
    let json = Test::new()
        .file("project/.ai/config/agent/hooks.yaml", &hooks(&["first", "second"]))
        .file("project/.ai/knowledge/deploy/rules.md", RULES)
        .file("home/.ai/config/agent/hooks.yaml", &hooks(&["own"]))
        .args(["lint", "--select", "RR001", "--format", "json"])
        .any_stdout()
        .run()
        .json();
    assert_eq!(json["summary"]["checked"]["hooks"], 2);
}

#[test]
fn select_and_explain_accept_the_same_names() {
    let select = |words: &str| found("project").args(["--format", "concise", "--select", words]).run().stdout;
    let both = text(["--format", "concise"]).stdout;
    for words in ["rr105", "RR105,", ",Suppress_Base_Name"] {
        assert_eq!(select(words), both, "{words}");
    }
    Test::new()
        .args(["lint", "--select", ""])
        .status(2)
        .stderr(
            "\
error[invalid_argument]: --select names no rule
help: write a code, a code prefix, a name or a group, or omit the flag
",
        )
        .run();
}

#[test]
fn explaining_a_group_lists_its_rules() {
    let by = |word: &str| Test::new().args(["lint", "--explain", word]).any_stdout().run().stdout;
    let references = by("references");
    assert!(references.starts_with("RR101  parent_not_found "), "{references}");
    assert!(
        references.lines().all(|line| line.starts_with("RR1") || line.starts_with(&" ".repeat(40))),
        "{references}"
    );
    assert!(references.contains("\nRR105  suppress_base_name "), "{references}");
    assert_eq!((by("rr1"), by("References")), (references.clone(), references));
    assert!(by("RR61").starts_with("RR61") && !by("RR61").contains("\nRR60"));
    let all = by("ALL");
    assert!(all.starts_with("RR001  no_xml_block ") && all.contains("\nRR105  suppress_base_name "), "{all}");
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
}

#[test]
fn a_rule_is_explained_by_code_and_by_name() {
    let by_code = Test::new().args(["lint", "--explain", "rr105"]).any_stdout().run().stdout;
    let by_name = Test::new().args(["lint", "--explain", "suppress_base_name"]).any_stdout().run().stdout;
    assert!(by_code.starts_with("RR105 suppress_base_name\n"), "{by_code}");
    assert_eq!(by_code, by_name);
    Test::new()
        .args(["lint", "--explain", "supress_base_name"])
        .status(2)
        .stderr(
            "\
error[invalid_argument]: unknown rule or group `supress_base_name`
help: did you mean `suppress_base_name`? `rye-render lint --explain ALL` lists
      the rules
",
        )
        .run();
}
