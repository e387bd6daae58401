//! Files larger or deeper than anything people write. A test here hangs or overflows the stack if something takes
//! quadratic time or recurses once per level.

use super::{
    ASKS, DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE, KNOWLEDGE_PATH, PROMPT, PROMPT_WITH_KNOWLEDGE, block, refused, renders,
    test,
};
use crate::support::Test;

const MANY: usize = 1_000_000;

fn directive(text: &str) -> Test {
    test().file(DIRECTIVE_PATH, text)
}

fn knowledge(text: &str) -> Test {
    directive(ASKS).file(KNOWLEDGE_PATH, text)
}

#[test]
fn a_file_over_the_limit_is_refused() {
    // A file of exactly the limit is still read.
    let limited = |test: Test, limit: usize| {
        test.args(["render", "x", "--format", "plain", "--max-item-size", &limit.to_string()])
    };
    let error = |size: usize, path: &str| {
        format!(
            "error[too_large]: {size} bytes exceed the limit of {}\n  --> project {path}\n\
             help: make it smaller, or raise the limit with --max-item-size\n",
            size - 1
        )
    };
    let size = DIRECTIVE.len();
    let wrong = error(size, ".ai/directives/x.md");
    limited(directive(DIRECTIVE), size - 1).stderr(&wrong).status(2).run();
    limited(directive(DIRECTIVE), size).stdout(PROMPT).run();
    let known = format!("{KNOWLEDGE}{}", " ".repeat(200));
    let wrong = error(known.len(), ".ai/knowledge/k.md");
    limited(knowledge(&known), known.len() - 1).stderr(&wrong).status(2).run();
    limited(knowledge(&known), known.len()).stdout(PROMPT_WITH_KNOWLEDGE).run();

    let text = "x".repeat(16_000_001);
    refused(
        directive(&text),
        "error[too_large]: 16000001 bytes exceed the limit of 16000000\n  --> project .ai/directives/x.md\n\
         help: make it smaller, or raise the limit with --max-item-size\n",
    );
}

#[test]
fn yaml_over_its_limits_is_refused() {
    let over = format!("a: {}\n", "x".repeat(MANY));
    let error = |path: &str, line: usize, size: usize| {
        format!(
            "error[too_large]: {size} bytes exceed the limit of 1000000\n  --> project {path}:{line}:1\n\
             help: make it smaller\n"
        )
    };
    let fits = over.replacen("xxxxx", "", 1);
    refused(knowledge(&format!("```yaml\n{over}```\nKnown.\n")), &error(".ai/knowledge/k.md", 2, over.len() - 1));
    renders(knowledge(&format!("```yaml\n{fits}```\nKnown.\n")), PROMPT_WITH_KNOWLEDGE);
    let path = "project/.ai/config/agent/hooks.yaml";
    refused(directive(DIRECTIVE).file(path, &over), &error(".ai/config/agent/hooks.yaml", 1, over.len()));
    renders(directive(DIRECTIVE).file(path, &fits), PROMPT);
}

