use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::signature::signature;

pub(super) const RULE: Rule = Rule {
    code: "RR607",
    name: "says_unsigned",
    group: Group::Trust,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a signed item that says of itself that it is not signed",
    help: "remove the line `rye:unsigned`, or the signature, and have the item signed again",
    rationale: "\
A line `rye:unsigned` marks an item that is still to be signed. Behind a signature it contradicts the line above \
it: whoever reads the file cannot tell which of the two was forgotten, and in a knowledge item the line is part of \
what was signed (Directives, \"Signatures\").",
    bad: Example(concat!(
        watering!(),
        r#"=== .ai/knowledge/garden/rules.md
<!-- rye:signed:2026-01-02T03:04:05Z:184e19b4c4874ca5cc4c4a3b5be3e98d8b47c231de181c089a9cdd2afc662bb4:paAfJEBDUixWmmAfURtT8fknW8lSN_KbXKPvUki-pzQkITbZTg44AKJz4zZ8owr0iT4W753pRy2EWLH2Y5hzAQ:73ab020d466844fe -->
<!-- rye:unsigned -->
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
<!-- rye:signed:2026-01-02T03:04:05Z:184e19b4c4874ca5cc4c4a3b5be3e98d8b47c231de181c089a9cdd2afc662bb4:paAfJEBDUixWmmAfURtT8fknW8lSN_KbXKPvUki-pzQkITbZTg44AKJz4zZ8owr0iT4W753pRy2EWLH2Y5hzAQ:73ab020d466844fe -->
<!-- rye:unsigned -->
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
<!-- rye:signed:2026-01-02T03:04:05Z:fa99eb2ce1b30ce1bfbfbb24a7fc6c9eec4d325698474a76b987fcd96defee99:uKj-z4O5AzK2zmYfvPxGekI1HZGr505_XB6buLtIe1XcFu1cT8ovqg3q_GSed59mknSIWD9AtSmMPACrn49GBQ:73ab020d466844fe -->
```yaml
name: rules
title: Rules of the garden
entry_type: reference
category: garden
version: "1.0.0"
```

An item says `<!-- rye:unsigned -->` before it is signed.
"#,
        key_of_ana!(),
    )),
};

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict.is_signed()) {
        return;
    }
    let (Some(source), Some(signature)) = (&file.source, signature(file)) else { return };
    // The line behind the signature, blank ones aside.
    let rest = source.span(signature.line.range().end..source.text().len()).trim();
    let line = rest.slice(0..rest.text().find('\n').unwrap_or(rest.text().len()));
    let comment = line.text().trim_start_matches(['<', '!', '-', '#', '/', ' ']);
    if comment.len() < line.text().len() && comment.starts_with("rye:unsigned") {
        found.at(line, format!("`{}` is signed and says that it is not", file.id));
    }
}
