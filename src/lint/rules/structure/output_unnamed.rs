use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

use super::prompt::is_empty;

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    // If no output has a name, RR013 reports it once.
    if directive.outputs.iter().any(|output| !is_empty(&output.name)) {
        for output in directive.outputs.iter().filter(|output| is_empty(&output.name)) {
            found.at(&output.span, "this output has no name, so it is omitted");
        }
    }
}
