//! A list as one JSON object, or one object per entry; other programs rely on their shapes.

use std::io;

use serde::Serialize;

use super::{ListReader, ListResult, ListView};
use crate::diagnostic::Diagnostic;
use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::TrustJson;
use crate::prompt::json::{line, trust};

pub(super) fn write(list: &ListResult, view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let document = ListDocument {
        format: "rye-render.list/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        protocol: &list.protocol,
        folder: list.folder.as_deref(),
        tokenizer: view.tokenizer.into_str(),
        entries: list.entries.iter().map(entry).collect(),
        diagnostics: &list.diagnostics,
    };
    line(&document, out)
}

pub(super) fn write_lines(list: &ListResult, out: &mut dyn io::Write) -> io::Result<()> {
    list.entries.iter().try_for_each(|it| line(&entry(it), &mut *out))
}

fn entry(entry: &super::ListEntry) -> ListEntryJson<'_> {
    let place = || SourceJson { tier: (&*entry.tier).into(), path: (&entry.path).into(), ..SourceJson::default() };
    ListEntryJson {
        kind: entry.kind.into_str(),
        name: &entry.name,
        description: entry.about.as_deref(),
        source: place(),
        bytes: entry.bytes,
        tokens: entry.tokens,
        in_use: entry.left_out.is_none(),
        shadowed_by: entry.left_out.as_ref().and_then(|left_out| left_out.shadowed_by.as_deref()),
        why: entry.left_out.as_ref().map(|left_out| left_out.why.as_str()),
        agents: &entry.agents,
        trust: entry.trust.as_ref().map(|it| trust(it, place())),
    }
}

/// The items of all tiers, or what an agent reads in a folder.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.list/1"))]
pub struct ListDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.list/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// The name of the protocol, or the agents with their releases.
    pub protocol: &'a str,
    /// The folder in which an agent works; null for the items of tiers.
    pub folder: Option<&'a str>,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    /// By kind: items sorted by id, each followed by its shadowed copies; the parts of a folder in the order of the
    /// prompt, for several agents by path.
    pub entries: Vec<ListEntryJson<'a>>,
    /// Warnings and notes.
    pub diagnostics: &'a [Diagnostic],
}

/// An item or a file that may become part of a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListEntryJson<'a> {
    /// The kind; the last four occur only in folders.
    #[cfg_attr(test, schemars(extend("enum" = ["directive", "knowledge", "tool", "base", "append", "context", "skill"])))]
    pub kind: &'static str,
    /// The id of an item, the path of a folder's file, or the name of a skill.
    pub name: &'a str,
    /// The first line of the description; null if there is none.
    pub description: Option<&'a str>,
    /// The file; the tier is empty if no file holds the text.
    pub source: SourceJson<'a>,
    /// The size of the file on disk in bytes; 0 if there is no file or it cannot be read.
    pub bytes: usize,
    /// The tokens that it adds to a prompt: a directive's own text, a knowledge item's text, a tool's definition, or a
    /// skill's entry in the list of skills.
    pub tokens: usize,
    /// Whether prompts that request it use it.
    pub in_use: bool,
    /// The tier whose copy is used instead.
    pub shadowed_by: Option<&'a str>,
    /// Why it is not in use, as a clause; null if it is.
    pub why: Option<&'a str>,
    /// The agents that use it, in a list of several; `tokens` is then the largest number of theirs.
    pub agents: &'a [ListReader],
    /// The state of its signature; null if it cannot be read, and in folders, where nothing is signed.
    pub trust: Option<TrustJson<'a>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    use crate::answer::list::{self, ListEntry, ListExclusion, ListFormat, ListKind};
    use crate::answer::schema::tests::assert_valid;
    use crate::text::tokens::Tokenizer;
    use crate::text::visible::is_hidden;
    use crate::write::screen::Screen;

    #[test]
    fn lists_and_their_lines_are_valid() {
        let entry = |left_out| ListEntry {
            kind: ListKind::Skill,
            name: "tidy".to_string(),
            about: Some("Tidies up".to_string()),
            tier: "cwd".into(),
            path: "/home/ada/\u{202e}app/SKILL.md".to_string(),
            bytes: 9,
            tokens: 3,
            left_out,
            agents: vec![ListReader { agent: "pi".to_string(), tokens: 3 }],
            trust: None,
        };
        let left_out = ListExclusion { shadowed_by: Some("user".to_string()), why: "shadowed".to_string() };
        let list = ListResult { entries: vec![entry(None), entry(Some(left_out))], ..ListResult::default() };
        let view = ListView { format: ListFormat::Json, tokenizer: Tokenizer::Chars4, screen: Screen::plain(80) };
        let (mut whole, mut lines) = (Vec::new(), Vec::new());
        write(&list, &view, &mut whole).unwrap();
        write_lines(&list, &mut lines).unwrap();
        let lines: Vec<_> =
            lines.split_inclusive(|&byte| byte == b'\n').map(|line| assert_valid("list-line", line)).collect();
        assert_eq!(assert_valid("list", &whole)["entries"], Json::from(lines));

        let mut shown = Vec::new();
        list::write(&list, &ListView { screen: Screen::terminal(80), ..view }, &mut shown).unwrap();
        assert!(!String::from_utf8_lossy(&shown).contains(is_hidden));
        assert_eq!(assert_valid("list", &shown), assert_valid("list", &whole));
    }
}
