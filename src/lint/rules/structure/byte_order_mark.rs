use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::finding::{Edit, Findings};
use crate::lint::project::{File, FileKind, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;

pub(super) const RULE: Rule = Rule {
    code: "RR021",
    name: "byte_order_mark",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a byte order mark, which counts as a character",
    help: "save the file as UTF-8 without a byte order mark",
    rationale: "\
Some editors begin a file with an invisible U+FEFF. It is read as a character of the first line, so that a fence \
there is no fence any more: a directive is refused, a knowledge item has no text. Elsewhere it stands in the text in \
front of the fence, which `rye-1` sends (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
﻿# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
﻿# Base

```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

It begins with no mark.
"#,
    ),
};

/// The mark.
const MARK: char = '\u{feff}';

fn check(file: &File, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|source| source.text().starts_with(MARK)) else { return };
    let is_read_as_text = match file.kind {
        FileKind::Item(ItemKind::Directive) | FileKind::Agents(_) => true,
        // YAML as a whole may begin with a mark.
        FileKind::Item(ItemKind::Knowledge) => file.path.ends_with(".md"),
        _ => false,
    };
    if is_read_as_text {
        let mark = source.span(0..MARK.len_utf8());
        let finding = found.diagnosed(&Diagnostic::at(Problem::ByteOrderMark, &mark), || (&mark).into());
        finding.fix("remove the byte order mark", vec![Edit::replace(&mark, "")]);
    }
}
