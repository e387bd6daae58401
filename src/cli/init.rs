//! `init`: a small project to begin with.

use std::io;
use std::path::{Path, PathBuf};

use super::Ended;
use super::arguments::{Color, Init};
use super::output::Output;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::init;

/// Runs the command.
pub(super) fn run(typed: &Init, color: Color) -> Ended {
    let folder = typed.folder.as_deref().unwrap_or(Path::new("."));
    let made = init::write(folder).map_err(|error| refused(folder, &error)).and_then(|()| say(folder));
    if let Err(error) = &made {
        Report::new(false, color).write(std::slice::from_ref(error));
    }
    Ended::of(&made)
}

fn refused(folder: &Path, error: &io::Error) -> Diagnostic {
    let shown = folder.display();
    let (what, help) = match error.kind() {
        io::ErrorKind::AlreadyExists => {
            (format!("{shown} holds a project already"), "`rye-render list` shows what is in it".to_string())
        }
        _ => {
            let reason = system_reason(error);
            (format!("no project can be written to {shown}: {reason}"), "name another folder".to_string())
        }
    };
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}

/// What was written, and where to go on.
fn say(folder: &Path) -> Result<(), Diagnostic> {
    let ai = if folder == Path::new(".") { PathBuf::from(".ai") } else { folder.join(".ai") };
    Output::Standard.write(|out| {
        for (path, _) in init::FILES {
            writeln!(out, "wrote {}", crate::text::visible::visible_line(&ai.join(path).to_string_lossy()))?;
        }
        writeln!(out, "\nGo on with:")?;
        if folder != Path::new(".") {
            writeln!(out, "  cd {}", crate::text::visible::visible_line(&folder.to_string_lossy()))?;
        }
        writeln!(out, "  rye-render render review -i branch=fix/login")?;
        writeln!(out, "  rye-render explain review -i branch=fix/login --why house/rules")?;
        Ok(writeln!(out, "  rye-render lint")?)
    })
}
