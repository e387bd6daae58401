use crate::lint::rules::{Findings, LintFile, Project};
use crate::lint::secrets;

use super::text;

pub fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|_| text::is_shown(file)) else { return };
    let line = |secret: &secrets::Secret| source.position(secret.at).line;
    for (secret, more) in text::by_line(secrets::find(source.text()), line, 0) {
        let message = format!("{} is written here (`{}…`){more}", secret.what, secret.prefix);
        // A location without a range, so that no view shows the secret.
        found.at(text::place_without_text(source, secret.at), message);
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;
    use crate::lint::view::tests::of_one;
    use crate::lint::view::{self, LintFormat, LintView, ListedNotes};
    use crate::write::theme::Theme;

    /// Two keys on one line, and a third below.
    fn three() -> Example {
        let text = examples(&crate::lint::pages::RR616).bad.0;
        let key = text.split("with ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        Example(text.replace("then deploy.", &format!("then with {key}.\n{key}")).leak())
    }

    #[test]
    fn each_key_is_reported_and_no_format_shows_it() {
        let findings = found(three(), &LintOptions::default());
        let places = findings.iter().map(|finding| (finding.rule.code, finding.message.as_str()));
        let message = "an AWS access key id is written here (`AKIA…`)";
        let two = format!("{message}, the first of 2 on this line");
        assert_eq!(places.collect::<Vec<_>>(), [("RR616", &*two), ("RR616", message)]);
        let report = of_one(findings);
        for &format in LintFormat::VARIANTS {
            let mut out = Vec::new();
            let view = LintView {
                format,
                statistics: false,
                theme: Theme::Plain,
                width: 120,
                visible: false,
                lists: ListedNotes::All,
            };
            view::write(&report, &view, &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.contains("AKIA") && !out.contains("ODZDOCIS"), "{format}:\n{out}");
        }
    }
}
