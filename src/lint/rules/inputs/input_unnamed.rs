use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR212",
    name: "input_unnamed",
    group: Group::Inputs,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an input without a name",
    help: "give it a name, or remove it",
    rationale: "\
Values are given to inputs by their names, and placeholders ask for them by their names. One without a name can be \
neither given nor shown; required, it makes every prompt of the directive fail (Directives, \"Inputs and \
interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
    <input type="string">In which part of the world</input>
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
  <inputs>
    <input name="" type="string">Where to</input>
  </inputs>
</directive>
```

Tell what you do.
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
    <input name="target" required="true">Where to</input>
  </inputs>
</directive>
```

Deploy to {input:target}.
"#,
    ),
};

fn check(_file: &File, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.name.text.is_empty()) {
        found.at(&input.span, "this input has no name, so no value can be given to it");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    #[test]
    fn only_inputs_without_a_name_are_found() {
        let files = "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                     <description>D</description></metadata>\n<inputs>\n<input/>\n<input name=''>x</input>\n\
                     <input name=\"x\"/>\n<param/>\n</inputs></directive>\n```\n\nGo, {input:x}.\n";
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            let message = "this input has no name, so no value can be given to it";
            let expected = [4, 5].map(|line| format!(".ai/directives/a.md:{line}: {message}"));
            assert_eq!(said(&RULE, files, protocol), expected);
        }
    }
}
