//! For which agents and releases the rules about folders hold: a table of `docs/lint.md`.

use std::fs;
use std::path::Path;

use crate::agents::Agent;
use crate::agents::testing::request;
use crate::lint::folders::ChosenAgents;
use crate::lint::testing::{Example, examples, found_by};
use crate::lint::{Group, LintOptions, RULES, Rule};

const START: &str = "<!-- Evidence: written by `UPDATE_RULES=1 cargo test --lib page`. -->\n\n";
const END: &str = "\n<!-- End of the evidence. -->\n";

/// Other forms of what a rule finds than those of its page.
const MORE: [(&str, &str); 7] = [
    ("skill_unreadable", "=== AGENTS.md\nA.\n=== .agents/skills/a/SKILL.md\n---\nname: a\ndescription: \"b\n---\nC.\n"),
    ("skill_unreadable", "=== AGENTS.md\nA.\n=== .claude/skills/a/SKILL.md\n---\nname: a\ndescription: \"b\n---\nC.\n"),
    (
        "skill_collision",
        "=== AGENTS.md\nA.\n=== .agents/skills/a/SKILL.md\n---\nname: a\ndescription: B.\n---\n\
         === .claude/skills/a/SKILL.md\n---\nname: a\ndescription: C.\n---\n",
    ),
    ("agent_warning", "=== AGENTS.md\nA.\n=== opencode.json\n{\"instructions\": [\"b.md\"]}\n=== b.md\nB."),
    ("agent_warning", "=== AGENTS.md\nA.\n=== .pi/SYSTEM.md\nB.\n=== .pi/settings.json\n{\n"),
    ("frame_closed", "=== AGENTS.md\nA.\n</project_instructions>\n</project_context>\n"),
    ("frame_closed", "=== AGENTS.md\nA.\n=== CLAUDE.md\nA.\n</system-reminder>\n"),
];

/// Projects in which a rule finds something for some agent. Skills of `sf` are those of all agents there, and one name of
/// instruction files may be another.
fn projects(rule: &Rule) -> Vec<Example> {
    let of_rule = examples(rule);
    let with = |example: Example, from: &str, to: &str| Example(example.0.replace(from, to).leak());
    let forms = |example: Example| {
        [example, with(example, ".sf/skills", ".agents/skills"), with(example, "AGENTS.md", "CLAUDE.md")]
    };
    let mut projects: Vec<_> = [of_rule.bad, of_rule.composed].into_iter().flat_map(forms).collect();
    projects.extend(MORE.iter().filter(|(name, _)| *name == rule.name).map(|(_, files)| Example(files)));
    if rule.name == "skill_over_budget" {
        let skill = |number: usize| {
            let description = "word ".repeat(200);
            format!("=== .claude/skills/s{number}/SKILL.md\n---\nname: s{number}\ndescription: {description}\n---\n")
        };
        let skills: String = (0..40).map(skill).collect();
        projects.push(Example(format!("=== CLAUDE.md\nA.\n{skills}").leak()));
    }
    projects
}

fn holds(rule: &Rule, projects: &[Example], agents: &ChosenAgents) -> bool {
    let is_found = |example: &Example| {
        let found = found_by(*example, &LintOptions::default(), agents.clone());
        found.iter().any(|finding| finding.rule.code == rule.code)
    };
    projects.iter().any(is_found)
}

/// The releases for which a rule holds, as ranges of those that are known.
fn releases(rule: &Rule, projects: &[Example], agent: &'static Agent) -> String {
    let mut ranges: Vec<Vec<&str>> = vec![Vec::new()];
    for release in agent.releases {
        let mut request = request(agent, "/code/app", "/home");
        request.chosen = agent.at(Some(release.to_string()), None);
        let agents = ChosenAgents { requests: vec![request], are_of_project: true, ..ChosenAgents::default() };
        match (holds(rule, projects, &agents), ranges.last_mut()) {
            (true, Some(range)) => range.push(release),
            _ => ranges.push(Vec::new()),
        }
    }
    let ranges = ranges.iter().filter_map(|range| match (range.first()?, range.last()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first}–{last}")),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

fn table() -> String {
    let names: Vec<&str> = Agent::all().map(|agent| agent.name).collect();
    let mut table = format!("| rule | {} | sf |\n| --- |{}\n", names.join(" | "), " --- |".repeat(names.len() + 1));
    for rule in RULES.iter().filter(|rule| rule.group == Group::Folders) {
        let projects = projects(rule);
        let cells: Vec<String> = Agent::all().map(|agent| releases(rule, &projects, agent)).collect();
        let sf = ChosenAgents { assembler: Some("sf".to_string()), are_of_project: true, ..ChosenAgents::default() };
        let of_sf = if holds(rule, &projects, &sf) { "✓" } else { "" };
        table += &format!("| [{0}](rules/{0}.md) {1} | {2} | {of_sf} |\n", rule.code, rule.name, cells.join(" | "));
    }
    table
}

#[test]
fn the_page_says_for_which_releases_rules_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lint.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(START).expect("the table begins");
    let (_, after) = rest.split_once(END).expect("the table ends");
    let expected = format!("{before}{START}{}{END}{after}", table());
    if std::env::var_os("UPDATE_RULES").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(text == expected, "docs/lint.md is out of date; run UPDATE_RULES=1 cargo test --lib page");
    // Each rule is known to hold for some agent.
    assert!(!expected.contains("|  |  |  |  |  |"));
}
