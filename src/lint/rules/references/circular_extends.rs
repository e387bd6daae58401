use crate::diagnostic::{ChainLink, Diagnostic, Location, Problem};
use crate::lint::project::{ChainEnd, ComposedMember};
use crate::lint::rules::{Check, Composed, Findings, Project, Rule, pages};
use crate::text::Span;

use super::chain::{Broken, is_routed, last, link};

pub(super) const RULE: Rule = Rule { check: Check::Composed(check), ..pages::RR102 };

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let ChainEnd::Circle(again) = composed.end else { return };
    let chain = composed.chain();
    let Some(closes) = chain.iter().position(|member| member.file.id == again) else { return };
    let leaf = composed.length - 1;
    // As the links lead, from child to parent.
    let mut circle: Vec<&ComposedMember<'_>> = chain[..=closes].iter().rev().collect();
    let is_set_by_hook = closes == leaf && composed.routed_by.is_some();
    let linted = circle.iter().enumerate().filter(|(_, member)| member.file.is_linted);
    let first = linted.min_by_key(|(_, member)| &member.file.path).map(|(index, _)| index);
    let Some(first) = first.filter(|_| !is_set_by_hook) else {
        return tell_leading(closes, again, composed, project, found);
    };
    circle.rotate_left(first);
    let teller = circle[0].file;
    if teller.id != composed.leaf.id && !is_routed(teller, project) {
        return;
    }
    let mut chain: Vec<ChainLink> = circle.iter().map(|member| link(member.file, extends(member), project)).collect();
    chain.push(last(&teller.id));
    let diagnostic = Diagnostic::at(Problem::CircularExtends { chain }, place(circle[0], project));
    let finding = found.diagnosed(&diagnostic, || project.location(teller));
    for member in &circle[1..] {
        finding.related(place(member, project), "this directive stands in the circle too");
    }
}

/// A circle that nobody can open here is told by what leads into it.
fn tell_leading(closes: usize, again: &str, composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(broken) = Broken::behind(closes, composed, project) {
        let problem = Problem::CircularExtends { chain: broken.links(again) };
        found.diagnosed(&Diagnostic::at(problem, broken.at()), || broken.at());
    }
}

fn extends<'p>(member: &ComposedMember<'p>) -> Option<&'p Span> {
    Some(&member.directive?.extends.as_ref()?.span)
}

fn place(member: &ComposedMember<'_>, project: &Project<'_>) -> Location {
    extends(member).map_or_else(|| project.location(member.file), Location::from)
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    use super::*;

    /// Three in a circle and one that leads into it give one finding.
    #[test]
    fn a_circle_is_told_once() {
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
        let told: Vec<_> = findings.filter(|finding| finding.rule.code == RULE.code).collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].path(), ".ai/directives/b.md");
        let message = "b extends itself through d, c\n    b  project .ai/directives/b.md:2\n  → d  project .ai/directives/d.md:2\n  \
                       → c  project .ai/directives/c.md:2\n  → b  (again)";
        assert_eq!(told[0].message, message);
        assert_eq!(told[0].related.len(), 2);
    }
}
