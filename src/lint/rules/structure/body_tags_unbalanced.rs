use super::tags;
use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR020",
    name: "body_tags_unbalanced",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a tag in the body that has no counterpart",
    help: "close the element, or put the tag into backticks if it is only spoken of",
    rationale: "\
The body is sent as it is, and its elements tell the model where a step begins and ends. An element that is never \
closed takes what follows for its own, and a closing tag too many ends the section around it (Prompt Rendering \
1.2.0, \"Prompt Structure\").\n\n\
Code, comments and examples may hold anything, and a `<name>` in prose counts as a placeholder. A tag is judged only \
where every tag of its name stands at the edge of its line or is closed on the same line.",
    bad: Example(
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
</process>
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
</directive>
```

<process>
  <step name="check">
    Check the date.
  </step>

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
</directive>
```

<process>
  <step name="check">
    Write `<step>` into <path>, then say <done>.
    ```xml
    <process>
    ```
    <!-- </step> -->
  </step>
</process>
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for tag in tags::unbalanced(directive.body.text()) {
        let message = match tag.is_closing {
            true => format!("</{}> closes nothing", tag.name),
            false => format!("<{}> is never closed", tag.name),
        };
        found.at(directive.body.slice(tag.range), message);
    }
}
