//! Files named by flags, with more values than the limit: a value takes hundreds of bytes of memory, even if it takes
//! only a few in its file.

use super::{DIRECTIVE_PATH, block, test};
use crate::support::Test;

const HELP: &str = "help: make it smaller, or split it\n";

/// The content of a JSON list that repeats an entry.
fn list(entry: &str, many: usize) -> String {
    format!("[{}]", vec![entry; many].join(","))
}

/// A directive that shows an input.
fn shows_input() -> Test {
    let xml = "<directive name=\"x\"><inputs><input name=\"v\" default=\"1\"/></inputs></directive>";
    test().file(DIRECTIVE_PATH, &block(xml).replace("Hello", "Take {input:v}"))
}

fn shown(value: &str) -> String {
    format!("<directive name=\"x\">\nTake {value}.\n</directive>")
}

#[test]
fn inputs_with_too_many_values_are_refused() {
    // The map, the name and the list are three values; each map in the list is three more, with its key and value.
    let given = |many: usize, more: &str| {
        let values = list("{\"a\":1}", many).replace(']', &format!("{more}]"));
        let words = ["render", "x", "--format", "plain", "--inputs", "in.json"];
        shows_input().file("project/in.json", &format!("{{\"v\":{values}}}")).args(words)
    };
    let place = "{\"v\":".len() + list("{\"a\":1}", 83_332).len() + ",".len();
    let error = |column: usize| {
        format!("error[too_large]: more than the limit of 250000 keys and values\n  --> in.json:1:{column}\n{HELP}")
    };
    given(83_332, ",1,1").stderr(&error(place + 2)).status(2).run();
    given(83_333, "").stderr(&error(place + 1)).status(2).run();
    let prompt = shown(&format!("{}, 1]", list("{'a': 1}", 83_332).replace(',', ", ").trim_end_matches(']')));
    given(83_332, ",1").stdout(&prompt).run();
}

#[test]
fn yaml_inputs_with_too_many_values_are_refused() {
    let given = |text: &str| {
        shows_input().file("project/in.yaml", text).args(["render", "x", "--format", "plain", "--inputs", "in.yaml"])
    };
    let error = |what: &str, place: &str| {
        format!(
            "error[invalid_argument]: the inputs cannot be read as YAML: it contains more than {what}\n  --> in.yaml:{place}\n\
             help: correct the file here\n"
        )
    };
    // The map, the name and the list are three values.
    let place = format!("1:{}", "v: ".len() + list("1", 99_997).len() + ",".len());
    given(&format!("v: {}", list("1", 99_998))).stderr(&error("100000 keys and values", &place)).status(2).run();
    given(&format!("v: {}", list("1", 99_997))).stdout(&shown(&list("1", 99_997).replace(',', ", "))).run();
    let text = |bytes: usize| format!("v: {}", "x".repeat(bytes - 3));
    given(&text(1_000_001)).stderr(&error("1000000 bytes", "1:1")).status(2).run();
    given(&text(1_000_000)).stdout(&shown(&"x".repeat(999_997))).run();
}

#[test]
fn too_many_variables_are_refused() {
    let given = |many: usize| {
        let lines: String = (0..many).map(|n| format!("V{n}={n}\n")).collect();
        let xml = "<directive name=\"x\"/>";
        let directive = block(xml).replace("Hello", "Take {env:V99999}");
        let words = ["render", "x", "--format", "plain", "--env-file", "variables"];
        test().file(DIRECTIVE_PATH, &directive).file("project/variables", &lines).args(words)
    };
    let error = "error[too_large]: more than the limit of 100000 variables in a file\n      --> variables:100001:1\n       |\n\
                 100001 | V100000=100000\n       | ^\n       |\n       = help: make it smaller, or split it\n";
    given(100_001).stderr(error).status(2).run();
    given(100_000).stdout(&shown("99999")).run();
}

