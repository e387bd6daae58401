//! Which files are gone since the last commit.

use std::path::Path;

use super::command::Git;

/// The files below `.ai` of a folder that the last commit holds and that are not there any more, as paths from that
/// folder; none where git cannot tell.
pub fn removed(folder: &Path) -> Vec<String> {
    let gone = ["diff", "--name-only", "--no-renames", "--diff-filter=D", "--no-ext-diff", "--no-textconv"];
    let arguments = gone.into_iter().chain(["--relative", "-z", "HEAD", "--", ".ai"]);
    let output = Git::new(folder).ok().and_then(|git| git.run(arguments).ok());
    let output = output.filter(|output| output.status.success()).map(|output| output.stdout).unwrap_or_default();
    output.split(|&byte| byte == 0).filter_map(|path| Some(std::str::from_utf8(path).ok()?.to_string())).collect()
}
