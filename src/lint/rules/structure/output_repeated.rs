use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: "RR014",
    name: "output_repeated",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "two outputs of one name",
    help: "remove one of the two, or rename it",
    rationale: "\
Of several outputs with one name the model sees a single one: at the place of the first, with the description of the \
last. What the others say is lost (Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="url" type="string">What was done</output>
  </outputs>
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
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="log" type="string">What was done</output>
  </outputs>
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
  </metadata>
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="url" type="string">What was done</output>
  </outputs>
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
  <outputs>
    <output name="url" type="string">Where it runs</output>
    <output name="URL" type="string">What was done</output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    if directive.outputs.len() < 2 {
        return;
    }
    let mut first = HashMap::with_capacity(directive.outputs.len());
    for name in directive.outputs.iter().filter_map(|output| output.name.as_ref()) {
        if name.text.is_empty() {
            continue;
        }
        match first.get(name.as_str()) {
            None => drop(first.insert(name.as_str(), &name.span)),
            Some(earlier) => {
                let message = format!("there is an output `{}` already, which this one replaces", name.as_str());
                found.at(&name.span, message).related(*earlier, "it is declared here first");
            }
        }
    }
}
