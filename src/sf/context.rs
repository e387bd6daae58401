//! The files of instructions that apply to a folder: the agent's own, then those of every ancestor, root first.

use std::collections::HashSet;
use std::sync::Arc;

use super::base::Hidden;
use super::files::{Files, Kind, ancestors, below};
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::limits;
use crate::text::Source;

/// The names of such a file; the first that can be read counts in each folder.
pub const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// A file of instructions.
#[derive(Debug, Clone)]
pub struct ContextFile {
    /// The file.
    pub source: Arc<Source>,
    /// The file of the same folder that it hides.
    pub hides: Option<Hidden>,
}

/// What was found in folders.
#[derive(Debug, Default)]
pub struct Context {
    /// The files of instructions, in the order of the prompt.
    pub files: Vec<ContextFile>,
    /// About files that are there, cannot be read, and so give way to the next name. One that is too large is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// The files of instructions for a folder, and warnings about those that give way.
///
/// # Errors
/// Where one of them is too large, or all are together.
pub fn discover(cwd: &str, agent_dir: &str, files: &dyn Files) -> Result<Context, Diagnostic> {
    let mut folders: Vec<(&str, &'static str)> = ancestors(cwd).map(|folder| (folder, "ancestor")).collect();
    if let Some((_, tier)) = folders.first_mut() {
        *tier = "cwd";
    }
    let found = in_folders(folders, agent_dir, files);
    if let Some(error) = found.diagnostics.iter().find(|it| it.severity() == Severity::Error) {
        return Err(error.clone());
    }
    check(&found.files)?;
    Ok(found)
}

/// The paths at which such a file would count if it were there, and a link leads nowhere, in the order of the prompt.
pub fn dangling(cwd: &str, agent_dir: &str, files: &dyn Files) -> Vec<String> {
    let mut folders: Vec<&str> = ancestors(cwd).chain([agent_dir]).collect();
    folders.reverse();
    let mut seen = HashSet::new();
    let paths = folders.into_iter().filter(|folder| seen.insert(*folder));
    paths.flat_map(|folder| NAMES.map(|name| below(folder, name))).filter(|path| files.is_dangling(path)).collect()
}

/// Those of them that do not lie in the folder itself.
pub fn from_outside(cwd: &str, agent_dir: &str, files: &dyn Files) -> Vec<ContextFile> {
    in_folders(ancestors(cwd).skip(1).map(|folder| (folder, "ancestor")).collect(), agent_dir, files).files
}

/// What is too large for a prompt: the file with too many lines, or the one with which all are too large.
fn check(files: &[ContextFile]) -> Result<(), Diagnostic> {
    let mut bytes = 0;
    for ContextFile { source, .. } in files {
        bytes += source.text().len() as u64;
        let too_many = limits::too_many_lines(source.text(), limits::FILE_BYTES);
        if let Some(problem) = too_many.or_else(|| limits::too_large_for_a_prompt(bytes, limits::FILE_BYTES)) {
            return Err(Diagnostic::at(problem, source.span(0..0)));
        }
    }
    Ok(())
}

/// Those of the agent and of folders that stand in the order from the nearest to the root.
fn in_folders<'a>(mut folders: Vec<(&'a str, &'static str)>, agent_dir: &'a str, files: &dyn Files) -> Context {
    folders.push((agent_dir, "agent"));
    folders.reverse();
    let (mut all, mut seen, mut bytes) = (Context::default(), HashSet::new(), 0);
    for (folder, tier) in folders {
        // The folder of the agent may be met on the way.
        if !seen.insert(below(folder, NAMES[0])) {
            continue;
        }
        let Context { files, diagnostics } = look(folder, tier, files);
        bytes += files.iter().map(|file| file.source.text().len() as u64).sum::<u64>();
        all.files.extend(files);
        all.diagnostics.extend(diagnostics);
        // Where they are too large together, no more of them are read.
        if limits::too_large_for_a_prompt(bytes, limits::FILE_BYTES).is_some() {
            break;
        }
    }
    all
}

/// What says that agents work in a folder: its own folder of theirs (`.sf`), or the nearest file of instructions that
/// applies to it.
pub fn agents_file(cwd: &str, folder: &str, files: &dyn Files) -> Option<String> {
    let own = below(cwd, folder);
    let applying = || ancestors(cwd).flat_map(|above| NAMES.map(|name| below(above, name)));
    let is_there = |path: &String| files.kind(path) == Some(Kind::File);
    if files.kind(&own) == Some(Kind::Folder) { Some(own) } else { applying().find(is_there) }
}

/// The file of a folder that counts, if it has one; none where that is too large.
pub fn in_folder(folder: &str, tier: &'static str, files: &dyn Files) -> Option<ContextFile> {
    look(folder, tier, files).files.pop()
}

/// The file of a folder that counts, and what is wrong with one of the other name in front of it.
fn look(folder: &str, tier: &'static str, files: &dyn Files) -> Context {
    let mut found = Context::default();
    let mut paths = NAMES.into_iter().map(|name| below(folder, name));
    while let Some(path) = paths.next() {
        let read = match files.kind(&path) {
            Some(Kind::File) => files.read(&path),
            // What is no file gives way to the next name without a word.
            Some(Kind::Folder) => continue,
            // In a closed folder nobody can look at either name, which is told once.
            None => match files.refusal(&path).filter(|_| found.diagnostics.is_empty()) {
                Some(reason) => Err(Problem::Unreadable { reason }),
                None => continue,
            },
        };
        match read {
            Ok(bytes) => {
                let mut others = paths.filter(|path| files.kind(path) == Some(Kind::File));
                let hides = others.find_map(|path| Some(Hidden { bytes: files.size(&path)?, path, tier }));
                let source = Source::read_raw(files.revision(&path), tier.into(), path, &bytes);
                found.files.push(ContextFile { source, hides });
                break;
            }
            Err(problem) => {
                let refused = refused(problem, path, tier, files);
                let is_last = refused.severity() == Severity::Error;
                found.diagnostics.push(refused);
                // An agent would read it, whatever its size: no other name takes its place.
                if is_last {
                    break;
                }
            }
        }
    }
    found
}

/// What is wrong with a file of instructions that is there.
fn refused(problem: Problem, path: String, tier: &str, files: &dyn Files) -> Diagnostic {
    let problem = match problem {
        Problem::TooLarge { .. } => problem,
        Problem::Unreadable { reason } => Problem::ContextUnreadable { reason },
        other => Problem::ContextUnreadable { reason: Diagnostic::new(other).message() },
    };
    let at = Location::File { tier: tier.into(), revision: files.revision(&path), path, position: None };
    Diagnostic::at(problem, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sf::files::Disk;
    use crate::sf::testing::Tree;

    /// Files of which none but those called `AGENTS.md` may be read.
    struct Apart(Tree);

    impl Files for Apart {
        fn kind(&self, path: &str) -> Option<Kind> {
            self.0.kind(path)
        }

        fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
            assert!(path.ends_with("/AGENTS.md"), "{path} was read");
            self.0.read(path)
        }

        fn size(&self, path: &str) -> Option<usize> {
            self.0.size(path)
        }

        fn names(&self, folder: &str) -> Vec<String> {
            self.0.names(folder)
        }

        fn real(&self, path: &str) -> String {
            self.0.real(path)
        }
    }

    /// Nothing bounds how many of them there are.
    #[test]
    fn what_is_hidden_is_not_read() {
        let files = Apart(Tree::of(&[("/a/AGENTS.md", "x"), ("/a/CLAUDE.md", "four"), ("/a/b/AGENTS.md", "y")]));
        let found = discover("/a/b", "/agent", &files).unwrap();
        let hidden = |file: &ContextFile| file.hides.as_ref().map(|it| (it.path.clone(), it.bytes));
        assert_eq!(found.files.iter().map(hidden).collect::<Vec<_>>(), [Some(("/a/CLAUDE.md".to_string(), 4)), None]);
    }

    #[test]
    fn nothing_takes_the_place_of_what_is_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        std::fs::File::create(below(path, "AGENTS.md")).unwrap().set_len(limits::FILE_BYTES + 1).unwrap();
        std::fs::write(below(path, "CLAUDE.md"), "x").unwrap();
        assert!(in_folder(path, "cwd", &Disk).is_none());
        assert_eq!(discover(path, "/nowhere", &Disk).unwrap_err().code(), "too_large");
        std::fs::write(below(path, "AGENTS.md"), "y").unwrap();
        let found = in_folder(path, "cwd", &Disk).unwrap();
        assert_eq!((found.source.text(), found.hides.unwrap().bytes), ("y", 1));
    }

