//! The settings of this program: `.ai/config/rye-render.yaml` of every tier, where the project's
//! override the others, and the user-wide `config.yaml`, which they all override.

mod check;
mod shown;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use directories::ProjectDirs;

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::{Protocol, Protocols};
use crate::read::store::{Disk, Installed, TierKind, Tiers};
use crate::read::value::Value;
use crate::read::yaml::{self, YamlData, YamlNode};
use crate::read::{files, limits};
use crate::text::{Source, Span};

pub use check::{SettingEntry, entries, number, one_of, refused, text, texts, unknown};
#[cfg(test)]
pub use shown::SettingsDocument;
pub use shown::{TypedSetting, shown, write as write_shown, write_json as write_shown_json};

/// The settings of a tier.
pub const PATH: &str = ".ai/config/rye-render.yaml";

/// The former path in a project.
const FORMER_PATH: &str = ".rye-render.yaml";

pub const KEYS: [&str; 5] = ["protocol", "protocols", "agents", "examples", "lint"];

pub const LINT_KEYS: [&str; 8] = ["select", "ignore", "fail_on", "exclude", "rules", "options", "paths", "budgets"];

pub const PATHS_KEYS: [&str; 3] = ["files", "ignore", "rules"];

/// The user-wide settings, if there are any.
pub fn user_wide(disk: &Disk) -> Result<Option<Arc<Source>>, Diagnostic> {
    let Some(folders) = ProjectDirs::from("", "", "rye-render") else { return Ok(None) };
    let path = folders.config_dir().join("config.yaml");
    if !disk.exists(&path) {
        return Ok(None);
    }
    files::read(&path, limits::FILE_BYTES, disk).map(Some)
}

#[derive(Debug, Default)]
pub struct Settings {
    /// In order of precedence, lowest first: user-wide, system bundles, user, project.
    files: Vec<SettingsFile>,
}

#[derive(Debug)]
pub struct SettingsFile {
    /// `User` for the user-wide settings, too.
    kind: TierKind,
    pub source: Arc<Source>,
    /// A map with valid keys.
    pub node: YamlNode,
}

impl Settings {
    /// Reads the settings of each tier, which override `user_wide`, and adds warnings to `diagnostics`.
    ///
    /// Settings come with the project, so the rules for items apply: a regular file, and no link out of the tier unless
    /// links are followed.
    ///
    /// # Errors
    /// A file cannot be read, is not YAML, or has an unknown key. Invalid values are found where they are used.
    pub fn read(
        tiers: &Tiers,
        user_wide: Option<Arc<Source>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let settings = Self::read_at(PATH, tiers, user_wide, diagnostics)?;
        diagnostics.extend(moved(tiers));
        Ok(settings)
    }

    /// Like [`Self::read`] with a different path for the project's settings.
    pub fn read_at(
        project: &str,
        tiers: &Tiers,
        user_wide: Option<Arc<Source>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let mut settings = Self::default();
        if let Some(source) = user_wide {
            settings.add(TierKind::User, source, diagnostics)?;
        }
        for tier in by_precedence(tiers) {
            let path = if tiers.list()[tier].kind == TierKind::Project { project } else { PATH };
            let Some(source) = tiers.read(tier, path)? else { continue };
            settings.add(tiers.list()[tier].kind, source, diagnostics)?;
        }
        Ok(settings)
    }

    fn add(
        &mut self,
        kind: TierKind,
        source: Arc<Source>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let loaded = yaml::load(&source.whole())?;
        diagnostics.extend(loaded.diagnostics);
        for SettingEntry { key, value: _, at } in entries(&loaded.node, "the file")? {
            if !KEYS.contains(&key) {
                return Err(unknown(key, KEYS.into_iter(), &at));
            }
        }
        self.files.push(SettingsFile { kind, source, node: loaded.node });
        Ok(())
    }

    /// In order of precedence, lowest first.
    pub fn files(&self) -> &[SettingsFile] {
        &self.files
    }

