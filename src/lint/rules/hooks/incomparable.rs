use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Operator};
use crate::read::value::{Value, order};
use crate::read::yaml::YamlNode;

use super::contexts::{ContextValue, value_at};

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (part, Comparison { path, operator, expected, .. }) in hook.condition.comparisons() {
        if !matches!(operator, Some(Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte)) {
            continue;
        }
        let Some(sample) = sample(&hook.event, path, project) else { continue };
        if let (Err(refused), Some(at)) = (order(&sample, expected), part.place("value")) {
            found.problem(Problem::Incomparable { left: refused.left, right: refused.right }, at);
        }
    }
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
            let default = defaults.get(&Value::from(path.strip_prefix("limits.")?)).map(YamlNode::value);
            default.filter(|value| value.as_str().is_none())
        }
        _ => None,
    }
}
