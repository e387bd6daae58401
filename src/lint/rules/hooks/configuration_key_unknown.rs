use crate::assemble::Configuration;
use crate::lint::finding::Findings;
use crate::lint::project::{Content, File, Project};
use crate::value::Value;
use crate::yaml::{Data, key_place};

use super::words::{rewrite, surely_meant};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR321",
    name: "configuration_key_unknown",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a key of a configuration file that is almost one that is read",
    help: "write the key as the documents do",
    rationale: "\
Of `hooks.yaml` only `hooks` is read, of `hook_conditions.yaml` the lists `builtin_hooks`, `context_hooks` and \
`infra_hooks`, and of `resilience.yaml` `limits` and `tool_preload`. Whatever stands under another key is passed \
over, so that one wrong letter switches all hooks of a file off (Directives, \"Configuration and hooks\").\n\n\
Of a key that resembles none of these, and of one beside the known key, nothing is said.",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hook:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    fix: FixKind::ChangesPrompt,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hook_conditions.yaml
builtin_hook:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
owner: release team
hooks:
  - id: deploy_rules
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy what is ready.
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
title: Rules of deploying
version: 1.0.0
entry_type: reference
category: deploy
```

Never deploy on a Friday.
"#,
    ),
};

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    let Content::Configuration(node) = &file.content else { return };
    let Some(known) = Configuration::keys_of(&file.path, project.protocol) else { return };
    let Data::Map(map) = &node.data else { return };
    for (key, value) in map.iter().filter_map(|(key, value)| Some((key.as_str()?, value))) {
        let meant = surely_meant(key, known.iter().copied()).filter(|_| !known.contains(&key));
        // What is there already is not what was meant.
        let Some(meant) = meant.filter(|meant| !map.contains_key(&Value::from(*meant))) else { continue };
        let (Some(source), Some(value)) = (&file.source, &value.span) else { continue };
        let at = key_place(&source.span(0..source.text().len()), value, key);
        let message = format!("`{key}` is no key of this file, so nothing reads what stands under it");
        let finding = found.at(at.as_ref().unwrap_or(value), message);
        finding.help(format!("did you mean `{meant}`?"));
        if let Some(edit) = at.and_then(|at| rewrite(&at, key, meant)) {
            finding.fix(format!("write {meant}"), vec![edit]);
        }
    }
}
