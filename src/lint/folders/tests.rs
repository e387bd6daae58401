mod noise;

use std::collections::HashSet;
use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::agents::testing::tree;
use crate::diagnostic::{Diagnostic, Location};
use crate::lint::fix::fix;
use crate::lint::testing::Example;
use crate::lint::{LintOptions, check, testing};
use crate::read::protocol::Protocols;
use crate::read::store::{PathKind, ReadError, StoreEntry};

/// The findings, each as `CODE PATH:LINE`.
fn found(files: &str) -> Vec<String> {
    let findings = testing::found(Example(files.to_string().leak()), &LintOptions::default());
    let line = |at: &Location| match at {
        Location::Span(span) => span.line(),
        Location::File { position, .. } => position.map_or(0, |at| at.line),
    };
    findings.iter().map(|it| format!("{} {}:{}", it.rule.code, it.path(), line(&it.at))).collect()
}

fn skill(path: &str, name: &str) -> String {
    format!("=== {path}\n---\nname: {name}\ndescription: It is {name}.\n---\n")
}

#[test]
fn skills_that_meet_in_a_folder_are_compared_once() {
    let [root, a, b] = ["", "a/", "a/b/"].map(|folder| skill(&format!("{folder}.agents/skills/x/SKILL.md"), "x"));
    // Agents in the deepest folder find its skill first, so both others are left out there.
    let all = [root.as_str(), a.as_str(), b.as_str()].concat();
    assert_eq!(found(&all), ["RR709 .agents/skills/x/SKILL.md:2", "RR709 a/.agents/skills/x/SKILL.md:2"]);
    // A loser in a folder above is used elsewhere; one in the same folder never is.
    let messages_of = |files: &str| {
        let findings = testing::found(Example(files.to_string().leak()), &LintOptions::default());
        findings.iter().find(|it| it.rule.code == "RR709").map(|it| it.message.clone()).unwrap_or_default()
    };
    let winner = "because a/.agents/skills/x/SKILL.md has the same name, `x`";
    assert_eq!(
        messages_of(&(root.clone() + &a)),
        format!("the skill is left out in a and below it, {winner} (for pi and sf)")
    );
    let loser = skill("a/.agents/skills/y/SKILL.md", "x");
    assert_eq!(messages_of(&(a.clone() + &loser)), format!("the skill is left out, {winner} (for pi and sf)"));
    // No agent finds both of these.
    let apart = skill("c/.agents/skills/x/SKILL.md", "x") + &a;
    assert_eq!(found(&apart), [""; 0]);
    // `.sf/skills` only applies to its own folder.
    let own = skill(".sf/skills/x/SKILL.md", "x");
    assert_eq!(found(&(own.clone() + &a)), [""; 0]);
    assert_eq!(found(&(own + &root)), ["RR709 .agents/skills/x/SKILL.md:2"]);
    // A file does not collide with itself.
    let linked = root + "=== a/.agents/skills -> ../../.agents/skills\n";
    assert_eq!(found(&linked), [""; 0]);
}

/// The findings, each as `CODE PATH: AGENTS`.
fn agents_of(files: &str) -> Vec<String> {
    let findings = testing::found(Example(files.to_string().leak()), &LintOptions::default());
    findings.iter().map(|it| format!("{} {}: {}", it.rule.code, it.path(), it.agents.join(" "))).collect()
}

#[test]
fn a_finding_is_made_for_the_agents_that_it_holds_for() {
    let of_skill = |front: &str| agents_of(&format!("=== .agents/skills/x/SKILL.md\n---\n{front}\n---\n"));
    let path = ".agents/skills/x/SKILL.md";
    assert_eq!(of_skill("name: y\ndescription: x"), [format!("RR701 {path}: sf")]);
    assert_eq!(of_skill("name: x"), [format!("RR706 {path}: pi codex opencode sf")]);
    // opencode does not use a skill without a name.
    assert_eq!(of_skill("description: x"), [format!("RR708 {path}: opencode")]);
    let long = format!("name: {}\ndescription: x", "x".repeat(65));
    assert_eq!(of_skill(&long)[1..], [format!("RR702 {path}: pi codex sf")]);
    assert_eq!(agents_of("=== .agents/skills/X/SKILL.md\n---\nname: X\ndescription: x\n---\n").len(), 1);
}

