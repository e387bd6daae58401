//! What real instruction files made the rules report too often, or in words that do not fit.

use crate::lint::LintOptions;
use crate::lint::testing::{self, Example};

/// The messages of a rule, each behind its path.
fn messages(rule: &str, files: &str) -> Vec<String> {
    let findings = testing::found(Example(files.to_string().leak()), &LintOptions::default());
    let of_rule = findings.iter().filter(|it| it.rule.code == rule);
    of_rule.map(|it| format!("{}: {}", it.path(), it.message)).collect()
}

const CLAUDE_CODE: &str = "=== .sf/rye-render.yaml\nagents: [claude-code]\n";

fn long(words: usize) -> String {
    "word ".repeat(words) + "\n"
}

#[test]
fn a_long_file_is_reported_once_and_for_its_folder() {
    let of = |files: &str| messages("RR711", files).into_iter().map(|it| it.replace("; the limit is ", "/"));
    let of = |files: &str| of(files).map(|it| it.split(" (for").next().unwrap().to_string()).collect::<Vec<_>>();
    let alone = of(&format!("=== AGENTS.md\n{}", long(12_000)));
    assert_eq!(alone.len(), 1, "{alone:?}");
    assert!(alone[0].contains(" tokens to every prompt/2,000"), "{alone:?}");
    let copy = of(&format!("=== AGENTS.md\n{0}=== CLAUDE.md\n{0}", long(12_000)));
    assert_eq!(copy, alone);
    let below = of(&format!("=== AGENTS.md\nUse tabs.\n=== a/b/AGENTS.md\n{}", long(12_000)));
    assert!(below.iter().all(|it| it.contains(" tokens to every prompt in a/b/")), "{below:?}");
    // Alone and with the file above, and what codex keeps of both.
    assert_eq!(below.len(), 3, "{below:?}");
}

#[test]
fn what_a_skill_brings_along_is_not_an_instruction_file() {
    let text = format!("Use tabs in every file.\n\nUse tabs in every file.\n{}", long(3_000));
    for folder in [".claude/skills/x", "a/.opencode/skill/x/y"] {
        let files = format!("=== CLAUDE.md\nBe quick.\n=== {folder}/AGENTS.md\n{text}");
        assert_eq!([messages("RR711", &files), messages("RR712", &files)], [[""; 0], [""; 0]]);
    }
    assert_eq!(messages("RR711", &format!("=== skills/x/AGENTS.md\n{text}")).len(), 1);
}

#[test]
fn options_with_the_same_meaning_are_not_repeated_guidelines() {
    let twice = |line: &str| messages("RR712", &format!("=== AGENTS.md\n# A\n\n- {line}\n\n# B\n\n- {line}\n")).len();
    for line in ["`--quiet` - Print errors only", "`-q`: print errors only", "`q` \u{2014} print errors only"] {
        assert_eq!(twice(line), 0, "{line}");
    }
    assert_eq!(twice("`make test` before you commit"), 1);
    assert_eq!(twice("Print errors only"), 1);
}

#[test]
fn skills_that_exceed_a_budget_are_one_finding() {
    let skill = |index: usize| {
        let path = format!(".claude/skills/s{index:02}/SKILL.md");
        format!("=== {path}\n---\nname: s{index:02}\ndescription: {}\n---\n", "x".repeat(1_400))
    };
    let of = |count: usize| messages("RR717", &(CLAUDE_CODE.to_string() + &(0..count).map(skill).collect::<String>()));
    assert_eq!(of(16), [""; 0]);
    let over = "the list of skills exceeds its budget (for claude-code)";
    assert_eq!(of(17), [format!(".claude/skills/s16/SKILL.md: the skill is listed without its description: {over}")]);
    assert_eq!(
        of(18),
        [format!(
            ".claude/skills/s16/SKILL.md: this skill and one other are listed without their descriptions: {over}"
        )]
    );
    let many = of(22);
    assert!(many[0].contains("this skill and 5 others are listed"), "{many:?}");
    assert_eq!(many.len(), 1);
}

#[test]
fn a_collision_names_the_other_skill_by_its_path_in_the_project() {
    let skill = |path: &str| format!("=== .claude/{path}\n---\nname: x\ndescription: It is x.\n---\nDo it.\n");
    let said = messages("RR709", &format!("{CLAUDE_CODE}{}{}", skill("skills/x/SKILL.md"), skill("commands/x.md")));
    let winner = "because .claude/skills/x/SKILL.md has the same name, `x` (for claude-code)";
    assert_eq!(said, [format!(".claude/commands/x.md: the command is left out, {winner}")]);
}

