use crate::diagnostic::{ChainLink, Diagnostic, Location, Problem};
use crate::lint::finding::Findings;
use crate::lint::project::{Composed, End, Member, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::text::Span;

use super::chain::{Broken, is_routed, last, link};

pub(super) const RULE: Rule = Rule {
    code: "RR102",
    name: "circular_extends",
    group: Group::References,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "directives that extend each other in a circle",
    help: "remove one of these `extends` attributes",
    rationale: "\
A chain is followed from the directive to its root, and a circle has none: no directive of the circle can be rendered, \
nor any that extends one of them. It is told once, at the member whose path comes first, and the other members are named \
with it (Directives, \"Chain\").",
    bad: Example(
        r#"=== .ai/directives/common.md
```xml
<directive name="common" version="1.0.0" extends="deploy">
  <metadata>
    <description>What all deployments share</description>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="common">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/common.md
```xml
<directive name="common" version="1.0.0">
  <metadata>
    <description>What all deployments share</description>
  </metadata>
</directive>
```

Tell what you do.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="common">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
"#,
    ),
    fix: FixKind::None,
    check: Check::Composed(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="shared/left">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
=== user:.ai/directives/shared/left.md
```xml
<directive name="left" version="1.0.0" extends="shared/right">
  <metadata>
    <description>One half</description>
    <category>shared</category>
  </metadata>
</directive>
```

Left.
=== user:.ai/directives/shared/right.md
```xml
<directive name="right" version="1.0.0" extends="shared/left">
  <metadata>
    <description>The other half</description>
    <category>shared</category>
  </metadata>
</directive>
```

Right.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="team/deploy">
  <metadata>
    <description>Deploy the service</description>
  </metadata>
</directive>
```

Deploy the service.
=== .ai/directives/team/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy anything</description>
    <category>team</category>
  </metadata>
</directive>
```

Deploy.
"#,
    ),
};

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let End::Circle(again, _) = composed.end else { return };
    let chain = composed.chain();
    let Some(closes) = chain.iter().position(|member| member.file.id == again) else { return };
    let leaf = composed.length - 1;
    // As the links lead, from child to parent.
    let mut circle: Vec<&Member<'_>> = chain[..=closes].iter().rev().collect();
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

fn extends<'p>(member: &Member<'p>) -> Option<&'p Span> {
    Some(&member.directive?.extends.as_ref()?.span)
}

fn place(member: &Member<'_>, project: &Project<'_>) -> Location {
    extends(member).map_or_else(|| project.location(member.file), Location::from)
}

#[cfg(test)]
mod tests {
    use crate::lint::Options;
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
        let findings = found(Example(files), &Options::default()).into_iter();
        let told: Vec<_> = findings.filter(|finding| finding.rule.code == RULE.code).collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].path(), ".ai/directives/b.md");
        let message = "b extends itself through d, c\n    b  project .ai/directives/b.md:2\n  → d  project .ai/directives/d.md:2\n  \
                       → c  project .ai/directives/c.md:2\n  → b  (again)";
        assert_eq!(told[0].message, message);
        assert_eq!(told[0].related.len(), 2);
    }
}
