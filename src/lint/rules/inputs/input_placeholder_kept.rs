use crate::decide::condition::Truth;
use crate::lint::rules::{Directive, Findings, Hook, LintFile, Project, Span, has_context};

use super::placeholders::CodeRanges;
use super::uses::{self, InputUser};

pub fn check(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() || !has_context(project) {
        return;
    }
    for (item_id, item) in uses::items(hook, project) {
        let code = CodeRanges::of(item.source.as_ref().map_or("", |source| source.text()));
        for it in uses::of_file(item, project.protocol) {
            let (Some(name), InputUser::Placeholder { at, .. }) = (it.of, it.by) else { continue };
            let is_example = || code.has(at.range().start);
            if may_be_kept(&name, &is_example, hook, file, project) {
                report(&name, &at, item_id, item, project, found);
            }
        }
    }
}

fn report(name: &str, at: &Span, item_id: &Span, item: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let message = format!("`{}` in `{}` stays as written when no input is given", at.text(), item.id);
    let help =
        format!("write ${{inputs.{name}}}, which then prints nothing, or give the hook a condition on inputs.{name}");
    let finding = match project.is_of_project(item) {
        true => found.at(at, message).related(item_id, "a hook inserts it here"),
        // The item is in another tier, so only the hook can be changed here.
        false => found.at(item_id, message),
    };
    finding.help(help);
}

/// Whether the hook applies to a directive that may run without inputs. Code may be an example, so
/// only declared names are reported in it.
fn may_be_kept(
    name: &str,
    is_example: &dyn Fn() -> bool,
    hook: &Hook,
    file: Option<&LintFile>,
    project: &Project<'_>,
) -> bool {
    let counts = |directive: &Directive| {
        let is_free = directive.inputs.iter().all(|input| !input.required || input.default.is_some());
        is_free && (!is_example() || directive.inputs.iter().any(|input| input.name.as_str() == name))
    };
    let applies = |file: &LintFile, directive: &Directive| {
        // An unknown condition may depend on the input itself.
        counts(directive) && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| applies(file, directive)),
        None => project.directives().any(|(file, directive)| applies(file, directive)),
    }
}
