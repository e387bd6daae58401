use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::limits;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};
use crate::store::TierKind;

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR004 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for file in &project.files {
        for diagnostic in file.diagnostics.iter().filter(|it| is_unreadable(it)) {
            found.diagnosed(diagnostic, || project.location(file));
        }
    }
    if project.is_chained_too_long() {
        let at = Location::File { tier: "".into(), path: String::new(), revision: None, position: None };
        let limit = limits::LINT_CHAINED;
        found
            .at(at, format!("more than the limit of {limit} directives in all chains, whose context is not looked at"));
    }
    for file in project.linted().filter(|file| project.is_costly(file)) {
        found.at(
            project.location(file),
            "the patterns of its conditions take longer than they may, and are not looked at",
        );
    }
    // Of a folder, or of a file that no item is: the finding belongs to the project as a whole.
    let of_project =
        |label: &str| project.tiers.list().iter().any(|tier| tier.kind == TierKind::Project && *tier.label == *label);
    for diagnostic in project.diagnostics.iter().filter(|it| is_unreadable(it)) {
        let Some(Location::File { tier, path, .. }) = &diagnostic.at else { continue };
        let is_file = project.files.iter().any(|file| file.path == *path);
        if of_project(tier) && !is_file {
            let at = Location::File { tier: "".into(), path: String::new(), revision: None, position: None };
            found.at(at, format!("`{path}`: {}", diagnostic.message()));
        }
    }
}

fn is_unreadable(diagnostic: &Diagnostic) -> bool {
    use Problem::{NameNotUtf8, NotAFile, OverLimit, TooLarge, Unreadable, YamlTooLarge};
    matches!(
        diagnostic.problem,
        Unreadable { .. } | NameNotUtf8 | NotAFile { .. } | TooLarge { .. } | YamlTooLarge { .. } | OverLimit { .. }
    )
}
