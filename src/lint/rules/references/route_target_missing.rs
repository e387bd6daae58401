use crate::item::Hook;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::store::ItemKind;

use super::ids::Dangling;

pub(super) const RULE: Rule = Rule {
    code: "RR111",
    name: "route_target_missing",
    group: Group::References,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "a routing hook that sets a parent which no tier has",
    help: "correct `set_extends` or add the directive",
    rationale: "\
A `resolve_extends` hook whose condition holds replaces what the directive extends. If no tier has the directive that it \
names, every prompt that the hook reaches fails, although nothing is wrong with the directives themselves (Directives, \
\"Routing\").",
    bad: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_reviews
    event: resolve_extends
    condition: {path: directive, op: eq, value: review}
    action: {set_extends: team/careful}
=== .ai/directives/review.md
```xml
<directive name="review" version="1.0.0">
  <metadata>
    <description>Review a change</description>
  </metadata>
</directive>
```

Review the change.
"#,
    ),
    good: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_reviews
    event: resolve_extends
    condition: {path: directive, op: eq, value: review}
    action: {set_extends: team/careful}
=== .ai/directives/review.md
```xml
<directive name="review" version="1.0.0">
  <metadata>
    <description>Review a change</description>
  </metadata>
</directive>
```

Review the change.
=== .ai/directives/team/careful.md
```xml
<directive name="careful" version="1.0.0">
  <metadata>
    <description>What reviews have in common</description>
    <category>team</category>
  </metadata>
</directive>
```

Read every line.
"#,
    ),
    fix: FixKind::None,
    check: Check::Hook(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_everything
    event: resolve_extends
    action: {set_extends: team/missing}
=== .ai/directives/team/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What the team agreed on</description>
    <category>team</category>
  </metadata>
</directive>
```

Work as the team agreed.
=== .ai/directives/review.md
```xml
<directive name="review" version="1.0.0" extends="team/base">
  <metadata>
    <description>Review a change</description>
  </metadata>
</directive>
```

Review the change.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/config/agent/hooks.yaml
hooks:
  - id: route_reviews
    event: resolve_extends
    condition: {path: directive, op: eq, value: review}
    action: {set_extends: rye/agent/core/base}
=== .ai/directives/review.md
```xml
<directive name="review" version="1.0.0">
  <metadata>
    <description>Review a change</description>
  </metadata>
</directive>
```

Review the change.
"#,
    ),
};

fn check(hook: &Hook, _: Option<&File>, project: &Project<'_>, found: &mut Findings<'_>) {
    // Nothing asks the hooks of a directive for a parent.
    if !hook.routes() || project.protocol.routing.is_none() {
        return;
    }
    let Some(target) = hook.parent() else { return };
    let Some(dangling) = Dangling::find(ItemKind::Directive, target.as_str(), project) else { return };
    let message =
        format!("no directive `{}` in any tier, which hook {} sets as the parent", target.as_str(), hook.name());
    found.at(&target.span, message).help(dangling.help(RULE.help));
}