#[test]
fn guidelines_are_compared_in_files_that_one_agent_reads_together() {
    let lines = |one: &str, other: &str| {
        agents_of(&format!(
            "=== {one}\n- Run the tests before you commit.\n=== {other}\n- Run the tests before you commit.\n"
        ))
    };
    assert_eq!(lines("AGENTS.md", "a/AGENTS.md"), ["RR712 a/AGENTS.md: pi codex claude-code opencode sf"]);
    // Codex reads no CLAUDE.md, and the other two only one of the names.
    assert_eq!(lines("AGENTS.md", "a/CLAUDE.md"), ["RR712 a/CLAUDE.md: pi sf"]);
    assert_eq!(lines("a/AGENTS.md", "b/AGENTS.md"), [""; 0]);
    let settings = "=== .sf/rye-render.yaml\nagents: [codex]\n";
    let files = "=== AGENTS.md\n- Use tabs here.\n=== a/CLAUDE.md\n- Do not use tabs here.\n";
    assert_eq!(agents_of(&format!("{settings}{files}")), ["RR722 a/CLAUDE.md: "]);
}

#[test]
fn files_of_tools_that_are_no_agents_of_the_project_are_reported_once_for_each_place() {
    let of = |agents: &str, files: &str| found(&format!("=== .sf/rye-render.yaml\nagents: [{agents}]\n{files}"));
    let own = "=== AGENTS.md\nUse tabs.\n";
    for path in [
        "CLAUDE.local.md",
        ".claude/rules/a/b.md",
        "GEMINI.md",
        ".cursorrules",
        "a/.cursor/rules/b.mdc",
        ".github/copilot-instructions.md",
        ".github/instructions/a.instructions.md",
        ".windsurfrules",
        ".windsurf/rules/a.md",
        ".clinerules",
        ".clinerules/a.md",
    ] {
        let with = |more: &str, text: &str| format!("{own}{more}=== {path}\n{text}\n");
        assert_eq!(of("codex", &with("", "Be kind.")), [format!("RR722 {path}:1")]);
        let root = "../".repeat(path.matches('/').count());
        for text in ["", "Use tabs.", &format!("@{root}AGENTS.md")] {
            assert_eq!(of("codex", &with("", text)), [""; 0], "{path}: {text}");
        }
        assert_eq!(found(&with("", "Be kind.")).iter().find(|it| it.starts_with("RR722")), None, "{path}");
        let named = format!("=== a/AGENTS.md\nRead {path}.\n");
        assert_eq!(of("codex", &with(&named, "Be kind.")), [""; 0], "{path}");
        let settings = format!("=== opencode.json\n{{\"instructions\": [\"{path}\"]}}\n");
        assert_eq!(of("opencode", &with(&settings, "Be kind.")), [""; 0], "{path}");
    }
    let rules = "=== .claude/rules/a.md\nBe kind.\n=== .claude/rules/b/c.md\nBe quick.\n";
    let settings = "=== .sf/rye-render.yaml\nagents: [codex]\n";
    let findings = testing::found(Example(format!("{settings}{own}{rules}").leak()), &LintOptions::default());
    let said: Vec<_> = findings.iter().map(|it| (it.path(), it.message.as_str())).collect();
    assert_eq!(said, [(".claude/rules/a.md", "none of the project's agents reads the 2 files of `.claude/rules/`")]);
    let allowed = "=== GEMINI.md\n<!-- rye-render: allow RR722 another team uses it -->\nBe kind.\n";
    assert_eq!(of("codex", allowed), [""; 0]);
    for (agents, files) in [
        ("claude-code", rules),
        ("codex, claude-code", "=== a/.claude/rules/b.md\nBe kind.\n"),
        ("claude-code", "=== CLAUDE.md\n@GEMINI.md\n=== GEMINI.md\nBe kind.\n"),
        ("codex", "=== a/AGENTS.md\nBe kind.\n=== a/GEMINI.md -> AGENTS.md\n"),
        ("codex", "=== a/AGENTS.md -> GEMINI.md\n=== a/GEMINI.md\nBe kind.\n"),
        ("codex", "=== GEMINI.md.txt\nBe kind.\n=== MY-GEMINI.md\nBe kind.\n=== .cursor/rules/a.txt\nBe kind.\n"),
    ] {
        assert_eq!(of(agents, files), [""; 0], "{agents}: {files}");
    }
}

