use crate::decide::ChainEnd;
use crate::diagnostic::ChainLink;
use crate::lint::rules::{Composed, Findings, LintFile, Location, Problem, Project, Span};

use super::chain::{Broken, is_routed, link};

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
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
    let finding = found.problem(Problem::CircularExtends { chain }, place(cycle[0], project));
    for member in &cycle[1..] {
        finding.related(place(member, project), "also part of the cycle");
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

fn place(member: &LintFile, project: &Project<'_>) -> Location {
    extends(member).map_or_else(|| project.location(member), Location::from)
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR102 as RULE;
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
