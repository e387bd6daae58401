//! What is kept of a request holds nothing of the user.

use std::collections::HashSet;

use crate::agents::recording::OwnText;
use crate::prompt::Prompt;
use crate::read::limits;
use crate::read::store::Store;

/// A line that no two texts share by chance.
const TELLING: usize = 20;

/// Leaves out each text that holds a file's, which the rules do not expect there, or what the user typed.
pub fn without_files(texts: Vec<OwnText>, prompt: &Prompt, arguments: &[String], files: &dyn Store) -> Vec<OwnText> {
    let read = |path: &String| files.read(path, limits::FILE_BYTES).ok();
    let contents: Vec<String> = prompt
        .files
        .iter()
        .filter_map(|file| read(&file.path))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let is_typed = |text: &str| arguments.iter().any(|argument| text.trim() == argument.trim());
    let is_own = |text: &OwnText| {
        let lines = lines(&text.text).collect();
        !is_typed(&text.text) && !contents.iter().any(|content| stands_in(content, &lines))
    };
    texts.into_iter().filter(is_own).collect()
}

/// Whether a telling line of a file, or each of its lines, is one of these.
fn stands_in(content: &str, own: &HashSet<&str>) -> bool {
    let is_there = |line: &str| own.contains(line);
    let is_whole = lines(content).next().is_some() && lines(content).all(is_there);
    is_whole || lines(content).any(|line| line.len() >= TELLING && is_there(line))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_or_a_telling_line_is_found() {
        let own: HashSet<&str> = lines("# Environment\nkey: 1234\n  Read this before you begin.").collect();
        assert!(stands_in("key: 1234\n", &own));
        assert!(stands_in("Mine.\nRead this before you begin.", &own));
        assert!(!stands_in("# Environment\nMine.", &own), "a short line may be shared");
        assert!(!stands_in("\n \n", &own));
    }
}
