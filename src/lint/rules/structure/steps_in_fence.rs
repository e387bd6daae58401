use super::misplaced;
use crate::item::{Directive, Unread, Within};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR019",
    name: "steps_in_fence",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "steps inside the xml block, which the model never receives",
    help: "move it behind the line that closes the xml block",
    rationale: "\
The `xml` block is for the system: metadata, inputs and outputs. Of what else stands in it nothing reaches the \
model, so steps written there are never carried out, and nothing says so: the prompt is made without them. They \
belong behind the block (Prompt Rendering 1.2.0, \"What's EXCLUDED from the Prompt\").\n\n\
Elements that are known to be opaque, such as `<template>`, and notes such as `<changelog>` are passed over.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <process>
    <step name="check">Check that it is not Friday.</step>
  </process>
</directive>
```

Do what the description says.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

<process>
  <step name="check">
    Check that it is not Friday.
  </step>
</process>
"#,
    ),
    fix: FixKind::None,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
  </metadata>
  <process>
    <step name="check">Check that it is not Friday.</step>
  </process>
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
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <!-- <process>Check the date.</process> -->
  <process />
  <changelog>1.0.0: first version</changelog>
  <example>
  <process>
    <step name="check">Check that it is not Friday.</step>
  </process>
  </example>
</directive>
```

Do what the description says.
"#,
    ),
};

/// What is written for people, wherever it stands.
const NOTES: [&str; 11] = [
    "author",
    "changelog",
    "changes",
    "comment",
    "comments",
    "copyright",
    "history",
    "license",
    "note",
    "notes",
    "todo",
];

/// What the documents' directives call their steps.
const STEPS: [&str; 9] =
    ["process", "step", "steps", "instruction", "instructions", "prompt", "body", "task", "success_criteria"];

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| is_step(part)) {
        let what = match (part.tag.as_str(), part.within) {
            ("", _) => "text".to_string(),
            (tag, Within::Root) => format!("<{tag}>"),
            (tag, _) => format!("<{tag}> in <metadata>"),
        };
        found.at(&part.span, format!("{what} inside the xml block never reaches the model"));
    }
}

/// Whether a directive has steps where nobody reads them.
pub(super) fn has_any(directive: &Directive) -> bool {
    directive.unread.iter().any(is_step)
}

fn is_step(part: &Unread) -> bool {
    if part.is_repeated || !part.has_content {
        return false;
    }
    let tag = part.tag.as_str();
    match part.within {
        Within::Root => !NOTES.contains(&tag) && misplaced::of(part).is_none(),
        Within::Metadata => STEPS.contains(&tag) || part.has_steps,
        Within::Limits | Within::Description | Within::Output | Within::Model => false,
    }
}
