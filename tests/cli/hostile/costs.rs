//! Projects that are expensive to process: so many patterns, hooks, chains, lines and placeholders that careless code
//! takes quadratic time, or keeps them all in memory.

use std::fmt::Write as _;
use std::fs;

use super::bounds::hold;
use super::{DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE, KNOWLEDGE_PATH, PROMPT, block, refused, renders, test};
use crate::repo::{Repo, git_is_there};
use crate::support::Test;

/// A directive with this many hooks and an input `v`; `condition` returns the condition of each hook.
fn hooks(many: usize, condition: impl Fn(usize) -> String) -> Test {
    let mut hooks = String::new();
    for n in 0..many {
        let condition = condition(n);
        writeln!(
            hooks,
            "<hook id='h{n}' event='thread_started'>{condition}<action primary='fetch' item_type='knowledge' item_id='k'/></hook>"
        )
        .expect("writing to a String cannot fail");
    }
    let inputs = "<inputs><input name=\"v\"/></inputs>";
    let xml = format!("<directive name=\"x\"><metadata><hooks>\n{hooks}</hooks></metadata>{inputs}</directive>");
    test().file(DIRECTIVE_PATH, &block(&xml)).file(KNOWLEDGE_PATH, KNOWLEDGE)
}

/// The prompt if this many hooks place a knowledge item.
fn with_items(many: usize) -> String {
    format!("{}{PROMPT}", "<K id=\"k\" type=\"knowledge\">\nKnown.\n</K>\n\n".repeat(many))
}

/// Runs commands that take a directive, and `list`.
fn every_command(project: impl Fn() -> Test) {
    let about_one: [&[&str]; 6] = [
        &["render", "x", "--format", "json"],
        &["explain", "x", "--format", "json"],
        &["explain", "x", "--format", "html"],
        &["explain", "x", "--blame"],
        &["explain", "x", "--show", "hooks"],
        &["chain", "x"],
    ];
    for words in about_one {
        let test = words.iter().fold(project(), |test, word| test.args([*word]));
        test.any_stdout().any_stderr().run();
    }
    project().args(["list"]).any_stdout().run();
}

#[test]
fn a_prompt_with_ten_thousand_hooks_renders() {
    let project = || hooks(10_000, |_| "<condition path=\"model\" op=\"ne\" value=\"none\"/>".to_string());
    renders(project(), &with_items(10_000));
    every_command(project);
    let ran = project().args(["lint"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("RR"), "{}", ran.stdout);
}

#[test]
fn a_prompt_with_ten_thousand_patterns_renders() {
    let pattern =
        |n: usize| format!("<condition path=\"model\" op=\"regex\" value=\"^gen.*(al|us){{1,{}}}$\"/>", n % 9 + 1);
    renders(hooks(10_000, pattern), &with_items(10_000));
}

/// Each pattern is within its own limit, but all of them together are over the limit of the event.
#[test]
fn patterns_that_are_slow_together_are_refused() {
    let letters = "ab".repeat(20_000);
    let render = |many: usize, path: &str, pattern: &str| {
        let condition = format!("<condition path=\"{path}\" op=\"regex\" value=\"{pattern}\"/>");
        hooks(many, |_| condition.clone()).args(["render", "x", "--format", "plain", "-i", &format!("v={letters}c")])
    };
    // Expensive to search, to look ahead, and to compile.
    for (path, pattern, few) in
        [("inputs.v", "a[ab]{150}$", 20), ("inputs.v", "(?=[ab]*d)e", 2), ("model", "(?:[ab]{90}){90}d", 150)]
    {
        let ran = render(1_000, path, pattern).any_stderr().status(2).run();
        let error = "error[too_large]: the hook conditions of one event search too much text in total\n";
        assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(error), "{}", ran.stderr);
        let ran = render(few, path, pattern).stdout(PROMPT).any_stderr().run();
        assert_eq!(ran.stderr.matches("error[").count(), 0, "{}", ran.stderr);
    }
}

