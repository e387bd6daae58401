use crate::decide::ChainEnd;
use crate::lint::pages::RR101 as RULE;
use crate::lint::rules::{Composed, Directive, Findings, ItemKind, LintFile, Problem, Project};

use super::chain::Broken;
use super::ids::{Dangling, rewrite};

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let ChainEnd::Missing(parent) = composed.end() else { return };
    let parent = parent.as_str();
    let Some(broken) = Broken::behind(0, composed, project) else { return };
    // Other rules report invalid ids, unreadable files and targets of hooks.
    let is_set_by_hook = composed.routed_by.is_some() && composed.length() == 1;
    let Some(dangling) = Dangling::find(ItemKind::Directive, parent, project).filter(|_| !is_set_by_hook) else {
        return;
    };
    let (id, chain, nearest) = (parent.to_string(), broken.links(parent), dangling.nearest.clone());
    let problem = Problem::ParentNotFound { id, chain, nearest };
    let finding = found.problem(problem, broken.at());
    let Some(meant) = dangling.nearest.filter(|_| dangling.differs_in_case) else { return };
    finding.help(format!("write `{meant}`, which differs only in case"));
    // Only the directive itself may be edited.
    let field = composed.directive.extends.as_ref().filter(|field| composed.length() == 1 && field.as_str() == parent);
    finding.fix(format!("write `{meant}`"), field.and_then(|field| rewrite(field, &meant)));
}

/// Whether this rule reports the `extends` of a directive, so that other rules need not.
pub(super) fn reports(file: &LintFile, directive: &Directive, project: &Project<'_>) -> bool {
    let Some(parent) = directive.extends.as_ref() else { return false };
    if project.find(ItemKind::Directive, parent.as_str()).is_some() || !project.options.is_on_anywhere(&RULE) {
        return false;
    }
    let composed = project.composed(file, directive);
    composed.routed_by.is_none() && composed.length() == 1 && matches!(composed.end(), ChainEnd::Missing(..))
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::found;
    use crate::lint::testing::{Example, examples};

    use super::*;

    fn reported(files: &'static str) -> Vec<(String, String, String)> {
        let findings = found(Example(files), &LintOptions::default()).into_iter();
        let of_rule = findings.filter(|finding| finding.rule.code == RULE.code);
        of_rule.map(|it| (it.path().to_string(), it.message.clone(), it.help.clone())).collect()
    }

    /// Only the directive that names the parent reports it.
    #[test]
    fn a_missing_parent_is_reported_once() {
        let reported = reported(
            r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0" extends="rot"/>
```
=== .ai/directives/left.md
```xml
<directive name="left" version="1.0.0" extends="base"/>
```
=== .ai/directives/right.md
```xml
<directive name="right" version="1.0.0" extends="base"/>
```
=== .ai/directives/root.md
```xml
<directive name="root" version="1.0.0"/>
```
"#,
        );
        let message = "parent directive `rot` not found in any tier\n    \
                       base  project .ai/directives/base.md:2\n  → rot   (not found)";
        let expected = (".ai/directives/base.md".to_string(), message.to_string(), "did you mean `root`?".to_string());
        assert_eq!(reported, [expected]);
    }

    /// One mistake gives one finding, which includes the advice of `id_case`.
    #[test]
    fn a_difference_in_case_is_only_reported_here() {
        let findings = found(examples(&RULE).bad, &LintOptions::default());
        let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(codes, [RULE.code]);
        assert_eq!(findings[0].help, "write `team/base`, which differs only in case");
        assert!(findings[0].fix.is_some());
    }

    /// A chain that breaks in another tier is reported where it leaves the project.
    #[test]
    fn the_chain_ends_at_the_break() {
        let reported = reported(examples(&RULE).composed.0);
        let message = "parent directive `shared/root` not found in any tier\n    \
                       deploy       project .ai/directives/deploy.md:2\n  \
                       → shared/base  user .ai/directives/shared/base.md:2\n  → shared/root  (not found)";
        assert_eq!(reported.len(), 1);
        assert_eq!((reported[0].0.as_str(), reported[0].1.as_str()), (".ai/directives/deploy.md", message));
    }
}
