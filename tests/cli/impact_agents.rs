//! `diff --all` for agents on real git repositories: the effect of a change in every folder with instructions.

use std::path::Path;

use crate::repo::{Repo, git_is_there};
use crate::support::{Ran, Test};

/// 35 bytes; with `API` below it, 74.
const ROOT: &str = "Use tabs.\nRun the tests each time.\n";
/// 39 bytes.
const API: &str = "Version the API.\nCheck the input twice.\n";

/// At `v1`, codex sends everything. At `v2`, the file at the top takes the room of the last line of `api`. The project
/// names three agents.
fn history(folder: &Path) {
    let repo = Repo::init(&folder.join("project"));
    repo.write("AGENTS.md", ROOT)
        .write("api/AGENTS.md", API)
        .write("web/index.js", "")
        .write("CLAUDE.md", "@AGENTS.md");
    repo.write(".sf/rye-render.yaml", "agents: [codex, claude-code, pi]\n").commit("one").tag("v1");
    repo.write("AGENTS.md", format!("{ROOT}Ask first.\n")).commit("two").tag("v2");
}

fn asked<const N: usize>(arguments: [&str; N]) -> Test {
    let budget = format!("project_doc_max_bytes = {}\n", ROOT.len() + API.len());
    let test = Test::plain().with(history).file("home/.codex/config.toml", &budget);
    test.args(["diff", "--all"]).args(arguments)
}

/// None if git is missing.
fn compare<const N: usize>(arguments: [&str; N], status: i32) -> Option<Ran> {
    git_is_there().then(|| asked(arguments).status(status).any_stdout().any_stderr().run())
}

