use crate::lint::rules::{Check, Directive, Findings, LintFile, Project};

pub const CHECK: Check = Check::Directive(check);

fn check(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(category) = directive.category.as_ref().filter(|category| !category.text.is_empty()) else { return };
    let Some((folder, _)) = file.id.rsplit_once('/') else { return };
    if category.as_str() != folder {
        let message = format!("the category is `{}`, but the directive is in `{folder}`", category.as_str());
        found.at(&category.span, message);
    }
}
