use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::store::TierKind;

use super::words::surely_meant;
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};

pub(super) const RULE: Rule = Rule {
    code: "RR322",
    name: "file_in_no_place",
    group: Group::Hooks,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "a file or folder in a place where nothing reads it",
    help: "move it to the place that is read",
    rationale: "\
Hooks of a project are read from `.ai/config/agent/hooks.yaml` alone; `hook_conditions.yaml` and `resilience.yaml` \
stand in the folders of the protocol; items stand below `.ai/directives`, `.ai/knowledge` and `.ai/tools`. A file that \
stands elsewhere, or a folder whose name is a letter off, is passed over without a word (Directives, \"Configuration \
and hooks\").",
    bad: Example(
        r#"=== .ai/hooks.yaml
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
    fix: FixKind::None,
    check: Check::Project(check),
    #[cfg(test)]
    composed: Example(
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
=== .ai/knowlege/deploy/rules.md
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
=== .ai/notes/hooks.yaml
hooks: none yet
"#,
    ),
};

/// The folders of a project that are read.
const FOLDERS: [&str; 4] = ["config", "directives", "knowledge", "tools"];

/// The files that are read from one place, and from the folders of the protocol.
const HOOKS: &str = "hooks.yaml";
const MERGED: [&str; 2] = ["hook_conditions.yaml", "resilience.yaml"];

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let tiers = project.tiers.list();
    let Some(tier) = tiers.iter().position(|tier| tier.kind == TierKind::Project) else { return };
    let exists = |path: &str| tiers[tier].store.exists(path);
    for folder in ["", "config"] {
        let root = if folder.is_empty() { ".ai".to_string() } else { format!(".ai/{folder}") };
        // What cannot be listed is said where it is read.
        for entry in project.tiers.entries(tier, &root).unwrap_or_default() {
            let path = format!("{root}/{}", entry.name);
            let right = if !entry.is_folder {
                place_of(&entry.name, folder, project)
            } else if folder.is_empty() && !FOLDERS.contains(&entry.name.as_str()) {
                surely_meant(&entry.name, FOLDERS.into_iter()).map(|meant| format!(".ai/{meant}"))
            } else {
                None
            };
            let Some(right) = right else { continue };
            // Where case does not count, both are one; and a file may be kept for another protocol as well.
            let is_same = right.eq_ignore_ascii_case(&path) || !folder.is_empty();
            if is_same && exists(&right) {
                continue;
            }
            let at = match project.files.iter().find(|file| file.path == path && project.is_of_project(file)) {
                Some(file) => project.location(file),
                None => project.tiers.place(tier, path.clone()),
            };
            found.at(at, format!("nothing reads `{path}`")).help(format!("did you mean `{right}`?"));
        }
    }
}

/// The place of a file that stands where it is not read.
fn place_of(name: &str, folder: &str, project: &Project<'_>) -> Option<String> {
    if name == HOOKS {
        return Some(format!(".ai/config/agent/{HOOKS}"));
    }
    let folders = &project.protocol.hook_conditions.project;
    let is_unread = MERGED.contains(&name) && !folders.iter().any(|known| known == folder);
    folders.last().filter(|_| is_unread).map(|right| format!(".ai/{right}/{name}"))
}
