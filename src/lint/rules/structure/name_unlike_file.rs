use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

pub const CHECK: Check = Check::Directive(check);

fn check(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(name) = directive.name.as_ref().filter(|name| !name.text.is_empty()) else { return };
    // The full id is fine too.
    if name.as_str() != file.stem() && name.as_str() != file.id {
        let message = format!("the directive is named `{}`, but its file is `{}`", name.as_str(), file.stem());
        found.at(&name.span, message);
    }
}
