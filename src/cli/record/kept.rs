//! What was recorded before.

use super::NamedAgent;
use crate::agents::{Agent, Recordings};
use crate::answer::recordings::{self, RecordingsFormat, RecordingsView};
use crate::cli::Exit;
use crate::cli::arguments::RecordArguments;
use crate::cli::output::print;
use crate::cli::report::{CommandOutcome, Run};
use crate::cli::resolve::wrong;
use crate::read::store::Disk;

/// Prints the recordings of all agents, or of one.
pub(super) fn list(
    typed: &RecordArguments,
    named: Option<NamedAgent>,
    recordings: &Recordings,
    run: &Run<'_>,
) -> CommandOutcome {
    let (mut all, disk) = (Vec::new(), &run.here.disk);
    for agent in Agent::all() {
        for version in recordings.versions(agent.name, disk) {
            if named.as_ref().is_none_or(|named| is_meant(named, agent, &version)) {
                all.extend(recordings.read(agent.name, &version, disk)?);
            }
        }
    }
    let printer = run.printer(None, false);
    let format = typed.format.unwrap_or_default();
    let view = RecordingsView { format, theme: printer.theme, width: printer.width };
    printer.write_visibly(format != RecordingsFormat::Text, |out| Ok(recordings::write(&all, &view, out)?))?;
    Ok(Exit::Success)
}

/// Removes the recordings of an agent, or of one release.
pub(super) fn forget(named: NamedAgent, recordings: &Recordings, disk: &Disk) -> CommandOutcome {
    let agent = named.0;
    let versions = recordings.versions(agent.name, disk);
    let forgotten: Vec<&String> = versions.iter().filter(|version| is_meant(&named, agent, version)).collect();
    if forgotten.is_empty() {
        let known = "`rye-render record --list` shows what was recorded";
        return Err(wrong(&format!("nothing was recorded of {}", agent.name), known).into());
    }
    for version in &forgotten {
        recordings.forget(agent.name, version)?;
    }
    print(forgotten.iter().map(|version| format!("forgot {} {version}\n", agent.name)).collect::<String>())
}

fn is_meant((named, release): &NamedAgent, agent: &Agent, version: &str) -> bool {
    named.name == agent.name && release.as_ref().is_none_or(|release| release == version)
}
