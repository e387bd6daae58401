use super::prompt;
use crate::diagnostic::Problem;
use crate::item::Directive;
use crate::lint::finding::{Edit, Finding, Findings};
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Part;
use crate::text::Span;

pub(super) const RULE: Rule = Rule {
    code: "RR030",
    name: "permissions_not_shown",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "permissions that are granted and not shown",
    help: "write <permissions> without attributes",
    rationale: "\
The block that the prompt shows is found as text, from `<permissions>` to `</permissions>`. An opening tag with an \
attribute is not that text, so the directive may do what the model is not told of (Directives, \"Reading a \
directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions level="low">
      <execute><tool>rye.file-system.read</tool></execute>
    </permissions>
  </metadata>
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
    <permissions>
      <execute><tool>rye.file-system.read</tool></execute>
    </permissions>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <permissions level="low">
      <execute><tool>rye.file-system.read</tool></execute>
    </permissions>
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
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <permissions>
      <execute><tool level="low">rye.file-system.read</tool></execute>
    </permissions>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let text = directive.content.text();
    if directive.permissions.is_empty()
        || text.contains("<permissions>")
        || !project.protocol.parts.contains(&Part::Permissions)
    {
        return;
    }
    prompt::report(
        directive,
        project,
        found,
        |problem| matches!(problem, Problem::PermissionsNotShown),
        |finding| {
            put_right(directive, finding);
        },
    );
}

/// Nothing reads the attributes, so that they can go.
fn put_right(directive: &Directive, finding: &mut Finding) {
    let text = directive.content.text();
    let mut tags = text.match_indices("<permissions").map(|(at, _)| at);
    let (Some(start), None) = (tags.next(), tags.next()) else { return };
    let Some(end) = text[start..].find('>').map(|at| start + at + 1) else { return };
    let tag: Span = directive.content.slice(start..end);
    let is_hidden = directive.comments.iter().any(|comment| comment.range().contains(&tag.range().start));
    // A `>` in the value of an attribute would end the tag too early.
    let quotes = tag.text().matches(['"', '\'']).count();
    if !is_hidden && quotes.is_multiple_of(2) && !tag.text().ends_with("/>") {
        finding.at = (&tag).into();
        finding.fix("remove the attributes", vec![Edit::replace(&tag, "<permissions>")]);
    }
}