#[test]
fn two_files_that_hide_each_other_are_one_finding() {
    let files = "=== AGENTS.md\nUse tabs.\n=== CLAUDE.md\nUse spaces.\n";
    assert_eq!(agents_of(files), ["RR713 CLAUDE.md: pi opencode sf"]);
    let of = |agent: &str, files: &str| agents_of(&format!("=== .sf/rye-render.yaml\nagents: [{agent}]\n{files}"));
    assert_eq!(of("claude-code", files), ["RR713 AGENTS.md: claude-code"]);
    assert_eq!(of("pi", files), ["RR713 CLAUDE.md: pi"]);
    // A CLAUDE.md turns off every AGENTS.md below it; that is one finding.
    let below =
        "=== CLAUDE.md\n@AGENTS.md\n=== AGENTS.md\nUse tabs.\n=== a/AGENTS.md\nBe quick.\n=== b/AGENTS.md\nBe kind.\n";
    let findings = testing::found(Example(below), &LintOptions::default());
    let said: Vec<_> = findings.iter().map(|it| (it.path(), it.message.as_str())).collect();
    let message = "this file and one other are not read, because CLAUDE.md takes their place (for claude-code)";
    assert_eq!(said, [("a/AGENTS.md", message)]);
    // What people plainly mean.
    for meant in [
        "=== AGENTS.md\nUse tabs.\n=== CLAUDE.md\n@AGENTS.md\nUse the skill.\n",
        "=== AGENTS.md\nUse tabs.\n=== .claude/CLAUDE.md\n@../AGENTS.md\nUse the skill.\n",
        "=== AGENTS.md\nUse tabs.\n=== AGENTS.override.md\nUse spaces.\n",
        "=== a/AGENTS.md\nUse tabs.\n=== a/CLAUDE.md -> AGENTS.md\n",
        "=== AGENTS.md\nUse tabs.\n=== CONTEXT.md\nWhat the words mean.\n",
    ] {
        assert_eq!(agents_of(meant), [""; 0], "{meant}");
    }
}

/// Two links to one folder are one folder of skills.
#[test]
fn linked_skills_are_reported_once() {
    let wrong = "=== shared/x/SKILL.md\n---\nname: y\ndescription: x\n---\n";
    let links = "=== a/.agents/skills -> ../../shared\n=== b/.agents/skills -> ../../shared\n";
    assert_eq!(found(&format!("{wrong}{links}")), ["RR701 a/.agents/skills/x/SKILL.md:2"]);
    let own = "=== b/.agents/skills/x/SKILL.md\n---\nname: y\ndescription: x\n---\n";
    let link = "=== a/.agents/skills -> ../../b/.agents/skills\n";
    assert_eq!(found(&format!("{own}{link}")), ["RR701 b/.agents/skills/x/SKILL.md:2"]);
}

/// Records the lookups for parent folders.
struct LookupLog {
    files: Arc<dyn Store>,
    real: Mutex<Vec<String>>,
    tops: Mutex<Vec<String>>,
}

impl Store for LookupLog {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.files.read(path, limit)
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        if path.ends_with("/.git") {
            self.tops.lock().unwrap().push(path.to_string());
        }
        self.files.kind(path)
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        self.files.list(folder)
    }

    fn real(&self, path: &str) -> String {
        self.real.lock().unwrap().push(path.to_string());
        self.files.real(path)
    }

    fn is_link(&self, path: &str) -> bool {
        self.files.is_link(path)
    }
}

#[test]
fn shared_parents_are_looked_up_once() {
    let folder = |depth: usize| "a/".repeat(depth);
    let of = |depth| ["x", "y"].map(|name| skill(&format!("{}.agents/skills/{name}/SKILL.md", folder(depth)), name));
    let example = Example((0..12).flat_map(of).collect::<String>().leak());
    let mut around = testing::around(example).unwrap();
    let log = Arc::new(LookupLog { files: around.files, real: Mutex::default(), tops: Mutex::default() });
    around.files = Arc::clone(&log) as Arc<dyn Store>;
    around.agents = ChosenAgents { assembler: Some("sf".to_string()), ..ChosenAgents::default() };
    let (tiers, options) = (testing::tiers(example), LintOptions::default());
    let protocol = Protocols::default().get("rye-3").unwrap();
    let project = read(&tiers, &protocol, &options, &around, &[]);
    // In each folder but the deepest, both skills are left out for some agent.
    assert_eq!(project.files.iter().map(|file| file.diagnostics.len()).sum::<usize>(), 22);
    let real = log.real.lock().unwrap();
    assert!(real.iter().all(|path| path == "/code/app") && real.len() < 5, "{real:?}");
    // One lookup for each of the 12 folders, for `/code` and for the root.
    let tops = log.tops.lock().unwrap();
    assert_eq!(tops.iter().collect::<HashSet<_>>().len(), 14);
    assert_eq!(tops.len(), 14);
}

