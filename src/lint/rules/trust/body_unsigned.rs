use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::trust::{Covers, Trust, directive_region};

use super::text_after_signed::behind_signed;

pub(super) const RULE: Rule = Rule {
    code: "RR606",
    name: "body_unsigned",
    group: Group::Trust,
    level: Level::Note,
    status: Status::Stable { since: "0.1.0" },
    message: "a signed directive whose body the signature does not cover",
    help: "wrap the body in `<directive>` and `</directive>`, and have the directive signed again",
    rationale: "\
A directive is signed from its first `<directive…>` to its last `</directive>` (Directives, \"Signatures\"). What the \
model is told to do stands after that, in the body: it can be changed at will, and the signature stays valid. \
`render --verify` refuses such a prompt. A body that ends with `</directive>` is part of what is signed; the tags \
reach the model with it.",
    bad: Example(concat!(
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:489d044d1f9ce848c44bae2a50559b68e8dbc6812dee5b71e2e031abdc795b6d:xni5uaWcQyUrXn107qDohXLorq6b3f0j1HTBYuxsT_BqUwL8RZ9GCSvisViJOdGjyEHhJG4XO6q4dsQAZbR6Bw:73ab020d466844fe -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Water what is dry.
"#,
        key_of_ana!(),
    )),
    good: Example(concat!(
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:fe6ebb8d6bc1ee5a02af31127a0368f390900410b0bd8a3c0738f7747daaa74e:wnwakbnLR4jyRKpNfHrUYYG9vrWcUOnK_dFtNIfJ8rSUrHpazRKlSl4fxPi7QGARvLNsbIESKAb1QeNlIZ0VDQ:73ab020d466844fe -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

<directive>
Water what is dry.
</directive>
"#,
        key_of_ana!(),
    )),
    fix: FixKind::None,
    check: Check::Directive(check),
    #[cfg(test)]
    composed: Example(concat!(
        r#"=== .ai/directives/garden/base.md
<!-- rye:signed:2026-01-02T03:04:05Z:d91305b43aa95fe879695afdde3c21b36c46c3924f4efc1033a182beda05fa95:VMW810GAiTwA0ykF7WvDtL9EukNP4EksVgqLK7tVGKFeYG9BrR0RMgjuZqVM4MT8i8DMJKJ5jHlR49RF6kWdCg:73ab020d466844fe -->
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>What holds in the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Mind the rules.
=== .ai/directives/garden/water.md
```xml
<directive name="water" version="1.0.0" extends="garden/base">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Water what is dry.
"#,
        key_of_ana!(),
    )),
    #[cfg(test)]
    near_miss: Example(concat!(
        r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:31d37502b3caa7893d742920926a859c0a563b13287ee9d6cc236a3a3725b6c7:ZFVEbZIMCjmWsVBm0k5az3Xm5hfkysn3R_YMrtX4guyNzxb7h6mbQAMr0bs_rl8MlRShoE84wOswz38bnwKgAw:73ab020d466844fe -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```

Close what you open: </directive>
"#,
        key_of_ana!(),
    )),
};

fn check(file: &File, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_left_out = |trust: &Trust| trust.verdict.is_signed() && trust.covers == Covers::Part;
    let body = directive.body.text();
    // Text behind a body that is covered has a rule of its own, and so have declarations that are not.
    if !body.is_empty()
        && behind_signed(directive).is_none()
        && project.trusted(file).is_some_and(is_left_out)
        && !is_within_region(directive)
    {
        let line = directive.body.slice(0..body.find('\n').unwrap_or(body.len()));
        found.at(line, format!("the signature of `{}` does not cover its body", file.id));
    }
}

fn is_within_region(directive: &Directive) -> bool {
    let body = directive.body.range();
    let region = directive_region(directive.source.text());
    region.is_some_and(|region| region.start <= body.start && body.end <= region.end)
}
