//! `chain --cwd`: what applies to an agent's working folder.

use serde_json::{Value, json};

use crate::support::{Ran, Test};

fn skill(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for.\n{more}---\nText.\n")
}

/// A folder with a base prompt, instructions in it and above it, and skills of both the folder and the agent.
fn test() -> Test {
    Test::new()
        .file("home/.sf/agent/AGENTS.md", "Be brief.\n")
        .file("project/.git/HEAD", "")
        .file("project/AGENTS.md", "Use tabs.\n")
        .file("project/CLAUDE.md", "Use spaces.\n")
        .file("project/app/CLAUDE.md", "Test it.\n")
        .file("project/app/.sf/SYSTEM.md", "You are mine.\n")
        .file("home/.sf/agent/SYSTEM.md", "You are theirs.\n")
        .file("project/.agents/skills/deploy/SKILL.md", &skill("deploy", ""))
        .file("home/.sf/agent/skills/deploy/SKILL.md", &skill("deploy", ""))
        .file("home/.sf/agent/skills/secret/SKILL.md", &skill("secret", "disable-model-invocation: true\n"))
        .file("home/.sf/agent/skills/vague/SKILL.md", "Text.\n")
}

fn nodes(ran: &Ran) -> Vec<Value> {
    ran.json()["nodes"].as_array().expect("nodes are a list").clone()
}

fn ids(ran: &Ran) -> Vec<String> {
    nodes(ran).iter().map(|node| node["id"].as_str().expect("an id is text").to_string()).collect()
}

/// The System Prompt Anatomy, "The Final Prompt Structure"; `sf`, "Base and addition", "Context files", "Skills".
#[test]
fn files_are_listed_in_order_with_those_left_out() {
    let ran = test().args(["chain", "--cwd", "app", "--charset", "ascii"]).any_stdout().any_stderr().run();
    let lines: Vec<String> = ran.stdout.lines().map(|line| line.replace("[ROOT]", "")).collect();
    let words: Vec<String> = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    // Lines break at different places, because the test folder's name varies in length.
    let all = words.join("\n").replace("\n| ", " ").replace("\n", " ").replace("| ", "");
    let mut rest = all.as_str();
    for expected in [
        "/project/app |- SYSTEM.md (base, 4 tokens)",
        "cwd /project/app/.sf/SYSTEM.md",
        "replaces the built-in base, with its tools, guidelines and documentation",
        "`- SYSTEM.md (base)",
        "agent /home/.sf/agent/SYSTEM.md",
        "x the project's file wins",
        "|- AGENTS.md (context,",
        "agent /home/.sf/agent/AGENTS.md",
        "|- AGENTS.md (context,",
        "ancestor /project/AGENTS.md",
        "`- CLAUDE.md (context)",
        "x there is an AGENTS.md next to it",
        "|- CLAUDE.md (context,",
        "cwd /project/app/CLAUDE.md",
        "|- .agents/skills",
        "ancestor /project/.agents/skills",
        "`- deploy (skill)",
        "What deploy is for.",
        "`- agent/skills",
        "agent /home/.sf/agent/skills",
        "|- secret (skill)",
        "x its front matter hides it from the agent What secret is for.",
        "|- deploy (skill)",
        "x /project/.agents/skills/deploy/SKILL.md has the same name",
        "`- vague (skill)",
        "x it has no description",
    ] {
        let Some(at) = rest.find(expected) else { panic!("{expected:?} is not in {rest:?} of {}", ran.stdout) };
        rest = &rest[at + expected.len()..];
    }
    assert!(ran.stderr.contains("warning[skill_collision]"), "{}", ran.stderr);
}

