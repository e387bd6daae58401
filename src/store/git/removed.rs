use std::path::Path;

use super::command::Git;

/// The files below `.ai` that the last commit holds and that no longer exist, relative to `folder`; empty if git fails.
pub fn removed(folder: &Path) -> Vec<String> {
    let gone = ["diff", "--name-only", "--no-renames", "--diff-filter=D", "--no-ext-diff", "--no-textconv"];
    let arguments = gone.into_iter().chain(["--relative", "-z", "HEAD", "--", ".ai"]);
    let output = Git::new(folder).ok().and_then(|git| git.run(arguments).ok());
    let output = output.filter(|output| output.status.success()).map(|output| output.stdout).unwrap_or_default();
    output.split(|&byte| byte == 0).filter_map(|path| Some(std::str::from_utf8(path).ok()?.to_string())).collect()
}
