//! The texts that settings put before everything else: the base text and the developer's instructions.

use super::folders::Folders;
use super::settings::{FLAG, Settings};
use super::{refusal, toml};
use crate::agents::draft::Text;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileState, LayerKind, Role, SectionSource, Slot};
use crate::read::store::PathKind;
use crate::text::Traced;

/// Writes the base text: of a file, of the settings, or the agent's own.
pub(super) fn write(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) -> Result<(), Diagnostic> {
    if let Some(path) = settings.path(visit, folders, "model_instructions_file") {
        return write_file(visit, settings, &path);
    }
    match settings.merged.get("instructions") {
        Some(node) => write_setting(visit, "instructions", Slot::DeveloperBase, toml::traced(node, FLAG)),
        None => {
            visit.draft.message(Role::Developer);
            visit.own_part(Slot::DeveloperBase, "identity");
        }
    }
    Ok(())
}

fn write_file(visit: &mut Visit<'_>, settings: &Settings, path: &str) -> Result<(), Diagnostic> {
    let at = settings.merged.get("model_instructions_file").and_then(|node| node.span.clone());
    let refuse = |what: &str| Err(refusal(format!("the file {path} {what}"), at.clone()));
    if visit.kind(path) != Some(PathKind::File) {
        return refuse("is missing or not a file");
    }
    let Ok(bytes) = visit.bytes(path) else { return refuse("cannot be read") };
    if std::str::from_utf8(&bytes).is_err() {
        return refuse("is not UTF-8");
    }
    let source = visit.source(path, "settings", &bytes);
    let text = source.text().trim();
    if text.is_empty() {
        return refuse("is empty");
    }
    let start = source.text().len() - source.text().trim_start().len();
    let span = source.span(start..start + text.len());
    visit.draft.message(Role::Developer);
    let text = Text::named(path, Traced::raw(&span));
    let layer = visit.draft.section("base", Slot::DeveloperBase, LayerKind::Base, text);
    visit.stands(path, FileState::Loaded, layer);
    Ok(())
}

/// Writes `developer_instructions`.
pub(super) fn write_developer(visit: &mut Visit<'_>, settings: &Settings) {
    let key = "developer_instructions";
    let Some(node) = settings.merged.get(key) else { return };
    let text = toml::traced(node, FLAG);
    if text.text().trim().is_empty() && !text.is_empty() {
        visit.report_near(Problem::AgentSettingBlank { agent: "codex", key }, node.span.clone());
    }
    write_setting(visit, key, Slot::DeveloperInstructions, text);
}

/// Writes the text of a setting as a message; an empty text makes none.
fn write_setting(visit: &mut Visit<'_>, key: &'static str, slot: Slot, text: Traced) {
    if text.is_empty() {
        return;
    }
    visit.draft.message(Role::Developer);
    let source = text.span().map_or(SectionSource::None, |span| SectionSource::One(span.source().path().to_string()));
    visit.draft.section(key, slot, LayerKind::Instruction, Text { text, name: key.to_string(), source });
}
