use crate::diagnostic::{Diagnostic, Location};
use crate::lint::folders::{AgentWarnings, Folders};
use crate::lint::rules::{Findings, Project, whole_project};

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    for AgentWarnings { agent, diagnostics } in &folders.agents {
        for diagnostic in diagnostics {
            let (at, place) = place(diagnostic, project);
            let finding = found.at(at, format!("{place}{}", with_release(agent, &diagnostic.message())));
            finding.help = diagnostic.help().unwrap_or_default();
        }
    }
}

/// The message with the agent and its release: `codex 0.169.0 sends nothing from here on`.
fn with_release(agent: &str, message: &str) -> String {
    let name = agent.split(' ').next().unwrap_or(agent);
    match message.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("{agent}{rest}"),
        None => format!("{agent}: {message}"),
    }
}

/// The place of a diagnostic; for a file outside of the project, no place but words.
fn place(diagnostic: &Diagnostic, project: &Project<'_>) -> (Location, String) {
    let (tier, path, position) = match &diagnostic.at {
        Some(Location::Span(span)) => {
            let source = span.source();
            (source.tier(), source.path(), Some(source.position(span.range().start)))
        }
        Some(Location::File { tier, path, position, .. }) => (&**tier, path.as_str(), *position),
        None => return (whole_project(), String::new()),
    };
    match &diagnostic.at {
        Some(at) if project.is_project_tier(tier) && !path.starts_with('/') => (at.clone(), String::new()),
        _ => {
            let position = position.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
            (whole_project(), format!("{path}{position}: "))
        }
    }
}
