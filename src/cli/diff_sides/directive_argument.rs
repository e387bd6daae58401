use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use super::side_argument::{SideArgument, begins_as_json, is_path, is_saved_by_name, split};
use crate::cli::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::read::store::{DirectiveArgument, DirectiveFile, Snapshot, Surroundings};

impl SideArgument {
    /// Parses `REV:DIRECTIVE` (as in `git show REV:path`), a directive's id or file, `-`, or a JSON file.
    ///
    /// An argument that starts with `./`, `../` or `/` is a file. Unless its name ends in `.md`, the first character of
    /// the file shows whether it is JSON.
    pub fn parse_directive(typed: &str) -> Result<Self, Diagnostic> {
        let is_path = is_path(typed);
        if (is_path || [".", ".."].contains(&typed)) && Path::new(typed).is_dir() {
            let help = "add --agent NAME to compare what an agent is told there";
            return Err(wrong(&format!("{typed} is a folder, not a directive"), help));
        }
        if let Some((revision, directive)) = split(typed).filter(|_| !is_path) {
            if directive.is_empty() {
                let what = format!("{typed} names a revision but no directive");
                return Err(wrong(&what, "write REV:DIRECTIVE, or --rev for every directive with --all"));
            }
            return Ok(Self::Named { at: Some(revision), name: directive.to_string(), from_here: false });
        }
        if is_saved_by_name(typed) || (is_path && !typed.ends_with(".md") && begins_as_json(Path::new(typed))) {
            return Ok(Self::File(typed.into()));
        }
        Ok(Self::on_disk(typed))
    }

    /// The id or the file; a file's path lacks `./` only if it is relative to the top of the repository.
    pub fn directive(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Named { name, from_here: true, .. } if name.ends_with(".md") && !is_path(name) => {
                Some(format!("./{name}").into())
            }
            Self::Named { name, .. } => Some(name.into()),
            Self::File(_) => None,
        }
    }

    /// The directive's file, unless its path is relative to the top of a repository that is not known yet.
    pub fn file(&self) -> Result<Option<DirectiveFile>, Diagnostic> {
        match self.directive() {
            Some(directive) if is_path(&directive) => {
                DirectiveFile::resolve(Path::new(&*directive), &Surroundings::of_process().working_folder).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn file_at(&self, snapshot: Option<&Snapshot>) -> Result<Option<DirectiveFile>, Diagnostic> {
        let Some(directive) = self.directive() else { return Ok(None) };
        let folder = Surroundings::of_process().working_folder;
        match (DirectiveArgument::parse(OsStr::new(&*directive))?, snapshot) {
            (DirectiveArgument::Id(_), _) => Ok(None),
            (DirectiveArgument::File(path), None) => DirectiveFile::resolve(&path, &folder).map(Some),
            (DirectiveArgument::File(path), Some(snapshot)) => {
                DirectiveFile::resolve_at(&path, &folder, snapshot).map(Some)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::store::Revision;

    fn directive(at: Option<&str>, directive: &str) -> SideArgument {
        let at = at.map(|name| if name.is_empty() { Revision::Index } else { Revision::Named(name.to_string()) });
        SideArgument::Named { from_here: at.is_none(), at, name: directive.to_string() }
    }

    fn parse(typed: &str) -> SideArgument {
        SideArgument::parse_directive(typed).unwrap()
    }

    #[test]
    fn revisions_directives_and_files_are_told_apart() {
        assert_eq!(parse("app/deploy"), directive(None, "app/deploy"));
        assert_eq!(parse("HEAD:app/deploy"), directive(Some("HEAD"), "app/deploy"));
        assert_eq!(parse("v1.2~3:.ai/directives/x.md"), directive(Some("v1.2~3"), ".ai/directives/x.md"));
        assert_eq!(parse(":deploy"), directive(Some(""), "deploy"));
        assert_eq!(parse("HEAD^{/fix: typo}:deploy"), directive(Some("HEAD^{/fix: typo}"), "deploy"));
        assert_eq!(parse("main@{1}:a:b"), directive(Some("main@{1}"), "a:b"));
        assert_eq!(parse("./a:b.md"), directive(None, "./a:b.md"));
        assert_eq!(parse("deploy.md"), directive(None, "deploy.md"));
        for saved in ["-", "saved.json", "./transcript.jsonl", "/tmp/a.ndjson"] {
            assert_eq!(parse(saved), SideArgument::File(saved.into()));
        }
        assert!(SideArgument::parse_directive("HEAD:").is_err());
    }

    #[test]
    fn a_path_is_relative_to_the_working_folder_unless_it_has_a_revision() {
        let path = |typed: &str| parse(typed).directive().unwrap().into_owned();
        assert_eq!(path("drafts/x.md"), "./drafts/x.md");
        assert_eq!(path("HEAD:drafts/x.md"), "drafts/x.md");
        assert_eq!(path("HEAD:./drafts/x.md"), "./drafts/x.md");
        assert_eq!(path("app/deploy"), "app/deploy");
        let moved = parse("x.md").at(Some(Revision::Index));
        assert_eq!((moved.directive().unwrap().as_ref(), moved.title().as_str()), ("./x.md", ":x.md"));
    }

    #[test]
    fn a_file_with_a_different_extension_is_recognised_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_string_lossy().into_owned()
        };
        assert!(matches!(parse(&at("sent", " \n{\"messages\": []}")), SideArgument::File(_)));
        assert!(matches!(parse(&at("directive", "# {}")), SideArgument::Named { .. }));
        assert!(matches!(parse(&at("a.md", "{")), SideArgument::Named { .. }));
        assert!(matches!(parse("/nowhere/at/all"), SideArgument::Named { .. }));
    }
}
