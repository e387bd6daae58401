//! `lock` for agents on real git repositories.

use std::path::Path;

use crate::repo::{Repo, git_is_there};
use crate::support::Test;

const RULE: &str = "---\npaths: \"**/*.rs\"\n---\nRust rule.\n";
const SKILL: &str = "---\nname: ship\ndescription: Ships it\n---\nSteps.\n";
const SETTINGS: &str = "agents: [codex@0.169.0, claude-code, pi, opencode, sf]\n";

/// A project with files of all agents, and with one that git ignores.
fn project(folder: &Path) -> Repo {
    let repo = Repo::init(folder);
    repo.write("AGENTS.md", "Use tabs.\n").write("CLAUDE.md", "@AGENTS.md\n").write("docs/more.md", "More.\n");
    repo.write("api/AGENTS.md", "Version the API.\n").write("api/CLAUDE.md", "@../docs/more.md\n");
    repo.write(".claude/rules/rust.md", RULE).write(".claude/skills/ship/SKILL.md", SKILL);
    repo.write(".agents/skills/ship/SKILL.md", SKILL).write(".codex/config.toml", "project_doc_max_bytes = 12\n");
    repo.write(".pi/APPEND_SYSTEM.md", "Appended.\n").write(".sf/rye-render.yaml", SETTINGS);
    repo.write(".gitignore", "CLAUDE.local.md\n").commit("one");
    repo
}

/// The lock of a project after `change`.
fn locked(change: impl FnOnce(&Repo)) -> String {
    let test = Test::plain().with(|folder| change(&project(&folder.join("project")))).args(["lock"]);
    test.any_stdout().run().read("project/rye-render.lock")
}

/// The ids of the prompts that differ after a change, each with what differs.
fn differing(change: impl FnOnce(&Repo)) -> Vec<String> {
    let lock = locked(|_| ());
    let test = Test::plain().with(|folder| change(project(&folder.join("project")).write("rye-render.lock", lock)));
    let ran = test.args(["lock", "--check", "--format", "json"]).status(1).any_stdout().run().json();
    let differences = ran["differences"].as_array().unwrap().iter();
    let named = differences.map(|it| {
        let differs = |part: &str| it["before"][part] != it["after"][part];
        let parts = [("sha256", "messages"), ("files", "files")].into_iter().filter(|(key, _)| differs(key));
        let id = format!("{} {}", it["agent"].as_str().unwrap(), it["folder"].as_str().unwrap());
        assert_eq!(it["id"], id);
        format!("{id}: {}", parts.map(|(_, part)| part).collect::<Vec<_>>().join(", "))
    });
    named.collect()
}

#[test]
fn every_agent_has_a_line_for_each_folder_with_instructions() {
    if !git_is_there() {
        return;
    }
    let text = locked(|_| ());
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[2], "tokenizer chars4");
    assert!(lines[3].starts_with("agents claude-code@") && lines[3].contains(" codex@0.169.0 "), "{}", lines[3]);
    assert!(lines[3].ends_with(" sf"), "{}", lines[3]);
    let ids: Vec<_> = lines[6..].iter().map(|line| line.split('"').nth(1).unwrap()).collect();
    let expected =
        ["claude-code .", "claude-code api", "codex .", "codex api", "opencode .", "opencode api", "pi .", "pi api"];
    assert_eq!(ids, [&expected[..], &["sf .", "sf api"]].concat());
}

#[test]
fn the_lock_is_the_same_in_every_clone_and_on_every_machine() {
    if !git_is_there() {
        return;
    }
    let here = locked(|_| ());
    let installed = "{\"name\": \"@openai/codex\", \"version\": \"0.130.0\"}";
    let elsewhere = Test::plain()
        .with(|folder| {
            project(&folder.join("first")).clone_with(&folder.join("project"), &[]);
        })
        .file("AGENTS.md", "Above the repository.\n")
        .file("project/CLAUDE.local.md", "Ignored.\n")
        .file("home/.codex/AGENTS.md", "Of the user.\n")
        .file("home/.codex/config.toml", "project_doc_max_bytes = 3\n")
        .file("home/.claude/CLAUDE.md", "Of the user.\n")
        .file("home/.pi/agent/SYSTEM.md", "Of the user.\n")
        .file("home/.config/opencode/AGENTS.md", "Of the user.\n")
        .file("home/.sf/agent/AGENTS.md", "Of the user.\n")
        .file("home/.config/rye-render/config.yaml", "agents: [codex@0.130.0]\n")
        .file("node_modules/@openai/codex/package.json", installed)
        .env("CODEX_HOME", "[ROOT]/home/.codex")
        .env("OPENCODE_DISABLE_CLAUDE_CODE", "1")
        .env("TZ", "Asia/Tokyo");
    let elsewhere = elsewhere.args(["lock"]).stdout("10 prompts in rye-render.lock\n").run();
    assert_eq!(elsewhere.read("project/rye-render.lock"), here);
}

