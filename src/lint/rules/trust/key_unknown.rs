use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::trust::Verdict;

use super::signature::{is_key, signature};

pub(super) const RULE: Rule = Rule {
    code: "RR604",
    name: "key_unknown",
    group: Group::Trust,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a signature by a key that no tier trusts",
    help: "if you trust its owner, add the key to `.ai/config/keys/trusted/` of your user tier",
    rationale: "\
A signature says who signed only where somebody you trust says whose key it is. A key that neither the project nor \
the user nor a bundle trusts may be anybody's, and the documents' system refuses what it signed (Directives, \
\"Signatures\").",
    bad: Example(concat!(
        watering!(),
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:HcePbyRk0YupRAFMXulJ1wwQcMM9cnKrIXsYPbATg89G6jz9EgkAcoGOhSZotD7mOUJ78KkkXSx6gndbfc_PBg:bba5fdee8ef5f758 -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
"#,
        key_of_ana!(),
    )),
    good: Example(concat!(watering!(), rules_by_ana!(), key_of_ana!())),
    fix: FixKind::None,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(concat!(
        watering_by_parent!(),
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:HcePbyRk0YupRAFMXulJ1wwQcMM9cnKrIXsYPbATg89G6jz9EgkAcoGOhSZotD7mOUJ78KkkXSx6gndbfc_PBg:bba5fdee8ef5f758 -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
"#,
        key_of_ana!(),
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        watering!(),
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:HcePbyRk0YupRAFMXulJ1wwQcMM9cnKrIXsYPbATg89G6jz9EgkAcoGOhSZotD7mOUJ78KkkXSx6gndbfc_PBg:bba5fdee8ef5f758 -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
=== system:.ai/config/keys/trusted/bba5fdee8ef5f758.toml
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

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict == Verdict::UnknownKey) || is_key(file) {
        return;
    }
    if let Some(signature) = signature(file) {
        let key = signature.key.text();
        let message = format!("`{}` is signed by the key `{key}`, which no tier trusts", file.id);
        found.at(signature.key, message);
    }
}
