use crate::lint::rules::{Findings, Project};
use crate::lint::scope::Patterns;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let files = || project.files.iter().filter(|file| project.is_of_project(file));
    let patterns = project.options.paths.iter().flat_map(|entry| &entry.patterns);
    for (pattern, at) in patterns.filter(|(pattern, _)| !pattern.starts_with('!')) {
        let Ok(alone) = Patterns::new([pattern.as_str()].into_iter()) else { continue };
        if let Some(at) = at.as_ref().filter(|_| !files().any(|file| alone.matches(&file.path))) {
            found.at(at, format!("`{pattern}` matches no file in the project"));
        }
    }
}
