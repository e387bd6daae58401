use std::fs;
use std::path::{Path, PathBuf};

use super::side_argument::{SideArgument, begins_as_json, is_path, is_saved_by_name, split};
use crate::cli::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::read::store::{Surroundings, absolute};

/// The working folder in titles.
pub const HERE: &str = "./";

impl SideArgument {
    /// Parses `REV:FOLDER`, a folder on disk, `-`, or a JSON file.
    pub fn parse_folder(typed: &str) -> Result<Self, Diagnostic> {
        if let Some((at, folder)) = split(typed).filter(|_| !is_from_here(typed)) {
            return Ok(Self::Named { at: Some(at), from_here: is_from_here(folder), name: folder.to_string() });
        }
        let path = Path::new(typed);
        if typed == "-" {
            return Ok(Self::File(path.into()));
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Ok(Self::on_disk(typed)),
            // Reading a pipe would consume it.
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

    /// The title of a folder, which is also a valid argument.
    pub fn folder_title(&self) -> String {
        match self {
            Self::Named { at: Some(at), name, from_here: true } if !is_from_here(name) => {
                Self::on_disk(format!("{HERE}{name}")).at(Some(at.clone())).title()
            }
            side => side.title(),
        }
    }
}

pub fn from_here(folder: &str) -> PathBuf {
    absolute(&Surroundings::of_process().working_folder, Path::new(folder))
}

fn is_from_here(typed: &str) -> bool {
    is_path(typed) || matches!(typed, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::store::Revision;

    fn folder(at: Option<Revision>, folder: &str, from_here: bool) -> SideArgument {
        SideArgument::Named { at, name: folder.to_string(), from_here }
    }

    fn named(name: &str) -> Option<Revision> {
        Some(Revision::Named(name.to_string()))
    }

    #[test]
    fn revisions_folders_and_files_are_told_apart() {
        let parse = |typed: &str| SideArgument::parse_folder(typed).unwrap();
        assert_eq!(parse("HEAD:"), folder(named("HEAD"), "", false));
        assert_eq!(parse("HEAD:packages/a"), folder(named("HEAD"), "packages/a", false));
        assert_eq!(parse("HEAD:./a"), folder(named("HEAD"), "./a", true));
        assert_eq!(parse("HEAD:.."), folder(named("HEAD"), "..", true));
        assert_eq!(parse(":"), folder(Some(Revision::Index), "", false));
        assert_eq!(parse("HEAD^{/fix: it}:a"), folder(named("HEAD^{/fix: it}"), "a", false));
        assert_eq!(parse("nowhere"), folder(None, "nowhere", true));
        assert_eq!(parse("./a:b"), folder(None, "./a:b", true));
        for saved in ["-", "saved.json"] {
            assert_eq!(parse(saved), SideArgument::File(saved.into()));
        }
    }

    #[test]
    fn an_existing_path_is_recognised_by_its_kind_and_content() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name).to_string_lossy().into_owned();
        fs::create_dir(at("a.json")).unwrap();
        fs::write(at("sent"), " {}").unwrap();
        fs::write(at("AGENTS.md"), "Use tabs.").unwrap();
        assert_eq!(SideArgument::parse_folder(&at("a.json")).unwrap(), SideArgument::on_disk(at("a.json")));
        assert_eq!(SideArgument::parse_folder(&at("sent")).unwrap(), SideArgument::File(at("sent").into()));
        assert!(SideArgument::parse_folder(&at("AGENTS.md")).unwrap_err().message().contains("is a file"));
    }

    #[test]
    fn titles_are_valid_arguments() {
        let title = |named: SideArgument| named.folder_title();
        assert_eq!(title(folder(named("HEAD"), "", false)), "HEAD:");
        assert_eq!(title(folder(None, "a", true).at(named("v1"))), "v1:./a");
        assert_eq!(title(folder(None, "./a", true).at(Some(Revision::Index))), ":./a");
        assert_eq!(title(SideArgument::on_disk(HERE)), "./");
    }
}
