//! Settings, rules and texts of single agents, at their limits.

use std::fmt::Write as _;
use std::fs;

use super::agents::{folder, limited, refused, rendered, run};
use super::bounds;
use crate::support::Test;

/// Each alternative of the first word starts a prefix with all other words.
#[test]
fn alternatives_of_a_rule_do_not_multiply() {
    const MANY: usize = 20_000;
    let (mut firsts, mut rest) = (String::new(), String::new());
    for n in 0..MANY {
        write!(firsts, "\"a{n}\",").expect("text can be written");
        write!(rest, ",\"b{n}\"").expect("text can be written");
    }
    let rules = format!("prefix_rule(pattern=[[{firsts}]{rest}], decision=\"allow\")\n");
    let test = folder().file("home/.codex/rules/default.rules", &rules);
    let test = test.file("home/.codex/config.toml", "approval_policy = \"on-request\"\n");
    let shown = rendered(test, "codex").stdout;
    assert!(shown.contains("- [\"a0\", \"b0\", \"b1\", "), "{}", &shown[..shown.floor_char_boundary(2_000)]);
}

/// claude-code follows four imports in a row, each file once, and looks at 20,000 of them.
#[test]
fn imports_of_claude_code_end() {
    let circle = (0..200).fold(folder(), |test, n| {
        let all: String = (0..200).map(|other| format!("@f{other}.md ")).collect();
        test.file(&format!("project/f{n}.md"), &format!("@f{}.md @AGENTS.md {all}\n", (n + 1) % 200))
    });
    let test = circle.file("project/AGENTS.md", "Be good.\n@f0.md\n");
    let shown = limited(test, "claude-code");
    assert!(shown.stdout.contains("Be good.") && shown.stdout.contains("/f0.md ("), "{}", shown.stderr);
    assert!(shown.stderr.contains("error[too_large]: more than the limit of 20000 imports"));
    let test = |text: &str| folder().file("project/AGENTS.md", &format!("Be good.\n{text}"));
    assert!(limited(test(&"@AGENTS.md ".repeat(380_000)), "claude-code").stdout.contains("Be good."));
    for text in ["@../".repeat(1_000_000), "@a\\ ".repeat(900_000), "@".repeat(4_000_000)] {
        assert!(rendered(test(&text), "claude-code").stdout.contains("Be good."), "{}", &text[..4]);
    }
}

/// Markdown whose structure takes many times its size.
#[test]
fn markdown_of_claude_code_is_bounded() {
    for (text, is_over) in [
        ("[".repeat(4_000_000), true),
        ("***a".repeat(1_000_000), true),
        ("~~a".repeat(1_300_000), true),
        ("a\n".repeat(2_000_000), true),
        ("<!-- -->\n\n".repeat(200_000), false),
        ("> ".repeat(2_000_000), false),
        ("|a".repeat(480_000), false),
    ] {
        let start = &text[..4];
        let test = folder().file("project/AGENTS.md", &format!("Be good.\n@x.md\n\n{text}"));
        let ran = if is_over { limited(test, "claude-code") } else { rendered(test, "claude-code") };
        assert!(ran.stdout.contains("Be good."), "{start}");
        assert_eq!(ran.stderr.contains("1000000 marks of Markdown in a file"), is_over, "{start}: {}", ran.stderr);
    }
}

#[test]
fn rules_of_claude_code_may_be_many() {
    let touched = "src/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ts";
    let rules = |many: usize, paths: &str, status: i32| {
        let test = (0..many).fold(folder(), |test, n| {
            let text = format!("---\npaths: \"{}\"\n---\nRule {n}.\n", paths.replace('#', &n.to_string()));
            test.file(&format!("project/.claude/rules/r{n}.md"), &text)
        });
        let test = test.args(["render", "--agent", "claude-code", "--format", "plain", "--touch", touched]);
        test.any_stdout().any_stderr().status(status).run()
    };
    let ran = rules(3_000, "src/**/*.t#", 0);
    assert!(ran.stdout.contains("Be good.") && !ran.stderr.contains("error"), "{}", ran.stderr);
    assert!(rules(1_000, "src/**", 0).stdout.contains("Rule 999."));
    for (paths, is_over) in [
        ("*a".repeat(300), true),
        ("**/".repeat(300), true),
        ("{a,b}".repeat(100), true),
        ("{a,".repeat(300) + &"}".repeat(300), true),
        ("{{".repeat(300), true),
        ("[a-z]".repeat(50), false),
        ("(a+)+$".repeat(50), false),
    ] {
        let ran = rules(400, &paths, if is_over { 2 } else { 0 });
        assert!(ran.stdout.contains("Be good."), "{paths}");
        assert_eq!(ran.stderr.contains("200000 bytes in the patterns of paths"), is_over, "{paths}: {}", ran.stderr);
    }
}

