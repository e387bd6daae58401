use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::signature::changed;

pub(super) const RULE: Rule = Rule {
    code: "RR618",
    name: "content_changed_unknown_key",
    group: Group::Trust,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "an item that was changed after it was signed, by a key that no tier trusts",
    help: "see what changed; if you trust the key's owner, add the key to `.ai/config/keys/trusted/` of your user tier",
    rationale: "\
The text of today has another hash than the one in its signature (Directives, \"Signatures\"), so that it is not what \
was signed. As no tier trusts the key, the signature would have said nothing of an unchanged text either, and this is a \
note. Once a tier trusts the key, `content_changed` says the same as an error.",
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
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
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
};

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = changed(file, project)
        && !project.trusts(signature.key.text())
    {
        let message = format!("`{}` was changed after a key that no tier trusts had signed it", file.id);
        found.at(signature.hash, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    #[test]
    fn what_is_not_what_was_signed_is_told_unless_an_error_says_so() {
        let told = ["`garden/rules` was changed after a key that no tier trusts had signed it"];
        let told = told.map(|message| format!(".ai/knowledge/garden/rules.md:1: {message}"));
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(said(&RULE, RULE.bad.0, protocol), told);
        }
        let unchanged = RULE.bad.0.replace("Always", "Never");
        assert_eq!(said(&RULE, &unchanged, "rye-3"), [""; 0]);
        // Other line ends are no other text.
        let (directive, knowledge) = unchanged.split_once("rules.md\n").unwrap();
        let other_ends = format!("{directive}rules.md\n{}", knowledge.replace('\n', "\r\n"));
        assert_eq!(said(&RULE, &other_ends, "rye-3"), [""; 0]);
        // A key that the project alone trusts is a key that a tier trusts.
        let (_, key) = RULE.near_miss.0.split_once("=== user:").unwrap();
        assert_eq!(said(&RULE, &format!("{}=== {key}", RULE.bad.0), "rye-3"), [""; 0]);
    }
}
