//! What real instruction files made the rules report too often, or in words that do not fit.

use crate::lint::LintOptions;
use crate::lint::testing::{self, Example};

/// The messages of a rule, each behind its path.
fn messages(rule: &str, files: &str) -> Vec<String> {
    let findings = testing::found(Example(files.to_string().leak()), &LintOptions::default());
    let of_rule = findings.iter().filter(|it| it.rule.code == rule);
    of_rule.map(|it| format!("{}: {}", it.path(), it.message)).collect()
}

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
    assert_eq!(below.len(), 2);
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