/// The cost of a pattern includes its compiled size, both for a prompt and for `lint`.
#[test]
fn patterns_that_are_slow_to_compile_are_refused() {
    // Each pattern takes about one three-hundredth of the limit for an event.
    let hooks = |many: usize, last: &'static str| {
        let pattern =
            move |n: usize| if n + 1 == many { last.to_string() } else { format!("h{n}{}", ".".repeat(1_900)) };
        hooks(many, move |n| format!("<condition path=\"model\" op=\"regex\" value=\"{}\"/>", pattern(n)))
    };
    let prompt = |many: usize| hooks(many, "none").args(["render", "x", "--format", "plain"]);
    let ran = prompt(1_000).any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[too_large]: the hook conditions"), "{}", ran.stderr);
    prompt(80).stdout(PROMPT).run();
    let lint = |many: usize| {
        let test = hooks(many, "*wrong").args(["lint", "--select", "RR004,RR305", "--format", "concise"]);
        test.any_stdout().status(1).run().stdout
    };
    let skipped = "error[RR004] the patterns of its conditions take too long to compile, so they are not checked";
    let (above, below) = (lint(1_000), lint(80));
    assert!(above.contains(skipped) && !above.contains("*wrong"), "{above}");
    assert!(!below.contains("RR004") && below.contains("*wrong"), "{below}");
    for words in [["explain", "x"], ["chain", "x"]] {
        hooks(1_000, "none").args(words).any_stderr().status(2).run();
        hooks(80, "none").args(words).any_stdout().run();
    }
}

/// A range beyond ASCII costs as much as many letters, and so does looking up the case variants of a large range.
#[test]
fn classes_that_are_slow_to_compile_are_refused() {
    let letters = letters_apart();
    let folded = "[!-\u{10ffff}]";
    let render = |many: usize, pattern: &str| {
        let condition = format!("<condition path=\"inputs.v\" op=\"regex\" value=\"{pattern}\"/>");
        hooks(many, |_| condition.clone()).args(["render", "x", "--format", "plain", "-i", "v=\u{e9}"])
    };
    for (above, below, pattern, few) in [
        (1_000, 20, format!("{letters}{{40}}"), format!("{letters}{{40}}")),
        (1, 1, format!("(?i){}", folded.repeat(200)), format!("(?i){}", folded.repeat(3))),
    ] {
        let ran = render(above, &pattern).any_stderr().status(2).run();
        assert!(ran.stderr.starts_with("error[too_large]: the hook conditions"), "{}", ran.stderr);
        render(below, &few).stdout(PROMPT).run();
    }
}

/// A class of letters beyond ASCII, no two of which are adjacent.
fn letters_apart() -> String {
    let letters: String = (0..900).filter_map(|n| char::from_u32(0x100 + 2 * n)).collect();
    format!("[{letters}]")
}

/// Two tiers have hooks at the same path, and the limit applies to each file separately.
#[test]
fn the_limit_on_patterns_applies_to_each_file() {
    let lint = |of_user: usize, of_project: usize| {
        let hook = |pattern: &str| {
            format!(
                "  - {{id: h, event: thread_started, condition: {{path: model, op: regex, value: '{pattern}'}}, \
                 action: {{primary: fetch, item_type: knowledge, item_id: k}}}}\n"
            )
        };
        let hooks = |many: usize| hook(&format!("{}{{40}}", letters_apart())).repeat(many);
        test()
            .file("project/.ai/knowledge/k.md", KNOWLEDGE)
            .file("home/.ai/config/agent/hooks.yaml", &format!("hooks:\n{}", hooks(of_user)))
            .file("project/.ai/config/agent/hooks.yaml", &format!("hooks:\n{}{}", hooks(of_project), hook("*wrong")))
            .args(["lint", "--select", "RR004,RR305", "--format", "concise"])
            .any_stdout()
            .status(1)
            .run()
            .stdout
    };
    // A file with fewer than 32 hooks is within the limit.
    for (of_user, of_project) in [(20, 20), (40, 1)] {
        let found = lint(of_user, of_project);
        assert!(!found.contains("RR004") && found.contains("*wrong"), "{found}");
    }
    let found = lint(1, 40);
    assert!(found.contains("error[RR004]") && !found.contains("*wrong"), "{found}");
}

#[test]
fn text_that_is_searched_too_often_is_refused() {
    let contains = |many: usize| {
        let condition = "<condition path=\"inputs.v\" op=\"contains\" value=\"c\"/>";
        let json = format!("{{\"v\": \"{}\"}}", "ab".repeat(500_000));
        let hooks = hooks(many, |_| condition.to_string()).file("project/in.json", &json);
        hooks.args(["render", "x", "--format", "plain", "--inputs", "in.json"])
    };
    let ran = contains(300).any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[too_large]: the hook conditions"), "{}", ran.stderr);
    contains(200).stdout(PROMPT).run();
}

