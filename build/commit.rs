//! Which commit the program was built from.

use std::env;
use std::path::Path;
use std::process::Command;

/// ` (COMMIT DATE)`, for a version. Empty for a debug build, which every commit would compile again, and where there is
/// no commit: in the sources of a package, whose version says as much.
pub fn commit() -> String {
    // The history of this folder; not that of a folder above, which belongs to another project.
    let history = Path::new(".git");
    if env::var("PROFILE").as_deref() != Ok("release") || !history.exists() {
        return String::new();
    }
    // In a linked work tree, these files are elsewhere.
    for changing in git(&["rev-parse", "--git-path", "HEAD", "--git-path", "logs/HEAD"]).lines() {
        // Cargo takes a missing file for a changed one.
        if Path::new(changing).exists() {
            println!("cargo::rerun-if-changed={changing}");
        }
    }
    git(&["log", "-1", "--abbrev=9", "--format= (%h %cs)"]).trim_end().to_string()
}

/// What git prints, or nothing if it fails.
fn git(arguments: &[&str]) -> String {
    let printed = Command::new("git").args(arguments).output().ok().filter(|printed| printed.status.success());
    printed.and_then(|printed| String::from_utf8(printed.stdout).ok()).unwrap_or_default()
}