#[test]
fn a_command_may_have_a_name_of_its_own() {
    let named = |path: &str| {
        let file = format!("=== .claude/{path}\n---\nname: x-one\ndescription: It is x.\n---\nDo it.\n");
        messages("RR715", &format!("{CLAUDE_CODE}{file}")).len()
    };
    assert_eq!([named("commands/x/one.md"), named("skills/x/SKILL.md")], [0, 1]);
}

#[test]
fn a_rule_that_always_applies_needs_no_patterns() {
    let rule = |front: &str| {
        let file = format!("=== .claude/rules/x.md\n---\n{front}\n---\nUse tabs.\n");
        messages("RR720", &format!("{CLAUDE_CODE}{file}")).len()
    };
    assert_eq!([rule("alwaysApply: true"), rule("description: x\nglobs:\nalwaysApply: true")], [0, 0]);
    assert_eq!([rule("alwaysApply: false"), rule("globs: '*.md'\nalwaysApply: false")], [1, 1]);
}

#[test]
fn a_file_that_claude_code_leaves_out_hides_no_other_and_adds_nothing() {
    let of = |files: &str| {
        let files = format!("{CLAUDE_CODE}{files}=== AGENTS.md\nUse tabs.\n");
        ["RR713", "RR711", "RR722"].map(|code| messages(code, &files)).concat()
    };
    let excluded = "=== .claude/settings.json\n{\"claudeMdExcludes\":[\"**/CLAUDE.md\"]}\n";
    let text = "=== CLAUDE.md\nBe quick.\n";
    assert_eq!(of(text).len(), 1);
    assert_eq!(of(&format!("{excluded}{text}")), [""; 0]);
    assert_eq!(of("=== CLAUDE.md\n<!-- todo -->\n"), [""; 0]);
    assert_eq!(of(&format!("=== CLAUDE.md\n{}", long(900_000))), [""; 0]);
}

#[test]
fn what_exceeds_the_budget_of_codex_is_not_counted() {
    let files = format!("=== .sf/rye-render.yaml\nagents: [codex]\n=== AGENTS.md\n{}", long(8_000));
    let said = messages("RR711", &files);
    // 32,768 bytes of "word ", with four characters for a token.
    assert_eq!(said, ["AGENTS.md: this file adds 8,192 tokens to every prompt; the limit is 2,000 (for codex)"]);
}

#[test]
fn what_exceeds_the_budget_of_codex_below_is_reported_there() {
    let settings = "=== .git/HEAD\n\n=== .sf/rye-render.yaml\nagents: [codex]\n";
    let files = |words| format!("{settings}=== AGENTS.md\n{}=== a/b/AGENTS.md\n{}", long(6_000), long(words));
    assert_eq!(messages("RR716", &files(500)), [""; 0]);
    // 30,001 and 10,001 bytes, of 32,768.
    let said = messages("RR716", &files(2_000));
    assert!(
        matches!(&said[..], [one] if one.starts_with("a/b/AGENTS.md: ") && one.contains("7,234 of 10,001 bytes")),
        "{said:?}"
    );
    let counted = messages("RR711", &files(2_000));
    assert!(matches!(&counted[..], [_, both] if both.contains("this adds 8,193 tokens")), "{counted:?}");
}

#[test]
fn an_entry_of_a_variable_has_its_place_in_the_settings() {
    let settings = "{\"$schema\": \"x\", \"instructions\": [\"{env:FOO}\"]}\n";
    let said =
        messages("RR715", &format!("=== .sf/rye-render.yaml\nagents: [opencode]\n=== opencode.json\n{settings}"));
    assert!(said.len() == 1 && said[0].starts_with("opencode.json: ") && said[0].ends_with("say so"), "{said:?}");
}

#[test]
fn a_byte_order_mark_is_reported_for_the_agents_that_keep_it() {
    let of = |agents: &str| {
        messages("RR021", &format!("=== .sf/rye-render.yaml\nagents: [{agents}]\n=== AGENTS.md\n\u{feff}Use tabs.\n"))
    };
    assert_eq!(of("claude-code, pi, opencode"), [""; 0]);
    let said = of("claude-code, codex");
    assert!(said.len() == 1 && said[0].ends_with("first line (for codex)"), "{said:?}");
}

#[test]
fn each_pattern_that_matches_nothing_is_reported_once() {
    let of = |paths: &str| {
        let rule = format!("=== .claude/rules/x.md\n---\npaths: {paths}\n---\nUse tabs.\n");
        messages("RR719", &format!("{CLAUDE_CODE}{rule}=== src/a.ts\nexport {{}};\n")).len()
    };
    assert_eq!(["./src/**", "/gone/**", "/src/**"].map(of), [1, 1, 0]);
    assert_eq!(of("[./src/**, './lib/{a,b}']"), 2);
    assert_eq!(of("./src/**, ./lib/**, /src/**"), 2);
}
