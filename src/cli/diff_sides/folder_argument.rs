use std::fs;
use std::path::{Path, PathBuf};

use super::directive_argument::{begins_as_json, is_path, is_saved_by_name, revision, saved_title, split, titled};
use crate::cli::resolve::{surroundings, wrong};
use crate::diagnostic::Diagnostic;
use crate::store::{Revision, absolute};

/// The working folder in titles.
pub const HERE: &str = "./";

/// A side of a comparison of folders, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderSide {
    Folder {
        /// `None` for the disk.
        at: Option<Revision>,
        /// The path as typed.
        folder: String,
        /// Whether it is relative to the working folder. In `REV:path` it is relative to the top of the repository, as in
        /// `git show`, unless it starts with a dot.
        from_here: bool,
    },
    /// A saved prompt, a transcript or a request body; `-` is standard input.
    File(PathBuf),
}

impl FolderSide {
    /// Parses `REV:FOLDER`, a folder on disk, and `-` or a JSON file.
    pub fn parse(typed: &str) -> Result<Self, Diagnostic> {
        if let Some((at, folder)) = split(typed).filter(|_| !is_from_here(typed)) {
            let (at, folder) = (Some(revision(at)), folder.to_string());
            return Ok(Self::Folder { at, from_here: is_from_here(&folder), folder });
        }
        let path = Path::new(typed);
        if typed == "-" {
            return Ok(Self::File(path.into()));
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Ok(Self::on_disk(typed)),
            // Looking into a pipe would consume it.
            Ok(found) if !found.is_file() || is_saved_by_name(typed) || begins_as_json(path) => {
                Ok(Self::File(path.into()))
            }
            Ok(_) => {
                let what = format!("{typed} is a file, but not a saved prompt, a transcript or a request body");
                Err(wrong(&what, "name a folder, REV:FOLDER, or a file that holds a prompt"))
            }
            Err(_) if is_saved_by_name(typed) => Ok(Self::File(path.into())),
            Err(_) => Ok(Self::on_disk(typed)),
        }
    }

    pub fn on_disk(folder: &str) -> Self {
        Self::Folder { at: None, folder: folder.to_string(), from_here: true }
    }

    pub fn at(self, at: Option<Revision>) -> Self {
        match self {
            Self::Folder { folder, from_here, .. } => Self::Folder { at, folder, from_here },
            file => file,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Folder { at: Some(at), folder, from_here: true } if !is_from_here(folder) => {
                titled(Some(at), &format!("{HERE}{folder}"))
            }
            Self::Folder { at, folder, .. } => titled(at.as_ref(), folder),
            Self::File(path) => saved_title(path),
        }
    }
}

pub fn from_here(folder: &str) -> PathBuf {
    absolute(&surroundings().working_folder, Path::new(folder))
}

fn is_from_here(typed: &str) -> bool {
    is_path(typed) || matches!(typed, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(at: Option<Revision>, folder: &str, from_here: bool) -> FolderSide {
        FolderSide::Folder { at, folder: folder.to_string(), from_here }
    }

    fn named(name: &str) -> Option<Revision> {
        Some(Revision::Named(name.to_string()))
    }

    #[test]
    fn revisions_folders_and_files_are_told_apart() {
        let parse = |typed: &str| FolderSide::parse(typed).unwrap();
        assert_eq!(parse("HEAD:"), folder(named("HEAD"), "", false));
        assert_eq!(parse("HEAD:packages/a"), folder(named("HEAD"), "packages/a", false));
        assert_eq!(parse("HEAD:./a"), folder(named("HEAD"), "./a", true));
        assert_eq!(parse("HEAD:.."), folder(named("HEAD"), "..", true));
        assert_eq!(parse(":"), folder(Some(Revision::Index), "", false));
        assert_eq!(parse("HEAD^{/fix: it}:a"), folder(named("HEAD^{/fix: it}"), "a", false));
        assert_eq!(parse("nowhere"), folder(None, "nowhere", true));
        assert_eq!(parse("./a:b"), folder(None, "./a:b", true));
        for saved in ["-", "saved.json"] {
            assert_eq!(parse(saved), FolderSide::File(saved.into()));
        }
    }

    #[test]
    fn what_is_there_is_what_it_is() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name).to_string_lossy().into_owned();
        fs::create_dir(at("a.json")).unwrap();
        fs::write(at("sent"), " {}").unwrap();
        fs::write(at("AGENTS.md"), "Use tabs.").unwrap();
        assert_eq!(FolderSide::parse(&at("a.json")).unwrap(), FolderSide::on_disk(&at("a.json")));
        assert_eq!(FolderSide::parse(&at("sent")).unwrap(), FolderSide::File(at("sent").into()));
        assert!(FolderSide::parse(&at("AGENTS.md")).unwrap_err().message().contains("is a file"));
    }

    #[test]
    fn titles_can_be_typed() {
        let title = |named: FolderSide| named.title();
        assert_eq!(title(folder(named("HEAD"), "", false)), "HEAD:");
        assert_eq!(title(folder(None, "a", true).at(named("v1"))), "v1:./a");
        assert_eq!(title(folder(None, "./a", true).at(Some(Revision::Index))), ":./a");
        assert_eq!(title(FolderSide::on_disk(HERE)), "./");
    }
}
