//! `self-check`: whether this program is one that was released.

use std::env;
use std::path::{Path, PathBuf};

use super::Exit;
use super::output::print;
use super::resolve::visible_path;
use super::run::CommandOutcome;
use crate::diagnostic::{Diagnostic, system_reason};
use crate::prompt::digest;
use crate::read::files;
use crate::read::store::Disk;
use crate::text::visible::visible_line;

/// A release has this file: a line for each system, with a checksum and the program's name in its archive.
const CHECKSUMS: &str = "rye-render.sha256";

/// The largest program that is read, in bytes.
const PROGRAM: u64 = 1 << 28;

pub(super) fn run() -> CommandOutcome {
    // A link to the program may lie elsewhere.
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|error| unfound(&system_reason(&error)))?;
    let list = checksums(&program)?;
    let own = digest::sha256_of_bytes(&files::bytes(&program, PROGRAM, &Disk::default())?);
    let text = files::read(&list, 1 << 20, &Disk::default())?;
    let mut lines = text.text().lines().filter_map(|line| line.split_once([' ', '\t']));
    let found = lines.find(|(checksum, _)| checksum.eq_ignore_ascii_case(&own));
    let list = visible_path(&list);
    let (said, exit) = match found {
        Some((_, name)) => {
            (format!("as released: {} of {list}", visible_line(name.trim_start_matches([' ', '*']))), Exit::Success)
        }
        None => (format!("not as released: {list} does not list {own}"), Exit::Findings),
    };
    print(format!("{}: {said}\n", visible_path(&program)))?;
    Ok(exit)
}

fn checksums(program: &Path) -> Result<PathBuf, Diagnostic> {
    let list = program.with_file_name(CHECKSUMS);
    match list.exists() {
        true => Ok(list),
        false => Err(Diagnostic::invalid(
            format!("{} does not exist", visible_path(&list)),
            format!("copy {CHECKSUMS} from the release of this version beside the program"),
        )),
    }
}

fn unfound(reason: &str) -> Diagnostic {
    Diagnostic::invalid(format!("the program's own file is not found: {reason}"), "start it by its path")
}
