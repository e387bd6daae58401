use std::ffi::{OsStr, OsString};
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use super::discover::absolute;
use super::{ItemId, ItemKind, ReadError, Snapshot, Tiers};
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectiveArgument {
    Id(ItemId),
    File(PathBuf),
}

impl DirectiveArgument {
    /// Distinguishes files from ids without disk access: an argument that ends in `.md` or starts with `./`, `../` or
    /// `/` is a file. The error is `invalid_id`.
    pub fn parse(argument: &OsStr) -> Result<Self, Diagnostic> {
        let bytes = argument.as_encoded_bytes();
        let starts = ["./", "../", "/"].iter().any(|start| bytes.starts_with(start.as_bytes()));
        if starts || bytes.ends_with(b".md") {
            return Ok(Self::File(PathBuf::from(argument)));
        }
        item_id(argument).map(Self::Id)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectiveFile {
    /// Absolute.
    pub path: PathBuf,
    /// The id below `.ai/directives/`; the stem of any other file.
    pub id: ItemId,
    /// The folder whose `.ai/` holds the file. It is the project unless `--project` names another.
    pub project: Option<PathBuf>,
}

impl DirectiveFile {
    pub fn resolve(path: &Path, working_folder: &Path) -> Result<Self, Diagnostic> {
        let path = absolute(working_folder, path);
        if let Some((project, id)) = place_in_tier(&path) {
            return Ok(Self { id: item_id(&id)?, project: Some(project), path });
        }
        let id = item_id(path.file_stem().unwrap_or(path.as_os_str()))?;
        Ok(Self { path, id, project: None })
    }

    /// Resolves a file in a snapshot. As in git, a path is relative to the top of the repository, or to the working
    /// folder if it starts with `./` or `../`. A path that exists only below the working folder is resolved there.
    pub fn resolve_at(path: &Path, working_folder: &Path, snapshot: &Snapshot) -> Result<Self, Diagnostic> {
        let is_there = |path: &Path| snapshot.within(path).is_some_and(|path| snapshot.holds_file(&path));
        let from_top = snapshot.on_disk("").join(path);
        let starts = path.components().next();
        let from_here = matches!(starts, Some(Component::CurDir | Component::ParentDir))
            || (!is_there(&from_top) && is_there(&absolute(working_folder, path)));
        Self::resolve(if from_here { path } else { &from_top }, working_folder)
    }

    /// Reads exactly this file. A file in a tier follows that tier's rules. Elsewhere, links may
    /// lead anywhere. A file inside the project belongs to it and has a relative path; any other
    /// file belongs to no tier and has an absolute path.
    pub fn read(&self, tiers: &Tiers, snapshot: Option<&Snapshot>) -> Result<Arc<Source>, Diagnostic> {
        let limit = tiers.options().max_item_size;
        let in_tier = self.project.as_deref().and_then(|root| {
            tiers.list().iter().position(|tier| tier.root.as_deref().is_some_and(|tier| tier == root))
        });
        let revision = snapshot.map(|snapshot| Arc::clone(snapshot.revision()));
        let (label, path, read) = match in_tier {
            Some(tier) => {
                let tier = &tiers.list()[tier];
                let path = format!("{}/{}.md", ItemKind::Directive.folder(), self.id);
                let read = tier.store.source(&tier.label, &path, limit);
                (Arc::clone(&tier.label), path, read)
            }
            None => {
                // The project folder itself is not a directive, and its relative path would be empty.
                let from_project = tiers.project_root().and_then(|root| self.path.strip_prefix(root).ok());
                let from_project = from_project.filter(|path| !path.as_os_str().is_empty());
                let path = with_slashes(from_project.unwrap_or(&self.path)).to_string_lossy().into_owned();
                let label: Arc<str> = if from_project.is_some() { "project" } else { "" }.into();
                let bytes = match snapshot {
                    None => tiers.disk().read(&self.path, limit),
                    Some(snapshot) => self.read_at(snapshot, limit),
                };
                let read = bytes.and_then(|bytes| {
                    Source::read_at(revision.clone(), Arc::clone(&label), &path, bytes).map_err(ReadError::NotUtf8)
                });
                (label, path, read)
            }
        };
        read.map_err(|error| tiers.refusal(&label, &path, revision, error))
    }

    fn read_at(&self, snapshot: &Snapshot, limit: u64) -> Result<Vec<u8>, ReadError> {
        let Some(path) = snapshot.within(&self.path) else {
            return Err(ReadError::other(snapshot.repository().outside(&self.path)));
        };
        snapshot.store("", true).read(&path, limit)
    }
}

/// The project and id of a file below `.ai/directives/`; the innermost such folder wins.
fn place_in_tier(path: &Path) -> Option<(PathBuf, OsString)> {
    let parts: Vec<_> = path.components().collect();
    let folder = [".ai", "directives"].map(|name| Component::Normal(OsStr::new(name)));
    let at = parts.windows(2).rposition(|pair| pair == folder)?;
    let below: PathBuf = parts[at + 2..].iter().collect();
    let is_directive = below.extension() == Some(OsStr::new("md"));
    is_directive.then(|| (parts[..at].iter().collect(), with_slashes(&below.with_extension(""))))
}

/// A path with `/` as the separator, as output shows it on every system.
fn with_slashes(path: &Path) -> OsString {
    match path.to_str() {
        Some(text) => text.replace(MAIN_SEPARATOR, "/").into(),
        None => path.into(),
    }
}

fn item_id(id: &OsStr) -> Result<ItemId, Diagnostic> {
    let parsed = id.to_str().map_or(Err("it is not UTF-8"), ItemId::parse);
    parsed.map_err(|reason| Diagnostic::new(Problem::InvalidId { id: id.to_string_lossy().into_owned(), reason }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::super::{Disk, FolderStore, ReadOptions, Tier, TierKind};
    use super::*;

    fn parse(argument: &str) -> DirectiveArgument {
        DirectiveArgument::parse(OsStr::new(argument)).unwrap()
    }

    #[test]
    fn files_and_ids_are_distinguished() {
        for id in ["deploy", "project/deploy/base", "a.mdx", ".hidden", ".../a", "md"] {
            assert_eq!(parse(id), DirectiveArgument::Id(ItemId::parse(id).unwrap()));
        }
        for file in ["deploy.md", "./deploy", "../deploy", "/deploy", ".md", "a/b.md", "./", "/"] {
            assert_eq!(parse(file), DirectiveArgument::File(PathBuf::from(file)));
        }
        for refused in ["", "a//b", "..", "a\\b", "a/../b", "."] {
            let refused = DirectiveArgument::parse(OsStr::new(refused)).unwrap_err();
            assert_eq!(refused.code(), "invalid_id");
        }
    }

    fn resolve(path: &str) -> (String, Option<PathBuf>) {
        let file = DirectiveFile::resolve(Path::new(path), Path::new("/work")).unwrap();
        (file.id.to_string(), file.project)
    }

    #[cfg(unix)]
    #[test]
    fn a_file_path_determines_id_and_project() {
        let at = |id: &str, project: Option<&str>| (id.to_string(), project.map(PathBuf::from));
        assert_eq!(resolve("/p/.ai/directives/a/b.md"), at("a/b", Some("/p")));
        assert_eq!(resolve(".ai/directives/b.c.md"), at("b.c", Some("/work")));
        assert_eq!(resolve("./.ai/directives/./b.md"), at("b", Some("/work")));
        assert_eq!(resolve("/p/.ai/directives/.ai/directives/b.md"), at("b", Some("/p/.ai/directives")));
        assert_eq!(resolve("/.ai/directives/b.md"), at("b", Some("/")));
        assert_eq!(resolve("/p/.ai/directives/b.txt"), at("b", None));
        assert_eq!(resolve("/p/.ai/knowledge/b.md"), at("b", None));
        assert_eq!(resolve("drafts/b.md"), at("b", None));
        assert_eq!(resolve("./b"), at("b", None));
        let inside = DirectiveFile::resolve(Path::new("x/b.md"), Path::new("/p/.ai/directives")).unwrap();
        assert_eq!((inside.id.as_str(), inside.project), ("x/b", Some(PathBuf::from("/p"))));
        let refused = DirectiveFile::resolve(Path::new("./a\\b.md"), Path::new("/work")).unwrap_err();
        assert_eq!(refused.code(), "invalid_id");
    }

    #[test]
    fn exactly_the_named_file_is_read() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("project");
        for path in ["project/.ai/directives/a.md", "project/drafts/a.md", "elsewhere/a.md"] {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), path).unwrap();
        }
        let store = Arc::new(FolderStore::open(&root, false, &Disk::default()).unwrap());
        let tier = Tier { kind: TierKind::Project, label: "project".into(), store, root: Some(root), modules: None };
        let tiers = Tiers::new(vec![tier], ReadOptions::default());
        let read = |path: &str| DirectiveFile::resolve(Path::new(path), folder.path()).unwrap().read(&tiers, None);

        let source = read("project/.ai/directives/a.md").unwrap();
        assert_eq!((source.path(), source.text()), (".ai/directives/a.md", "project/.ai/directives/a.md"));
        let source = read("project/drafts/a.md").unwrap();
        assert_eq!((source.tier(), source.path(), source.text()), ("project", "drafts/a.md", "project/drafts/a.md"));
        let source = read("elsewhere/../elsewhere/a.md").unwrap();
        let absolute = folder.path().canonicalize().unwrap().join("elsewhere/a.md");
        assert_eq!((source.path(), source.text()), (absolute.to_str().unwrap(), "elsewhere/a.md"));
        assert_eq!(read("elsewhere/b.md").unwrap_err().code(), "unreadable");
        assert_eq!(read("project/.ai/directives/b.md").unwrap_err().code(), "unreadable");
        assert_eq!(read("./elsewhere").unwrap_err().code(), "not_a_file");
    }
}