#[test]
fn rules_about_any_text_check_agent_files() {
    let key = "AKIAODZDOCIS2JHTLGMX";
    for path in ["AGENTS.md", "a/CLAUDE.md", "a/.sf/SYSTEM.md", ".sf/APPEND_SYSTEM.md", ".agents/skills/x/SKILL.md"] {
        let head = if path.ends_with("SKILL.md") { "---\nname: x\ndescription: x\n---\n" } else { "x\n\n\n\n" };
        let text = format!("=== {path}\n{head}A\u{200b}b\n\u{202e}c\n\u{1b}[1m\u{e0041}\n{key}\n");
        let expected = [("RR611", 5), ("RR612", 6), ("RR614", 7), ("RR613", 7), ("RR616", 8)];
        let mut expected = expected.map(|(code, line)| format!("{code} {path}:{line}"));
        let mut said = found(&text);
        said.sort();
        expected.sort();
        assert_eq!(said, expected);
        // Some agents leave out a skill that is not UTF-8.
        let lost = path.ends_with("SKILL.md").then(|| format!("RR708 {path}:5"));
        let said: Vec<String> = [format!("RR003 {path}:5")].into_iter().chain(lost).collect();
        assert_eq!(found(&format!("=== {path} (Latin-1)\n{head}\u{e9}\n")), said);
    }
    let marked = "=== .sf/skills/x/SKILL.md\n\u{feff}---\nname: x\ndescription: x\n---\n";
    let path = ".sf/skills/x/SKILL.md:1";
    assert_eq!(found(marked), [format!("RR706 {path}"), format!("RR021 {path}")]);
}

#[test]
fn only_the_first_of_many_lines_are_reported() {
    let lines = "- Never use tabs in this project.\n".repeat(300);
    let said = found(&format!("=== AGENTS.md\n- Use tabs in this project.\n=== a/AGENTS.md\n{lines}"));
    let of = |code: &str| said.iter().filter(|it| it.starts_with(code)).count();
    assert_eq!((of("RR714"), of("RR712")), (200, 200));
    let findings = testing::found(Example(format!("=== AGENTS.md\n{lines}").leak()), &LintOptions::default());
    let last =
        "this guideline is already in this file; 99 more in this file (for pi, codex, claude-code, opencode and sf)";
    assert_eq!(findings.last().map(|it| it.message.as_str()), Some(last));
}

/// The rules about directives do not apply to folders.
#[test]
fn directives_are_not_checked() {
    let directive = "=== .ai/directives/x.md\nNo block.\n=== AGENTS.md\nx\n";
    assert_eq!(found(directive), [""; 0]);
}

#[test]
fn crlf_does_not_shift_lines() {
    let text = "=== .sf/skills/x/SKILL.md\n---\r\nname: y\r\ndescription: x\r\n---\r\n";
    assert_eq!(found(text), ["RR701 .sf/skills/x/SKILL.md:2"]);
}

/// The findings of an example with changed surroundings, each as `CODE PATH: MESSAGE`.
fn found_around(files: &str, change: impl FnOnce(&mut AgentFolder)) -> Vec<String> {
    let example = Example(files.to_string().leak());
    let mut around = testing::around(example).unwrap();
    change(&mut around);
    let (tiers, options) = (testing::tiers(example), LintOptions::default());
    let protocol = Protocols::default().get("rye-3").unwrap();
    let findings = check(&read(&tiers, &protocol, &options, &around, &[]));
    findings.iter().map(|it| format!("{} {}: {}", it.rule.code, it.path(), it.message)).collect()
}

/// The patterns of a rule are compared with real paths.
#[test]
fn a_link_to_the_root_changes_no_finding() {
    let rule = "---\npaths: src/**\n---\nUse tabs.\n";
    let files = format!("=== AGENTS.md\nBe quick.\n=== .claude/rules/tabs.md\n{rule}=== src/a.ts\nexport {{}};\n");
    let linked = tree(&[
        ("/code/app/AGENTS.md", "Be quick.\n"),
        ("/code/app/.claude/rules/tabs.md", rule),
        ("/code/app/src/a.ts", "export {};\n"),
        ("/link", "->/code/app"),
    ]);
    let said = found_around(&files, |around| {
        around.files = Arc::new(linked);
        around.root = "/link".to_string();
    });
    assert_eq!(said, [""; 0]);
}

