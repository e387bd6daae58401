use std::collections::HashSet;

use crate::condition::Truth;
use crate::item::{Hook, HookOrigin};
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::nearest::nearest;
use crate::protocol::Scope;

use super::uses::{self, Of};

pub(super) const RULE: Rule = Rule {
    code: "RR210",
    name: "input_unknown_to_all",
    group: Group::Inputs,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a condition on an input that no directive of the project declares",
    help: "correct the name, or declare the input",
    rationale: "\
A directive that declares inputs takes those alone: another one is an error. So where every directive that a hook \
applies to declares inputs, and none the one that its condition asks for, the condition never sees a value. Directives \
of other tiers may declare it, and for them the hook is asked too, so this is worth knowing and no more (Directives, \
\"Hooks and conditions\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: careful
    event: thread_started
    condition: {path: inputs.taget, op: eq, value: production}
    action: {primary: fetch, item_type: knowledge, item_id: deploy/rules}
=== .ai/directives/deploy.md
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
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: careful
    event: thread_started
    condition: {path: inputs.target, op: eq, value: production}
    action: {primary: fetch, item_type: knowledge, item_id: deploy/rules}
=== .ai/directives/deploy.md
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
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: careful
    event: thread_started
    condition: {all: [{path: directive, op: eq, value: deploy}, {path: inputs.region, op: eq, value: eu}]}
    action: {primary: fetch, item_type: knowledge, item_id: deploy/rules}
=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What all deployments share</description>
  </metadata>
  <inputs>
    <input name="region" type="string" required="true">In which part of the world</input>
  </inputs>
</directive>
```

Deploy to {input:region}.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
  <inputs>
    <input name="target" type="string" required="true">Where to</input>
  </inputs>
</directive>
```

Deploy to {input:target}.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: careful
    event: thread_started
    condition: {path: inputs.region, op: eq, value: production}
    action: {primary: fetch, item_type: knowledge, item_id: deploy/rules}
=== .ai/directives/deploy.md
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
=== .ai/directives/tidy.md
```xml
<directive name="tidy" version="1.0.0">
  <metadata>
    <description>Tidy up</description>
  </metadata>
</directive>
```

Tidy up.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
"#,
    ),
};

fn check(hook: &Hook, _file: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_of_prompt = hook.shapes_messages() || hook.routes();
    let Some(at) = &hook.condition_span else { return };
    if hook.origin != HookOrigin::Project || !is_of_prompt || project.protocol.context == Scope::None {
        return;
    }
    let uses = uses::of_condition(hook);
    let mut open: HashSet<&str> =
        uses.iter().filter_map(|it| if let Of::One(name) = it.of { Some(name) } else { None }).collect();
    let (mut declared, mut has_any) = (HashSet::new(), false);
    for (file, directive) in project.directives() {
        let names = || directive.inputs.iter().map(|input| input.name.as_str());
        declared.extend(names());
        // Another reads what it knows of, or whatever it is given.
        if open.is_empty() || has_any && !directive.inputs.is_empty() && !names().any(|name| open.contains(name)) {
            continue;
        }
        if project.composed(file, directive).truth(hook) == Truth::False {
            continue;
        }
        if directive.inputs.is_empty() {
            return;
        }
        has_any = true;
        for name in names() {
            open.remove(name);
        }
    }
    let mut open: Vec<&str> = open.into_iter().filter(|_| has_any).collect();
    open.sort_unstable();
    for name in open {
        let message = format!("no directive that hook {} applies to takes an input `{name}`", hook.name());
        let finding = found.at(at, message);
        if let Some(near) = nearest(name, declared.iter().copied()) {
            finding.help(format!("did you mean `{near}`?"));
        }
    }
}