/// A chain of `length` directives that starts at `x`; each includes the same item.
fn chain(length: usize) -> Test {
    let directive = |name: &str, parent: Option<usize>| {
        let extends = parent.map_or(String::new(), |n| format!(" extends=\"d{n}\""));
        let context = "<metadata><context><before>k</before></context></metadata>";
        block(&format!("<directive name=\"{name}\"{extends}>{context}</directive>"))
    };
    let parents = length - 1;
    let first =
        test().file(DIRECTIVE_PATH, &directive("x", (parents > 0).then_some(1))).file(KNOWLEDGE_PATH, KNOWLEDGE);
    (1..=parents).fold(first, |test, n| {
        let parent = (n < parents).then_some(n + 1);
        test.file(&format!("project/.ai/directives/d{n}.md"), &directive(&format!("d{n}"), parent))
    })
}

#[test]
fn a_chain_of_twenty_thousand_directives_renders() {
    const LENGTH: usize = 20_000;
    let root = chain(LENGTH).kept();
    let project = || test().over(&root);
    renders(project(), super::PROMPT_WITH_KNOWLEDGE);
    for words in [["explain", "x"], ["chain", "x"], ["chain", "--all"]] {
        project().args(words).any_stdout().run();
    }
    project().args(["explain", "x", "--format", "json"]).any_stdout().run();
    project().args(["diff", "x", "d19999"]).any_stdout().status(1).run();

    // The chains of all prompts together would have two hundred million directives.
    let error = "error[too_large]: more than the limit of 2000000 directives in the chains of all prompts together\n\
                 help: make it smaller, or split it\n";
    project().args(["lock"]).stderr(error).status(2).run();
    project().args(["render", "--all", "-o", "out"]).stderr(error).status(2).run();
    let ran = project().args(["lint"]).any_stdout().status(1).run();
    let skipped = "the chains have more than 2000000 directives in total, so their context is not checked";
    assert!(ran.stdout.contains(skipped), "{}", &ran.stdout[..ran.stdout.len().min(2_000)]);
}

#[test]
fn chains_of_all_prompts_share_a_limit() {
    // The chains of n directives have n(n+1)/2 members together: here 100,128; the limit is 100,000.
    let error = "error[too_large]: more than the limit of 100000 directives in the chains of all prompts together\n\
                 help: make it smaller, or split it\n";
    chain(447).args(["lock"]).stderr(error).status(2).run();
    chain(447).args(["render", "--all", "-o", "out"]).stderr(error).status(2).run();
    let ran = chain(446).args(["lock"]).any_stdout().run();
    assert!(ran.stdout.contains("446"), "{}", ran.stdout);
    let ran = chain(446).args(["lint"]).any_stdout().status(1).run();
    assert!(!ran.stdout.contains("more than the limit"), "{}", ran.stdout);
}

#[test]
fn only_chains_that_a_change_affects_count_towards_the_limit() {
    if !git_is_there() {
        return;
    }
    let changed = |length: usize, path: &'static str| {
        chain(length).args(["diff", "--all"]).with(|root| {
            let repo = Repo::init(&root.join("project"));
            repo.commit("one");
            let path = repo.path(path);
            let text = fs::read_to_string(&path).expect("the file exists");
            fs::write(path, format!("{text}Changed.\n")).expect("it may be written");
        })
    };
    let error = |most: usize| {
        format!(
            "error[too_large]: more than the limit of {most} directives in the chains of all prompts together\n\
             help: make it smaller, or split it\n"
        )
    };
    changed(447, ".ai/knowledge/k.md").stderr(&error(100_000)).status(2).run();
    let ran = changed(446, ".ai/knowledge/k.md").args(["--format", "name-only"]).any_stdout().status(1).run();
    assert_eq!(ran.stdout.lines().count(), 446, "{}", ran.stdout);
    let ran = changed(447, ".ai/directives/x.md").args(["--format", "name-only"]).any_stdout().status(1).run();
    assert_eq!(ran.stdout, "x\n");
    changed(5_000, ".ai/knowledge/k.md").stderr(&error(500_000)).status(2).run();
}

