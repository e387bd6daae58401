//! Which folders are trusted. A key of `[projects]` matches a folder only letter by letter.

use super::folders::Folders;
use crate::read::yaml::YamlNode;
use crate::text::Span;

/// What the settings say about a folder.
#[derive(Debug, Clone)]
pub(super) struct TrustLevel {
    pub is_trusted: bool,
    pub span: Option<Span>,
}

/// The level of the first of these folders that has one.
pub(super) fn level<'a>(settings: &YamlNode, folders: impl IntoIterator<Item = &'a str>) -> Option<TrustLevel> {
    let projects = settings.get("projects")?;
    folders.into_iter().find_map(|folder| {
        let level = projects.get(folder)?.get("trust_level")?;
        Some(TrustLevel { is_trusted: level.as_str() == Some("trusted"), span: level.span.clone() })
    })
}

impl Folders {
    /// The level that decides about the instruction files and the commands of the project.
    pub fn project_level(&self, settings: &YamlNode) -> Option<TrustLevel> {
        level(settings, [self.cwd.as_str()].into_iter().chain(self.repository_folder()))
    }

    /// Whether the settings and rules of a folder are read.
    pub fn trusts(&self, folder: &str, settings: &YamlNode) -> bool {
        let folders = [folder, self.settings_root()].into_iter().chain(self.repository_folder());
        self.are_trusted || level(settings, folders).is_some_and(|level| level.is_trusted)
    }

    fn repository_folder(&self) -> Option<&str> {
        self.repository.as_ref().map(|repository| repository.folder.as_str())
    }
}
