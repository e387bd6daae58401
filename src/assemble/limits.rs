use crate::diagnostic::{Diagnostic, Problem};
use crate::item::Directive;
use crate::nearest::nearest;
use crate::value::{Map, Value};

/// The limits that hold: the defaults, overlaid by the directive's, then by the request's (Directives, "Reading a
/// directive"). A name that no default has is an error; without any `resilience.yaml` names are not checked.
pub(super) fn resolve(
    defaults: Option<&Map>,
    directive: &Directive,
    requested: &[(String, Value)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Map, Diagnostic> {
    for limit in &directive.limits {
        if let Some(problem) = unknown(defaults, &limit.name) {
            return Err(Diagnostic::at(problem, &limit.span));
        }
    }
    for (name, _) in requested {
        if let Some(problem) = unknown(defaults, name) {
            return Err(Diagnostic::new(problem));
        }
    }
    if let (None, Some(limit)) = (defaults, directive.limits.first()) {
        diagnostics.push(Diagnostic::at(Problem::LimitsUnchecked, &limit.span));
    }
    let mut limits = defaults.cloned().unwrap_or_default();
    limits.extend(directive.limits.iter().map(|limit| (Value::from(limit.name.as_str()), limit.value.clone())));
    limits.extend(requested.iter().map(|(name, value)| (Value::from(name.as_str()), value.clone())));
    Ok(limits)
}

/// What is wrong with the name of a limit, where any defaults say which there are.
pub(crate) fn unknown(defaults: Option<&Map>, name: &str) -> Option<Problem> {
    let defaults = defaults.filter(|defaults| !defaults.contains_key(&Value::from(name)))?;
    let mut valid: Vec<String> = defaults.keys().filter_map(Value::as_str).map(str::to_string).collect();
    valid.sort();
    let nearest = nearest(name, valid.iter().map(String::as_str));
    Some(Problem::UnknownLimit { name: name.to_string(), valid, nearest })
}
