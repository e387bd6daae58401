//! What other files say about a skill: the manifest of its plugin, and `agents/openai.yaml` beside it.

use std::collections::HashMap;

use serde::Deserialize;

use super::SLOT;
use crate::agents::decoding::not_utf8;
use crate::agents::files::{ancestors, below, parent};
use crate::agents::json;
use crate::agents::visit::Visit;
use crate::diagnostic::{Problem, without_place};
use crate::prompt::FileReason;
use crate::read::store::PathKind;
use crate::read::yaml::{Unreadable, read_lenient};
use crate::text::{Origin, Span, Traced};

const MANIFESTS: [&str; 2] = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// The names of the plugins in folders. Skills share the folders above them, whose manifests are read once.
#[derive(Default)]
pub(super) struct Plugins(HashMap<String, Option<Traced>>);

impl Plugins {
    /// The name of the plugin of a skill in the real folder `folder`.
    pub fn name(&mut self, visit: &mut Visit<'_>, folder: &str) -> Option<Traced> {
        ancestors(folder).find_map(|folder| match self.0.get(folder) {
            Some(name) => name.clone(),
            None => self.0.entry(folder.to_string()).or_insert(name_of(visit, folder)).clone(),
        })
    }
}

fn name_of(visit: &mut Visit<'_>, folder: &str) -> Option<Traced> {
    let manifests = MANIFESTS.map(|name| below(folder, name));
    let mut present = manifests.iter().filter(|path| visit.kind(path) == Some(PathKind::File));
    let path = present.next()?.clone();
    if let Some(hidden) = present.next() {
        let hidden = hidden.clone();
        visit.left_out(SLOT, &hidden, FileReason::Shadowed, None);
    }
    let text = text(visit, &path, "plugin")?;
    let Manifest { name } = match serde_json::from_str(text.text()) {
        Ok(manifest) => manifest,
        Err(error) => {
            let reason = without_place(&error.to_string()).to_string();
            leave_out(visit, &path, json::error_place(&text, &error), reason);
            return None;
        }
    };
    visit.applied(&path);
    Some(match name.trim().is_empty() {
        true => Traced::protocol(folder.rsplit('/').next().unwrap_or_default()),
        false => Traced::of(&name, Origin::Derived(text)),
    })
}

/// The package reads an empty list as an empty object, as the derived reader does.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest {
    name: String,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(rename = "interface")]
    _interface: Option<Interface>,
    policy: Option<Policy>,
}

#[derive(Deserialize)]
struct Interface {
    #[serde(rename = "display_name")]
    _display_name: Option<String>,
    #[serde(rename = "short_description")]
    _short_description: Option<String>,
}

#[derive(Deserialize)]
struct Policy {
    allow_implicit_invocation: Option<bool>,
    #[serde(default)]
    products: Vec<Product>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Product {
    Chatgpt,
    Codex,
    Atlas,
}

/// The text of a file; one that cannot be used gets its state.
fn text(visit: &mut Visit<'_>, path: &str, tier: &str) -> Option<Span> {
    let Ok(bytes) = visit.bytes(path) else {
        visit.left_out(SLOT, path, FileReason::Invalid, None);
        return None;
    };
    let source = visit.source(path, tier, &bytes);
    match not_utf8(&source, &bytes) {
        Some(at) => {
            leave_out(visit, path, at, "it is not UTF-8".to_string());
            None
        }
        None => Some(source.whole()),
    }
}

fn leave_out(visit: &mut Visit<'_>, path: &str, at: Span, reason: String) {
    visit.left_out(SLOT, path, FileReason::Invalid, None);
    visit.report_at(Problem::AgentLeavesOut { agent: "codex", reason, help: "fix the file, or remove it" }, at);
}

/// Whether the file beside a skill hides it. A file that is not valid hides nothing.
pub(super) fn hides(visit: &mut Visit<'_>, skill: &str) -> bool {
    let path = below(parent(skill).unwrap_or("/"), "agents/openai.yaml");
    if visit.kind(&path) != Some(PathKind::File) {
        return false;
    }
    let Some(text) = text(visit, &path, "skill") else { return false };
    let metadata = match read_lenient::<Metadata>(text.text()) {
        Ok(metadata) => metadata,
        Err(Unreadable { reason, at }) => {
            let at = at.min(text.text().len());
            leave_out(visit, &path, text.slice(at..at), reason);
            return false;
        }
    };
    visit.applied(&path);
    metadata.policy.is_some_and(|Policy { allow_implicit_invocation, products }| {
        allow_implicit_invocation == Some(false) || !(products.is_empty() || products.contains(&Product::Codex))
    })
}
