//! `init`: creates a small project.

mod files;

use std::io;
use std::path::{Path, PathBuf};

use super::Exit;
use super::arguments::{Color, Init};
use super::output::OutputTarget;
use super::report::{Failure, StderrReport};
use super::resolve::wrong;
use crate::diagnostic::system_reason;
use crate::text::visible::visible_line;

pub(super) fn run(typed: &Init, color: Color) -> Exit {
    StderrReport::new(false, color).run(|_| {
        let folder = typed.folder.as_deref().unwrap_or(Path::new("."));
        write(folder)?;
        say(folder)?;
        Ok(Exit::Success)
    })
}

fn write(folder: &Path) -> Result<(), Failure> {
    match files::write(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {
            let what = format!("{} already contains a project", folder.display());
            Err(wrong(&what, "`rye-render list` shows its items").into())
        }
        written => written.map_err(|error| {
            let what = format!("cannot create a project in {}: {}", folder.display(), system_reason(&error));
            wrong(&what, "name another folder").into()
        }),
    }
}

/// Lists the files, and suggests the next commands.
fn say(folder: &Path) -> Result<(), Failure> {
    let is_here = folder == Path::new(".");
    let ai = if is_here { PathBuf::from(".ai") } else { folder.join(".ai") };
    OutputTarget::Standard.write(|out| {
        for (path, _) in files::FILES {
            writeln!(out, "wrote {}", visible_line(&ai.join(path).to_string_lossy()))?;
        }
        writeln!(out, "\nNext:")?;
        if !is_here {
            writeln!(out, "  cd {}", visible_line(&folder.to_string_lossy()))?;
        }
        writeln!(out, "  rye-render render review -i branch=fix/login")?;
        writeln!(out, "  rye-render explain review -i branch=fix/login --why house/rules")?;
        Ok(writeln!(out, "  rye-render lint")?)
    })?;
    Ok(())
}