#[test]
fn json_says_why_a_file_is_left_out() {
    let ran = test().args(["chain", "--protocol", "sf", "--cwd", "app", "--format", "json"]).any_stdout().run();
    let document = ran.json();
    assert_eq!([&document["format"], &document["protocol"]], ["rye-render.chain/1", "sf"]);
    assert_eq!(document["roots"], json!([0]));
    let left_out: Vec<(String, String)> = nodes(&ran)
        .iter()
        .filter_map(|node| Some((node["source"]["path"].as_str()?.to_string(), node["left_out"].as_str()?.to_string())))
        .collect();
    let expected = [
        ("[ROOT]/home/.sf/agent/SYSTEM.md", "the project's file wins"),
        ("[ROOT]/project/CLAUDE.md", "there is an AGENTS.md next to it"),
        ("[ROOT]/home/.sf/agent/skills/secret/SKILL.md", "its front matter hides it from the agent"),
        (
            "[ROOT]/home/.sf/agent/skills/deploy/SKILL.md",
            "[ROOT]/project/.agents/skills/deploy/SKILL.md has the same name",
        ),
        ("[ROOT]/home/.sf/agent/skills/vague/SKILL.md", "it has no description"),
    ];
    assert_eq!(left_out, expected.map(|(path, why)| (path.to_string(), why.to_string())));
    let kinds: Vec<&Value> = document["edges"].as_array().unwrap().iter().map(|edge| &edge["kind"]).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "hides").count(), 2, "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "part").count(), kinds.len() - 2, "{kinds:?}");
}

/// `sf`, "Tools and guidelines": the sizes equal those that `render` shows.
#[test]
fn tokens_are_those_of_the_prompt() {
    let flags = ["--protocol", "sf", "--cwd", "app", "--format", "json", "--now", "2026-03-07T14:55:05Z"];
    let rendered = test().args(["render"]).args(flags).any_stdout().any_stderr().run().json();
    let ran = test().args(["chain"]).args(flags).any_stdout().run();
    let of = |list: &Value, kind: &str| -> Vec<u64> {
        list.as_array().unwrap().iter().filter(|it| it["kind"] == kind).filter_map(|it| it["tokens"].as_u64()).collect()
    };
    for (kind, count) in [("base", 1), ("context", 3)] {
        let tokens = of(&ran.json()["nodes"], kind);
        assert_eq!(tokens.len(), count, "{kind}");
        assert_eq!(tokens, of(&rendered["layers"], kind), "{kind}");
    }
}

#[test]
fn arguments_override_files() {
    let base = |more: &[&str]| {
        let mut test = test().file("project/app/.sf/APPEND_SYSTEM.md", "").args(["chain", "--cwd", "app"]);
        test = more.iter().fold(test, |test, word| test.args([word]));
        let ran = test.args(["--format", "json"]).any_stdout().run();
        let node = |kind| nodes(&ran).into_iter().filter(|node| node["kind"] == kind).collect::<Vec<_>>();
        (node("base"), node("append"), node("context").len(), node("skills"))
    };
    let (given, append, context, skills) =
        base(&["--system-prompt", "Mine", "--append-system-prompt", "More", "--no-context-files", "--no-skills"]);
    assert_eq!([&given[0]["id"], &append[0]["id"]], ["--system-prompt", "--append-system-prompt"]);
    assert_eq!([given.len(), append.len(), context, skills.len()], [1, 1, 0, 0]);

    let (_, append, _, skills) = base(&["--tools", "bash"]);
    assert_eq!(append[0]["left_out"], "it is empty");
    let unread = "the tool read is not active, so no skill is listed";
    assert!(skills.len() == 2 && skills.iter().all(|root| root["left_out"] == unread), "{skills:?}");
}

#[test]
fn an_empty_base_is_listed_with_the_built_in_one() {
    let test = test().file("project/app/.sf/SYSTEM.md", "").args(["chain", "--cwd", "app", "--format", "json"]);
    let ran = test.any_stdout().run();
    let base: Vec<Value> = nodes(&ran).into_iter().filter(|node| node["kind"] == "base").collect();
    assert_eq!(base[0]["left_out"], "it is empty, so the built-in base is used");
    assert_eq!([&base[1]["source"]["tier"], &base[2]["id"]], ["agent", "builtin"]);
}

#[test]
fn flags_narrow_the_tree() {
    let part = |flags: &[&str]| {
        let test = flags.iter().fold(test().args(["chain", "--cwd", "app"]), |test, word| test.args([word]));
        ids(&test.args(["--format", "json"]).any_stdout().run())
    };
    let all = part(&[]);
    assert_eq!(all.len(), 13, "{all:?}");
    assert!(!part(&["--max-depth", "1"]).contains(&"deploy".to_string()));
    let pruned = part(&["--prune", "[ROOT]/home/.sf/agent/skills"]);
    assert_eq!(pruned.last().unwrap(), "[ROOT]/home/.sf/agent/skills");
    assert_eq!(pruned.len(), all.len() - 3);
    // A folder can also be named as the tree shows it.
    assert_eq!(part(&["--prune", "agent/skills"]), pruned);
    let without_hidden = |typed: &str| {
        let part = part(&["--prune", typed]);
        assert_eq!(part.len(), all.len() - 1, "{part:?}");
        assert!(!part.contains(&"[ROOT]/project/CLAUDE.md".to_string()), "{part:?}");
    };
    ["AGENTS.md", "../AGENTS.md", "project/AGENTS.md"].into_iter().for_each(without_hidden);
    let ancestors = ["[ROOT]/project/app", "[ROOT]/project/AGENTS.md", "[ROOT]/project/CLAUDE.md"];
    let ancestors = ancestors.into_iter().chain(["[ROOT]/project/.agents/skills", "deploy"]).collect::<Vec<_>>();
    assert_eq!(part(&["--tier", "ancestor"]), ancestors);
}

