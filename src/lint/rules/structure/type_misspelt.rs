use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR053",
    name: "type_misspelt",
    group: Group::Structure,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a type of an input or output whose name is almost one of JSON Schema",
    help: "correct the name",
    rationale: "\
A type is shown to the model as it is written, and no value is checked against it. The words that models know are those \
of JSON Schema: `string`, `number`, `integer`, `boolean`, `object`, `array`, `null`. A word of your own is fine; one that \
is a letter away from these is a slip (Directives, \"Inputs and interpolation\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
  <outputs>
    <output name="url" type="strin">Where it runs</output>
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
    <output name="url" type="interger">Where it runs</output>
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
    <output name="url" type="date">Where it runs</output>
  </outputs>
</directive>
```

Do what the description says.
"#,
    ),
};

/// The types of JSON Schema, and what stands for each of them.
const TYPES: [&str; 8] = ["string", "number", "integer", "boolean", "object", "array", "null", "any"];

fn check(_: &File, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let inputs = directive.inputs.iter().map(|input| (input.input_type.as_str(), &input.span));
    let outputs = directive.outputs.iter();
    let outputs = outputs.filter_map(|output| Some((output.output_type.as_ref()?.as_str(), &output.span)));
    for (written, span) in inputs.chain(outputs).filter(|(written, _)| !TYPES.contains(written)) {
        if let Some(meant) = TYPES.iter().find(|known| is_slip(written, known)) {
            found.at(span, format!("there is no type `{written}`")).help(format!("did you mean `{meant}`?"));
        }
    }
}

/// Whether a word is another one but for one letter, or for its case; in short words a letter makes another word.
fn is_slip(word: &str, known: &str) -> bool {
    let is_letter = || known.len() > 4 && word.len() < 16 && strsim::osa_distance(word, known) == 1;
    word.eq_ignore_ascii_case(known) || is_letter()
}