#[test]
fn a_recording_is_not_part_of_the_project() {
    let files = "=== .sf/rye-render.yaml\nagents: [codex]\n=== AGENTS.md\nUse tabs.\n";
    let problem = Problem::RecordingUnreadable { reason: "it is empty".to_string() };
    let said = found_around(files, |around| around.agents.requests[0].notes.push(Diagnostic::new(problem)));
    assert_eq!(said, [""; 0]);
}

/// The budget of Codex is 32 KiB.
#[test]
fn a_comment_in_code_is_not_the_heading_behind_a_cut() {
    let heading = |before: &str, behind: &str| {
        let text = format!("{before}{}\n{behind}", "x".repeat(32_768));
        let files = format!("=== .sf/rye-render.yaml\nagents: [codex]\n=== AGENTS.md\n{text}");
        let findings = testing::found(Example(files.leak()), &LintOptions::default());
        let cut = findings.into_iter().find(|it| it.rule.code == "RR716").unwrap();
        cut.related.iter().map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    let expected = ["the first heading behind it, `Tests`"];
    assert_eq!(heading("", "```sh\n# not this\n```\n# Tests\n"), expected);
    assert_eq!(heading("```sh\n", "# not this\n```\n# Tests\n"), expected);
    assert_eq!(heading("", "# Tests\n"), expected);
}

#[test]
fn a_message_that_names_the_agent_does_not_name_it_again() {
    let files = "=== .sf/rye-render.yaml\nagents: [pi]\n=== AGENTS.md\nUse tabs.\n";
    let said = |problem: Problem| {
        let said = found_around(files, |around| around.agents.requests[0].notes.push(Diagnostic::new(problem)));
        said.into_iter().next().unwrap_or_default()
    };
    let pitfall = said(Problem::AgentPitfall { agent: "pi", does: "reads nothing".to_string(), help: "write" });
    assert!(pitfall.ends_with(" reads nothing"), "{pitfall}");
    let unreadable = said(Problem::AgentRulesUnreadable { agent: "pi" });
    assert!(unreadable.ends_with(" no rule counts"), "{unreadable}");
    // A word may begin like the name.
    let other = said(Problem::AgentSettingsUnreadable { reason: "pipes".to_string() });
    assert!(other.ends_with(": pipes"), "{other}");
}

#[test]
fn many_instruction_files_in_a_folder_are_compared_quickly() {
    let names: Vec<String> = (0..300).map(|index| format!("N{index}.md")).collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let settings = format!("project_doc_fallback_filenames = [{}]\n", quoted.join(", "));
    let mut files =
        format!("=== .sf/rye-render.yaml\nagents: [codex]\n=== AGENTS.md\nx\n=== user:.codex/config.toml\n{settings}");
    for name in &names {
        files += &format!("=== {name}\n{}\n", "a b c d ".repeat(2048));
    }
    let start = std::time::Instant::now();
    assert!(!found(&files).is_empty());
    assert!(start.elapsed().as_secs() < 20);
}

proptest! {
    /// A fix removes only byte order marks; every other byte stays.
    #[test]
    fn a_fix_removes_only_byte_order_marks(
        text in "\u{feff}{0,2}([a-z \u{feff}\u{200b}é]|\r\n|\n|\r|- ){0,40}",
        other in "([a-z \u{200b}]|\r\n|\n){0,20}",
    ) {
        let example = Example(format!("=== AGENTS.md\n{text}\n=== a/AGENTS.md\n{other}\n").leak());
        let tiers = testing::tiers(example);
        let around = testing::around(example).unwrap();
        let protocol = Protocols::default().get("rye-3").unwrap();
        let options = LintOptions::default();
        let fixed = fix(&tiers, &|tiers, take| {
            let project = read(tiers, &protocol, &options, &around, &[]);
            let found = check(&project);
            take(&project, found);
        }, false);
        let after: Vec<(String, String)> =
            fixed.changes.files().map(|(path, bytes)| (path.clone(), String::from_utf8(bytes.clone()).unwrap())).collect();
        let rest = text.trim_start_matches('\u{feff}');
        if rest.len() == text.len() {
            prop_assert_eq!(after, []);
        } else {
            prop_assert_eq!(after, [("AGENTS.md".to_string(), format!("{rest}\n"))]);
        }
    }
}
