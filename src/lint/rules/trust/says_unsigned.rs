use crate::lint::rules::{Findings, LintFile, Project, first_line};

use super::signature::signature;

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict.is_signed()) {
        return;
    }
    let (Some(source), Some(signature)) = (&file.source, signature(file)) else { return };
    // The first line with text after the signature.
    let rest = source.span(signature.line.range().end..source.text().len()).trim();
    let line = first_line(&rest);
    let comment = line.text().trim_start_matches(['<', '!', '-', '#', '/', ' ']);
    if comment.len() < line.text().len() && comment.starts_with("rye:unsigned") {
        found.at(line, format!("`{}` is signed but claims not to be", file.id));
    }
}
