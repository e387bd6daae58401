use crate::item::Directive;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::text::Span;
use crate::trust::{Covers, Verdict};

pub(super) const RULE: Rule = Rule {
    code: "RR619",
    name: "text_after_signed",
    group: Group::Trust,
    level: Level::Warning,
    status: Status::Stable { since: "0.1.0" },
    message: "text behind the signed body of a directive",
    help: "see who added it; move what is right in front of the last `</directive>`, and have the directive signed again",
    rationale: "\
The author wrapped the body in `<directive>` and `</directive>`, so that the signature covers it (Directives, \
\"Signatures\"). Text behind the last tag is not covered, but it is part of the body and reaches the model: anybody \
can add a line there, and the signature stays valid.",
    bad: Example(concat!(
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

Water at noon as well.
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

Water at noon as well.
=== .ai/directives/garden/deep.md
```xml
<directive name="deep" version="1.0.0" extends="garden/water">
  <metadata>
    <description>Water the garden for long</description>
    <category>garden</category>
  </metadata>
</directive>
```

Water it twice.
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
    // A text that is not the signed one is the matter of other rules.
    let is_what_was_signed = project.trusted(file).is_some_and(|trust| {
        matches!(trust.verdict, Verdict::Valid(_) | Verdict::UnknownKey) && trust.covers == Covers::Part
    });
    if let Some(added) = behind_signed(directive).filter(|_| is_what_was_signed) {
        let line = added.slice(0..added.text().find('\n').unwrap_or(added.text().len()));
        found.at(line, format!("this text stands behind the signed body of `{}`", file.id));
    }
}

/// What stands behind a body that is wrapped in tags. A closing tag alone may be an example of one.
pub(super) fn behind_signed(directive: &Directive) -> Option<Span> {
    const CLOSING: &str = "</directive>";
    let body = directive.body.text();
    let end = body.rfind(CLOSING).filter(|_| body.trim_start().starts_with("<directive>"))? + CLOSING.len();
    Some(directive.body.slice(end..body.len()).trim()).filter(|added| !added.text().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::said;

    fn at(line: usize) -> [String; 1] {
        [format!(".ai/directives/garden/water.md:{line}: this text stands behind the signed body of `garden/water`")]
    }

    #[test]
    fn what_anybody_could_have_added_is_found() {
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(said(&RULE, RULE.bad.0, protocol), at(15));
        }
        // The signature is that of the same text, whoever knows its key.
        let (directive, key) = RULE.bad.0.split_once("=== user:").unwrap();
        assert_eq!(said(&RULE, directive, "rye-3"), at(15));
        let (path, text) = directive.split_once('\n').unwrap();
        let other_ends = format!("{path}\n{}=== user:{key}", text.replace('\n', "\r\n"));
        assert_eq!(said(&RULE, &other_ends, "rye-3"), at(15));
        // A later closing tag would be in the signed region, which is another one then.
        let later = RULE.bad.0.replace("at noon as well.", "at noon.</directive>");
        assert_eq!(said(&RULE, &later, "rye-3"), [""; 0], "`content_changed` says so");
        let blanks = RULE.bad.0.replace("Water at noon as well.", "  ");
        assert_eq!(said(&RULE, &blanks, "rye-3"), [""; 0]);
        let unsigned = RULE.bad.0.replace("rye:signed:", "signed:");
        assert_eq!(said(&RULE, &unsigned, "rye-3"), [""; 0], "nothing is covered there");
    }
}