#[test]
fn more_than_a_million_lines_are_refused() {
    let known = |lines: usize| {
        test()
            .file(DIRECTIVE_PATH, super::ASKS)
            .file(KNOWLEDGE_PATH, &format!("```yaml\nname: K\n```\n{}", "a\n".repeat(lines)))
    };
    let error = "error[too_large]: more than the limit of 1000000 lines\n  --> project .ai/knowledge/k.md\n\
                 help: make it smaller, or split it\n";
    refused(known(999_998), error);
    for command in ["render", "explain", "chain"] {
        known(999_998).args([command, "x"]).stderr(error).status(2).run();
    }
    let ran = known(999_998).args(["lint"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("more than the limit of 1000000 lines"), "{}", ran.stdout);
    let project = || known(999_997);
    project().args(["render", "x", "--format", "plain"]).any_stdout().run();
    project().args(["lint"]).any_stdout().status(1).run();
    for words in [
        ["explain", "x", "--blame"],
        ["explain", "x", "--format=html"],
        ["explain", "x", "--from=.ai/knowledge/k.md:9"],
    ] {
        project().args(words).any_stdout().run();
    }
    project().file("project/.ai/directives/y.md", DIRECTIVE).args(["diff", "x", "y"]).any_stdout().status(1).run();
}

#[test]
fn too_many_placeholders_are_refused() {
    let filled = |many: usize| {
        let inputs = "<directive name=\"x\"><inputs><input name=\"a\" default=\"1\"/></inputs></directive>";
        test().file(DIRECTIVE_PATH, &block(inputs).replace("Hello.", &"{input:a}".repeat(many)))
    };
    refused(
        filled(200_001),
        "error[too_large]: more than the limit of 200000 placeholders that are filled in\n\
         help: make it smaller, or split it\n",
    );
    renders(filled(200_000), &format!("<directive name=\"x\">\n{}\n</directive>", "1".repeat(200_000)));
    every_command(|| filled(200_000));
    filled(200_000).args(["lint"]).any_stdout().status(1).run();
}

#[test]
fn too_many_items_or_capabilities_are_refused() {
    let context = |many: usize| {
        let items: String = (0..many).map(|n| format!("<before>i{n}</before>")).collect();
        let xml = format!("<directive name=\"x\"><metadata>\n<context>{items}</context></metadata></directive>");
        test().file(DIRECTIVE_PATH, &block(&xml))
    };
    let permissions = |many: usize| {
        let tools: String = (0..many).map(|n| format!("<tool>t{n}</tool>")).collect();
        let granted = format!("<permissions><execute>{tools}</execute></permissions>");
        test().file(
            DIRECTIVE_PATH,
            &block(&format!("<directive name=\"x\"><metadata>\n{granted}</metadata></directive>")),
        )
    };
    let error =
        "error[too_large]: more than the limit of 20000 items or capabilities\n  --> project .ai/directives/x.md:3:1\n";
    for project in [&context as &dyn Fn(usize) -> Test, &permissions] {
        let ran = project(20_001).args(["render", "x"]).any_stderr().status(2).run();
        assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
        let ran = project(20_001).args(["lint"]).any_stdout().status(1).run();
        assert!(ran.stdout.contains("more than the limit of 20000 items or capabilities"), "{}", ran.stdout);
        project(20_000).args(["render", "x"]).any_stdout().any_stderr().run();
        project(20_000).args(["explain", "x", "--format", "html"]).any_stdout().any_stderr().run();
        project(20_000).args(["lint", "--fix", "--diff"]).any_stdout().any_stderr().run();
        let compared = project(20_000).file("project/.ai/directives/y.md", DIRECTIVE);
        compared.args(["diff", "x", "y", "--format", "html"]).any_stdout().any_stderr().status(1).run();
    }
}

#[test]
fn too_many_inputs_in_a_file_are_refused() {
    let given = |many: usize| {
        let values: Vec<String> = (0..many).map(|n| format!("\"i{n}\": {n}")).collect();
        let file = format!("{{{}}}", values.join(", "));
        let words = ["render", "x", "--format", "plain", "--inputs", "in.json"];
        hold(test().file(DIRECTIVE_PATH, DIRECTIVE).file("project/in.json", &file)).args(words)
    };
    let wrong = "error[too_large]: more than the limit of 100000 inputs in a file\n  --> in.json:1:1\n\
                 help: make it smaller, or split it\n";
    given(100_001).stderr(wrong).status(2).run();
    given(100_000).stdout(PROMPT).run();
}

#[test]
fn files_that_exceed_the_limit_together_are_refused() {
    let asks = |many: usize| {
        let items: String = (0..many).map(|n| format!("<before>k{n}</before>")).collect();
        let xml = format!("<directive name=\"x\"><metadata><context>{items}</context></metadata></directive>");
        let text = format!("```yaml\nname: K\n```\n{}\n", "x".repeat(9_999_900));
        (0..many).fold(test().file(DIRECTIVE_PATH, &block(&xml)), |test, n| {
            test.file(&format!("project/.ai/knowledge/k{n}.md"), &text)
        })
    };
    refused(
        asks(5).file("project/.ai/knowledge/k4.md", &"x".repeat(10_000_300)),
        "error[too_large]: more than the limit of 50000000 bytes in all files of a prompt\n  \
         --> project .ai/knowledge/k4.md\nhelp: make it smaller, or split it\n",
    );
    let ran = asks(4).args(["render", "x", "--format", "plain"]).any_stdout().run();
    assert_eq!(ran.stdout.len(), 4 * (9_999_900 + 2) + PROMPT.len());
}

/// None of the files is checked, whichever is read first.
#[test]
fn a_tier_whose_files_exceed_the_limit_is_not_checked() {
    let project = |bytes: u64| {
        test().file(KNOWLEDGE_PATH, "Without metadata.").with(|root| {
            let tools = root.join("project/.ai/tools");
            fs::create_dir_all(&tools).expect("a new folder");
            // Sparse files keep the test cheap.
            for (n, size) in [16_000_000; 6].into_iter().chain([bytes - 96_000_000]).enumerate() {
                let file = fs::File::create(tools.join(format!("t{n}.sh"))).expect("a new file");
                file.set_len(size).expect("room for it");
            }
        })
    };
    let known = "Without metadata.".len() as u64;
    let lint = |bytes: u64| project(bytes - known).args(["lint", "--select", "RR004,RR016", "--format", "concise"]);
    let ran = lint(100_000_001).any_stdout().status(1).run();
    let finding = "error[RR004] `.ai`: more than the limit of 100000000 bytes in all files of a tier\n";
    assert_eq!((ran.stdout.contains(finding), ran.stdout.matches("[RR").count()), (true, 1), "{}", ran.stdout);
    let ran = lint(100_000_000).any_stdout().run();
    assert!(ran.stdout.contains("note[RR016]") && !ran.stdout.contains("RR004"), "{}", ran.stdout);
    // Raising the limit for one file also raises the limit for all files.
    let ran = lint(100_000_001).args(["--max-item-size", "16666667"]).any_stdout().run();
    assert!(!ran.stdout.contains("RR004"), "{}", ran.stdout);
}

/// Keys, tags and comments that begin but never end must not slow down the search for them.
#[test]
fn unclosed_text_does_not_slow_lint_down() {
    for beginning in
        ["AKIA", "xoxb-", "T3BlbkFJ", "-----BEGIN PRIVATE KEY-----\n", "<a>", "<a b='", "# rye-render: allow RR101 -->"]
    {
        let body = beginning.repeat(500_000 / beginning.len());
        let project = || test().file(DIRECTIVE_PATH, &DIRECTIVE.replace("Hello.", &body));
        project().args(["lint"]).any_stdout().any_stderr().status(1).run();
        project().args(["lint", "--fix", "--diff"]).any_stdout().any_stderr().run();
    }
}

/// A directive with the maximum number of inputs, all of which are used.
#[test]
fn the_maximum_number_of_inputs_is_accepted() {
    let many = 50_000;
    let inputs: String = (0..many).map(|n| format!("<input name=\"n{n}\"/>")).collect();
    let uses: String = (0..many).map(|n| format!("{{input:n{n}}}")).collect();
    let xml = format!("<directive name=\"x\"><inputs>{inputs}</inputs></directive>");
    let project = || test().file(DIRECTIVE_PATH, &block(&xml).replace("Hello.", &uses));
    project().args(["lint"]).any_stdout().status(1).run();
    project().args(["lock"]).any_stdout().run();
}
