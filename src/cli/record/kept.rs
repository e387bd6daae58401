//! What was recorded before.

use super::NamedAgent;
use crate::agents::{Agent, Recording, Recordings};
use crate::answer::recordings::{self, RecordingsFormat, RecordingsView};
use crate::cli::Exit;
use crate::cli::arguments::{Color, RecordArguments};
use crate::cli::output::{OutputTarget, Printer};
use crate::cli::report::CommandOutcome;
use crate::cli::resolve::wrong;
use crate::read::store::Disk;
use crate::text::visible::VisibleWriter;

/// Prints the recordings of all agents, or of one.
pub(super) fn list(
    typed: &RecordArguments,
    named: Option<NamedAgent>,
    recordings: &Recordings,
    disk: &Disk,
    color: Color,
) -> CommandOutcome {
    let mut all: Vec<Recording> = Vec::new();
    for agent in Agent::all() {
        for version in recordings.versions(agent.name, disk) {
            if named.as_ref().is_none_or(|named| is_meant(named, agent, &version)) {
                all.extend(recordings.read(agent.name, &version, disk)?);
            }
        }
    }
    let printer = Printer::new(None, color, false);
    let Printer { theme, width, visible, .. } = printer;
    let view = RecordingsView { format: typed.format.unwrap_or_default(), theme, width };
    printer.output.write(|out| match visible && view.format != RecordingsFormat::Text {
        true => Ok(recordings::write(&all, &view, &mut VisibleWriter::new(out))?),
        false => Ok(recordings::write(&all, &view, out)?),
    })?;
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
    let lines: String = forgotten.iter().map(|version| format!("forgot {} {version}\n", agent.name)).collect();
    OutputTarget::Standard.write(|out| Ok(out.write_all(lines.as_bytes())?))?;
    Ok(Exit::Success)
}

fn is_meant((named, release): &NamedAgent, agent: &Agent, version: &str) -> bool {
    named.name == agent.name && release.as_ref().is_none_or(|release| release == version)
}
