use std::ops::Range;

use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::text::Span;
use crate::trust::{Covers, SignatureVerdict, directive_region};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR620 };

fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    // A text that is not the signed one is the matter of other rules.
    let is_what_was_signed = project.trusted(file).is_some_and(|trust| {
        matches!(trust.verdict, SignatureVerdict::Valid(_) | SignatureVerdict::UnknownKey)
            && trust.covers == Covers::Part
    });
    if !is_what_was_signed {
        return;
    }
    let region = directive_region(directive.source.text());
    if let Some(outside) = region.and_then(|region| outside(&directive.content, &region)) {
        let line = outside.slice(0..outside.text().find('\n').unwrap_or(outside.text().len()));
        found.at(line, format!("the signature of `{}` does not cover this, which the directive declares", file.id));
    }
}

/// The first of a text that stands outside of the signed region.
fn outside(declared: &Span, region: &Range<usize>) -> Option<Span> {
    let Range { start, end } = declared.range();
    let gaps = [start..end.min(region.start), start.max(region.end)..end];
    let of_text = gaps.into_iter().filter(|gap| gap.start < gap.end).map(|gap| declared.source().span(gap).trim());
    of_text.into_iter().find(|outside| !outside.text().is_empty())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    /// A signed directive that its signature covers, without a body.
    const BODILESS: &str = r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:489d044d1f9ce848c44bae2a50559b68e8dbc6812dee5b71e2e031abdc795b6d:GupGMs5aPBnxtU3LGFjEOAu01UFm6169NM0wnMw0dPVt5Kjr0BvwjdjFP4HHr0Jkc6b08jdSscAp_MJCvO9CBw:5cc558a6d81dbb98 -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```
=== user:.ai/config/keys/trusted/5cc558a6d81dbb98.toml
fingerprint = "5cc558a6d81dbb98"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=
-----END PUBLIC KEY-----
"""
"#;

    /// The codes of all findings about trust.
    fn told(text: &str) -> Vec<&'static str> {
        let found = found(Example(text.to_string().leak()), &LintOptions::default());
        found.iter().map(|finding| finding.rule.code).filter(|code| code.starts_with("RR6")).collect()
    }

    #[test]
    fn what_stands_around_the_root_is_told_and_what_is_covered_is_not() {
        assert_eq!(told(examples(&RULE).bad.0), ["RR620"]);
        let comment = BODILESS.replacen("```xml\n", "```xml\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(told(&comment), ["RR620"]);
        let behind = BODILESS.replacen("</directive>\n", "</directive>\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(told(&behind), ["RR620"]);
        // A body that is not covered has a rule of its own, and so has what was changed.
        assert_eq!(told(&BODILESS.replacen("\n```\n", "\n```\n\nWater.\n", 1)), ["RR606"]);
        assert_eq!(told(&examples(&RULE).bad.0.replacen("\n</directive>", "\n </directive>", 1)), ["RR603"]);
    }

    #[test]
    fn a_body_that_is_covered_is_not_said_to_be_open() {
        // The root of the fence is not looked at by its name, so that the region may begin behind it.
        let signed = examples(&RULE).bad.0.split("```xml").next().unwrap_or_default();
        let (line, region) = signed.trim_end().split_once("-->\n").unwrap();
        let fence =
            "```xml\n<x name=\"water\" version=\"1.0.0\"><metadata><description>W</description></metadata></x>\n```";
        let key = &examples(&RULE).bad.0[examples(&RULE).bad.0.find("=== user:").unwrap()..];
        let codes = told(&format!("{line}-->\n{fence}\n\n{region}\n{key}"));
        assert_eq!(codes, ["RR620"]);
    }
}