    /// Files of which a folder, or one that a link leads into, is closed.
    struct Closed(&'static [&'static str]);

    impl Files for Closed {
        fn kind(&self, path: &str) -> Option<Kind> {
            (path == "/a/CLAUDE.md" && !self.0.contains(&path)).then_some(Kind::File)
        }

        fn read(&self, _: &str) -> Result<Vec<u8>, Problem> {
            Ok(b"x".to_vec())
        }

        fn names(&self, _: &str) -> Vec<String> {
            Vec::new()
        }

        fn refusal(&self, path: &str) -> Option<String> {
            self.0.contains(&path).then(|| "Permission denied".to_string())
        }

        fn real(&self, path: &str) -> String {
            path.to_string()
        }
    }

    #[test]
    fn what_nobody_can_look_at_is_told_once_for_a_folder() {
        let link = discover("/a", "/agent", &Closed(&["/a/AGENTS.md"])).unwrap();
        let folder = discover("/a", "/agent", &Closed(&["/a/AGENTS.md", "/a/CLAUDE.md"])).unwrap();
        for (found, count) in [(link, 1), (folder, 0)] {
            assert_eq!(found.files.len(), count);
            let problem = Problem::ContextUnreadable { reason: "Permission denied".to_string() };
            let told: Vec<_> = found.diagnostics.into_iter().map(|it| it.problem).collect();
            assert_eq!(told, [problem]);
        }
    }
}
