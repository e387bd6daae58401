use crate::decide::condition::{Comparison, Form, OPERATORS};
use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};
use crate::text::nearest::nearest;

use super::conditions::each_part;

pub const CHECK: Check = Check::Hook(check);

/// The names of operators in other languages.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("==", "eq"),
    ("=", "eq"),
    ("equals", "eq"),
    ("is", "eq"),
    ("!=", "ne"),
    ("not_eq", "ne"),
    (">", "gt"),
    (">=", "gte"),
    ("<", "lt"),
    ("<=", "lte"),
    ("includes", "contains"),
    ("matches", "regex"),
];

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { operator, .. }) = form else { return };
        let Some(at) = part.place("op").filter(|_| !OPERATORS.contains(&operator.as_str())) else { return };
        let finding = found.problem(Problem::OperatorUnknown { operator: operator.clone() }, &at);
        let other = OTHER_NAMES.iter().find(|(name, _)| name == operator).map(|(_, known)| known.to_string());
        finding.suggest(other.or_else(|| nearest(operator, OPERATORS.into_iter())));
    });
}
