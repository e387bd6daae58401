use std::sync::Arc;

use super::tree::{Subfolder, TreeEntry, TreeFolder};
use super::{MAX_PATH, ObjectId};

/// Set by `git add --intent-to-add`: no content is staged yet.
const INTENT_TO_ADD: u32 = 1 << 29;

/// Reads the output of `git ls-files --stage --debug -z` (`mode SP id SP stage TAB path NUL`, then indented details)
/// into the folders that a commit would contain. A file with merge conflicts becomes unmerged.
pub(super) fn read(listed: &[u8]) -> Option<TreeFolder> {
    let mut entries: Vec<(&str, TreeEntry)> = Vec::new();
    let mut last = None;
    for chunk in listed.split(|&byte| byte == 0) {
        let (is_intended, line) = after_details(chunk);
        entries.extend(last.take().filter(|_| !is_intended));
        if !line.is_empty() {
            last = entry(line)?;
        }
    }
    // The index is normally sorted by path, but need not be.
    entries.sort_by_key(|(path, _)| *path);
    Some(build(&entries, 0))
}

/// Whether the details of the previous entry include [`INTENT_TO_ADD`]; and the rest of the chunk.
fn after_details(mut rest: &[u8]) -> (bool, &[u8]) {
    let mut is_intended = false;
    while rest.starts_with(b"  ") {
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        let flags = std::str::from_utf8(line).ok().and_then(|line| line.split_once("flags: "));
        let flags = flags.and_then(|(_, digits)| u32::from_str_radix(digits.trim(), 16).ok());
        is_intended |= flags.is_some_and(|flags| flags & INTENT_TO_ADD != 0);
        rest = behind;
    }
    (is_intended, rest)
}

/// `None` if malformed; `Some(None)` for an entry that no project reads.
fn entry(line: &[u8]) -> Option<Option<(&str, TreeEntry)>> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let mut fields = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let (mode, id, stage) = (fields.next()?, ObjectId::from_hex(fields.next()?)?, fields.next()?);
    let Ok(path) = std::str::from_utf8(&line[tab + 1..]) else { return Some(None) };
    let node = if stage == "0" { TreeEntry::of_mode(mode.as_bytes(), id).ok()? } else { Some(TreeEntry::Unmerged) };
    Some(node.filter(|_| path.len() <= MAX_PATH).map(|node| (path, node)))
}

/// Builds the folder of entries whose paths are the same up to byte `from`. Recursion is bounded by [`MAX_PATH`].
fn build(entries: &[(&str, TreeEntry)], from: usize) -> TreeFolder {
    let mut found = Vec::new();
    let mut rest = entries;
    while let Some((path, node)) = rest.first() {
        let below = &path[from..];
        let count = match below.split_once('/') {
            None => {
                found.push((below.into(), node.clone()));
                1
            }
            Some((name, _)) => {
                let next = from + name.len() + 1;
                let start = &below[..=name.len()];
                let count = rest.iter().take_while(|(path, _)| path[from..].starts_with(start)).count();
                let folder = build(&rest[..count], next);
                found.push((name.into(), TreeEntry::Folder(Subfolder::Built(Arc::new(folder)))));
                count
            }
        };
        rest = &rest[count..];
    }
    TreeFolder::new(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mode: &str, stage: u8, path: &str) -> Vec<u8> {
        format!("{mode} {} {stage}\t{path}\0", "ab".repeat(20)).into_bytes()
    }

    fn listing(folder: &TreeFolder, path: &str, out: &mut Vec<String>) {
        for (name, node) in folder.iter() {
            match node {
                TreeEntry::Folder(Subfolder::Built(below)) => listing(below, &format!("{path}{name}/"), out),
                TreeEntry::File(_) => out.push(format!("{path}{name}")),
                node => out.push(format!("{path}{name} {node:?}")),
            }
        }
    }

    #[test]
    fn folders_are_built_from_paths() {
        let listed = [
            line("100644", 0, ".ai/a-b"),
            line("100644", 0, ".ai/a/x"),
            line("100644", 0, ".ai/a/y/z"),
            line("100755", 0, "a\nb"),
            line("100644", 1, "c"),
            line("100644", 2, "c"),
            line("100644", 3, "c"),
            line("160000", 0, "module"),
        ];
        let mut out = Vec::new();
        listing(&read(&listed.concat()).unwrap(), "", &mut out);
        assert_eq!(out, [".ai/a/x", ".ai/a/y/z", ".ai/a-b", "a\nb", "c Unmerged", "module Submodule"]);
        assert_eq!(read(b"").unwrap().iter().count(), 0);
        assert!(read(b"100644 zz 0\ta\0").is_none());
    }

    #[test]
    fn intent_to_add_entries_are_ignored() {
        let with = |path: &str, flags: &str| {
            [line("100644", 0, path), format!("  ctime: 0:0\n  size: 0\tflags: {flags}\n").into_bytes()].concat()
        };
        let listed =
            [with("a", "0"), with("b", "20004000"), line("100644", 0, "  c"), with("d", "x"), with("e", "20000000")];
        let mut out = Vec::new();
        listing(&read(&listed.concat()).unwrap(), "", &mut out);
        assert_eq!(out, ["  c", "a", "d"]);
    }

    #[test]
    fn deep_paths_do_not_overflow_the_stack() {
        let deep = "a/".repeat(MAX_PATH / 2 - 1) + "b";
        let deeper = "a/".repeat(500_000) + "b";
        let folder = read(&[line("100644", 0, &deep), line("100644", 0, &deeper)].concat()).unwrap();
        assert_eq!(folder.iter().count(), 1);
    }
}
