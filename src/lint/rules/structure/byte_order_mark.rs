use crate::lint::project::FileKind;
use crate::lint::rules::{Edit, Findings, ItemKind, LintFile, Problem, Project};

const MARK: char = '\u{feff}';

pub fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|source| source.text().starts_with(MARK)) else { return };
    let is_read_as_text = match file.kind {
        FileKind::Item(ItemKind::Directive) | FileKind::Agents(_) => true,
        // A YAML file may begin with a byte order mark.
        FileKind::Item(ItemKind::Knowledge) => file.path.ends_with(".md"),
        _ => false,
    };
    if is_read_as_text {
        let mark = source.span(0..MARK.len_utf8());
        let finding = found.problem(Problem::ByteOrderMark, &mark);
        finding.fix("remove the byte order mark", [Edit::replace(&mark, "")]);
    }
}
