use strum::VariantNames;

use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::item::condition::{Comparison, Operator};
use crate::text::nearest::nearest;

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

pub fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, Comparison { op, .. }) in hook.condition.comparisons().filter(|(_, it)| it.operator.is_none()) {
        let Some(at) = part.place("op") else { continue };
        let finding = found.problem(Problem::OperatorUnknown { operator: op.clone() }, at);
        let other = OTHER_NAMES.iter().find(|(name, _)| name == op).map(|(_, known)| known.to_string());
        finding.suggest(other.or_else(|| nearest(op, Operator::VARIANTS.iter().copied())));
    }
}
