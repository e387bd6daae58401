use std::ops::Range;

use crate::lint::rules::{Directive, Findings, LintFile, Project, Span, first_line};
use crate::read::trust::directive_region;

use super::signature::is_partly_signed;

pub fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !is_partly_signed(file, project) {
        return;
    }
    let region = directive_region(directive.source.text());
    if let Some(outside) = region.and_then(|region| outside(&directive.content, &region)) {
        found.at(first_line(&outside), format!("the signature of `{}` does not cover this declaration", file.id));
    }
}

/// The first text outside of the signed region.
fn outside(declared: &Span, region: &Range<usize>) -> Option<Span> {
    let Range { start, end } = declared.range();
    let gaps = [start..end.min(region.start), start.max(region.end)..end];
    let of_text = gaps.into_iter().filter(|gap| gap.start < gap.end).map(|gap| declared.source().span(gap).trim());
    of_text.into_iter().find(|outside| !outside.text().is_empty())
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR620 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    /// A signed directive without a body.
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

    fn reported(text: &str) -> Vec<&'static str> {
        let found = found(Example(text.to_string().leak()), &LintOptions::default());
        found.iter().map(|finding| finding.rule.code).filter(|code| code.starts_with("RR6")).collect()
    }

    #[test]
    fn text_around_the_root_is_reported_unless_covered() {
        assert_eq!(reported(examples(&RULE).bad.0), ["RR620"]);
        let comment = BODILESS.replacen("```xml\n", "```xml\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(reported(&comment), ["RR620"]);
        let behind = BODILESS.replacen("</directive>\n", "</directive>\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(reported(&behind), ["RR620"]);
        // Other rules report an uncovered body, and a changed text.
        assert_eq!(reported(&BODILESS.replacen("\n```\n", "\n```\n\nWater.\n", 1)), ["RR606"]);
        assert_eq!(reported(&examples(&RULE).bad.0.replacen("\n</directive>", "\n </directive>", 1)), ["RR603"]);
    }

    #[test]
    fn a_covered_body_is_not_reported() {
        // The name of the root in the fence is not checked, so the region may begin after it.
        let signed = examples(&RULE).bad.0.split("```xml").next().unwrap_or_default();
        let (line, region) = signed.trim_end().split_once("-->\n").unwrap();
        let fence =
            "```xml\n<x name=\"water\" version=\"1.0.0\"><metadata><description>W</description></metadata></x>\n```";
        let key = &examples(&RULE).bad.0[examples(&RULE).bad.0.find("=== user:").unwrap()..];
        let codes = reported(&format!("{line}-->\n{fence}\n\n{region}\n{key}"));
        assert_eq!(codes, ["RR620"]);
    }
}
