use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::trust::Verdict;

pub(super) const RULE: Rule = Rule {
    code: "RR601",
    name: "unsigned",
    group: Group::Trust,
    level: Level::Off,
    status: Status::Stable { since: "0.1.0" },
    message: "an item that nobody signed",
    help: "read it, and have it signed with `rye/sign`",
    rationale: "\
An item without a signature may have been written by anyone, and nobody can tell whether it is still what its \
author wrote. Where a project signs all it has, one that is not signed stands out; most projects sign nothing, so \
that this rule speaks only where it is asked for (Directives, \"Signatures\"). Configuration may stay unsigned: it is \
not among the items.",
    bad: Example(concat!(
        watering!(),
        r#"=== .ai/knowledge/garden/rules.md
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
    good: Example(concat!(
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:3bfa6709ae424990c4a9da53877cbb776e6a828091b51564d7b65167d90cecbf:nvURzNu-7ByE9ic8wu8OPb5cuEtN_fC4NbBCO-xG5f1o3SN480lftYNi2aVhs6y1RyBb27v4gd1BP1MBHpDfDQ:73ab020d466844fe -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
    <context><before>garden/rules</before></context>
  </metadata>
</directive>
```

<directive>
Water what is dry.
</directive>
"#,
        rules_by_ana!(),
        key_of_ana!(),
    )),
    fix: FixKind::None,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/garden/base.md
<!-- rye:signed:2026-01-02T03:04:05Z:293923e33579587d58cd1e40b9c3246d7c3ec5467d05e710b267ee2f60f657ac:MCZMlqlSor9UzKoXNOOV_6pXCPLk2U0DJ8_qWksh8bKB_8wuSIezGJ_bnvXsKNOYhfuYhZCfrWDekKOFCROsDA:73ab020d466844fe -->
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
<!-- rye:signed:2026-01-02T03:04:05Z:9cc41d5331ec39d64a70b2f1c81df03727dbe1d1cdb693d9974d0b8403cadd2e:Sfv-O1m8RIQNFaLsKk-fOuD2MmM8mfNsbFKS5G6H-j_zL9kNN9wqfnFXXyiXkQt5u7bTQM_mv-2YRMGVpG46CA:73ab020d466844fe -->
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
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:ac79f54e2df9c8164e5bf2df1e8a00e61ec8b1846da8426fee775c2f04f704fc:D8uxq7NFRoVF0fGoNyimdCblxFdINu5uy4Hrotpr_8cFGXy1vpZbeHjxMf5ItYT1xOlo-T_TlNoVxoQXXK6KAQ:bba5fdee8ef5f758 -->
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
"#,
        rules_by_ana!(),
        key_of_ana!(),
        r#"=== .ai/config/agent/agent.yaml
agent: {}
"#,
    )),
};

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(kind) = file.kind.item()
        && project.trusted(file).is_some_and(|trust| trust.verdict == Verdict::Unsigned)
    {
        found.at(project.location(file), format!("the {} `{}` is not signed", kind.into_str(), file.id));
    }
}