#[test]
fn excludes_of_claude_code_cost_little() {
    for (patterns, many, is_over) in [
        ("**/".repeat(3_000) + "x", 1, false),
        ("**/a*".repeat(100), 100, true),
        ("{a,".repeat(3_000), 1, false),
        ("+(a|".repeat(800) + "b" + &")".repeat(800), 2, false),
        ("(a+)+$".repeat(100), 20, false),
        ("?".repeat(900), 20, true),
        ("(".repeat(5_000) + "a" + &")".repeat(5_000), 1, false),
    ] {
        let list = vec![format!("\"{patterns}\""); many].join(",");
        let settings = format!("{{\"claudeMdExcludes\": [{list}]}}");
        let test = folder().file("project/.claude/settings.json", &settings);
        let ran = if is_over { limited(test, "claude-code") } else { rendered(test, "claude-code") };
        assert!(ran.stdout.contains("Be good."), "{}", &patterns[..9]);
    }
    let digits = format!("{{\"a\": {}}}", "9".repeat(3_000_000));
    assert!(rendered(folder().file("home/.claude/settings.json", &digits), "claude-code").stdout.contains("Be good."));
}

/// What `{file:}` and `{env:}` add to the settings of opencode is bounded, and is not searched again.
#[test]
fn substitutions_of_opencode_do_not_multiply() {
    let of = |prompt: &str| format!("{{\"agent\": {{\"build\": {{\"prompt\": \"{prompt}\"}}}}}}");
    let test = |prompt: &str, file: &str| {
        let big = "x".repeat(60_000);
        folder().file("project/opencode.json", &of(prompt)).file("project/a.txt", file).env("BIG", &big)
    };
    let (million, lines) = ("x".repeat(1_000_000), "\"\n".repeat(5_000_000));
    for (prompt, file) in [
        ("{file:a.txt}".repeat(2_000), million.as_str()),
        ("{env:BIG}".repeat(100_000), ""),
        ("{file:a.txt}".repeat(400_000), "x"),
        ("{file:a.txt}".to_string(), lines.as_str()),
    ] {
        let ran = refused(test(&prompt, file), "opencode");
        assert!(ran.stderr.contains("what it names is too large"), "{}", ran.stderr);
    }
    let twice = test("{file:a.txt}", &"{file:a.txt}{env:BIG}".repeat(10_000));
    assert!(rendered(twice, "opencode").stdout.contains("{file:a.txt}{env:BIG}"));
    for (name, reason) in [("/dev/zero", "cannot be read"), (".", "cannot be read"), ("gone", "cannot be read")] {
        let ran = refused(test(&format!("{{file:{name}}}"), ""), "opencode");
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
    let fifo = test("{file:fifo}", "").with(|root| run("mkfifo", &root.join("project/fifo")));
    assert!(refused(fifo, "opencode").stderr.contains("cannot be read"));
}

#[test]
fn settings_of_opencode_may_be_large() {
    let many = |many: usize| (0..many).map(|n| format!("\"a{n}\": {n}")).collect::<Vec<_>>().join(",");
    let shown = rendered(folder().file("project/opencode.json", &format!("{{{}}}", many(200_000))), "opencode").stdout;
    assert!(shown.contains("Be good."));
    for text in [
        format!("{{{}}}", many(300_000)),
        format!("[{}1]", "1,".repeat(7_000_000)),
        format!("\"{}\"", "\\n".repeat(7_000_000)),
    ] {
        let ran = refused(folder().file("project/opencode.json", &text), "opencode");
        assert!(ran.stderr.contains("too many values and escapes"), "{}", ran.stderr);
    }
}

#[test]
fn globs_of_opencode_cost_little() {
    let tree = (0..3_000).fold(folder(), |test, n| test.file(&format!("project/d{}/e{}/f{n}.md", n % 50, n % 7), "x"));
    let tree = tree.file("project/.git/HEAD", "").with(|root| {
        for name in ["objects", "refs"] {
            fs::create_dir(root.join("project/.git").join(name)).expect("a folder");
        }
    });
    let tree = tree.kept();
    let many: Vec<String> = (0..50_000).map(|n| format!("a{n}*.md")).collect();
    for patterns in [
        vec!["**/".repeat(300) + "*.md"],
        vec!["**/*a*a*a*a*a*a*a*a*a*b".to_string()],
        vec!["{a,b}".repeat(190)],
        vec!["{{a,b},{c,d}}".repeat(70)],
        vec!["{1..1000000}/{1..1000000}".to_string()],
        vec!["+(+(+(a)))*".to_string(), "!(!(!(a)))".to_string(), "[a-z]".repeat(190)],
        vec!["**/*.md".to_string(); 50],
        vec!["*".repeat(900), "?".repeat(900), "{".repeat(900)],
        many,
    ] {
        let settings = format!("{{\"instructions\": {}}}", serde_json::json!(patterns));
        let test = bounds::hold(Test::plain()).over(&tree);
        let test = test.with(|root| fs::write(root.join("project/opencode.json"), settings).expect("a file"));
        assert!(rendered(test, "opencode").stdout.contains("Be good."), "{}", patterns[0]);
    }
}
