//! `init`: creates a small project.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::arguments::Init;
use super::output::print;
use super::resolve::visible_path;
use super::run::CommandOutcome;
use crate::diagnostic::{Diagnostic, system_reason};

/// Paths below `.ai/`, and contents.
const FILES: [(&str, &str); 3] = [
    ("directives/review.md", include_str!("init/project/directives/review.md")),
    ("knowledge/house/rules.md", include_str!("init/project/knowledge/house/rules.md")),
    ("config/rye-render.yaml", include_str!("init/project/config/rye-render.yaml")),
];

pub(super) fn run(typed: &Init) -> CommandOutcome {
    let folder = typed.folder.as_deref().unwrap_or(Path::new("."));
    write(folder)?;
    print(next_steps(folder))
}

fn write(folder: &Path) -> Result<(), Diagnostic> {
    create(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if folder.is_dir() => {
            let what = format!("{} already contains a project", folder.display());
            Diagnostic::invalid(what, "`rye-render list` shows its items")
        }
        _ => {
            let what = format!("cannot create a project in {}: {}", folder.display(), system_reason(&error));
            Diagnostic::invalid(what, "name another folder")
        }
    })
}

/// Writes all files or none. Fails with [`io::ErrorKind::AlreadyExists`] if there is an `.ai`.
fn create(folder: &Path) -> io::Result<()> {
    let target = folder.join(".ai");
    if fs::symlink_metadata(&target).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::create_dir_all(folder)?;
    let beside = tempfile::Builder::new().prefix(".rye-render-").tempdir_in(folder)?;
    let made = beside.path().join("ai");
    for (path, text) in FILES {
        let path = made.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    fs::rename(made, target)
}

/// Lists the files, and suggests the next commands.
fn next_steps(folder: &Path) -> String {
    let is_here = folder == Path::new(".");
    let ai = if is_here { PathBuf::from(".ai") } else { folder.join(".ai") };
    let mut text: String = FILES.iter().map(|(path, _)| format!("wrote {}\n", visible_path(&ai.join(path)))).collect();
    text.push_str("\nNext:\n");
    if !is_here {
        text.push_str(&format!("  cd {}\n", visible_path(folder)));
    }
    text.push_str("  rye-render render review -i branch=fix/login\n");
    text.push_str("  rye-render explain review -i branch=fix/login --why house/rules\n");
    text.push_str("  rye-render lint\n");
    text
}
