//! What the files of git say about a working tree. No git is run.

use super::files::{below, joined};
use super::visit::Visit;

/// The git folder that the file `.git` of a working tree names.
pub fn named_folder(tree: &str, visit: &Visit<'_>) -> Option<String> {
    let said = line(&below(tree, ".git"), visit)?;
    Some(joined(tree, said.strip_prefix("gitdir:")?.trim()))
}

/// The text of a file that holds one line.
pub fn line(path: &str, visit: &Visit<'_>) -> Option<String> {
    let text = String::from_utf8(visit.bytes(path).ok()?).ok()?;
    Some(text.trim().to_string())
}
