use super::front;
use crate::diagnostic::NoXmlBlock;
use crate::item::{self, Knowledge, NoText, TextPlace};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR016",
    name: "knowledge_without_metadata",
    group: Group::Structure,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a knowledge item without a yaml block",
    help: "begin the file with a ```yaml block that holds at least a name",
    rationale: "\
The metadata of a knowledge item is a fenced `yaml` block, and its text is what follows. An item without one has no \
name and, as far as directives ask for it, no text; a hook injects the file as it is (Directives, \"Knowledge\").",
    bad: Example(
        r#"=== .ai/knowledge/deploy/rules.md
# Rules

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <context>
      <before>deploy/rules</before>
    </context>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::None,
    check: Check::Knowledge(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/knowledge/deploy/rules.md
# Rules

Never deploy on a Friday.
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context>
      <before>deploy/rules</before>
    </context>
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
        r#"=== .ai/knowledge/README.md
# What we know

Rules are in deploy/.
"#,
    ),
};

fn check(file: &File, knowledge: &Knowledge, project: &Project<'_>, found: &mut Findings<'_>) {
    // What explains a folder to people is no item.
    let is_without = match knowledge.place {
        TextPlace::Nowhere(NoText::NoBlock) => true,
        // A row of dashes that begins no metadata is text.
        TextPlace::Nowhere(NoText::FrontMatter) => {
            file.path.ends_with(".md") && front::dashes(knowledge.source.text()).is_none()
        }
        _ => false,
    };
    if !is_without || file.stem().eq_ignore_ascii_case("readme") {
        return;
    }
    let message = format!("`{}` has no ```yaml block", file.id);
    let Some((reason, at)) = item::unusable(&knowledge.source, "yaml") else {
        found.at(project.location(file), message);
        return;
    };
    let why = match reason {
        NoXmlBlock::Almost { line, fault } => format!("the fence of line {line} is none, for {fault}"),
        NoXmlBlock::NeverClosed { line } => format!("the one of line {line} is never closed"),
        NoXmlBlock::Hidden { line, by } => format!("the one of line {line} is hidden by the longer fence of line {by}"),
        NoXmlBlock::ByteOrderMark => "a byte order mark stands before it".to_string(),
        NoXmlBlock::Absent | NoXmlBlock::ForPeople => return,
    };
    found.at(&at, format!("{message}: {why}")).help("begin the line with ```yaml alone; a line ``` closes the block");
}