#[test]
fn too_many_messages_are_refused() {
    let thread = |many: usize| list("{\"role\":\"user\",\"content\":\"Go on.\"}", many);
    let error =
        |file: &str| format!("error[too_large]: more than the limit of 25000 messages\n  --> {file}:1:1\n{HELP}");
    let resumed = |command: &str, many: usize| {
        shows_input().file("project/m.json", &thread(many)).args([
            command,
            "x",
            "--event",
            "thread_continued",
            "--messages",
            "m.json",
        ])
    };
    resumed("render", 25_001).stderr(&error("m.json")).status(2).run();
    for format in ["text", "json", "plain", "anthropic"] {
        resumed("render", 25_000).args(["--format", format]).any_stdout().any_stderr().run();
    }
    for format in ["text", "json", "html", "markdown"] {
        resumed("explain", 25_000).args(["--format", format]).any_stdout().any_stderr().run();
    }
    resumed("explain", 25_000).args(["--blame"]).any_stdout().any_stderr().run();

    let folder = |many: usize, command: &str| {
        let test = test().file("project/AGENTS.md", "Be good.\n").file("project/m.json", &thread(many));
        test.args([command, "--protocol", "sf", "--cwd", ".", "--messages", "m.json"])
    };
    folder(25_001, "render").stderr(&error("m.json")).status(2).run();
    for command in ["render", "explain"] {
        folder(25_000, command).any_stdout().any_stderr().run();
        folder(25_000, command).args(["--format", "json"]).any_stdout().any_stderr().run();
    }

    let compared = |many: usize| {
        let test = test().file("project/left.json", &thread(1)).file("project/right.json", &thread(many));
        test.args(["diff", "left.json", "right.json"])
    };
    compared(25_001).stderr(&error("right.json")).status(2).run();
    for format in ["text", "json", "html", "markdown"] {
        compared(25_000).args(["--format", format]).any_stdout().any_stderr().status(1).run();
    }
    let sent =
        |many: usize| shows_input().file("project/m.json", &thread(many)).args(["explain", "x", "--sent", "m.json"]);
    sent(25_001).stderr(&error("m.json")).status(2).run();
    sent(25_000).any_stdout().any_stderr().run();
}

#[test]
fn a_request_with_too_many_values_is_refused() {
    let body = |many: usize| {
        let tool = format!("{{\"name\":\"t\",\"input_schema\":{{\"x\":{}}}}}", list("{\"a\":1}", many));
        format!("{{\"tools\":[{tool}],\"messages\":[{{\"role\":\"user\",\"content\":\"Go on.\"}}]}}")
    };
    let compared = |many: usize| {
        let test = test().file("project/left.json", &body(1)).file("project/right.json", &body(many));
        test.args(["diff", "left.json", "right.json", "--format", "json"])
    };
    // Each of these maps is three values; the other seventeen are ten around them and seven in `messages`.
    let ran = compared(166_662).any_stderr().status(2).run();
    assert!(ran.stderr.contains("more than the limit of 500000 keys and values"), "{}", ran.stderr);
    compared(166_661).any_stdout().status(1).run();
}

/// An agent's working folder, with a file that a flag names.
fn folder(flag: &str, file: &str, text: &str) -> Test {
    let test = test().file("project/AGENTS.md", "Be good.\n").file(&format!("project/{file}"), text);
    test.args(["render", "--protocol", "sf", "--cwd", ".", "--format", "plain", flag, file])
}

#[test]
fn tools_with_too_many_values_are_refused() {
    let given = |many: usize| {
        let tool = format!("{{\"name\":\"t\",\"parameters\":{{\"x\":{}}}}}", list("1", many));
        folder("--tools-file", "t.json", &format!("{{\"tools\":[{tool}]}}"))
    };
    // The list and everything around it are ten values.
    let ran = given(249_991).any_stderr().status(2).run();
    assert!(
        ran.stderr.starts_with("error[too_large]: more than the limit of 250000 keys and values\n"),
        "{}",
        ran.stderr
    );
    let ran = given(249_990).any_stdout().run();
    assert!(ran.stdout.contains("Be good."), "{}", ran.stdout);
}