    /// The merged value of a key: maps are merged recursively, anything else is replaced.
    pub fn part(&self, key: &str) -> Option<YamlNode> {
        Self::merged(&self.files, key)
    }

    /// Like [`Self::part`], without the project's settings.
    pub fn part_below_project(&self, key: &str) -> Option<YamlNode> {
        Self::merged(self.files.iter().filter(|file| file.kind != TierKind::Project), key)
    }

    fn merged<'f>(files: impl IntoIterator<Item = &'f SettingsFile>, key: &str) -> Option<YamlNode> {
        let parts = files.into_iter().filter_map(|file| file.node.get(key)).filter(|part| !is_null(part));
        parts.cloned().reduce(merge)
    }

    /// The protocol that the settings choose.
    fn protocol(&self) -> Result<Option<(String, Option<Span>)>, Diagnostic> {
        let Some(node) = self.part("protocol") else { return Ok(None) };
        Ok(Some((text(&node, "`protocol`")?.to_string(), node.span)))
    }

    /// Adds the protocols that the settings define. Each may extend those of files with lower precedence, and replaces
    /// any of the same name that is not built in.
    pub fn define(&self, protocols: &mut Protocols) -> Result<(), Diagnostic> {
        let defining = self.files.iter().filter(|file| file.node.get("protocols").is_some());
        defining.map(|file| &file.source).try_for_each(|source| protocols.add_settings(source))
    }

    /// The named protocol, else that of the settings, else that of the installed package, else the default.
    pub fn choose(
        &self,
        name: Option<&str>,
        protocols: &Protocols,
        installed: Option<&Installed>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Protocol, Diagnostic> {
        if let Some(name) = name {
            return protocols.get(name);
        }
        match self.protocol()? {
            None => {
                diagnostics.extend(installed.and_then(Installed::inexact));
                protocols.get(installed.map_or(Protocol::DEFAULT, |installed| installed.protocol))
            }
            Some((name, at)) => protocols.get(&name).map_err(|error| Diagnostic { at: at.map(Into::into), ..error }),
        }
    }
}

/// Tiers in order of precedence, lowest first; bundles in their own order.
fn by_precedence(tiers: &Tiers) -> impl Iterator<Item = usize> {
    let of_kind = move |kind| (0..tiers.list().len()).filter(move |&tier| tiers.list()[tier].kind == kind);
    [TierKind::System, TierKind::User, TierKind::Project].into_iter().flat_map(of_kind)
}

/// The warning that the former settings file is ignored.
fn moved(tiers: &Tiers) -> Option<Diagnostic> {
    let project = tiers.list().iter().position(|tier| tier.kind == TierKind::Project)?;
    let exists = tiers.list()[project].store.exists(FORMER_PATH);
    exists.then(|| Diagnostic::at(Problem::SettingsMoved { path: PATH }, tiers.place(project, FORMER_PATH.to_string())))
}

/// Merges two settings: maps are merged recursively, anything else is replaced, null is ignored.
/// Every value keeps its position.
///
/// The configuration of agents has different rules: its lists have ids, and `extends` is skipped.
fn merge(lower: YamlNode, upper: YamlNode) -> YamlNode {
    if is_null(&upper) {
        return lower;
    }
    let span = upper.span;
    match (lower.data, upper.data) {
        (YamlData::Map(mut lower), YamlData::Map(upper)) => {
            for (key, value) in upper {
                let merged = match lower.shift_remove(&key) {
                    Some(below) => merge(below, value),
                    None => value,
                };
                // Inserted last, because the last of equally specific entries wins.
                lower.insert(key, merged);
            }
            YamlNode { data: YamlData::Map(lower), span }
        }
        (_, data) => YamlNode { data, span },
    }
}

pub(crate) fn is_null(node: &YamlNode) -> bool {
    matches!(node.data, YamlData::Scalar(Value::Null))
}
