//! Ids that are invalid, or that differ from others only in case.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::project::PlacementOutcome;
use crate::lint::rules::{Directive, Findings, Hook, ItemField, LintFile, Problem, Project, has_context};
use crate::read::store::{ItemId, ItemKind};

use super::chain::{self, Broken};
use super::ids::{Dangling, item_of, rewrite};
use super::suppression::unmatched;

pub fn invalid_id(project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    let linted = project.files.par_iter().filter(|file| file.is_linted).filter_map(LintFile::directive);
    let of_directives: Vec<_> = linted
        .flat_map_iter(|directive| {
            let named = directive.context.items().chain(directive.parent());
            invalid(named.chain(directive.hooks.iter().flat_map(named_by_hook)))
        })
        .collect();
    let of_hooks = invalid(project.configured_hooks().flat_map(named_by_hook));
    for (id, reason) in of_directives.into_iter().chain(of_hooks) {
        found.problem(Problem::InvalidId { id: id.as_str().to_string(), reason }, &id.span);
    }
    inherited(project, found);
}

fn named_by_hook(hook: &Hook) -> impl Iterator<Item = &ItemField> {
    hook.actions.iter().flat_map(|action| {
        let target = action.set_extends.as_ref().filter(|target| !target.text.is_empty());
        item_of(action).map(|(_, id)| id).into_iter().chain(target)
    })
}

/// The ids that are invalid, and why.
fn invalid<'f>(ids: impl Iterator<Item = &'f ItemField>) -> impl Iterator<Item = (&'f ItemField, &'static str)> {
    ids.filter_map(|id| Some((id, ItemId::check(id.as_str()).err()?)))
}

/// Inherited ids that cannot be fixed here are reported where the chain leaves the project.
fn inherited(project: &Project<'_>, found: &mut Findings<'_>) {
    if project.files.iter().all(|file| file.is_linted || file.directive().is_none()) {
        return;
    }
    for (file, directive) in project.linted_directives() {
        let composed = project.composed(file, directive);
        let inherited = composed.context.iter().filter(|placed| matches!(placed.becomes, PlacementOutcome::Missing));
        for placed in inherited.filter(|placed| !placed.by.is_linted) {
            let by = composed.chain().iter().position(|member| member.id == placed.by.id);
            let broken = by.and_then(|by| Broken::behind(by, &composed, project));
            if let (Err(reason), Some(broken)) = (ItemId::check(placed.id.as_str()), broken) {
                let problem = Problem::InvalidId { id: placed.id.as_str().to_string(), reason };
                let finding = found.problem(problem, broken.at());
                finding.related(&placed.id.span, "inherited from here");
            }
        }
    }
}

pub fn id_case(project: &Project<'_>, found: &mut Findings<'_>) {
    collisions(project, found);
    let directives = || project.linted_directives().filter(|_| has_context(project));
    for (file, directive) in directives() {
        directive_names(file, directive, project, found);
    }
    let hooks = project.configured_hooks().chain(directives().flat_map(|(_, directive)| &directive.hooks));
    for (kind, id) in hooks.flat_map(Hook::references).filter(|(_, id)| !has_placeholder(id.as_str())) {
        compare(kind, id, project, found);
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
    if let Some(parent) = directive.parent().filter(|_| !chain::reports_parent(file, directive, project)) {
        compare(ItemKind::Directive, parent, project, found);
    }
    for id in directive.context.items() {
        compare(ItemKind::Knowledge, id, project, found);
    }
    if !directive.context.suppress.is_empty() {
        for unmatched in unmatched(&project.composed(file, directive), project) {
            if let Some(id) = unmatched.by_case.first() {
                report_case(unmatched.field, id, unmatched.by_case.len() == 1, found);
            }
        }
    }
}

fn compare(kind: ItemKind, id: &ItemField, project: &Project<'_>, found: &mut Findings<'_>) {
    let dangling = Dangling::find(kind, id.as_str(), project).filter(|dangling| dangling.differs_in_case);
    if let Some(meant) = dangling.and_then(|dangling| dangling.nearest) {
        report_case(id, &meant, true, found);
    }
}

fn report_case(id: &ItemField, meant: &str, is_certain: bool, found: &mut Findings<'_>) {
    let message = format!("`{}` differs from `{meant}` only in case", id.as_str());
    let write = format!("write `{meant}`");
    found.at(&id.span, message).help(&write).fix(&write, rewrite(id, meant).filter(|_| is_certain));
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR109 as RULE;
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
