use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::lint::finding::{Edit, Findings};
use crate::lint::project::Project;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR032",
    name: "wrap_text",
    group: Group::Structure,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a hook whose wrap is a text that means false and counts as true",
    help: "write wrap=\"\" in a directive, wrap: false in YAML",
    rationale: "\
Attributes are text, and every text but the empty one is true. So `wrap=\"false\"` in a directive wraps all the \
same, as does `wrap: \"false\"` in YAML, where only the value without quotes is what it says (Directives, \"Reading \
a directive\" and \"Knowledge\"). The empty text is what unwraps in a directive.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="rules" event="thread_started" wrap="false">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules" />
      </hook>
    </hooks>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="rules" event="thread_started" wrap="">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules" />
      </hook>
    </hooks>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    wrap: "false"
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="rules" event="thread_started" wrap="true">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules" />
      </hook>
    </hooks>
  </metadata>
</directive>
```

Do what the description says.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
=== .ai/config/agent/hooks.yaml
hooks:
  - id: house_rules
    event: thread_started
    wrap: "true"
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
    ),
};

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let of_files = project.files.iter().flat_map(|file| &file.diagnostics);
    for diagnostic in of_files.chain(&project.diagnostics) {
        report(diagnostic, found);
    }
}

fn report(diagnostic: &Diagnostic, found: &mut Findings<'_>) {
    let (Problem::WrapText { .. }, Some(at @ Location::Span(span))) = (&diagnostic.problem, &diagnostic.at) else {
        return;
    };
    let finding = found.diagnosed(diagnostic, || at.clone());
    if !span.source().path().ends_with(".md") {
        finding.help("write wrap: false, without quotes").fix("make it the value", vec![Edit::replace(span, "false")]);
        return;
    }
    finding.help("write wrap=\"\", the only text that unwraps");
    // A child element has no empty text.
    if span.source().text()[..span.range().start].ends_with(['"', '\'']) {
        finding.fix("make the value empty", vec![Edit::replace(span, "")]);
    }
}