#[test]
fn a_change_of_any_file_that_an_agent_reads_changes_the_lock() {
    if !git_is_there() {
        return;
    }
    let of_claude = |what: &str| ["claude-code .", "claude-code api"].map(|id| format!("{id}: {what}"));
    let write =
        |path: &'static str, text: String| move |repo: &Repo| assert!(repo.write(path, text).path(path).is_file());
    assert_eq!(differing(write(".claude/rules/rust.md", format!("{RULE}More.\n"))), of_claude("files"));
    // At the top, it joins with `api/CLAUDE.md`.
    let import = differing(write("docs/more.md", "Less.\n".to_string()));
    assert_eq!(import, ["claude-code .: files", "claude-code api: messages"]);
    assert_eq!(differing(write(".pi/APPEND_SYSTEM.md", "Added.\n".to_string())), ["pi .: messages"]);
    // Of `api/AGENTS.md`, codex sends two bytes, and then three.
    let budget = "project_doc_max_bytes = 13\n".to_string();
    assert_eq!(differing(write(".codex/config.toml", budget)), ["codex api: messages, files"]);
    let skill = differing(write(".agents/skills/ship/SKILL.md", SKILL.replace("Ships", "Sends")));
    let agents = ["codex", "opencode", "pi", "sf"]
        .iter()
        .flat_map(|agent| [".", "api"].map(|it| format!("{agent} {it}: messages")));
    assert_eq!(skill, agents.collect::<Vec<_>>());
    // An untracked file counts.
    let new = differing(write("web/CLAUDE.md", "Web.\n".to_string()));
    assert!(new.contains(&"claude-code web: messages, files".to_string()), "{new:?}");
}

#[test]
fn the_check_names_the_agent_and_the_folder() {
    if !git_is_there() {
        return;
    }
    let lock = locked(|_| ());
    let change = |folder: &Path| {
        project(&folder.join("project"))
            .write("rye-render.lock", &lock)
            .write(".pi/APPEND_SYSTEM.md", "Appended now.\n");
    };
    let expected = "\
1 difference from the lock (10 prompts)                          rye-render.lock

changed  pi .                                               129 → 130 tokens  +1
         messages

What changed?  rye-render diff --all --agent claude-code@2.1.330,codex@0.169.0,opencode@1.18.33,pi@1.5.2,sf --rev REV
               REV: the commit that last updated the lock
Intended?      rye-render lock --agent claude-code@2.1.330,codex@0.169.0,opencode@1.18.33,pi@1.5.2,sf
";
    Test::plain().with(change).args(["lock", "--check"]).status(1).stdout(expected).run();
}

#[test]
fn a_check_uses_the_agents_and_releases_of_the_lock() {
    if !git_is_there() {
        return;
    }
    let make = |folder: &Path| {
        Repo::init(&folder.join("project")).write("AGENTS.md", "Use tabs.\n").commit("one");
    };
    let older = Test::plain().with(make).args(["lock", "--agent", "codex@0.160.0"]).any_stdout().run();
    let older = older.read("project/rye-render.lock");
    assert!(older.contains("\nagents codex@0.160.0\nflags\n\n\"codex .\" "), "{older}");
    let check = || Test::plain().with(make).file("project/rye-render.lock", &older).args(["lock", "--check"]);
    check().stdout("1 prompt unchanged                                               rye-render.lock\n").run();
    check().args(["--agent", "codex"]).any_stdout().run();
    let named = check().file("project/.sf/rye-render.yaml", "agents: [codex@0.169.0]\n").status(1).any_stdout().run();
    assert!(named.stdout.starts_with("the agents differ  "), "{}", named.stdout);
    assert!(named.stdout.contains("\nagents codex@0.160.0 → codex@0.169.0\n"), "{}", named.stdout);
    // Nothing names an agent, and what is installed does not count.
    let test = Test::plain().with(make).file("home/.config/rye-render/config.yaml", "agents: [pi]\n");
    let all = test.args(["lock"]).stdout("4 prompts in rye-render.lock\n").run();
    assert!(all.read("project/rye-render.lock").contains("\nagents claude-code@"));
}

#[test]
fn what_a_lock_of_agents_cannot_hold_is_refused() {
    if !git_is_there() {
        return;
    }
    let refused = |arguments: &[&str]| {
        let test = Test::new().with(|folder| drop(project(&folder.join("project"))));
        let directive = "```xml\n<directive name=\"ping\"/>\n```\nPing.\n";
        let test = test.file("project/.ai/directives/ping.md", directive).env("RYE_SYSTEM_SPACE", "none");
        let directives =
            test.args(["lock"]).stdout("1 prompt in rye-render.lock\n").run().read("project/rye-render.lock");
        let test = Test::plain().with(|folder| drop(project(&folder.join("project"))));
        let test = test.file("project/rye-render.lock", &directives);
        let ran = arguments.iter().fold(test.args(["lock"]), |test, argument| test.args([*argument]));
        let ran = ran.status(2).any_stderr().run();
        ran.stderr.lines().next().unwrap().to_string()
    };
    assert!(
        refused(&["--agent", "pi"]).ends_with("rye-render.lock holds the prompts of directives and is not overwritten")
    );
    assert!(
        refused(&["--check"]).contains("was written with --protocol rye-3 --tokenizer chars4 and cannot be compared")
    );
    assert!(refused(&["--agent", "pi,pi@1.0.3"]).ends_with("pi is named twice"));
    assert!(refused(&["--agent", "pi", "--depth", "2"]).ends_with("--depth does not apply to a lock of agents"));
    assert!(refused(&["--agent", "pi", "--model", "m"]).ends_with("--model does not apply to a lock of agents"));
}

#[test]
fn an_agent_that_does_not_start_is_not_compared() {
    if !git_is_there() {
        return;
    }
    let lock = locked(|_| ());
    let broken = "project_doc_max_bytes = \"x\n";
    let change = |folder: &Path| {
        let repo = project(&folder.join("project"));
        repo.write("rye-render.lock", &lock).write(".codex/config.toml", broken);
    };
    let ran = Test::plain().with(change).args(["lock", "--check"]).status(2).any_stdout().any_stderr().run();
    assert!(ran.stdout.starts_with("2 prompts cannot be rendered "), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("error[agent_refuses]: codex does not start here"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("\n  --> .codex/config.toml:1:") && !ran.stderr.contains("/repository"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
}
