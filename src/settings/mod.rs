//! The tool's own settings: `.ai/config/rye-render.yaml` of every tier, those of the project counting most.
//!
//! ```text
//! tiers → files (read, keys checked) → one value for each part, every piece with its place → whoever it concerns
//! ```

mod check;
mod keys;
mod merge;
#[cfg(test)]
pub(crate) mod schema;
mod shown;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::protocol::{Protocol, Protocols};
use crate::store::{TierKind, Tiers};
use crate::text::{Source, Span};
use crate::yaml::{self, Node, YamlLimits};

pub use check::{Entry, entries, number, one_of, refused, text, texts, unknown};
pub use keys::{KEYS, Key, LINT_KEYS, PATHS_KEYS};
pub(crate) use merge::is_null;
use merge::merge;
pub use shown::{By, Instead, SettingsDocument, Shown, shown, write as write_shown, write_json as write_shown_json};

/// Where the settings of a tier stand.
pub const PATH: &str = ".ai/config/rye-render.yaml";

/// Where those of a project stood.
const FORMER_PATH: &str = ".rye-render.yaml";

/// The settings of all tiers.
#[derive(Debug, Default)]
pub struct Settings {
    /// In the order in which they count: system bundles, user, project.
    files: Vec<SettingsFile>,
}

/// The settings of one tier.
#[derive(Debug)]
pub struct SettingsFile {
    /// Which tier.
    pub kind: TierKind,
    /// The file.
    pub source: Arc<Source>,
    /// The map that it holds.
    pub node: Node,
}

impl Settings {
    /// Reads the file of each tier that has one; `diagnostics` takes warnings.
    ///
    /// The settings come with the project, so they are read as its items are: a regular file, and no link that leaves
    /// the tier unless links are followed.
    ///
    /// # Errors
    /// A file that cannot be read, is no YAML, or has a key that means nothing. What is wrong below a key is found by
    /// whoever reads it.
    pub fn read(tiers: &Tiers, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let settings = Self::read_at(PATH, tiers, diagnostics)?;
        diagnostics.extend(moved(tiers));
        Ok(settings)
    }

    /// The same where those of the project stand at another path.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_at(project: &str, tiers: &Tiers, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let mut settings = Self::default();
        for tier in by_weight(tiers) {
            let path = if tiers.list()[tier].kind == TierKind::Project { project } else { PATH };
            let Some(source) = tiers.read(tier, path)? else { continue };
            let loaded = yaml::load(&source, 0..source.text().len(), YamlLimits::default())?;
            diagnostics.extend(loaded.diagnostics);
            for Entry { key, value: _, at } in entries(&loaded.node, "the file")? {
                if !KEYS.iter().any(|known| known.name == key) {
                    return Err(unknown(key, KEYS.iter().map(|known| known.name), &at));
                }
            }
            let kind = tiers.list()[tier].kind;
            settings.files.push(SettingsFile { kind, source, node: loaded.node });
        }
        Ok(settings)
    }

    /// The files in the order in which they count, the last most.
    pub fn files(&self) -> &[SettingsFile] {
        &self.files
    }

    /// What all tiers say under a key: maps are merged deep, everything else is that of the last tier which has it.
    pub fn part(&self, key: &str) -> Option<Node> {
        Self::merged(&self.files, key)
    }

    /// What the tiers below the project say under a key.
    pub fn part_below_project(&self, key: &str) -> Option<Node> {
        Self::merged(self.files.iter().filter(|file| file.kind != TierKind::Project), key)
    }

    fn merged<'f>(files: impl IntoIterator<Item = &'f SettingsFile>, key: &str) -> Option<Node> {
        let parts = files.into_iter().filter_map(|file| file.node.get(key)).filter(|part| !merge::is_null(part));
        parts.cloned().reduce(merge)
    }

    /// The protocol that is meant where none is named, and where that stands.
    ///
    /// # Errors
    /// It is no text.
    pub fn protocol(&self) -> Result<Option<(String, Option<Span>)>, Diagnostic> {
        let Some(node) = self.part("protocol") else { return Ok(None) };
        Ok(Some((text(&node, "`protocol`")?.to_string(), node.span)))
    }

    /// Adds the protocols that the tiers define; one of a later tier may extend those of earlier ones, and takes the
    /// place of one of its name that is not built in.
    ///
    /// # Errors
    /// A definition that cannot be used.
    pub fn define(&self, protocols: &mut Protocols) -> Result<(), Diagnostic> {
        let defining = self.files.iter().filter(|file| file.node.get("protocols").is_some());
        defining.map(|file| &file.source).try_for_each(|source| protocols.add_settings(source))
    }

    /// The protocol of that name, or the one that is meant where none is named.
    ///
    /// # Errors
    /// There is none of that name, or the settings say something else than a name.
    pub fn choose(&self, name: Option<&str>, protocols: &Protocols) -> Result<Protocol, Diagnostic> {
        if let Some(name) = name {
            return protocols.get(name);
        }
        match self.protocol()? {
            None => protocols.get(Protocol::DEFAULT),
            Some((name, at)) => protocols.get(&name).map_err(|error| Diagnostic { at: at.map(Into::into), ..error }),
        }
    }
}

/// The tiers, the one that counts most last; bundles stand in their order.
fn by_weight(tiers: &Tiers) -> impl Iterator<Item = usize> {
    let of_kind = move |kind| (0..tiers.list().len()).filter(move |&tier| tiers.list()[tier].kind == kind);
    [TierKind::System, TierKind::User, TierKind::Project].into_iter().flat_map(of_kind)
}

/// The warning that a file which once held the settings is read no more.
fn moved(tiers: &Tiers) -> Option<Diagnostic> {
    let project = tiers.list().iter().position(|tier| tier.kind == TierKind::Project)?;
    let is_there = tiers.list()[project].store.exists(FORMER_PATH);
    is_there
        .then(|| Diagnostic::at(Problem::SettingsMoved { path: PATH }, tiers.place(project, FORMER_PATH.to_string())))
}
