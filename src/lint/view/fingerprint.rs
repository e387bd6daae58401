//! Identifies findings across commits, for services that track them.

use std::collections::HashMap;

use super::LintReport;
use crate::lint::finding::line_of;
use crate::prompt::digest::of_json;

/// A SHA-256 per finding, in hex: of its rule, file and line text, and the number of equal findings
/// before it. Each is unique, and independent of line numbers.
pub(super) fn fingerprints(report: &LintReport) -> Vec<String> {
    let mut seen: HashMap<(&str, String, &str), usize> = HashMap::new();
    let known = report.findings().map(|(finding, paths)| {
        // Two projects may have files with the same path.
        let file = format!("{}{}", paths.prefix_for_programs(), finding.path());
        let key = (finding.rule.code, file, line_of(&finding.at));
        let before = seen.entry(key.clone()).or_default();
        *before += 1;
        of_json(&(key, *before))
    });
    known.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;
    use crate::lint::view::Paths;
    use crate::lint::view::tests::of_one;
    use crate::lint::{Finding, LintOptions};

    const RULES: &str = "\
=== .ai/knowledge/deploy/rules.md
```yaml
name: rules
```

Never deploy on a Friday.
";

    fn directive(before: &str, suppress: &str) -> Vec<Finding> {
        let text = format!(
            "=== .ai/directives/deploy.md\n{before}```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n\
             <metadata><description>Deploy</description><context><before>deploy/rules</before>\n{suppress}</context>\
             </metadata>\n</directive>\n```\n\nDeploy.\n{RULES}"
        );
        let found = found(Example(text.leak()), &LintOptions::default());
        found.into_iter().filter(|finding| finding.rule.code == "RR105").collect()
    }

    #[test]
    fn fingerprints_survive_moved_lines_and_are_unique() {
        let once = "  <suppress>rules</suppress>\n";
        let here = fingerprints(&of_one(directive("", once)));
        let moved = fingerprints(&of_one(directive("Deploys.\n\n", &format!("\n{}", once.trim_start()))));
        assert_eq!(here, moved);
        let twice = fingerprints(&of_one(directive("", &once.repeat(2))));
        assert_eq!(twice.len(), 2);
        assert_eq!(twice[0], here[0]);
        assert_ne!(twice[1], here[0]);
    }

    #[test]
    fn equal_paths_in_two_projects_have_different_fingerprints() {
        let project = |folder: &str| {
            let mut report = of_one(directive("", "  <suppress>rules</suppress>\n"));
            report.projects[0].paths = Paths::among(folder.as_ref(), "/srv".as_ref());
            report
        };
        let [mut both, other] = ["/srv/a", "/srv/b"].map(project);
        both.projects.extend(other.projects);
        let known = fingerprints(&both);
        assert_ne!(known[0], known[1]);
        // Checking each project alone gives the same fingerprints.
        assert_eq!([&known[..1], &known[1..]], ["/srv/a", "/srv/b"].map(|folder| fingerprints(&project(folder))));
    }
}