#[test]
fn a_million_tags_are_refused() {
    let xml = |content: &str| directive(&block(&format!("<directive name=\"x\">{content}</directive>")));
    let error = |reason: &str, column: usize| {
        format!(
            "error[invalid_xml]: the xml block is not well-formed: {reason}\n  --> project .ai/directives/x.md:2:{column}\n\
             help: fix it here; text that is not XML belongs in a <template>, <example> or <raw> section\n"
        )
    };
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    // `<directive name="x">` takes 20 columns and is the first level.
    refused(xml(&nested(MANY)), &error("elements are nested more than 1000 levels deep", 21 + 3 * 999));
    renders(xml(&nested(999)), PROMPT);
    refused(xml(&"<".repeat(MANY)), &error("a `<` that does not begin a tag: write &lt;", 21));
    renders(xml(&"[".repeat(MANY)), PROMPT);
    let attributes = |many: usize| format!("<a {}/>", (0..many).map(|n| format!("n{n}='' ")).collect::<String>());
    renders(xml(&attributes(100_000)), PROMPT);
    let ran = xml(&attributes(300_000)).args(["render", "x"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("more than 200000 tags, attributes, r"), "{}", ran.stderr);
}

/// Directives, "Knowledge": a broken block is left out. A valid block over our limits is an error.
#[test]
fn a_million_brackets_in_yaml_are_refused() {
    let brackets = "[".repeat(999_990);
    let error = |path: &str, line: usize| {
        format!(
            "error[too_large]: too much YAML: brackets nested deeper than 255 levels\n  \
             --> project {path}:{line}:256\nhelp: reduce its size, nesting or aliases\n"
        )
    };
    refused(knowledge(&format!("```yaml\n{brackets}\n```\nKnown.\n")), &error(".ai/knowledge/k.md", 2));
    renders(knowledge(KNOWLEDGE), PROMPT_WITH_KNOWLEDGE);
    for name in ["hooks", "hook_conditions", "resilience"] {
        let path = format!(".ai/config/agent/{name}.yaml");
        refused(directive(DIRECTIVE).file(&format!("project/{path}"), &brackets), &error(&path, 1));
        renders(directive(DIRECTIVE).file(&format!("project/{path}"), "a: [[[[]]]]\n"), PROMPT);
    }
}

#[test]
fn a_million_brackets_in_files_that_flags_name_are_refused() {
    let render = |flag: &str, file: &str, text: &str, more: &[&str]| {
        let test = directive(DIRECTIVE).file(&format!("project/{file}"), text);
        let test = test.args(["render", "x", "--format", "plain", flag, file]);
        more.iter().fold(test, |test, word| test.args([word]))
    };
    let place = |problem: &str, place: &str, help: &str| format!("error[{problem}\n  --> {place}\nhelp: {help}\n");
    let resumed = ["--event", "thread_continued"];

    // More levels would exceed the limit of keys and values.
    let json = "{\"a\":".repeat(100_000);
    render("--inputs", "in.json", &json, &[])
        .stderr(&place(
            "invalid_argument]: the inputs are not JSON: recursion limit exceeded",
            "in.json:1:636",
            "correct the file here",
        ))
        .status(2)
        .run();
    render("--inputs", "in.json", "{\"a\": {\"a\": 1}}", &[]).stdout(PROMPT).run();

    for bracket in ["[", "{a: ", "- "] {
        let brackets = bracket.repeat(999_999 / bracket.len());
        // A bracket may begin a key, so the parser reads up to 255 brackets before it reports one.
        let levels = if bracket == "- " { 100 } else { 255 };
        let column = levels * bracket.len() + 1;
        render("--inputs", "in.yaml", &brackets, &[])
            .stderr(&place(
                "invalid_argument]: the inputs cannot be read as YAML: it nests deeper than 100 levels",
                &format!("in.yaml:1:{column}"),
                "correct the file here",
            ))
            .status(2)
            .run();
        let help = "docs/protocols.md lists the keys of a protocol file and their values";
        let problem = "invalid_protocol]: the protocol cannot be used: it nests deeper than 100 levels";
        render("--protocol-file", "p.yaml", &brackets, &[])
            .stderr(&place(problem, &format!("p.yaml:1:{column}"), help))
            .status(2)
            .run();
        let ran = directive(DIRECTIVE)
            .file("project/.ai/config/rye-render.yaml", &brackets)
            .args(["render", "x"])
            .any_stderr()
            .status(2)
            .run();
        let place = "--> project .ai/config/rye-render.yaml:1:";
        assert!(ran.stderr.starts_with("error[") && ran.stderr.contains(place), "{}", ran.stderr);
    }
    render("--inputs", "in.yaml", "a: [[]]\n", &[]).stdout(PROMPT).run();

    render("--messages", "m.json", &"[".repeat(MANY), &resumed)
        .stderr(&place(
            "invalid_messages]: the earlier messages cannot be used: expected value",
            "m.json:1:3",
            "give a JSON list of {\"role\", \"content\"} with at least one user message",
        ))
        .status(2)
        .run();
    render("--messages", "m.json", "[{\"role\": \"user\", \"content\": \"[[\"}]", &resumed).stdout("[[").run();
}

/// Directives, "Tools": a tool without a readable schema is skipped with a note.
#[test]
fn a_tool_with_a_million_brackets_is_skipped() {
    let user = "<directive name=\"x\">\n<metadata><permissions><execute><tool>t</tool></execute></permissions></metadata>\n</directive>";
    let tools = |path: &str, text: &str| -> Vec<String> {
        let ran = directive(&block(user))
            .file(&format!("project/.ai/tools/t.{path}"), text)
            .args(["render", "x", "--format", "json"])
            .any_stdout()
            .run();
        let prompt = ran.json();
        let tools = prompt["tools"].as_array().expect("a list");
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_string()).collect()
    };
    for (path, lead, brackets, good) in [
        ("py", "CONFIG_SCHEMA = ", ["[", "(", "{1:", "-", "\"", "not "].as_slice(), "{'type': 'object'}"),
        ("js", "const CONFIG_SCHEMA = ", &["[", "{a:", "(", "-", "`", "/*", "`${"], "{type: 'object'}"),
        ("ts", "export const CONFIG_SCHEMA = ", &["[", "{a:", "<", "/", "{a<"], "{type: 'object'} as const"),
        ("yaml", "config_schema: ", &["[", "{a: ", "&a "], "{type: object}"),
    ] {
        for bracket in brackets {
            let text = format!("{lead}{}", bracket.repeat(MANY / bracket.len()));
            assert_eq!(tools(path, &text[..text.len().min(999_999)]), [""; 0], "{path} {bracket}");
        }
        assert_eq!(tools(path, &format!("{lead}{good}\n")), ["t"], "{path}");
    }
}

