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
    for changing in ["HEAD", "logs/HEAD"].map(|name| history.join(name)) {
        // Cargo takes a missing file for a changed one.
        if changing.exists() {
            println!("cargo::rerun-if-changed={}", changing.display());
        }
    }
    let shown = Command::new("git").args(["log", "-1", "--abbrev=9", "--format= (%h %cs)"]).output();
    let shown =
        shown.ok().filter(|shown| shown.status.success()).and_then(|shown| String::from_utf8(shown.stdout).ok());
    shown.map(|shown| shown.trim_end().to_string()).unwrap_or_default()
}
