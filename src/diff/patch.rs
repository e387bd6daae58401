//! The messages as files, and what differs between them as a patch that `patch -p1` and `git apply` take.
//!
//! A message is a file that is named after the directive, or after the folder, and its role: `deploy/system`,
//! `deploy/user`, `deploy/user-2` for a second one. It holds the bytes that `render --format plain --role` writes, and nothing where there is no such
//! message: one that is empty on its only side is no difference. Both sides have the name that the left one has, so that
//! the files of the left messages become the right ones.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use super::hunks::{Line, hunks};
use super::lines::Comparer;
use super::{Difference, Pair, Side, View};
use crate::prompt::Role;
use crate::text::visible::is_hidden;

/// A message as a file: who speaks, and which of theirs it is, from 0.
type Key = (Role, usize);

/// Writes it; nothing where no message differs.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let mut untold: Vec<_> = difference.untold_messages().collect();
    // Every byte counts here. Where comparing takes too long, the patch gets longer, and no less right.
    let comparer = Comparer::exact();
    let folder = folder(difference);
    let texts = Pair { left: files(&difference.left), right: files(&difference.right) };
    let on_the_right_alone = keys(&difference.right).filter(|key| !texts.left.contains_key(key));
    for key in keys(&difference.left).chain(on_the_right_alone) {
        let text = Pair { left: texts.left.get(&key).copied(), right: texts.right.get(&key).copied() };
        if text.left.unwrap_or_default() != text.right.unwrap_or_default() {
            if !untold.is_empty() {
                // What stands in front of the first heading is skipped.
                writeln!(out, "# not compared: {}", std::mem::take(&mut untold).join(", "))?;
            }
            let name = name(&folder, key);
            let named = |text: Option<_>| text.map(|text| File { name: &name, text });
            let files = Pair { left: named(text.left), right: named(text.right) };
            write_file(files, view.context, &comparer, out)?;
        }
    }
    Ok(())
}

fn keys(side: &Side) -> impl Iterator<Item = Key> {
    let mut seen: HashMap<Role, usize> = HashMap::new();
    side.messages.iter().map(move |message| {
        let next = seen.entry(message.role).or_default();
        *next += 1;
        (message.role, *next - 1)
    })
}

fn files(side: &Side) -> HashMap<Key, &str> {
    keys(side).zip(&side.messages).map(|(key, message)| (key, message.text.as_str())).collect()
}

/// The folder of the files: the id of the directive without what would lead out of the folder where it is applied, or the
/// last name in the path of the folder, which lies elsewhere on another machine.
fn folder(difference: &Difference) -> String {
    let Difference { left, right, .. } = difference;
    let of_folder = || left.folder.as_deref().or(right.folder.as_deref()).and_then(|path| path.rsplit('/').next());
    let of_directive = left.directive.as_deref().or(right.directive.as_deref());
    let id = of_directive.or_else(of_folder).unwrap_or("prompt");
    let is_step = |part: &&str| !matches!(*part, "" | "." | "..");
    let parts: Vec<_> = id.split('/').filter(is_step).collect();
    if parts.is_empty() { "prompt".to_string() } else { parts.join("/") }
}

fn name(folder: &str, (role, index): Key) -> String {
    match index {
        0 => format!("{folder}/{}", role.into_str()),
        _ => format!("{folder}/{}-{}", role.into_str(), index + 1),
    }
}

/// A file by its name and its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct File<'a> {
    /// Its path from the top of what the patch is applied to.
    pub name: &'a str,
    /// What it holds.
    pub text: &'a str,
}

/// Writes a file that differs, or is on one side alone.
pub(crate) fn write_file(
    files: Pair<Option<File<'_>>>,
    context: usize,
    comparer: &Comparer,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let [left, right] = [files.left, files.right].map(|file| file.map_or("", |file| file.text));
    let [old, new] = [left, right].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let path = |file: Option<File<'_>>, side: &str| match file {
        Some(File { name, .. }) => quoted(&format!("{side}/{name}")).into_owned(),
        None => "/dev/null".to_string(),
    };
    writeln!(out, "--- {}\n+++ {}", path(files.left, "a"), path(files.right, "b"))?;
    let changes = comparer.changes(left, right);
    for hunk in hunks(&changes, Pair { left: old.len(), right: new.len() }, context) {
        writeln!(out, "@@ {} @@", hunk.range())?;
        for it in hunk.lines() {
            let (mark, line) = match it {
                Line::Both(index) => (' ', new[index]),
                Line::Left(index) => ('-', old[index]),
                Line::Right(index) => ('+', new[index]),
            };
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            write!(out, "{mark}{line}{end}")?;
        }
    }
    Ok(())
}

/// A name as git writes it: in quotes where a reader of patches would stop inside, or a person would not see it all.
fn quoted(name: &str) -> Cow<'_, str> {
    let is_odd = |c: char| matches!(c, '"' | '\\' | '\n' | '\t') || is_hidden(c);
    if !name.contains(|c: char| is_odd(c) || c.is_whitespace()) {
        return Cow::Borrowed(name);
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_odd(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing into a string cannot fail.
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
