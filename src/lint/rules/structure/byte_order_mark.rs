use crate::lint::folders::{AgentFile, Folders, Reader, split_instructions};
use crate::lint::project::FileKind;
use crate::lint::rules::{Edit, Findings, ItemKind, LintFile, Problem, Project};

const MARK: char = '\u{feff}';

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
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
