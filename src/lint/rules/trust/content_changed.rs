use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::signature::changed;

pub(super) const RULE: Rule = Rule {
    code: "RR603",
    name: "content_changed",
    group: Group::Trust,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "an item that was changed after it was signed",
    help: "see what changed and who changed it, then have the item signed again",
    rationale: "\
The signature holds a hash of the text that its author signed, and the text of today has another one (Directives, \
\"Signatures\"). Either somebody edited the item and forgot to sign it, or somebody changed what another one vouches \
for; the documents' system refuses it in both cases. Where no tier trusts the key, `content_changed_unknown_key` \
speaks in place of this rule.",
    bad: Example(concat!(
        watering!(),
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Always water at noon.
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
<!-- rye:signed:2026-01-02T03:04:05Z:463d9e50dfa04e632e1d6e9130c55cc299a0e4b3b547fb1af4d25d83169c4a88:I7Enou4xSrT3-6vPo4NICOhbSRtZAhEqLYRw_pir_9EbzR_MMjzbAJ0GWMQPGEvZlFZ1g9s7kasaTvZjgREVDQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

Always water at noon.
"#,
        key_of_ana!(),
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:ac79f54e2df9c8164e5bf2df1e8a00e61ec8b1846da8426fee775c2f04f704fc:dlo2wrBx7harwn9hPuaeVP0Orz2S5rF7tczfeUXAGzs3L1BTB4XCssARMNIeuziQ1GNT4WY0B6-olWHcxvI9DQ:73ab020d466844fe -->
# Water

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
    )),
};

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = changed(file, project)
        && project.trusts(signature.key.text())
    {
        found.at(signature.hash, format!("`{}` was changed after it was signed", file.id));
    }
}
