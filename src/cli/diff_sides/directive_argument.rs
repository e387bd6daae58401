use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cli::files;
use crate::cli::resolve::{surroundings, wrong};
use crate::diagnostic::Diagnostic;
use crate::store::{DirectiveArgument, DirectiveFile, Revision, Snapshot};

/// A side of a comparison of directives, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectiveSide {
    Directive {
        /// `None` for the working tree.
        at: Option<Revision>,
        /// An id or a file.
        directive: String,
        /// Whether a path is relative to the working folder. In `REV:path` it is relative to the top of the repository,
        /// as in `git show`, unless it starts with `./`.
        from_here: bool,
    },
    /// A saved prompt, a transcript or a request body; `-` is standard input.
    File(PathBuf),
}

/// Suffixes of saved prompts, transcripts and request bodies.
const SAVED: [&str; 3] = [".json", ".jsonl", ".ndjson"];

impl DirectiveSide {
    /// Parses `REV:DIRECTIVE` as in `git show REV:path`, a directive's id or file, and `-` or a JSON file.
    ///
    /// An argument that starts with `./`, `../` or `/` is a file. Unless it ends in `.md`, the first character of its text
    /// decides what it holds.
    pub fn parse(typed: &str) -> Result<Self, Diagnostic> {
        let is_path = is_path(typed);
        if let Some((revision, directive)) = split(typed).filter(|_| !is_path) {
            if directive.is_empty() {
                let what = format!("{typed} names a revision but no directive");
                return Err(wrong(&what, "write REV:DIRECTIVE, or --rev for every directive with --all"));
            }
            return Ok(Self::Directive {
                at: Some(self::revision(revision)),
                directive: directive.to_string(),
                from_here: false,
            });
        }
        if is_saved_by_name(typed) || (is_path && !typed.ends_with(".md") && begins_as_json(Path::new(typed))) {
            return Ok(Self::File(typed.into()));
        }
        Ok(Self::on_disk(typed.to_string()))
    }

    pub fn on_disk(directive: String) -> Self {
        Self::Directive { at: None, directive, from_here: true }
    }

    /// The id or the file; a file's path lacks `./` only if it is relative to the top of the repository.
    pub fn directive(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Directive { directive, from_here: true, .. } if directive.ends_with(".md") && !is_path(directive) => {
                Some(format!("./{directive}").into())
            }
            Self::Directive { directive, .. } => Some(directive.into()),
            Self::File(_) => None,
        }
    }

    /// The directive's file, unless its path is relative to the top of a repository that is not known yet.
    pub fn file(&self) -> Result<Option<DirectiveFile>, Diagnostic> {
        match self.directive() {
            Some(directive) if is_path(&directive) => {
                DirectiveFile::resolve(Path::new(&*directive), &surroundings().working_folder).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The directive's file at a revision.
    pub fn file_at(&self, snapshot: Option<&Snapshot>) -> Result<Option<DirectiveFile>, Diagnostic> {
        let Some(directive) = self.directive() else { return Ok(None) };
        let folder = surroundings().working_folder;
        match (DirectiveArgument::parse(OsStr::new(&*directive))?, snapshot) {
            (DirectiveArgument::Id(_), _) => Ok(None),
            (DirectiveArgument::File(path), None) => DirectiveFile::resolve(&path, &folder).map(Some),
            (DirectiveArgument::File(path), Some(snapshot)) => {
                DirectiveFile::resolve_at(&path, &folder, snapshot).map(Some)
            }
        }
    }

    pub fn is_on_disk(&self) -> bool {
        matches!(self, Self::Directive { at: None, .. })
    }

    pub fn revision(&self) -> Option<&Revision> {
        match self {
            Self::Directive { at, .. } => at.as_ref(),
            Self::File(_) => None,
        }
    }

    pub fn at(self, at: Option<Revision>) -> Self {
        match self {
            Self::Directive { directive, from_here, .. } => Self::Directive { at, directive, from_here },
            file => file,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Directive { at, directive, .. } => titled(at.as_ref(), directive),
            Self::File(path) => saved_title(path),
        }
    }
}

/// `REV:name`, as typed.
pub(super) fn titled(at: Option<&Revision>, name: &str) -> String {
    match at {
        Some(Revision::Named(revision)) => format!("{revision}:{name}"),
        Some(Revision::Index) => format!(":{name}"),
        None => name.to_string(),
    }
}

pub(super) fn saved_title(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_string() } else { path.to_string_lossy().into_owned() }
}

/// Whether the name is that of a saved prompt, a transcript or a request body.
pub(super) fn is_saved_by_name(typed: &str) -> bool {
    typed == "-" || SAVED.iter().any(|end| typed.ends_with(end))
}

/// Parses the part before the colon; empty is the index.
pub(super) fn revision(name: &str) -> Revision {
    if name.is_empty() { Revision::Index } else { Revision::Named(name.to_string()) }
}

pub(super) fn is_path(typed: &str) -> bool {
    ["./", "../", "/"].iter().any(|start| typed.starts_with(start))
}

/// Splits `REV:name`. A colon in braces, as in `HEAD^{/fix: typo}`, belongs to the revision.
pub(super) fn split(typed: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let at = typed.char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    Some((&typed[..at], &typed[at + 1..]))
}

/// Whether a file looks like JSON by its first character.
pub(super) fn begins_as_json(path: &Path) -> bool {
    files::first_character(path).is_some_and(|first| matches!(first, '{' | '['))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directive(at: Option<&str>, directive: &str) -> DirectiveSide {
        let at = at.map(|name| if name.is_empty() { Revision::Index } else { Revision::Named(name.to_string()) });
        DirectiveSide::Directive { from_here: at.is_none(), at, directive: directive.to_string() }
    }

    fn parse(typed: &str) -> DirectiveSide {
        DirectiveSide::parse(typed).unwrap()
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
            assert_eq!(parse(saved), DirectiveSide::File(saved.into()));
        }
        assert!(DirectiveSide::parse("HEAD:").is_err());
    }

    #[test]
    fn a_path_is_from_here_unless_it_is_of_a_revision() {
        let path = |typed: &str| parse(typed).directive().unwrap().into_owned();
        assert_eq!(path("drafts/x.md"), "./drafts/x.md");
        assert_eq!(path("HEAD:drafts/x.md"), "drafts/x.md");
        assert_eq!(path("HEAD:./drafts/x.md"), "./drafts/x.md");
        assert_eq!(path("app/deploy"), "app/deploy");
        let moved = parse("x.md").at(Some(Revision::Index));
        assert_eq!((moved.directive().unwrap().as_ref(), moved.title().as_str()), ("./x.md", ":x.md"));
    }

    #[test]
    fn a_file_of_another_name_is_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_string_lossy().into_owned()
        };
        assert!(matches!(parse(&at("sent", " \n{\"messages\": []}")), DirectiveSide::File(_)));
        assert!(matches!(parse(&at("directive", "# {}")), DirectiveSide::Directive { .. }));
        assert!(matches!(parse(&at("a.md", "{")), DirectiveSide::Directive { .. }));
        assert!(matches!(parse("/nowhere/at/all"), DirectiveSide::Directive { .. }));
    }
}
