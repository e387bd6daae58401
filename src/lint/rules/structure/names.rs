use crate::lint::rules::{Directive, Findings, LintFile, Project};

pub fn name_unlike_file(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(name) = directive.name.as_ref().filter(|name| !name.text.is_empty()) else { return };
    // The full id is fine too.
    if name.as_str() != file.stem() && name.as_str() != file.id {
        let message = format!("the directive is named `{}`, but its file is `{}`", name.as_str(), file.stem());
        found.at(&name.span, message);
    }
}

pub fn category_unlike_folder(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(category) = directive.category.as_ref().filter(|category| !category.text.is_empty()) else { return };
    let Some((folder, _)) = file.id.rsplit_once('/') else { return };
    if category.as_str() != folder {
        let message = format!("the category is `{}`, but the directive is in `{folder}`", category.as_str());
        found.at(&category.span, message);
    }
}
