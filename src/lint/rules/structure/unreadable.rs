use crate::lint::rules::{Diagnostic, Findings, Location, Problem, Project, whole_project};
use crate::read::limits;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for file in &project.files {
        for diagnostic in file.diagnostics.iter().filter(|it| is_unreadable(it)) {
            found.diagnosed(diagnostic, || project.location(file));
        }
    }
    if project.is_chained_too_long() {
        let limit = limits::LINT_CHAINED;
        let message = format!("the chains have more than {limit} directives in total, so their context is not checked");
        found.at(whole_project(), message);
    }
    for file in project.linted().filter(|file| project.is_costly(file)) {
        let message = "the patterns of its conditions take too long to compile, so they are not checked";
        found.at(project.location(file), message);
    }
    // Diagnostics of folders, and of files that are not items, belong to the whole project.
    for diagnostic in project.diagnostics.iter().filter(|it| is_unreadable(it)) {
        let Some(Location::File { tier, path, .. }) = &diagnostic.at else { continue };
        let is_file = project.files.iter().any(|file| file.path == *path);
        if project.is_project_tier(tier) && !is_file {
            found.at(whole_project(), format!("`{path}`: {}", diagnostic.message()));
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
