use crate::lint::rules::{Directive, Findings, LintFile, Project, repeated};

use super::prompt::is_empty;

pub fn output_repeated(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let names = directive.outputs.iter().filter_map(|output| output.name.as_ref());
    for (name, at, earlier) in repeated(names.map(|name| (name.as_str(), &name.span))) {
        let message = format!("output `{name}` is already declared, and this one replaces it");
        found.at(at, message).related(earlier, "first declared here");
    }
}

pub fn output_unnamed(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    // If no output has a name, RR013 reports it once.
    if directive.outputs.iter().any(|output| !is_empty(&output.name)) {
        for output in directive.outputs.iter().filter(|output| is_empty(&output.name)) {
            found.at(&output.span, "this output has no name, so it is omitted");
        }
    }
}