#[test]
fn every_format_draws_the_tree() {
    for (format, expected) in [("dot", "n0 [shape=folder"), ("mermaid", "flowchart LR"), ("tree", "SYSTEM.md (base")] {
        let test = test().args(["chain", "--cwd", "app", "--format", format]);
        let ran = test.any_stdout().any_stderr().run();
        assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    }
}

#[test]
fn flags_for_directives_are_refused() {
    for (flags, expected) in [
        (&["--cwd", "app", "--edges", "extends"][..], "--edges selects links of directives"),
        (&["--cwd", "app", "--tier", "agnt"], "did you mean `agent`?"),
        (&["--cwd", "app", "--prune", "deplo"], "did you mean `deploy`?"),
        (
            &["--cwd", "app", "--prune", "nothing-of-that-kind"],
            "error[invalid_argument]: no file or skill `nothing-of-that-kind` here\n\
             help: `chain --cwd DIR` without --prune lists them\n",
        ),
        (&["--cwd", "ap"], "folder "),
        (&["--cwd", "app", "--input", "a=b"], "--input requires a directive"),
        (&["--cwd", "app", "--all"], "--cwd requires a folder"),
        (&["--cwd", "app", "--protocol", "rye-3"], "--cwd requires a folder"),
        (&["--protocol", "sf", "deploy"], "--protocol sf is for folders"),
        (&["--tools", "read"], "--tools requires a folder"),
        (&["--protocol", "rye-3"], "no directive is named"),
    ] {
        let test = flags.iter().fold(test().args(["chain"]), |test, word| test.args([word]));
        let ran = test.status(2).any_stderr().run();
        assert!(ran.stderr.contains(expected), "{flags:?}: {}", ran.stderr);
    }
}

/// Every command gives the same reason why a skill cannot be read.
#[test]
fn every_command_gives_the_same_reasons() {
    let why = |command: &[&str], list: &str, key: &str| -> Vec<String> {
        let test = test().file("project/app/.sf/skills/odd/SKILL.md", "---\nname: [odd]\ndescription: Odd.\n---\n");
        let test = command.iter().fold(test, |test, word| test.args([word]));
        let ran = test.args(["--protocol", "sf", "--cwd", "app", "--format", "json"]).any_stdout().any_stderr().run();
        let entries = ran.json()[list].as_array().unwrap().clone();
        let skills = entries.iter().filter(|it| it["kind"] == "skill");
        skills.filter_map(|it| Some(it[key].as_str()?.to_string())).collect()
    };
    let (chain, list) = (why(&["chain"], "nodes", "left_out"), why(&["list"], "entries", "why"));
    assert_eq!([chain.len(), list.len()], [4, 4]);
    // `list` puts the outcome before the reason.
    assert!(chain.iter().all(|why| list.iter().any(|it| it.ends_with(why))), "{chain:?} {list:?}");
    assert!(chain.contains(&"it cannot be read: its `name` is not text".to_string()), "{chain:?}");
}

/// Text from a file must not control the terminal.
#[test]
fn a_short_description_is_one_line_without_escapes() {
    let text = format!("---\nname: loud\ndescription: \"\\e[31mred\\n  {}\"\n---\n", "long ".repeat(60));
    let test = test().file("project/app/.sf/skills/loud/SKILL.md", &text).args(["chain", "--cwd", "app"]);
    let ran = test.any_stdout().any_stderr().run();
    assert!(!ran.stdout.contains('\u{1b}') && ran.stdout.contains("red long long"), "{}", ran.stdout);
    assert!(ran.stdout.contains("…") && ran.stdout.matches("long").count() < 25, "{}", ran.stdout);
}
