use crate::lint::rules::{Diagnostic, Edit, Findings, Location, Problem, Project};

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let of_files = project.files.iter().flat_map(|file| &file.diagnostics);
    for diagnostic in of_files.chain(&project.diagnostics) {
        report(diagnostic, found);
    }
}

fn report(diagnostic: &Diagnostic, found: &mut Findings<'_>) {
    let (Problem::WrapText { .. }, Some(at @ Location::Span(span))) = (&diagnostic.problem, &diagnostic.at) else {
        return;
    };
    let finding = found.diagnosed(diagnostic, || at.clone());
    if !span.source().path().ends_with(".md") {
        finding.help("write wrap: false, without quotes").fix("write false", [Edit::replace(span, "false")]);
        return;
    }
    finding.help("write wrap=\"\", the only value that removes the wrapper");
    // An element cannot have an empty value.
    if span.source().text()[..span.range().start].ends_with(['"', '\'']) {
        finding.fix("make the value empty", [Edit::replace(span, "")]);
    }
}
