use crate::item::{Directive, InputDeclaration};
use crate::lint::finding::{Edit, Findings};
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR203",
    name: "required_with_default",
    group: Group::Inputs,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "an input that is required and has a default",
    help: "remove one of the two",
    rationale: "\
A default satisfies `required`: the input may be left out, and nobody is told. Whoever wrote `required` may count on a \
value that somebody chose (Directives, \"Inputs and interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true" default="staging">Where to</input>
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
    <input name="target" type="string" default="staging">Where to</input>
  </inputs>
</directive>
```

Deploy to {input:target}.
"#,
    ),
    fix: FixKind::SamePrompt,
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
    <input name="target" required='TRUE' default=''>Where to</input>
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

Deploy the service.
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
    <input name="target" type="string" required="false" default="staging">Where to</input>
    <input name="region" type="string" required="true">In which part of the world</input>
  </inputs>
</directive>
```

Deploy to {input:target}, {input:region}.
"#,
    ),
};

fn check(_file: &File, directive: &Directive, _project: &Project<'_>, found: &mut Findings<'_>) {
    for input in directive.inputs.iter().filter(|input| input.required) {
        let Some(default) = &input.default else { continue };
        let message = format!("`{}` is required, but its default makes it optional", input.name.as_str());
        let finding = found.at(&default.span, message);
        if let Some(edit) = without_required(input) {
            finding.fix("remove `required`", vec![edit]);
        }
    }
}

/// Removes the attribute with the blanks before it; none where it is not written plainly.
fn without_required(input: &InputDeclaration) -> Option<Edit> {
    let element = input.span.text();
    let (mut at, mut inside) = ("<input".len(), None);
    // Attributes alone are looked at, so no text that an attribute holds is taken for one.
    for (offset, c) in element.char_indices().skip(at) {
        match (inside, c) {
            (None, '>') => return None,
            (None, '"' | '\'') => {
                inside = Some(c);
                continue;
            }
            (Some(quote), c) if c == quote => inside = None,
            _ => continue,
        }
        let attribute = &element[at..=offset];
        let name = attribute.trim_start().split(['=', ' ', '\t', '\n']).next();
        if name == Some("required") {
            return Some(Edit::replace(&input.span.slice(at..offset + 1), ""));
        }
        at = offset + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::lint::Options;
    use crate::lint::testing::found;

    use super::*;

    fn edits(example: Example) -> Vec<String> {
        let findings = found(example, &Options::default()).into_iter();
        let fixes = findings.filter(|finding| finding.rule.code == RULE.code).filter_map(|finding| finding.fix);
        fixes.flat_map(|fix| fix.edits).map(|edit| edit.span.text().to_string()).collect()
    }

    #[test]
    fn the_attribute_goes_and_nothing_else() {
        assert_eq!(edits(RULE.bad), [" required=\"true\""]);
        assert_eq!(edits(RULE.composed), [" required='TRUE'"]);
        let files = r#"=== .ai/directives/a.md
```xml
<directive name="a" version="1.0.0">
  <inputs><input name="b" default=" required='true' >"
    required = "true"/></inputs>
</directive>
```
"#;
        assert_eq!(edits(Example(files)), ["\n    required = \"true\""]);
    }
}
