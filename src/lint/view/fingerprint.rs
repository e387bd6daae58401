//! By what a service knows a finding again after lines have moved.

use std::collections::HashMap;

use crate::digest::of_json;
use crate::lint::Finding;
use crate::lint::finding::line_of;

/// A SHA-256 for each finding, in hex digits: of its rule, its file and the text of its line, and of how many findings
/// before it have the same. No line number is in it, and no two are equal.
pub(super) fn fingerprints(findings: &[Finding]) -> Vec<String> {
    let mut seen: HashMap<(&str, &str, &str), usize> = HashMap::new();
    let known = findings.iter().map(|finding| {
        let key = (finding.rule.code, finding.path(), line_of(&finding.at));
        let before = seen.entry(key).or_default();
        *before += 1;
        of_json(&(key, *before))
    });
    known.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::found;
    use crate::lint::{Example, Options};

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
        let found = found(Example(text.leak()), &Options::default());
        found.into_iter().filter(|finding| finding.rule.code == "RR105").collect()
    }

    #[test]
    fn moved_lines_change_none_and_no_two_are_equal() {
        let once = "  <suppress>rules</suppress>\n";
        let here = fingerprints(&directive("", once));
        let moved = fingerprints(&directive("Deploys.\n\n", &format!("\n{}", once.trim_start())));
        assert_eq!(here, moved);
        let twice = fingerprints(&directive("", &once.repeat(2)));
        assert_eq!(twice.len(), 2);
        assert_eq!(twice[0], here[0]);
        assert_ne!(twice[1], here[0]);
    }
}
