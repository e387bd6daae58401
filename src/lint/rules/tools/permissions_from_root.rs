use crate::lint::rules::{Composed, Findings, Location, Problem, Project};

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !composed.directive.permissions.is_empty() || composed.inherited.declaring < 2 {
        return;
    }
    let chain = composed.chain();
    let mut declaring = chain.iter().filter(|member| member.directive.is_some_and(|it| !it.permissions.is_empty()));
    let Some(root) = declaring.next() else { return };
    let skipped: Vec<_> = declaring.collect();
    let ids = skipped.iter().map(|member| member.file.id.clone()).collect();
    let problem = Problem::PermissionsFromRoot { from: root.file.id.clone(), skipped: ids };
    // A render points at the root; the change belongs here.
    let at: Location = match &composed.directive.extends {
        Some(extends) => (&extends.span).into(),
        None => project.location(composed.leaf),
    };
    let finding = found.problem(problem, at);
    for member in [root].into_iter().chain(skipped.last().copied()) {
        if let Some(first) = member.directive.and_then(|directive| directive.permissions.first()) {
            finding.related(&first.span, format!("`{}` declares its permissions here", member.file.id));
        }
    }
}
