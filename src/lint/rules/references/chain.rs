//! Chains that do not reach a root, reported where they can be fixed.

use crate::decide::ChainEnd;
use crate::diagnostic::{ChainLink, Diagnostic, Severity};
use crate::lint::rule::RR101;
use crate::lint::rules::{Composed, Directive, Findings, ItemKind, LintFile, Location, Problem, Project, Span};

use super::ids::{Dangling, rewrite};

/// A broken chain, as one member reports it.
pub(super) struct Broken<'c, 'p> {
    composed: &'c Composed<'p>,
    project: &'c Project<'p>,
    chain: Vec<&'p LintFile>,
    /// The index of the linted member nearest to the break.
    owner: usize,
}

impl<'c, 'p> Broken<'c, 'p> {
    /// The break above member `by`; none if another prompt reports it. A broken directive thus
    /// gives one finding, not one per descendant.
    pub fn behind(by: usize, composed: &'c Composed<'p>, project: &'c Project<'p>) -> Option<Self> {
        let (leaf, chain) = (composed.length() - 1, composed.chain());
        let owner = (by..leaf).find(|&index| chain[index].is_linted).unwrap_or(leaf);
        let is_reporter = owner == leaf || is_routed(chain[owner], project);
        is_reporter.then_some(Self { composed, project, chain, owner })
    }

    /// Where the owner declares its parent.
    pub fn at(&self) -> Location {
        let file = self.chain[self.owner];
        // A hook in another tier cannot be fixed here.
        let is_of_tier = |span: &&Span| *span.source().tier() == *self.project.tiers.list()[file.tier].label;
        match self.link(self.owner).filter(is_of_tier) {
            Some(span) => Location::Span(span.clone()),
            None => self.project.location(file),
        }
    }

    pub fn links(&self, end: &str) -> Vec<ChainLink> {
        let members = (0..=self.owner).rev().map(|index| link(self.chain[index], self.link(index), self.project));
        members.chain([ChainLink::end(end)]).collect()
    }

    /// The declaration that leads from a member to its parent.
    fn link(&self, index: usize) -> Option<&'p Span> {
        let target = match self.composed.routed_by.filter(|_| index + 1 == self.chain.len()) {
            Some(hook) => hook.parent(),
            None => self.chain[index].readable()?.extends.as_ref(),
        };
        target.map(|field| &field.span)
    }
}

/// Whether a hook is certain to set a different parent, so that `extends` only matters to children.
pub(super) fn is_routed(file: &LintFile, project: &Project<'_>) -> bool {
    file.directive().is_some_and(|directive| project.composed(file, directive).routed_by.is_some())
}

fn link(file: &LintFile, leads_on: Option<&Span>, project: &Project<'_>) -> ChainLink {
    let place = match leads_on {
        Some(span) => format!("{}:{}", span.source().path(), span.line()),
        None => file.path.clone(),
    };
    ChainLink { id: file.id.clone(), tier: project.tiers.list()[file.tier].label.to_string(), place }
}

pub fn circular_extends(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let ChainEnd::Cycle(again) = composed.end() else { return };
    let again = again.as_str();
    let chain = composed.chain();
    let Some(closes) = chain.iter().position(|member| member.id == again) else { return };
    let leaf = chain.len() - 1;
    // From child to parent.
    let mut cycle: Vec<&LintFile> = chain[..=closes].iter().rev().copied().collect();
    let is_set_by_hook = closes == leaf && composed.routed_by.is_some();
    let linted = cycle.iter().enumerate().filter(|(_, member)| member.is_linted);
    let first = linted.min_by_key(|(_, member)| &member.path).map(|(index, _)| index);
    let Some(first) = first.filter(|_| !is_set_by_hook) else {
        return report_entry(closes, again, composed, project, found);
    };
    cycle.rotate_left(first);
    let reporter = cycle[0];
    if reporter.id != composed.leaf.id && !is_routed(reporter, project) {
        return;
    }
    let mut chain: Vec<ChainLink> = cycle.iter().map(|member| link(member, extends(member), project)).collect();
    chain.push(ChainLink::end(&reporter.id));
    let finding = found.problem(Problem::CircularExtends { chain }, place_of_parent(cycle[0], project));
    for member in &cycle[1..] {
        finding.related(place_of_parent(member, project), "also part of the cycle");
    }
}

