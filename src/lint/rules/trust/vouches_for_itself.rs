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
    bad: Example(
        r#"=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Water what is dry.
=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
    ),
    good: Example(
        r#"=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Water what is dry.
=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
=== user:.ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
    ),
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/garden/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What holds in the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Mind the rules.
=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0" extends="garden/base">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Water what is dry.
=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
=== .ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

Water what is dry.
=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Never water at noon.
=== user:.ai/config/keys/trusted/73ab020d466844fe.toml
fingerprint = "73ab020d466844fe"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQlXi5PwO74jnfZDgbB8aTwTOn3jdUAY+XLKbtuX6lN8=
-----END PUBLIC KEY-----
"""
=== .ai/config/keys/trusted/bba5fdee8ef5f758.toml
fingerprint = "bba5fdee8ef5f758"
owner = "bob"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAQkCxZmQUzTgQNFSnJO1kPdfrb0xcd8Kpsx3FFlw7z2c=
-----END PUBLIC KEY-----
"""
"#,
    ),
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
