use crate::fill::palette::fnmatch;
use crate::lint::rules::{Composed, Findings, Project, name_first};

pub fn check(composed: &Composed<'_>, _: &Project<'_>, found: &mut Findings<'_>) {
    let own = &composed.directive.permissions;
    // The permissions that the directive would have if it declared none.
    let (false, Some((parent, allowed))) = (own.is_empty(), composed.inherited_permissions()) else { return };
    let is_allowed = |capability: &str| allowed.iter().any(|it| fnmatch::matches(capability, &it.capability));
    let wider: Vec<_> = own.iter().filter(|it| !is_allowed(&it.capability)).collect();
    let Some(first) = wider.first() else { return };
    let named = name_first(wider.iter().map(|it| format!("`{}`", it.capability)));
    let message = format!("`{}` grants what `{}` does not: {named}", composed.leaf.id, parent.id);
    found.at(&first.span, message).related(&allowed[0].span, "the permissions of the chain begin here");
}
