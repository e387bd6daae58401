use crate::decide::condition::{Comparison, Form};
use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};
use crate::read::value::{Value, order};

use super::conditions::each_part;
use super::contexts::{ContextValue, value_at};

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { path, operator, expected: Some(expected), .. }) = form else { return };
        if !matches!(operator.as_str(), "gt" | "gte" | "lt" | "lte") {
            return;
        }
        let Some(sample) = sample(&hook.event, path, project) else { return };
        if let (Err(refused), Some(at)) = (order(&sample, expected), part.place("value")) {
            found.problem(Problem::Incomparable { left: refused.left, right: refused.right }, &at);
        }
    });
}

/// A value of the type at a path, if the type is known.
fn sample(event: &str, path: &str, project: &Project<'_>) -> Option<Value> {
    match value_at(event, path)? {
        ContextValue::Text | ContextValue::Number | ContextValue::Truth if path.contains('.') => None,
        ContextValue::Text => Some(Value::from("")),
        ContextValue::Number => Some(Value::from(0)),
        ContextValue::Truth => Some(Value::from(false)),
        ContextValue::Limits => {
            let defaults = project.configuration.as_ref()?.limit_defaults.as_ref()?;
            // A directive may set text instead, but text is not compared with numbers.
            defaults.get(&Value::from(path.strip_prefix("limits.")?)).filter(|value| value.as_str().is_none()).cloned()
        }
        _ => None,
    }
}
