use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::TierKind;
use crate::trust::{KEY_FOLDER, Trust, Verdict};

use super::signature::by_key;

pub(super) const RULE: Rule = Rule {
    code: "RR608",
    name: "vouches_for_itself",
    group: Group::Trust,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a key that the project alone trusts, and that signed its items",
    help: "have the key added to the user tier of those who trust its owner",
    rationale: "\
Whoever can change the items of a project can change its `.ai/config/keys/trusted/` as well: add a key, and sign \
everything with it. So a key that only the project trusts says that the items belong together, and nothing about \
who wrote them (Directives, \"Signatures\"). `render --verify` accepts it only with `--trust-project-keys`.",
    bad: Example(concat!(
        watering!(),
        rules_by_ana!(),
        r#"=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
    )),
    good: Example(concat!(
        watering!(),
        rules_by_ana!(),
        r#"=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
        key_of_ana!(),
    )),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(concat!(
        watering_by_parent!(),
        rules_by_ana!(),
        r#"=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        watering!(),
        rules_by_ana!(),
        key_of_ana!(),
        r#"=== .ai/config/keys/trusted/bba5fdee8ef5f758.toml
fingerprint = "bba5fdee8ef5f758"
owner = "bob"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQkCxZmQUzTgQNFSnJO1kPdfrb0xcd8Kpsx3FFlw7z2c=
-----END PUBLIC KEY-----
"""
"#,
    )),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_own = |trust: &Trust| matches!(&trust.verdict, Verdict::Valid(by) if by.tier == TierKind::Project);
    for (key, files) in by_key(project, is_own) {
        let Some(first) = files.first() else { continue };
        let path = format!("{KEY_FOLDER}/{key}.toml");
        let file = project.linted().find(|file| file.path == path);
        let items = if files.len() == 1 { "an item is" } else { "its items are" };
        let message = format!("the project alone trusts the key `{key}`, by which {items} signed");
        let finding = found.at(project.location(file.unwrap_or(first)), message);
        if file.is_some() {
            finding.related(project.location(first), "signed by the key");
        }
    }
}
