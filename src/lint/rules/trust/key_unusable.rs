use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::trust::{Fault, check_key_file};

use super::signature::is_key;

pub(super) const RULE: Rule = Rule {
    code: "RR609",
    name: "key_unusable",
    group: Group::Trust,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "the file of a trusted key that cannot be used",
    help: "write it anew from the public key of its owner, or remove it",
    rationale: "\
A trusted key is a TOML file with `fingerprint`, `owner` and `[public_key] pem`, named after the fingerprint of \
that key (Directives, \"Signatures\"). One that cannot be read, or whose fingerprint is that of another key, is \
trusted by nobody: what the key signed counts as signed by an unknown key.",
    bad: Example(concat!(
        watering!(),
        rules_by_ana!(),
        key_of_ana!(),
        r#"=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=

"""
"#,
    )),
    good: Example(concat!(
        watering!(),
        rules_by_ana!(),
        key_of_ana!(),
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
    fix: FixKind::None,
    check: Check::File(check),
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

"""
"#,
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        watering!(),
        rules_by_ana!(),
        key_of_ana!(),
        r#"=== .ai/config/keys/known/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=

"""
=== .ai/config/keys/trusted/73ab020d466844fe.toml
# rye:signed:2026-01-02T03:04:05Z:f19f8904e57eda4bedf5c87d446f30bc1db50ce29f3346c040b974fbab9f5d3d:XNEz03jZVtUqbSU9OJ1lt4TAwBQwUKv5q1IeakDT3TUfCX5q3gpaYRTbXR72VZtG4r3bOsT5ajNiTnrcQCHCBw:73ab020d466844fe
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
};

fn check(file: &File, _: &Project<'_>, found: &mut Findings<'_>) {
    if !is_key(file) {
        return;
    }
    let Some(source) = &file.source else { return };
    if let Some(Fault { reason, at }) = check_key_file(source) {
        found.at(source.span(at), format!("this trusted key cannot be used: {reason}"));
    }
}
