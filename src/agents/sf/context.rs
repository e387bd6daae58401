//! The instruction files that apply to a folder: the agent's own, then those of every ancestor, root first.

use std::collections::HashSet;

use super::base::{Chosen, Hidden};
use crate::agents::files::{ancestors, below, location, read, size};
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::read::limits;
use crate::read::store::{PathKind, Store};
use crate::text::Source;

/// The names of instruction files; in each folder, the first that can be read is used.
pub const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

#[derive(Debug, Default)]
pub struct InstructionFiles {
    pub files: Vec<Chosen>,
    /// Links in the places of instruction files that lead nowhere.
    pub dangling: Vec<String>,
    /// If a file cannot be read, the next name is used, with a warning; a file that is too large is an error.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn discover(cwd: &str, agent_dir: &str, files: &dyn Store) -> Result<InstructionFiles, Diagnostic> {
    let found = in_folders(cwd, ancestors(cwd), agent_dir, files);
    if let Some(error) = found.diagnostics.iter().find(|it| it.severity() == Severity::Error) {
        return Err(error.clone());
    }
    check(&found.files)?;
    Ok(found)
}

pub fn from_outside(cwd: &str, agent_dir: &str, files: &dyn Store) -> Vec<Chosen> {
    in_folders(cwd, ancestors(cwd).skip(1), agent_dir, files).files
}

fn check(files: &[Chosen]) -> Result<(), Diagnostic> {
    let mut bytes = 0;
    for Chosen { source, .. } in files {
        bytes += source.text().len() as u64;
        let too_many = limits::too_many_lines(source.text(), limits::FILE_BYTES);
        if let Some(problem) = too_many.or_else(|| limits::too_large_for_a_prompt(bytes, limits::FILE_BYTES)) {
            return Err(Diagnostic::at(problem, source.span(0..0)));
        }
    }
    Ok(())
}

