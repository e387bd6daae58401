use crate::lint::project::Policy;
use crate::lint::rules::{Composed, Findings, Project};

pub fn risk_unacknowledged(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report(composed, project, found, Policy::Block, "the thread will not start");
}

pub fn risk_warned_of(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report(composed, project, found, Policy::AcknowledgeRequired, "every thread will warn");
}

/// Reports the first granted capability of each risk with this policy, unless the directive or the one that grants the
/// capability acknowledges the risk.
fn report(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>, policy: Policy, effect: &str) {
    let (Some(_), Some(risks), Some((file, permissions))) =
        (project.protocol.tools, project.risks(), composed.granting())
    else {
        return;
    };
    let granting = file.directive().map(|directive| directive.acknowledged.as_slice()).unwrap_or_default();
    let acknowledged = || composed.directive.acknowledged.iter().chain(granting);
    let mut reported: Vec<&str> = Vec::new();
    for permission in permissions {
        let Some((risk, own)) = risks.of_capability(&permission.capability) else { continue };
        if own == policy && !reported.contains(&risk) && acknowledged().all(|field| field.as_str().trim() != risk) {
            reported.push(risk);
            found
                .at(
                    &permission.span,
                    format!("`{}` grants {risk} risk without `<acknowledge>`: {effect}", permission.capability),
                )
                .help(format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less"));
        }
    }
}
