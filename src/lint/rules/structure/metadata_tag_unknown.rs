use super::misplaced;
use crate::item::{Directive, Within};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR008",
    name: "metadata_tag_unknown",
    group: Group::Structure,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "an element of <metadata> that nothing reads",
    help: "remove it, or use one of: description, category, model, limits, permissions, context, hooks",
    rationale: "\
Elements of `<metadata>` that no rule knows are kept by name and used by nothing. They do no harm, but what is \
declared there has no effect on the prompt, on permissions or on limits (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <priority>high</priority>
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
  </metadata>
</directive>
```

Do what the description says.
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
    <priority>high</priority>
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
    <author>ops</author>
    <cost>
      <duration>600</duration>
    </cost>
  </metadata>
</directive>
```

Do what the description says.
"#,
    ),
};

/// What older documents declare there: known, if nothing more.
const DOCUMENTED: [&str; 9] =
    ["cost", "title", "license", "created_at", "updated_at", "relationships", "created", "updated", "keywords"];

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == Within::Metadata && !part.is_repeated) {
        let is_known = DOCUMENTED.contains(&part.tag.as_str());
        if !is_known && misplaced::of(part).is_none() {
            found.at(&part.span, format!("nothing reads <{}> in <metadata>", part.tag));
        }
    }
}
