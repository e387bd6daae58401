use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::protocol::Scope;
use crate::value::Value;

pub(super) const RULE: Rule = Rule {
    code: "RR052",
    name: "limit_not_number",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a limit that is no number, where the default is one",
    help: "write a number",
    rationale: "\
The value of a limit is a number where it reads as one, and text otherwise; nothing refuses the text. What counts turns \
or money compares it with numbers, so that a limit in words holds nothing back. A placeholder is not filled in there \
(Directives, \"Reading a directive\").",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <limits turns="ten" />
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
    <limits turns="10" />
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
    <limits turns="ten" />
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
    <limits tone="calm" turns="10" />
  </metadata>
</directive>
```

Do what the description says.
=== .ai/config/agent/resilience.yaml
limits:
  defaults:
    tone: brisk
"#,
    ),
};

fn check(_: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let configuration = project.configuration.as_ref().filter(|_| project.protocol.context != Scope::None);
    let Some(defaults) = configuration.and_then(|it| it.limit_defaults.as_ref()) else { return };
    for limit in directive.limits.iter().filter(|limit| matches!(limit.value, Value::Str(_))) {
        let default = defaults.get(&Value::from(limit.name.as_str()));
        if matches!(default, Some(Value::Int(_) | Value::Float(_))) {
            found.at(&limit.span, format!("the limit `{}` is no number, and its default is one", limit.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    fn of(limits: &str, defaults: &str, protocol: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\n\
             <description>D</description>\n<limits {limits}/>\n</metadata></directive>\n```\n\nGo.\n\
             === user:.ai/config/agent/resilience.yaml\nlimits: {{defaults: {{{defaults}}}}}\n"
        );
        said(&RULE, &files, protocol)
    }

    #[test]
    fn what_reads_as_no_number_is_found_where_the_default_is_one() {
        let found = [".ai/directives/a.md:4: the limit `turns` is no number, and its default is one"];
        for written in ["ten", "", "unlimited", "1e3", "1.2.3", "{input:turns}", "0x10"] {
            assert_eq!(of(&format!("turns=\"{written}\""), "turns: 6", "rye-3"), found, "{written}");
        }
        for written in ["10", " 10 ", "-1", "1_000", "0.5", "1.5e3"] {
            assert_eq!(of(&format!("turns=\"{written}\""), "turns: 6", "rye-3"), [""; 0], "{written}");
        }
        assert_eq!(of("turns=\"ten\"", "turns: 6.5", "rye-2"), found);
        // The default is a text, or there is none; by rye-1 there are no defaults.
        assert_eq!(of("turns=\"ten\"", "turns: many", "rye-3"), [""; 0]);
        assert_eq!(of("turns=\"ten\"", "turns: 6", "rye-1"), [""; 0]);
    }
}
