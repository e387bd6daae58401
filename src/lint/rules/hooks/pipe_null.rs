use crate::decide::condition::Truth;
use crate::fill::interpolate::would_print_null;
use crate::lint::placeholders::of_hook;
use crate::lint::rules::{Directive, Findings, Hook, LintFile, Project};
use crate::text::python;

pub fn check(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.protocol.pipes || !hook.shapes_messages() {
        return;
    }
    for (action, text) in project.hook_texts(hook).into_iter().map(|it| (it.action, it.text)) {
        let Some(id) = &action.item_id else { continue };
        for it in of_hook(text.text(), project.protocol).filter(|it| it.pipes.is_some_and(would_print_null)) {
            // An alternative that is not an input usually has a value.
            let inputs = it.paths.iter().map(|path| input(path)).collect::<Option<Vec<_>>>();
            if inputs.is_some_and(|inputs| may_lack_all(&inputs, hook, file, project)) {
                let at = text.slice(it.range.clone()).span().unwrap_or_else(|| id.span.clone());
                let written = &text.text()[it.range];
                found.at(at, format!("`{written}` prints nothing without the input: null goes through no pipe"));
            }
        }
    }
}

/// The input that a path begins with.
fn input(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("inputs.")?;
    Some(&rest[..python::word(rest)])
}

/// Whether the hook applies to a directive that may run without any of these inputs. Hooks do not see defaults.
fn may_lack_all(inputs: &[&str], hook: &Hook, file: Option<&LintFile>, project: &Project<'_>) -> bool {
    let always_has = |directive: &Directive, name: &str| {
        let mut declared = directive.inputs.iter().filter(|input| input.name.as_str() == name);
        declared.any(|input| input.required && input.default.is_none())
    };
    let lacks = |file: &LintFile, directive: &Directive| {
        // An unknown condition may depend on the input itself.
        !inputs.iter().any(|name| always_has(directive, name))
            && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| lacks(file, directive)),
        None => project.directives().any(|(file, directive)| lacks(file, directive)),
    }
}