/// Reports a cycle outside of the project at the reference that leads into it.
fn report_entry(closes: usize, again: &str, composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(broken) = Broken::behind(closes, composed, project) {
        let problem = Problem::CircularExtends { chain: broken.links(again) };
        found.problem(problem, broken.at());
    }
}

fn extends(member: &LintFile) -> Option<&Span> {
    Some(&member.readable()?.extends.as_ref()?.span)
}

fn place_of_parent(member: &LintFile, project: &Project<'_>) -> Location {
    extends(member).map_or_else(|| project.location(member), Location::from)
}

pub fn parent_not_found(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
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
pub(super) fn reports_parent(file: &LintFile, directive: &Directive, project: &Project<'_>) -> bool {
    let Some(parent) = directive.extends.as_ref() else { return false };
    if project.find(ItemKind::Directive, parent.as_str()).is_some() || !project.options.is_on_anywhere(&RR101) {
        return false;
    }
    let composed = project.composed(file, directive);
    composed.routed_by.is_none() && composed.length() == 1 && matches!(composed.end(), ChainEnd::Missing(..))
}

pub fn parent_unusable(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let ChainEnd::Unusable(parent) = composed.end() else { return };
    let file = project.indexed_file(parent);
    let Some(broken) = Broken::behind(1, composed, project) else { return };
    let error = file.diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    let reason = error.map_or_else(|| "it cannot be parsed".to_string(), Diagnostic::message);
    let problem = Problem::ParentUnusable { id: file.id.clone(), reason };
    let finding = found.problem(problem, broken.at());
    let place = error.and_then(|error| error.at.clone()).unwrap_or_else(|| project.location(file));
    finding.related(place, "the error is here");
}

#[cfg(test)]
mod circular_extends_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR102 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn a_cycle_is_reported_once() {
        let files = r#"=== .ai/directives/a.md
```xml
<directive name="a" version="1.0.0" extends="c"/>
```
=== .ai/directives/b.md
```xml
<directive name="b" version="1.0.0" extends="d"/>
```
=== .ai/directives/c.md
```xml
<directive name="c" version="1.0.0" extends="b"/>
```
=== .ai/directives/d.md
```xml
<directive name="d" version="1.0.0" extends="c"/>
```
"#;
        let findings = found(Example(files), &LintOptions::default()).into_iter();
        let reported: Vec<_> = findings.filter(|finding| finding.rule.code == RULE.code).collect();
        assert_eq!(reported.len(), 1);
        assert_eq!(reported[0].path(), ".ai/directives/b.md");
        let message = "b extends itself through d, c\n    b  project .ai/directives/b.md:2\n  → d  project .ai/directives/d.md:2\n  \
                       → c  project .ai/directives/c.md:2\n  → b  (again)";
        assert_eq!(reported[0].message, message);
        assert_eq!(reported[0].related.len(), 2);
    }
}

#[cfg(test)]
mod parent_not_found_tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::found;
    use crate::lint::testing::{Example, examples};

    use super::*;

    fn reported(files: &'static str) -> Vec<(String, String, String)> {
        let findings = found(Example(files), &LintOptions::default()).into_iter();
        let of_rule = findings.filter(|finding| finding.rule.code == RR101.code);
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
        let findings = found(examples(&RR101).bad, &LintOptions::default());
        let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(codes, [RR101.code]);
        assert_eq!(findings[0].help, "write `team/base`, which differs only in case");
        assert!(findings[0].fix.is_some());
    }

    /// A chain that breaks in another tier is reported where it leaves the project.
    #[test]
    fn the_chain_ends_at_the_break() {
        let reported = reported(examples(&RR101).composed.0);
        let message = "parent directive `shared/root` not found in any tier\n    \
                       deploy       project .ai/directives/deploy.md:2\n  \
                       → shared/base  user .ai/directives/shared/base.md:2\n  → shared/root  (not found)";
        assert_eq!(reported.len(), 1);
        assert_eq!((reported[0].0.as_str(), reported[0].1.as_str()), (".ai/directives/deploy.md", message));
    }
}
