use std::collections::HashMap;

use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{Content, File, Project};
use crate::text::Span;
use crate::value::python_str;
use crate::yaml::Node;

use super::place_of;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR307",
    name: "hook_id_repeated",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "two hooks of one file with the same id",
    help: "give each hook an id of its own",
    rationale: "\
An id is what a `<suppress>` and the configuration of a higher tier name a hook by. With two hooks of one id a \
suppression takes both away, and an override replaces both by its first entry of that id. An entry that replaces \
a hook of a lower tier is no repetition (Directives, \"Configuration and hooks\").",
    bad: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    position: before
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
  - id: deploy_rules
    event: thread_started
    position: after
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
    good: Example(concat!(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: deploy_rules
    event: thread_started
    position: before
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
  - id: deploy_rules_again
    event: thread_started
    position: after
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
    fix: FixKind::None,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <hooks>
      <hook id="deploy_rules" event="thread_started" position="before">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules"/>
      </hook>
      <hook id="deploy_rules" event="thread_started" position="after">
        <action primary="fetch" item_type="knowledge" item_id="deploy/rules"/>
      </hook>
    </hooks>
  </metadata>
</directive>
```

Deploy what is ready.
"#,
        rules_of_deploying!(),
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/config/agent/hook_conditions.yaml
context_hooks:
  - id: ctx_environment
    event: thread_started
    condition:
      path: directive
      op: contains
      value: deploy
    action:
      primary: fetch
      item_type: knowledge
      item_id: deploy/rules
"#,
        deploying!(),
        rules_of_deploying!(),
    )),
};

/// The lists of hooks that a configuration file may have.
const LISTS: [&str; 4] = ["hooks", "builtin_hooks", "context_hooks", "infra_hooks"];

fn check(file: &File, project: &Project<'_>, found: &mut Findings<'_>) {
    match &file.content {
        Content::Directive(directive) if directive.hooks.len() > 1 => {
            let ids = directive.hooks.iter().filter_map(|hook: &Hook| Some((hook.id.clone()?, place_of(hook, "id")?)));
            repeated(ids, found);
        }
        Content::Configuration(node) if holds_hooks(&file.path, project) => {
            let lists = LISTS.iter().filter_map(|key| node.get(key)?.as_list());
            repeated(lists.flatten().filter_map(id), found);
        }
        _ => {}
    }
}

fn holds_hooks(path: &str, project: &Project<'_>) -> bool {
    let folders = &project.protocol.hook_conditions.project;
    let mut files = folders.iter().map(|folder| format!(".ai/{folder}/hook_conditions.yaml"));
    path == ".ai/config/agent/hooks.yaml" || files.any(|file| file == path)
}

fn id(entry: &Node) -> Option<(String, Span)> {
    let id = entry.get("id")?;
    let value = id.value();
    (!value.is_null()).then(|| python_str(&value)).zip(id.span.clone())
}

fn repeated(ids: impl Iterator<Item = (String, Span)>, found: &mut Findings<'_>) {
    let mut first: HashMap<String, Span> = HashMap::new();
    for (id, at) in ids {
        match first.get(&id) {
            Some(earlier) => {
                found.at(&at, format!("two hooks have the id `{id}`")).related(earlier, "the first one is here");
            }
            None => drop(first.insert(id, at)),
        }
    }
}
