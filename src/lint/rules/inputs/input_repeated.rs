use std::collections::HashMap;

use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR211",
    name: "input_repeated",
    group: Group::Inputs,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "two inputs of one name",
    help: "remove one of the two, or rename it",
    rationale: "\
Inputs are told apart by their names. Of two with one name neither can be given a value of its own, and what \
the two say of type, default and `required` may differ (Directives, \"Inputs and interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
    <input name="target" type="string" required="true">In which part of the world</input>
  </inputs>
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
    <input name="region" type="string" required="true">In which part of the world</input>
  </inputs>
</directive>
```

Deploy to {input:target}, {input:region}.
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
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
    <input name="target" type="string" required="true">In which part of the world</input>
  </inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
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
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
    <input name="Target" type="string" required="true">Where to</input>
  </inputs>
</directive>
```

Deploy to {input:target}, {input:Target}.
"#,
    ),
};

fn check(_file: &File, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.inputs.len() < 2 {
        return;
    }
    let mut first = HashMap::with_capacity(directive.inputs.len());
    for name in directive.inputs.iter().map(|input| &input.name).filter(|name| !name.text.is_empty()) {
        match first.get(name.as_str()) {
            None => drop(first.insert(name.as_str(), &name.span)),
            Some(earlier) => {
                let message = format!("there is an input `{}` already", name.as_str());
                found.at(&name.span, message).related(*earlier, "it is declared here first");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    #[test]
    fn each_repetition_is_found_in_its_own_directive() {
        let directive = |id: &str, extends: &str, names: &[&str]| {
            let inputs: String = names.iter().map(|name| format!("<input name=\"{name}\"/>\r\n")).collect();
            format!(
                "=== .ai/directives/{id}.md\n```xml\r\n<directive name=\"{id}\" version=\"1\"{extends}><metadata>\
                 <description>D</description></metadata><inputs>\r\n{inputs}</inputs></directive>\r\n```\r\n\r\nGo.\r\n"
            )
        };
        let files = directive("a", "", &["x", "y", "x", "X", "x", "", ""]) + &directive("b", " extends=\"a\"", &["x"]);
        let expected = [5, 7].map(|line| format!(".ai/directives/a.md:{line}: there is an input `x` already"));
        assert_eq!(said(&RULE, &files, "rye-3"), expected);
    }
}
