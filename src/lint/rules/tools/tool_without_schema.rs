use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::lint::rules::{Directive, Findings, LintFile, Problem, Project};

pub fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for permission in &directive.permissions {
        let Some(Reach { pattern: CapabilityPattern::Exact(id), .. }) = Reach::of(&permission.capability, true) else {
            continue;
        };
        let Some(granted) = project.granted(&permission.capability) else { return };
        for diagnostic in &granted.diagnostics {
            // RR409 reports primaries without a schema.
            if matches!(&diagnostic.problem, Problem::ToolWithoutSchema { id: tool, .. } if *tool == id) {
                let finding = found.at(&permission.span, diagnostic.message());
                finding.related_if(diagnostic.at.clone(), "the tool is here");
            }
        }
    }
}
