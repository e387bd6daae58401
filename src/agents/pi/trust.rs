//! Whether the project's own files count.

use serde_json::Value;

use super::settings::SettingsFile;
use super::{Arguments, Places, decoding};
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileReason, Slot};

/// The first that says something decides: a flag, the user's list of folders, the user's settings. Fails if the list
/// is invalid, which stops the agent.
pub(super) fn decide(
    visit: &mut Visit<'_>,
    places: &Places,
    arguments: &Arguments,
    global: &SettingsFile,
) -> Result<bool, Diagnostic> {
    if visit.request.trust >= FolderTrust::Trusted || !visit.since("0.79.0") {
        return Ok(true);
    }
    if let Some(trusts) = arguments.trusts {
        return Ok(trusts);
    }
    if let Some(trusts) = listed(visit, places)? {
        return Ok(trusts);
    }
    Ok(global.text("defaultProjectTrust") == Some("always"))
}

/// What the list says about the nearest folder that it names.
fn listed(visit: &mut Visit<'_>, places: &Places) -> Result<Option<bool>, Diagnostic> {
    let path = below(&places.agent, "trust.json");
    let is_file = visit.is_file(Slot::SystemBase, &path);
    if !is_file && visit.kind(&path).is_none() {
        return Ok(None);
    }
    let entries = match entries(visit, &path) {
        Ok(entries) => entries,
        Err(reason) => {
            visit.left_out(Slot::SystemBase, &path, FileReason::Invalid, None);
            let agent = visit.request.chosen.agent.name;
            return Err(Diagnostic::new(Problem::AgentRefuses { agent, reason: format!("{path}: {reason}") }));
        }
    };
    // Before 1.5, keys were compared as they are.
    let is_resolved = visit.since("1.5.0");
    let names = |key: &str, folder: &str| match is_resolved {
        true => crate::agents::files::resolved(key, &places.cwd, "~") == folder,
        false => key == folder,
    };
    let decision = |folder: &str| entries.iter().find(|(key, _)| names(key, folder)).map(|(_, trusts)| *trusts);
    Ok(ancestors(&places.cwd).find_map(decision))
}

/// The folders that are trusted or not, in the order of the file.
fn entries(visit: &Visit<'_>, path: &str) -> Result<Vec<(String, bool)>, String> {
    let text = visit.text(path, "agent", decoding(visit)).map_err(|_| "it cannot be read".to_string())?;
    let Value::Object(values) = serde_json::from_str(text.text()).map_err(|error| error.to_string())? else {
        return Err("it is not an object".to_string());
    };
    let mut entries = Vec::new();
    for (key, value) in values {
        match value {
            Value::Bool(trusts) => entries.push((key, trusts)),
            Value::Null => {}
            _ => return Err(format!("`{key}` is neither true nor false nor null")),
        }
    }
    Ok(entries)
}
