use crate::condition::{Comparison, Form};
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::value::{Value, order};

use super::conditions::each_part;
use super::contexts::{ContextValue, held};
use super::report;

pub(super) const RULE: Rule = Rule { check: Check::Hook(check), ..pages::RR313 };

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { path, operator, expected: Some(expected), .. }) = form else { return };
        if !matches!(operator.as_str(), "gt" | "gte" | "lt" | "lte") {
            return;
        }
        let Some(sample) = sample(&hook.event, path, project) else { return };
        if let (Err(refused), Some(at)) = (order(&sample, expected), part.place("value")) {
            report(found, Problem::Incomparable { left: refused.left, right: refused.right }, &at);
        }
    });
}

/// A value of the type that stands at a path, where that is known.
fn sample(event: &str, path: &str, project: &Project<'_>) -> Option<Value> {
    match held(event, path)? {
        ContextValue::Text if !path.contains('.') => Some(Value::from("")),
        ContextValue::Number if !path.contains('.') => Some(Value::from(0)),
        ContextValue::Truth if !path.contains('.') => Some(Value::from(false)),
        ContextValue::Limits => {
            let defaults = project.configuration.as_ref()?.limit_defaults.as_ref()?;
            // A directive may write a text, but no number is compared with it then.
            defaults.get(&Value::from(path.strip_prefix("limits.")?)).filter(|value| value.as_str().is_none()).cloned()
        }
        _ => None,
    }
}
