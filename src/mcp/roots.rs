//! The folders that a client may ask about.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::read::address::path_of;

/// The longest path in bytes, as in Linux.
const LONGEST: usize = 4_096;

/// Folders with links resolved, at least one.
#[derive(Debug, Clone)]
pub struct Roots {
    folders: Vec<PathBuf>,
    /// Whether the user named them, so that the client's do not count.
    pub are_typed: bool,
}

impl Roots {
    /// The folders that the user named, else the working folder.
    pub fn typed(folders: &[PathBuf]) -> io::Result<Self> {
        let named = |folder: &PathBuf| {
            let real = folder.canonicalize().ok().filter(|real| real.is_dir());
            real.ok_or_else(|| io::Error::other(format!("folder {} not found", folder.display())))
        };
        let typed: Vec<PathBuf> = folders.iter().map(named).collect::<io::Result<_>>()?;
        match typed.is_empty() {
            true => Ok(Self { folders: vec![std::env::current_dir()?.canonicalize()?], are_typed: false }),
            false => Ok(Self { folders: typed, are_typed: true }),
        }
    }

    /// The folders that the client names by `file:` URLs, as far as they exist. If it names none, those of before.
    pub fn named(&self, urls: &[String]) -> Result<Self, String> {
        if urls.is_empty() {
            return Ok(self.clone());
        }
        let folder = |url: &String| path_of(url)?.canonicalize().ok().filter(|real| real.is_dir());
        let folders: Vec<PathBuf> = urls.iter().filter_map(folder).collect();
        match folders.is_empty() {
            true => Err(format!("none of the client's roots is a folder here: {}", urls.join(", "))),
            false => Ok(Self { folders, are_typed: false }),
        }
    }

    /// The folder of a question: the first root, or a folder in one of them.
    pub fn folder(&self, typed: Option<&str>) -> Result<PathBuf, String> {
        let first = &self.folders[0];
        let Some(typed) = typed else { return Ok(first.clone()) };
        let folder = self.inside(first, typed)?;
        if folder.is_dir() { Ok(folder) } else { Err(format!("there is no folder `{typed}`")) }
    }

    /// A path as seen from a folder, with links resolved, which need not exist.
    pub fn inside(&self, folder: &Path, typed: &str) -> Result<PathBuf, String> {
        if typed.len() > LONGEST {
            return Err(format!("a path has at most {LONGEST} bytes"));
        }
        let real = real(&folder.join(typed));
        match self.folders.iter().any(|root| real.starts_with(root)) {
            true => Ok(real),
            false => Err(format!("`{typed}` is outside of the folders that may be asked about")),
        }
    }
}

/// The path with links resolved as far as it exists.
fn real(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut folder = path;
    loop {
        if let Ok(real) = folder.canonicalize() {
            let mut real = real;
            for part in rest.into_iter().rev() {
                match part {
                    Component::Normal(name) => real.push(name),
                    Component::ParentDir => drop(real.pop()),
                    _ => {}
                }
            }
            return real;
        }
        let mut parts = folder.components();
        match parts.next_back() {
            Some(part) => rest.push(part),
            None => return PathBuf::new(),
        }
        folder = parts.as_path();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_outside_is_asked_about() {
        let top = tempfile::tempdir().unwrap();
        let path = |path: &str| top.path().canonicalize().unwrap().join(path);
        for folder in ["root/a b", "root-2", "other/c"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("other/file"), "").unwrap();
        symlink(path("other"), path("root/link")).unwrap();
        symlink(path("root/a b"), path("other/back")).unwrap();
        let roots = Roots::typed(&[path("root")]).unwrap();
        let inside = |typed: &str| roots.inside(&path("root"), typed).ok();
        assert_eq!(inside("a b/new/x.md"), Some(path("root/a b/new/x.md")));
        assert_eq!(inside("../other/back"), Some(path("root/a b")));
        for outside in ["..", "../other", "../root-2", "link", "link/file", "link/new", "a b/../../other", "/", "/etc"]
        {
            assert_eq!(inside(outside), None, "{outside}");
        }
        for missing in ["gone/../../other", "gone/../../../etc/passwd"] {
            assert_eq!(inside(missing), None, "{missing}");
        }
        assert_eq!(roots.folder(None), Ok(path("root")));
        assert!(roots.folder(Some("gone")).unwrap_err().contains("there is no folder `gone`"));

        let url = |path: PathBuf| format!("file://{}", path.display()).replace(' ', "%20");
        let named = roots.named(&[url(path("root/a b")), "https://example.org/".to_string()]).unwrap();
        assert_eq!(named.folder(None), Ok(path("root/a b")));
        assert!(named.folder(Some("..")).is_err());
        assert_eq!(roots.named(&[]).unwrap().folder(None), Ok(path("root")));
        assert!(roots.named(&[url(path("gone"))]).is_err());
        assert!(roots.inside(&path("root"), &"a/".repeat(100_000)).is_err());
    }
}
