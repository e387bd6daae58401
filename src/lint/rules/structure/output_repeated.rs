use crate::lint::rules::{Check, Directive, Findings, LintFile, Project, repeated};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let names = directive.outputs.iter().filter_map(|output| output.name.as_ref());
    for (name, at, earlier) in repeated(names.map(|name| (name.as_str(), &name.span))) {
        let message = format!("output `{name}` is already declared, and this one replaces it");
        found.at(at, message).related(earlier, "first declared here");
    }
}
