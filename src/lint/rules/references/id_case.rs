use std::collections::{HashMap, HashSet};

use crate::lint::rules::{Directive, Findings, Hook, ItemField, LintFile, Project, has_context};
use crate::read::store::ItemKind;

use super::ids::{Dangling, item_of, rewrite};
use super::parent_not_found;
use super::suppression::unmatched;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    collisions(project, found);
    for (file, directive) in project.linted_directives() {
        directive_names(file, directive, project, found);
    }
    for hook in project.configured_hooks() {
        hook_names(hook, project, found);
    }
}

/// Items that a case-insensitive disk does not distinguish.
fn collisions(project: &Project<'_>, found: &mut Findings<'_>) {
    let items = || project.files.iter().filter(|file| file.kind.item().is_some() && project.is_of_project(file));
    let is_lower = |file: &&LintFile| file.id.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    // Most projects have few others, and one of the two that collide is among them.
    let others: HashSet<String> = items().filter(|file| !is_lower(file)).map(|file| file.id.to_lowercase()).collect();
    let may_collide = |file: &&LintFile| !others.is_empty() && (!is_lower(file) || others.contains(&file.id));
    let mut first: HashMap<(Option<ItemKind>, String), &LintFile> = HashMap::new();
    for file in items().filter(may_collide) {
        let first = first.entry((file.kind.item(), file.id.to_lowercase())).or_insert(file);
        // The same id with two extensions is reported elsewhere.
        if first.id != file.id {
            let message = format!("the id `{}` differs from `{}` only in case", file.id, first.id);
            let finding = found.at(project.location(file), message);
            finding.help("rename one of the two").related(project.location(first), "the other item");
        }
    }
}

fn directive_names(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    let parent = directive.extends.as_ref().filter(|field| !field.text.is_empty());
    if let Some(parent) = parent.filter(|_| !parent_not_found::reports(file, directive, project)) {
        compare(ItemKind::Directive, parent, project, found);
    }
    let context = &directive.context;
    for id in context.items() {
        compare(ItemKind::Knowledge, id, project, found);
    }
    for hook in &directive.hooks {
        hook_names(hook, project, found);
    }
    if !context.suppress.is_empty() {
        for unmatched in unmatched(&project.composed(file, directive), project) {
            if let Some(id) = unmatched.by_case.first() {
                report(unmatched.field, id, unmatched.by_case.len() == 1, found);
            }
        }
    }
}

fn hook_names(hook: &Hook, project: &Project<'_>, found: &mut Findings<'_>) {
    for action in &hook.actions {
        if let Some((kind, id)) = item_of(action) {
            compare(kind, id, project, found);
        }
        if let Some(target) = &action.set_extends {
            compare(ItemKind::Directive, target, project, found);
        }
    }
}

fn compare(kind: ItemKind, id: &ItemField, project: &Project<'_>, found: &mut Findings<'_>) {
    let dangling = Dangling::find(kind, id.as_str(), project).filter(|dangling| dangling.differs_in_case);
    if let Some(meant) = dangling.and_then(|dangling| dangling.nearest) {
        report(id, &meant, true, found);
    }
}

fn report(id: &ItemField, meant: &str, is_certain: bool, found: &mut Findings<'_>) {
    let message = format!("`{}` differs from `{meant}` only in case", id.as_str());
    let write = format!("write `{meant}`");
    found.at(&id.span, message).help(&write).fix(&write, rewrite(id, meant).filter(|_| is_certain));
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR109 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    fn reported(files: &'static str) -> Vec<(&'static str, String)> {
        found(Example(files), &LintOptions::default()).into_iter().map(|it| (it.rule.code, it.message)).collect()
    }

    #[test]
    fn every_kind_of_reference_is_compared() {
        let reported = reported(
            r#"=== .ai/directives/Base.md
```xml
<directive name="Base" version="1.0.0"/>
```
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata><context><suppress>CTX_environment</suppress></context></metadata>
</directive>
```
=== .ai/config/agent/hooks.yaml
hooks:
  - id: route
    event: resolve_extends
    condition: {path: directive, op: eq, value: deploy}
    action: {set_extends: BASE}
"#,
        );
        let of_case: Vec<_> = reported.iter().filter(|it| it.0 == RULE.code).map(|it| it.1.as_str()).collect();
        let expected = [
            "`BASE` differs from `Base` only in case",
            "`base` differs from `Base` only in case",
            "`CTX_environment` differs from `ctx_environment` only in case",
        ];
        assert_eq!(of_case, expected);
        // Only this rule reports these, apart from errors that make the prompt fail.
        let others: Vec<_> = reported.iter().map(|it| it.0).filter(|code| code.starts_with("RR1")).collect();
        assert_eq!(others.len(), 3 + 1, "{reported:?}");
    }

    #[test]
    fn items_that_differ_only_in_case_are_reported() {
        let reported = reported(
            r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata><context><before>Rules</before><before>rules</before></context></metadata>
</directive>
```
=== .ai/knowledge/Rules.md
```yaml
name: Rules
```
One.
=== .ai/knowledge/rules.md
```yaml
name: rules
```
Two.
"#,
        );
        let of_case: Vec<_> = reported.iter().filter(|it| it.0 == RULE.code).map(|it| it.1.as_str()).collect();
        assert_eq!(of_case, ["the id `rules` differs from `Rules` only in case"]);
    }
}
