//! The difference between the messages as a patch for `patch -p1` and `git apply`.
//!
//! Each message is a file named after the directive or the folder and its role: `deploy/system`, `deploy/user`,
//! `deploy/user-2`. It holds the bytes that `render --format plain --role` writes. A missing message is an empty file.
//! Both sides use the name of the left one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use super::hunks::{lines_of, unified};
use super::lines::Comparer;
use super::{DiffView, Difference, Pair, Side};
use crate::prompt::Role;
use crate::text::visible::is_hidden;

/// The role of a message, and its number within the role, from 0.
type MessageKey = (Role, usize);

/// Writes the patch; empty if no message differs.
pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut not_compared: Vec<_> = difference.not_compared_messages().collect();
    // Every byte counts here. A comparison that is cut short makes the patch longer, but not wrong.
    let comparer = Comparer::exact();
    let folder = folder(difference);
    let texts = Pair { left: files(&difference.left), right: files(&difference.right) };
    let on_the_right_alone = keys(&difference.right).filter(|key| !texts.left.contains_key(key));
    for key in keys(&difference.left).chain(on_the_right_alone) {
        let text = Pair { left: texts.left.get(&key).copied(), right: texts.right.get(&key).copied() };
        if text.left.unwrap_or_default() != text.right.unwrap_or_default() {
            if !not_compared.is_empty() {
                // Programs that read patches skip text before the first heading.
                writeln!(out, "# not compared: {}", std::mem::take(&mut not_compared).join(", "))?;
            }
            let name = name(&folder, key);
            let named = |text: Option<_>| text.map(|text| PatchFile { name: &name, text });
            let files = Pair { left: named(text.left), right: named(text.right) };
            write_file(files, view.context, &comparer, out)?;
        }
    }
    Ok(())
}

fn keys(side: &Side) -> impl Iterator<Item = MessageKey> {
    let mut seen: HashMap<Role, usize> = HashMap::new();
    side.messages.iter().map(move |message| {
        let next = seen.entry(message.role).or_default();
        *next += 1;
        (message.role, *next - 1)
    })
}

fn files(side: &Side) -> HashMap<MessageKey, &str> {
    keys(side).zip(&side.messages).map(|(key, message)| (key, message.text.as_str())).collect()
}

/// The folder of the files: the directive's id without parts that would leave the folder where the patch is applied, or
/// the last name in the folder's path.
fn folder(difference: &Difference) -> String {
    let Difference { left, right, .. } = difference;
    let of_folder = || left.folder.as_deref().or(right.folder.as_deref()).and_then(|path| path.rsplit('/').next());
    let of_directive = left.directive.as_deref().or(right.directive.as_deref());
    let id = of_directive.or_else(of_folder).unwrap_or("prompt");
    let is_step = |part: &&str| !matches!(*part, "" | "." | "..");
    let parts: Vec<_> = id.split('/').filter(is_step).collect();
    if parts.is_empty() { "prompt".to_string() } else { parts.join("/") }
}

fn name(folder: &str, (role, index): MessageKey) -> String {
    match index {
        0 => format!("{folder}/{}", role.into_str()),
        _ => format!("{folder}/{}-{}", role.into_str(), index + 1),
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct PatchFile<'a> {
    /// The path relative to the root of the patch.
    pub name: &'a str,
    pub text: &'a str,
}

/// Writes a file that differs, or exists on one side only.
pub(crate) fn write_file(
    files: Pair<Option<PatchFile<'_>>>,
    context: usize,
    comparer: &Comparer,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let [left, right] = [files.left, files.right].map(|file| file.map_or("", |file| file.text));
    let lines = lines_of(left, right);
    let path = |file: Option<PatchFile<'_>>, side: &str| match file {
        Some(PatchFile { name, .. }) => quoted(&format!("{side}/{name}")).into_owned(),
        None => "/dev/null".to_string(),
    };
    writeln!(out, "--- {}\n+++ {}", path(files.left, "a"), path(files.right, "b"))?;
    let changes = comparer.changes(left, right);
    let hunks = unified(&changes, &lines, context, "\n\\ No newline at end of file\n");
    hunks.iter().try_for_each(|hunk| out.write_all(hunk.as_bytes()))
}

/// A name as git writes it: in quotes if it contains whitespace or hidden characters.
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
