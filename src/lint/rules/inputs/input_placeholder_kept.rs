use crate::condition::Truth;
use crate::item::{Directive, Hook};
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::protocol::ContextScope;
use crate::text::Span;

use super::placeholders::CodeRanges;
use super::uses::{self, InputUser, UsedInputs};

pub(super) const RULE: Rule = Rule { check: Check::Hook(check), ..pages::RR206 };

fn check(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !hook.shapes_messages() || project.protocol.context == ContextScope::None {
        return;
    }
    for (asked, item) in uses::items(hook, project) {
        let code = CodeRanges::of(item.source.as_ref().map_or("", |source| source.text()));
        let uses = uses::of_file(item).into_iter();
        let kept = uses.filter_map(|it| match (it.of, it.by) {
            (UsedInputs::One(name), InputUser::Placeholder { at, .. }) => Some((name, at)),
            _ => None,
        });
        for (name, at) in kept {
            let is_example = || code.has(at.range().start);
            if may_be_kept(name, &is_example, hook, file, project) {
                tell(name, &at, asked, item, project, found);
            }
        }
    }
}

fn tell(name: &str, at: &Span, asked: &Span, item: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let message = format!("`{}` in `{}` stays as written when no input is given", at.text(), item.id);
    let help =
        format!("write ${{inputs.{name}}}, which prints nothing then, or give the hook a condition on inputs.{name}");
    let finding = match project.is_of_project(item) {
        true => found.at(at, message).related(asked, "a hook brings it in here"),
        // Only what asks for it can be changed here.
        false => found.at(asked, message),
    };
    finding.help(help);
}

/// Whether the hook applies to a directive that may be asked for without inputs. In code, where an example may stand,
/// only a name that such a directive declares counts.
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
        // With an unknown condition it may well depend on the input itself.
        counts(directive) && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| applies(file, directive)),
        None => project.directives().any(|(file, directive)| applies(file, directive)),
    }
}