/// The files of the agent and of `folders`, which run from the nearest to the root.
fn in_folders<'a>(
    cwd: &str,
    folders: impl Iterator<Item = &'a str>,
    agent_dir: &'a str,
    files: &dyn Store,
) -> InstructionFiles {
    let mut folders: Vec<(&str, &'static str)> =
        folders.map(|folder| (folder, if folder == cwd { "cwd" } else { "ancestor" })).collect();
    folders.push((agent_dir, "agent"));
    let (mut all, mut seen, mut bytes) = (InstructionFiles::default(), HashSet::new(), 0);
    for (folder, tier) in folders.into_iter().rev() {
        let paths = NAMES.map(|name| below(folder, name));
        // The agent's folder may be one of the ancestors.
        if !seen.insert(paths[0].clone()) {
            continue;
        }
        all.dangling.extend(paths.iter().filter(|path| files.is_dangling(path)).cloned());
        let found = look(paths, tier, files, &mut all.diagnostics);
        bytes += found.as_ref().map_or(0, |file| file.source.text().len() as u64);
        all.files.extend(found);
        // Reading stops when the total size exceeds the limit.
        if limits::too_large_for_a_prompt(bytes, limits::FILE_BYTES).is_some() {
            break;
        }
    }
    all
}

/// Evidence that agents work in a folder: its settings folder (`.sf`), or the nearest instruction file that applies.
pub fn agents_file(cwd: &str, folder: &str, files: &dyn Store) -> Option<String> {
    let own = below(cwd, folder);
    let applying = || ancestors(cwd).flat_map(|above| NAMES.map(|name| below(above, name)));
    if matches!(files.kind(&own), Ok(PathKind::Folder)) {
        Some(own)
    } else {
        applying().find(|path| files.is_file(path))
    }
}

/// The instruction file used in a folder, of these paths. Those that are skipped get diagnostics.
fn look(
    paths: [String; 2],
    tier: &'static str,
    files: &dyn Store,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Chosen> {
    let (mut paths, before) = (paths.into_iter(), diagnostics.len());
    while let Some(path) = paths.next() {
        let bytes = match files.kind(&path) {
            Ok(PathKind::File) => read(files, &path),
            // Anything but a file is skipped silently.
            Ok(PathKind::Folder) => continue,
            // In an inaccessible folder neither name can be looked up, which is reported once.
            Err(error) => match error.denial().filter(|_| diagnostics.len() == before) {
                Some(reason) => Err(Problem::Unreadable { reason }),
                None => continue,
            },
        };
        match bytes {
            Ok(bytes) => {
                let mut others = paths.filter(|path| files.is_file(path));
                let hides = others.find_map(|path| Some(Hidden { bytes: size(files, &path)?, path, tier }));
                let source = Source::read_raw(files.revision(&path), tier.into(), path, &bytes);
                return Some(Chosen { source, hides });
            }
            Err(problem) => diagnostics.push(refused(problem, &path, tier, files)),
        }
        // An agent would read the file regardless of its size, so the next name is not used.
        if diagnostics.last().is_some_and(|refused| refused.severity() == Severity::Error) {
            break;
        }
    }
    None
}

fn refused(problem: Problem, path: &str, tier: &str, files: &dyn Store) -> Diagnostic {
    let problem = match problem {
        Problem::TooLarge { .. } => problem,
        Problem::Unreadable { reason } => Problem::ContextUnreadable { reason },
        other => Problem::ContextUnreadable { reason: Diagnostic::new(other).message() },
    };
    Diagnostic::at(problem, location(path, tier, files.revision(path)))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::agents::testing::tree;
    use crate::read::store::{Disk, MemoryStore, ReadError, StoreEntry};

    /// A store that panics when anything but an `AGENTS.md` is read.
    struct Apart(MemoryStore);

    impl Store for Apart {
        fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
            assert!(path.ends_with("/AGENTS.md"), "{path} was read");
            self.0.read(path, limit)
        }

        fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
            self.0.kind(path)
        }

        fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
            self.0.list(folder)
        }

        fn size(&self, path: &str, limit: u64) -> Option<usize> {
            self.0.size(path, limit)
        }
    }

    /// No limit applies to hidden files, so they must not be read.
    #[test]
    fn hidden_files_are_not_read() {
        let files = Apart(tree(&[("/a/AGENTS.md", "x"), ("/a/CLAUDE.md", "four"), ("/a/b/AGENTS.md", "y")]));
        let found = discover("/a/b", "/agent", &files).unwrap();
        let hidden = |file: &Chosen| file.hides.as_ref().map(|it| (it.path.clone(), it.bytes));
        assert_eq!(found.files.iter().map(hidden).collect::<Vec<_>>(), [Some(("/a/CLAUDE.md".to_string(), 4)), None]);
    }

    #[test]
    fn a_file_that_is_too_large_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        std::fs::File::create(below(path, "AGENTS.md")).unwrap().set_len(limits::FILE_BYTES + 1).unwrap();
        std::fs::write(below(path, "CLAUDE.md"), "x").unwrap();
        let files = &Disk::default().whole();
        let look = || look(NAMES.map(|name| below(path, name)), "cwd", files, &mut Vec::new());
        assert!(look().is_none());
        assert_eq!(discover(path, "/nowhere", files).unwrap_err().code(), "too_large");
        std::fs::write(below(path, "AGENTS.md"), "y").unwrap();
        let found = look().unwrap();
        assert_eq!((found.source.text(), found.hides.unwrap().bytes), ("y", 1));
    }

    /// A folder with a `CLAUDE.md`; the listed paths are inaccessible.
    struct Closed(&'static [&'static str]);

    impl Store for Closed {
        fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, ReadError> {
            Ok(b"x".to_vec())
        }

        fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
            match path {
                _ if self.0.contains(&path) => Err(io::Error::from(io::ErrorKind::PermissionDenied).into()),
                "/a/CLAUDE.md" => Ok(PathKind::File),
                _ => Err(ReadError::NotFound),
            }
        }

        fn list(&self, _: &str) -> Result<Vec<StoreEntry>, ReadError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn an_inaccessible_path_is_reported_once_per_folder() {
        let link = discover("/a", "/agent", &Closed(&["/a/AGENTS.md"])).unwrap();
        let folder = discover("/a", "/agent", &Closed(&["/a/AGENTS.md", "/a/CLAUDE.md"])).unwrap();
        for (found, count) in [(link, 1), (folder, 0)] {
            assert_eq!(found.files.len(), count);
            let problem = Problem::ContextUnreadable { reason: "permission denied".to_string() };
            let told: Vec<_> = found.diagnostics.into_iter().map(|it| it.problem).collect();
            assert_eq!(told, [problem]);
        }
    }
}
