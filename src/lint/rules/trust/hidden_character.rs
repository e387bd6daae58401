use super::text;
use crate::lint::characters::{self, Class};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR611",
    name: "hidden_character",
    group: Group::Trust,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "characters that readers do not see and models do",
    help: "remove them: type the line anew, or copy it as plain text",
    rationale: "\
A character without a width is invisible in an editor and in a review, and is read by the model like any other. It \
comes with text that was copied from a page, where it splits words and costs tokens, or it was put there so that \
nobody sees what is said. Joiners between emoji and in scripts that use them, variation selectors after symbols, and \
blanks between words of scripts that write none are not meant (Directives, \"Reading a directive\": nothing is taken out of a text).",
    bad: Example(
        "=== .ai/directives/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy to stag\u{200b}ing.
",
    ),
    good: Example(
        "=== .ai/directives/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy to staging.
",
    ),
    fix: FixKind::None,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(
        "=== .ai/directives/base.md
```xml
<directive name=\"base\" version=\"1.0.0\">
  <metadata>
    <description>Base</description>
    <context><before>deploy/rules</before></context>
  </metadata>
</directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\" extends=\"base\">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy\u{200b}\u{200b} on a Friday.
",
    ),
    #[cfg(test)]
    near_miss: Example(
        "=== .ai/directives/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Say \u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645} and \u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f}.
",
    ),
};

fn check(file: &File, _: &Project<'_>, found: &mut Findings<'_>) {
    text::report(file, Class::Hidden, found, |odd| format!("{} cannot be seen", characters::named(odd)));
}