#[test]
fn tools_that_nest_too_deeply_are_refused() {
    // The map, the list, the tool and its parameters are four levels.
    let given = |levels: usize| {
        let deep = format!("{}{}", "[".repeat(levels - 4), "]".repeat(levels - 4));
        folder("--tools-file", "t.yaml", &format!("tools:\n- name: t\n  parameters:\n    x: {deep}\n"))
    };
    let ran = given(101).any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[too_large]: too much YAML"), "{}", ran.stderr);
    given(100).any_stdout().run();
}

#[test]
fn thousands_of_tools_can_be_active() {
    let names: Vec<String> = (0..40_000).map(|n| format!("t{n}")).collect();
    let tools: Vec<String> = names.iter().map(|name| format!("{{\"name\":\"{name}\"}}")).collect();
    let effect = format!("{{\"prompts\":[[{{\"set_active_tools\":{names:?}}}],[]]}}");
    let test = folder("--tools-file", "t.json", &format!("{{\"tools\":[{}]}}", tools.join(",")));
    test.file("project/e.json", &effect)
        .args(["--extensions", "e.json", "--turn", "2"])
        .any_stdout()
        .any_stderr()
        .run();
}

#[test]
fn extensions_with_too_many_prompts_are_refused() {
    let given = |prompts: usize| {
        let test = folder("--extensions", "e.json", &format!("{{\"prompts\":{}}}", list("[]", prompts)));
        test.file("project/AGENTS.md", &"Be good.\n".repeat(5_000))
    };
    // Each prompt begins with more than 45 kB of instructions.
    let ran = given(1_100).any_stderr().status(2).run();
    let error = "error[too_large]: more than the limit of 50000000 bytes in all user prompts together\n";
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    given(900).any_stdout().any_stderr().run();
}

#[test]
fn extensions_with_too_many_changes_are_refused() {
    let given = |changes: usize| {
        let changes = list("{\"prepend\":\"First.\"}", changes);
        folder("--extensions", "e.json", &format!("{{\"prompts\":[{changes}]}}"))
    };
    let ran = given(30_000).any_stderr().status(2).run();
    assert!(ran.stderr.contains("200000 layers, messages and tools in all user prompts together"), "{}", ran.stderr);
    let ran = given(500).args(["--turn", "1"]).any_stdout().run();
    assert!(ran.stdout.starts_with(&"First.".repeat(500)), "{}", ran.stdout);
}

/// The files that the program itself writes have a size limit too.
#[test]
fn a_lock_or_baseline_over_the_limit_is_refused() {
    const MOST: usize = 30_000_000;
    let lock = |bytes: usize| {
        let head = "rye-render.lock/1\nprotocol rye-3\ntokenizer chars4\ntiers project\nflags\n# ";
        let text = format!("{head}{}\n", "x".repeat(bytes - head.len() - 1));
        let test =
            test().file(DIRECTIVE_PATH, &block("<directive name=\"x\"/>")).file("project/rye-render.lock", &text);
        test.args(["lock", "--check"])
    };
    let baseline = |bytes: usize| {
        let text = "{\"format\": \"rye-render.lint-baseline/1\", \"findings\": []}";
        let test = test().file("project/known.json", &format!("{text}{}", " ".repeat(bytes - text.len())));
        test.file("project/.ai/knowledge/k.md", "Without metadata.").args(["lint", "--baseline", "known.json"])
    };
    for (made, name) in [(lock(MOST + 1), "rye-render.lock"), (baseline(MOST + 1), "known.json")] {
        let ran = made.any_stderr().status(2).run();
        let error = "error[too_large]: larger than the limit of 30000000 bytes\n";
        assert!(ran.stderr.starts_with(error) && ran.stderr.contains(name), "{}", ran.stderr);
    }
    let ran = lock(MOST).any_stdout().status(1).run();
    assert!(ran.stdout.contains('x'), "{}", ran.stdout);
    let ran = baseline(MOST).any_stdout().run();
    assert!(ran.stdout.contains("note[RR016]"), "{}", ran.stdout);
}