#[test]
fn each_agent_of_the_project_gets_a_line() {
    let Some(ran) = compare(["--rev", "v1..v2"], 1) else { return };
    let head: Vec<&str> = ran.stdout.lines().take(6).collect();
    assert!(head[0].starts_with("5 of 6 prompts changed"), "{}", ran.stdout);
    assert_eq!(head[1], "  v1 → v2");
    // Of `api`, claude-code sends no file of the folder above that nobody approved.
    assert!(head[2].starts_with("  claude-code: +") && head[2].ends_with(" tokens in 1 folder"), "{}", ran.stdout);
    assert!(head[3].starts_with("  codex: +") && head[3].contains("in 2 folders; 1 line of"), "{}", ran.stdout);
    assert!(ran.stdout.contains("api/AGENTS.md is lost: it is cut"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n━━ AGENTS.md ━"), "{}", ran.stdout);
}

#[test]
fn lost_lines_are_a_gate() {
    let Some(ran) = compare(["--rev", "v1..v2", "--max-lost", "0"], 1) else { return };
    assert!(ran.stderr.starts_with("warning[text_lost]: `codex api`: 1 line of `api/AGENTS.md` is lost: it is cut"));
    assert_eq!(compare(["--rev", "v1..v2", "--max-lost", "1"], 0).unwrap().stderr, "");
    // What comes back is not lost.
    assert_eq!(compare(["--rev", "v2..v1", "--max-lost", "0"], 0).unwrap().stderr, "");
    let json = compare(["--rev", "v1..v2", "--format", "json"], 1).unwrap().json();
    let changed = json["changed"].as_array().unwrap();
    let lost: Vec<_> = changed.iter().filter(|it| it["lost"] != serde_json::json!([])).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!((&lost[0]["id"], &lost[0]["agent"]), (&"codex api".into(), &"codex".into()));
    assert_eq!(lost[0]["lost"], serde_json::json!([{"path": "api/AGENTS.md", "lines": 1, "why": null}]));
    assert_eq!(json["causes"][0]["what"]["path"], "AGENTS.md");
}

#[test]
fn two_releases_or_two_agents_are_compared_in_every_folder() {
    let Some(ran) = compare(["--left-agent", "pi", "--right-agent", "codex", "--format", "name-only"], 1) else {
        return;
    };
    assert_eq!(ran.stdout, "pi → codex .\npi → codex api\n");
    let same = compare(["--left-agent", "codex@0.166.0", "--right-agent", "codex@0.166.0", "--format", "name-only"], 0);
    assert_eq!(same.unwrap().stdout, "");
    let refused = compare(["--left-agent", "pi,codex", "--right-agent", "codex"], 2).unwrap();
    assert!(refused.stderr.contains("the sides name different numbers of agents"));
    let releases = ["--agent", "codex@0.166.0,codex", "--rev", "v1..v2", "--format", "name-only"];
    assert_eq!(compare(releases, 1).unwrap().stdout, "codex .\ncodex api\ncodex@0.166.0 .\ncodex@0.166.0 api\n");
    let several = compare(["--agent", "pi,codex", "--rev", "v1..v2", "--format", "name-only"], 1).unwrap();
    assert_eq!(several.stdout, "codex .\ncodex api\npi .\npi api\n");
}

#[test]
fn a_folder_of_one_side_only_is_a_new_prompt() {
    if !git_is_there() {
        return;
    }
    let test = asked(["--agent", "codex", "--rev", "v1", "--max-lost", "0"]);
    let test = test.file("project/web/new/AGENTS.md", "New.\n").file("project/api/AGENTS.override.md", "Of the API.\n");
    let ran = test.status(1).any_stdout().any_stderr().run();
    assert!(ran.stdout.contains("  codex web/new  added"), "{}", ran.stdout);
    assert!(ran.stderr.contains("2 lines of `api/AGENTS.md` are lost: another file takes its place"), "{}", ran.stderr);
}

#[test]
fn only_text_that_an_agent_sent_or_has_no_room_for_is_lost() {
    let Some(ran) = compare(["--agent", "codex@9.9.9", "--rev", "v2..v2"], 0) else { return };
    assert!(ran.stderr.contains("9.9.9") && ran.stderr.contains("0.169.0"), "{}", ran.stderr);
    // A renamed file that was shadowed before.
    let moved = asked(["--agent", "claude-code", "--max-lost", "0"]).with(|folder| {
        Repo::at(&folder.join("project")).git(&["mv", "api", "moved"]);
    });
    assert_eq!(moved.status(0).any_stdout().any_stderr().run().stderr, "");
    let same = compare(["--left-agent", "codex@0.166.0", "--right-agent", "codex@0.169.0"], 0).unwrap();
    assert!(same.stdout.starts_with("None of 2 prompts changed"), "{}", same.stdout);
}

#[test]
fn a_list_belongs_to_the_files_in_it() {
    if !git_is_there() {
        return;
    }
    let skill = |text: &str| format!("---\nname: ship\ndescription: {text}\n---\n");
    let test = asked(["--agent", "codex", "--format", "json"]).with(|folder| {
        let repo = Repo::at(&folder.join("project"));
        repo.write(".agents/skills/ship/SKILL.md", skill("Ships.")).commit("three");
        repo.write(".agents/skills/ship/SKILL.md", skill("Ships on a Monday.")).write("api/AGENTS.md", "Ask.\n");
    });
    let json = test.status(1).any_stdout().run().json();
    let causes = json["causes"].as_array().unwrap();
    let of = |path: &str| causes.iter().find(|cause| cause["what"]["path"] == path).unwrap()["prompts"].clone();
    let ids = |path: &str| of(path).as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids("api/AGENTS.md"), ["codex api"]);
    assert_eq!(ids(".agents/skills/ship/SKILL.md"), ["codex .", "codex api"]);
}

#[test]
fn settings_that_exclude_a_file_are_the_cause() {
    if !git_is_there() {
        return;
    }
    let test = asked(["--agent", "claude-code", "--format", "json"]).with(|folder| {
        let repo = Repo::at(&folder.join("project"));
        repo.write(".claude/settings.json", "{}").commit("three");
        repo.write(".claude/settings.json", "{\"claudeMdExcludes\": [\"**/CLAUDE.md\"]}");
    });
    let causes = test.status(1).any_stdout().run().json()["causes"].clone();
    assert_eq!((causes.as_array().unwrap().len(), &causes[0]["what"]["path"]), (1, &".claude/settings.json".into()));
}

#[test]
fn names_that_only_settings_know_count() {
    if !git_is_there() {
        return;
    }
    let settings = "project_doc_fallback_filenames = [\"TEAM.md\"]\n";
    let test = asked(["--agent", "codex", "--format", "name-only"]).file("home/.codex/config.toml", settings);
    let ran = test.file("project/web/TEAM.md", "Of the site.\n").status(1).any_stdout().run();
    assert_eq!(ran.stdout, "codex web\n");
}

#[test]
fn lost_lines_need_agents() {
    let test = Test::new().args(["diff", "--all", "--project", ".", "--max-lost", "0"]).status(2).any_stderr();
    assert!(test.run().stderr.contains("--max-lost is for the prompts of agents"));
}

#[cfg(unix)]
#[test]
fn links_at_a_revision_are_as_on_disk() {
    if !git_is_there() {
        return;
    }
    let test = asked(["--agent", "claude-code,opencode,pi", "--rev", "HEAD"]).with(|folder| {
        let repo = Repo::at(&folder.join("project"));
        repo.write("shared/rules/a.md", "Of a rule.\n").link(".claude/rules", "../shared/rules");
        // The heading of a rule names its real path.
        repo.link("api/CLAUDE.md", "../AGENTS.md").write("api/.claude/rules/b.md", "@../../../AGENTS.md\n");
        repo.link("linked", "api").commit("three");
    });
    let ran = test.any_stdout().any_stderr().run();
    assert!(ran.stdout.starts_with("None of "), "{}", ran.stdout);
}

#[test]
fn a_new_prompt_belongs_to_its_new_file() {
    let history = |folder: &Path| {
        let repo = Repo::init(&folder.join("project"));
        repo.write("AGENTS.md", ROOT).commit("one");
        repo.write("AGENTS.md", format!("{ROOT}Ask first.\n")).write("web/AGENTS.md", API);
    };
    if !git_is_there() {
        return;
    }
    let test = Test::plain().with(history).args(["diff", "--all", "--agent", "codex", "--format", "json"]);
    let json = test.status(1).any_stdout().any_stderr().run().json();
    let causes = json["causes"].as_array().unwrap().iter();
    let ids = causes.map(|cause| {
        let prompts = cause["prompts"].as_array().unwrap().iter().map(|prompt| prompt["id"].as_str().unwrap());
        (cause["what"]["path"].as_str().unwrap(), prompts.collect::<Vec<_>>())
    });
    let ids: Vec<_> = ids.collect();
    assert_eq!(ids, [("AGENTS.md", vec!["codex ."]), ("web/AGENTS.md", vec!["codex web"])]);
}
