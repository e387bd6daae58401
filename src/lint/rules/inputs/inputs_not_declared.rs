use std::collections::HashSet;

use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

use super::names::{ancestors, in_prose};

pub(super) const RULE: Rule = Rule {
    code: "RR214",
    name: "inputs_not_declared",
    group: Group::Inputs,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a placeholder in a directive that declares no inputs",
    help: "declare the input, so that it is asked for where it is missing",
    rationale: "\
A directive that declares no inputs takes any, and asks for none. Whoever runs it has to know the name: without a value, \
and with a slip in it just so, the placeholder reaches the model as written. A declaration says what is needed, and a \
wrong name is refused. Placeholders with a default, and what stands in code, are not told of (Directives, \"Inputs and \
interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy to {input:target}.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
  </inputs>
</directive>
```

Deploy to {input:target}.
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
    <description>What all deployments share</description>
  </metadata>
</directive>
```

Tell {input:team} what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/write_directive.md
```xml
<directive name="write_directive" version="1.0.0">
  <metadata>
    <description>Write a directive</description>
  </metadata>
</directive>
```

Write a directive about {input:topic|anything}. Name an input as `{input:region}` does:

```md
Deploy to {input:region}.
```
"#,
    ),
};

fn check(_file: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    // The names that an ancestor declares are told of with the rule about names that are not declared.
    let declares = |ancestor: &Directive, name: &str| ancestor.inputs.iter().any(|input| input.name.as_str() == name);
    let is_inherited = |name: &str| ancestors(directive, project).any(|(_, ancestor)| declares(ancestor, name));
    if !directive.inputs.is_empty() || !directive.body.text().contains('{') {
        return;
    }
    let mut seen = HashSet::new();
    for it in in_prose(directive).filter(|it| it.default.is_none()) {
        if seen.insert(it.name) && !is_inherited(it.name) {
            let message = format!("no inputs are declared, so nobody is asked for `{}`", it.name);
            found.at(directive.body.slice(it.range), message);
        }
    }
}
