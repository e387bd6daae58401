use std::collections::HashMap;

use crate::lint::rules::{Diagnostic, Directive, Findings, Hook, LintFile, Problem, Project};
use crate::read::store::ItemKind;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for file in project.linted() {
        for refused in file.diagnostics.iter().filter(|found| found.problem == Problem::OutsideTier) {
            found.diagnosed(refused, || project.location(file));
        }
    }
    // A folder of items, such as `.ai/knowledge`, may itself be a link out of its tier.
    for refused in project.diagnostics.iter().filter(|found| found.problem == Problem::OutsideTier) {
        if let Some(at) = &refused.at {
            found.diagnosed(refused, || at.clone());
        }
    }
    // Ids of files behind a link that is not followed.
    let refused: HashMap<(ItemKind, &str), &Diagnostic> =
        project.refused().iter().map(|(kind, id, refused)| ((*kind, id.as_str()), refused)).collect();
    if refused.is_empty() {
        return;
    }
    let directives = project.files.iter().filter_map(LintFile::directive);
    let of_directives = directives.flat_map(Directive::references_handed_on);
    for (kind, field) in of_directives.chain(project.hooks().flat_map(Hook::references)) {
        let of_id = refused.get(&(kind, field.as_str()));
        if let Some(diagnostic) = of_id.filter(|found| found.problem == Problem::OutsideTier) {
            let message =
                format!("{} `{}` is behind a link that leads out of its tier", kind.into_str(), field.as_str());
            found.at(&field.span, message).related_if(diagnostic.at.clone(), "this link is refused");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    #[test]
    fn each_kind_of_link_is_reported_at_its_place() {
        let directive = examples(&crate::lint::pages::RR615).composed.0.split("=== .ai/knowledge").next().unwrap();
        let reported = |link: &str| -> Vec<String> {
            let example: &'static str = format!("{directive}=== {link}\n").leak();
            let found = found(Example(example), &LintOptions::default());
            let own = found.iter().filter(|finding| finding.rule.code == "RR615");
            own.map(|finding| finding.path().to_string()).collect()
        };
        let base = ".ai/directives/base.md";
        let rules = ".ai/knowledge/shared/rules.md";
        assert_eq!(reported(".ai/knowledge/shared/rules.md -> ../../../../rules.md"), [rules]);
        assert_eq!(reported(".ai/knowledge/shared -> ../../../shared"), [base, ".ai/knowledge/shared"]);
        // Unused folders are reported too.
        assert_eq!(reported(".ai/knowledge/etc -> ../../../outside"), [".ai/knowledge/etc"]);
        assert_eq!(reported(".ai/knowledge -> ../../knowledge"), [base, ".ai/knowledge"]);
        assert!(reported(".ai/knowledge/shared -> ../team").is_empty());
    }
}
