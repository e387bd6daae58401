use crate::assemble;
use crate::diagnostic::Diagnostic;
use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::protocol::ContextScope;

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR011 };

fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(configuration) = project.configuration.as_ref().filter(|_| project.protocol.context != ContextScope::None)
    else {
        return;
    };
    for limit in &directive.limits {
        if let Some(problem) = assemble::unknown_limit(configuration.limit_defaults.as_ref(), &limit.name) {
            found.diagnosed(&Diagnostic::at(problem, &limit.span), || (&limit.span).into());
        }
    }
}
