//! The plugin that a skill belongs to: the nearest folder above it with a manifest.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::SLOT;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::prompt::FileReason;
use crate::read::store::PathKind;
use crate::text::{Origin, Traced};

const MANIFESTS: [&str; 2] = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// The name of the plugin of a skill in the real folder `folder`.
pub(super) fn name(visit: &mut Visit<'_>, folder: &str) -> Option<Traced> {
    ancestors(folder).find_map(|folder| name_of(visit, folder))
}

fn name_of(visit: &mut Visit<'_>, folder: &str) -> Option<Traced> {
    let manifests = MANIFESTS.map(|name| below(folder, name));
    let mut present = manifests.iter().filter(|path| visit.kind(path) == Some(PathKind::File));
    let path = present.next()?.clone();
    if let Some(hidden) = present.next() {
        let hidden = hidden.clone();
        visit.left_out(SLOT, &hidden, FileReason::Shadowed, None);
    }
    let bytes = visit.bytes(&path).ok();
    let manifest = bytes.as_deref().and_then(|bytes| serde_json::from_slice::<Manifest>(bytes).ok());
    let (Some(Manifest(name)), Some(bytes)) = (manifest, bytes) else {
        visit.left_out(SLOT, &path, FileReason::Invalid, None);
        return None;
    };
    visit.applied(&path);
    Some(match name.filter(|name| !name.trim().is_empty()) {
        Some(name) => Traced::of(&name, Origin::Derived(visit.source(&path, "plugin", &bytes).whole())),
        None => Traced::protocol(folder.rsplit('/').next().unwrap_or_default()),
    })
}

/// The name in a manifest. It must not be there twice, and nothing but an object is a manifest.
struct Manifest(Option<String>);

impl<'de> Deserialize<'de> for Manifest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ManifestVisitor)
    }
}

struct ManifestVisitor;

impl<'de> Visitor<'de> for ManifestVisitor {
    type Value = Manifest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Manifest, A::Error> {
        let mut name = None;
        while let Some(key) = map.next_key::<String>()? {
            match (key.as_str(), &name) {
                ("name", None) => name = Some(map.next_value::<String>()?),
                ("name", Some(_)) => return Err(serde::de::Error::duplicate_field("name")),
                _ => {
                    map.next_value::<serde::de::IgnoredAny>()?;
                }
            }
        }
        Ok(Manifest(name))
    }
}
