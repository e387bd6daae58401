//! Files that cannot be read as they should be.

use crate::lint::folders::{AgentFile, Folders, Reader, split_instructions};
use crate::lint::project::FileKind;
use crate::lint::rules::{Diagnostic, Edit, Findings, ItemKind, LintFile, Location, Problem, Project, whole_project};
use crate::read::limits;

const MARK: char = '\u{feff}';

pub fn byte_order_mark(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|source| source.text().starts_with(MARK)) else { return };
    let is_read_as_text = match file.kind {
        FileKind::Item(ItemKind::Directive) => true,
        // Those that read rules and other files drop it.
        FileKind::Agents(kind) => kind != AgentFile::Other,
        // A YAML file may begin with a byte order mark.
        FileKind::Item(ItemKind::Knowledge) => file.path.ends_with(".md"),
        _ => false,
    };
    let is_context = file.kind == FileKind::Agents(AgentFile::Context);
    let keepers = project.folders.as_ref().filter(|_| is_context).map(|folders| keepers(folders, &file.path));
    if is_read_as_text && keepers.as_ref().is_none_or(|keepers| !keepers.is_empty()) {
        let mark = source.span(0..MARK.len_utf8());
        let finding = found.problem(Problem::ByteOrderMark, &mark);
        finding.fix("remove the byte order mark", [Edit::replace(&mark, "")]);
        finding.for_agents(keepers.unwrap_or_default());
    }
}

/// The agents that send the mark of an instruction file.
fn keepers(folders: &Folders, path: &str) -> Vec<String> {
    let is_named = |reader: &Reader| split_instructions(path, &reader.names.all().collect::<Vec<_>>()).is_some();
    let keeps = |reader: &&Reader| reader.names.keeps_mark && is_named(reader);
    folders.readers.iter().filter(keeps).map(|reader| reader.name.clone()).collect()
}

pub fn unreadable(project: &Project<'_>, found: &mut Findings<'_>) {
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