/// Text that repeatedly opens something but never closes it is copied to the prompt unchanged.
#[test]
fn a_long_line_of_opening_tags_is_unchanged() {
    let inputs = "<directive name=\"x\"><inputs><input name=\"a\" default=\"1\"/></inputs></directive>";
    let prompt = |body: &str| format!("<directive name=\"x\">\n{body}\n</directive>");
    for beginning in [
        "`",
        "{input:",
        "${",
        "${inputs.",
        "<!--",
        "&amp;",
        "{env:",
        "{env:A:",
        "{input:a|",
        "<permissions>",
        "<raw>",
        "```xml\n",
        "````x\n",
        "{",
        "[",
    ] {
        let body = format!("{}end", beginning.repeat(MANY / 4 / beginning.len()));
        renders(directive(&block(inputs).replace("Hello.", &body)), &prompt(&body));
        let known = format!("```yaml\nname: K\n```\n{body}\n");
        renders(knowledge(&known), &format!("{body}\n\n{PROMPT}"));
    }
}

/// For each of them, a search for the end would read the rest of the text.
#[test]
fn placeholders_that_are_never_closed_are_checked_once() {
    let inputs = "<directive name=\"x\"><inputs><input name=\"a\" default=\"1\"/></inputs></directive>";
    for beginning in ["{input:a:", "{input:a|", "{env:A:", "${inputs.", "{a", "$inputs.a{"] {
        let body = beginning.repeat(2 * MANY / beginning.len());
        let test = directive(&block(inputs).replace("Hello.", &body)).args(["lint", "--select", "RR2"]);
        test.args(["--fail-on", "off"]).any_stdout().run();
    }
}

/// Each of many diagnostics for one long line costs little.
#[test]
fn many_warnings_about_one_line_are_fast() {
    let many = 20_000;
    let context = |end: &str| {
        let items: String = (0..many).map(|n| format!("<before>k{n}{end}</before>")).collect();
        block(&format!("<directive name=\"x\"><metadata><context>{items}</context></metadata></directive>"))
    };
    let ran = directive(&context("")).args(["render", "x", "--format", "plain"]).stdout(PROMPT).any_stderr().run();
    assert_eq!(ran.stderr.matches("warning[item_missing]").count(), many);
}

#[test]
fn an_integer_of_a_million_digits_is_refused() {
    let inputs = |digits: usize| {
        directive(&DIRECTIVE.replace("Hello", "Hello {input:a}"))
            .file("project/in.json", &format!("{{\"a\": {}}}", "9".repeat(digits)))
            .args(["render", "x", "--format", "plain", "--inputs", "in.json"])
    };
    inputs(MANY)
        .stderr(
            "error[invalid_argument]: the inputs are not JSON: an integer with more than 4300 digits\n  --> in.json:1:1\n\
             help: correct the file here\n",
        )
        .status(2)
        .run();
    inputs(4300).stdout(&PROMPT.replace("Hello", &format!("Hello {}", "9".repeat(4300)))).run();
}
