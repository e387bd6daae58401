use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::answer::diff::Pair;
use crate::cli::arguments::SideFlags;
use crate::diagnostic::Diagnostic;
use crate::read::files;
use crate::read::store::{DirectiveArgument, DirectiveFile, Revision, Snapshot};

/// The working folder in titles.
pub const HERE: &str = "./";

/// A side of a comparison, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideArgument {
    Named {
        /// `None` for the working tree.
        at: Option<Revision>,
        /// The id or the file of a directive, or a folder.
        name: String,
        /// Whether a path is relative to the working folder. In `REV:path` it is relative to the top of the repository,
        /// as in `git show`, unless it starts with a dot.
        from_here: bool,
    },
    /// A saved prompt, a transcript or a request body; `-` is standard input.
    File(PathBuf),
}

impl SideArgument {
    pub fn on_disk(name: impl Into<String>) -> Self {
        Self::Named { at: None, name: name.into(), from_here: true }
    }

    pub fn at(self, at: Option<Revision>) -> Self {
        match self {
            Self::Named { name, from_here, .. } => Self::Named { at, name, from_here },
            file => file,
        }
    }

    /// Parses `REV:DIRECTIVE` (as in `git show REV:path`), a directive's id or file, `-`, or a JSON file.
    ///
    /// An argument that starts with `./`, `../` or `/` is a file. Unless its name ends in `.md`, the first character of
    /// the file shows whether it is JSON.
    pub fn parse_directive(typed: &str) -> Result<Self, Diagnostic> {
        let is_path = is_path(typed);
        if (is_path || [".", ".."].contains(&typed)) && Path::new(typed).is_dir() {
            let help = "add --agent NAME to compare what an agent is told there";
            return Err(Diagnostic::invalid(format!("{typed} is a folder, not a directive"), help));
        }
        if let Some((revision, directive)) = split(typed).filter(|_| !is_path) {
            if directive.is_empty() {
                let what = format!("{typed} names a revision but no directive");
                return Err(Diagnostic::invalid(what, "write REV:DIRECTIVE, or --rev for every directive with --all"));
            }
            return Ok(Self::Named { at: Some(revision), name: directive.to_string(), from_here: false });
        }
        if is_saved_by_name(typed) || (is_path && !typed.ends_with(".md") && begins_as_json(Path::new(typed))) {
            return Ok(Self::File(typed.into()));
        }
        Ok(Self::on_disk(typed))
    }

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
                Err(Diagnostic::invalid(what, "name a folder, REV:FOLDER, or a file that holds a prompt"))
            }
            Err(_) if is_saved_by_name(typed) => Ok(Self::File(path.into())),
            Err(_) => Ok(Self::on_disk(typed)),
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::Named { at: Some(Revision::Named(revision)), name, .. } => format!("{revision}:{name}"),
            Self::Named { at: Some(Revision::Index), name, .. } => format!(":{name}"),
            Self::Named { at: None, name, .. } => name.clone(),
            Self::File(path) if path.as_os_str() == "-" => "standard input".to_string(),
            Self::File(path) => path.to_string_lossy().into_owned(),
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
    pub fn file(&self, working_folder: &Path) -> Result<Option<DirectiveFile>, Diagnostic> {
        match self.directive() {
            Some(directive) if is_path(&directive) => {
                DirectiveFile::resolve(Path::new(&*directive), working_folder).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn file_at(
        &self,
        snapshot: Option<&Snapshot>,
        working_folder: &Path,
    ) -> Result<Option<DirectiveFile>, Diagnostic> {
        let Some(directive) = self.directive() else { return Ok(None) };
        match (DirectiveArgument::parse(OsStr::new(&*directive))?, snapshot) {
            (DirectiveArgument::Id(_), _) => Ok(None),
            (DirectiveArgument::File(path), None) => DirectiveFile::resolve(&path, working_folder).map(Some),
            (DirectiveArgument::File(path), Some(snapshot)) => {
                DirectiveFile::resolve_at(&path, working_folder, snapshot).map(Some)
            }
        }
    }
}

/// Refuses a flag for one side if that side is a saved file.
pub fn check_saved(named: &Pair<SideArgument>, sides: &Pair<SideFlags>) -> Result<(), Diagnostic> {
    for (named, flags, side) in [(&named.left, &sides.left, "left"), (&named.right, &sides.right, "right")] {
        if let (SideArgument::File(_), Some(flag)) = (named, flags.own.first()) {
            let (flag, title) = (flag.split(['=', ' ']).next().unwrap_or_default(), named.title());
            let what = format!("--{side}-{flag} changes how a prompt is rendered, but {title} is a saved file");
            return Err(Diagnostic::invalid(what, "leave the flag out"));
        }
    }
    Ok(())
}

/// Refuses sides that `--rev` cannot apply to; `kind` is `directive` or `folder`.
pub fn check_for_range(left: &SideArgument, right: &SideArgument, kind: &str) -> Result<(), Diagnostic> {
    let typed = format!("REV:{}", kind.to_uppercase());
    for side in [left, right] {
        match side {
            SideArgument::Named { at: None, .. } => {}
            SideArgument::Named { at: Some(_), .. } => {
                return Err(Diagnostic::invalid(
                    format!("--rev and {typed} both name a revision"),
                    "leave one of the two out",
                ));
            }
            SideArgument::File(path) => {
                let what = format!("--rev requires {kind}s, but {} is a saved file", path.display());
                return Err(Diagnostic::invalid(what, format!("compare it with {typed}")));
            }
        }
    }
    Ok(())
}

/// Whether the name is that of a saved prompt, a transcript or a request body.
fn is_saved_by_name(typed: &str) -> bool {
    typed == "-" || [".json", ".jsonl", ".ndjson"].iter().any(|end| typed.ends_with(end))
}

/// Whether a file looks like JSON, judging by its first character.
fn begins_as_json(path: &Path) -> bool {
    files::first_character(path).is_some_and(|first| matches!(first, '{' | '['))
}

fn is_path(typed: &str) -> bool {
    ["./", "../", "/"].iter().any(|start| typed.starts_with(start))
}

/// Splits `REV:name`; an empty revision is the index. A colon in braces, as in `HEAD^{/fix: typo}`, belongs to the
/// revision.
fn split(typed: &str) -> Option<(Revision, &str)> {
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
    let revision = if at == 0 { Revision::Index } else { Revision::Named(typed[..at].to_string()) };
    Some((revision, &typed[at + 1..]))
}

fn is_from_here(typed: &str) -> bool {
    is_path(typed) || matches!(typed, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

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
