use crate::lint::rules::{Composed, Findings, Location, Problem, Project};

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !composed.directive.permissions.is_empty() || composed.declaring_ancestors() < 2 {
        return;
    }
    let chain = composed.chain();
    let mut declaring = chain.iter().filter_map(|file| Some((file, file.directive()?.permissions.first()?)));
    let Some(root) = declaring.next() else { return };
    let skipped: Vec<_> = declaring.collect();
    let ids = skipped.iter().map(|(file, _)| file.id.clone()).collect();
    let problem = Problem::PermissionsFromRoot { from: root.0.id.clone(), skipped: ids };
    // A render points at the root; the change belongs here.
    let at: Location = match &composed.directive.extends {
        Some(extends) => (&extends.span).into(),
        None => project.location(composed.leaf),
    };
    let finding = found.problem(problem, at);
    for (file, first) in [root].into_iter().chain(skipped.last().copied()) {
        finding.related(&first.span, format!("`{}` declares its permissions here", file.id));
    }
}
