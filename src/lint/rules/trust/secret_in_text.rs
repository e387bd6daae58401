use super::text;
use crate::lint::finding::Findings;
use crate::lint::project::{File, Project};
use crate::lint::rule::{Check, Example, FixKind, Group, Level, Rule, Status};
use crate::lint::secrets;

pub(super) const RULE: Rule = Rule {
    code: "RR616",
    name: "secret_in_text",
    group: Group::Trust,
    level: Level::Error,
    status: Status::Stable { since: "0.1.0" },
    message: "an API key or a private key in text that a prompt may show",
    help: "withdraw the key where it was issued, and let a tool read the new one from the environment",
    rationale: "\
What stands in a directive, a knowledge item or a hook is sent to a provider, kept in transcripts and shared with the \
repository. Formats are known by their beginning, their length and, where there are any, their check digits; \
placeholders and the examples of manuals are none. The key itself is shown nowhere, only what it begins with.",
    bad: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Sign in with AKIAODZDOCIS2JHTLGMX, then deploy.
"#,
    ),
    good: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Sign in with the profile `deploy`, then deploy.
"#,
    ),
    fix: FixKind::None,
    check: Check::File(check),
    #[cfg(test)]
    composed: Example(
        r#"=== .ai/directives/base.md
```xml
<directive name="base" version="1.0.0">
  <metadata>
    <description>Base</description>
    <context><before>deploy/access</before></context>
  </metadata>
</directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0" extends="base">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Deploy.
=== .ai/knowledge/deploy/access.md
```yaml
name: access
```

The key is AKIAODZDOCIS2JHTLGMX.
"#,
    ),
    #[cfg(test)]
    near_miss: Example(
        r#"=== .ai/directives/deploy.md
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
  </metadata>
</directive>
```

Sign in with a key such as AKIAIOSFODNN7EXAMPLE or sk-ant-xxxxxxxx, then deploy.
"#,
    ),
};

fn check(file: &File, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|_| text::is_shown(file)) else { return };
    let line = |secret: &secrets::Secret| source.position(secret.at).line;
    for (secret, more) in text::by_line(secrets::find(source.text()), line, 0) {
        let message = format!("{} stands here (`{}…`){more}", secret.what, secret.prefix);
        // A place without a range, so that no view shows the line.
        found.at(text::place_without_text(source, secret.at), message);
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use crate::lint::Options;
    use crate::lint::rule::Example;
    use crate::lint::testing::found;
    use crate::lint::view::tests::of_one;
    use crate::lint::view::{self, Format, Lists, View};
    use crate::theme::Theme;

    /// A second key on the line of the first, and a third one below.
    fn three() -> Example {
        let text = super::RULE.bad.0;
        let key = text.split("with ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        Example(text.replace("then deploy.", &format!("then with {key}.\n{key}")).leak())
    }

    #[test]
    fn each_key_is_told_and_none_is_shown_in_any_format() {
        let findings = found(three(), &Options::default());
        let places = findings.iter().map(|finding| (finding.rule.code, finding.message.as_str()));
        let message = "an AWS access key id stands here (`AKIA…`)";
        let two = format!("{message}, the first of 2 on this line");
        assert_eq!(places.collect::<Vec<_>>(), [("RR616", &*two), ("RR616", message)]);
        let report = of_one(findings);
        for &format in Format::VARIANTS {
            let mut out = Vec::new();
            let view =
                View { format, statistics: false, theme: Theme::Plain, width: 120, visible: false, lists: Lists::All };
            view::write(&report, &view, &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.contains("AKIA") && !out.contains("ODZDOCIS"), "{format}:\n{out}");
        }
    }
}
