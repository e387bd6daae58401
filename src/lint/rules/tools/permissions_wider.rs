use crate::lint::rules::{Check, Composed, Findings, Project, Rule, pages};
use crate::palette::fnmatch;

pub(super) const RULE: Rule = Rule { check: Check::Composed(check), ..pages::RR405 };

/// More capabilities are counted, not named.
const MOST_NAMED: usize = 3;

fn check(composed: &Composed<'_>, _: &Project<'_>, found: &mut Findings<'_>) {
    let own = &composed.directive.permissions;
    // What the directive would have if it declared nothing.
    let (false, Some((parent, allowed))) = (own.is_empty(), composed.inherited.first) else { return };
    let is_allowed = |capability: &str| allowed.iter().any(|it| fnmatch::matches(capability, &it.capability));
    let wider: Vec<_> = own.iter().filter(|it| !is_allowed(&it.capability)).collect();
    let Some(first) = wider.first() else { return };
    let mut named: Vec<String> = wider.iter().take(MOST_NAMED).map(|it| format!("`{}`", it.capability)).collect();
    if wider.len() > MOST_NAMED {
        named.push(format!("{} more", wider.len() - MOST_NAMED));
    }
    let message = format!("`{}` grants what `{}` does not: {}", composed.leaf.id, parent.id, named.join(", "));
    found.at(&first.span, message).related(&allowed[0].span, "the permissions of the chain begin here");
}
