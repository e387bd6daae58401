//! A list as one JSON object; other programs rely on its shape.

use std::io;

use serde::Serialize;

use super::{ListResult, ListView};
use crate::render::json::shape::{DiagnosticJson, SourceJson, TrustJson};
use crate::render::json::{line, trust};

pub(super) fn write(list: &ListResult, view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let document = ListDocument {
        format: "rye-render.list/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        protocol: &list.protocol,
        folder: list.folder.as_deref(),
        tokenizer: view.tokenizer.into_str(),
        entries: list.entries.iter().map(entry).collect(),
        diagnostics: list.diagnostics.iter().map(Into::into).collect(),
    };
    line(&document, out)
}

fn entry(entry: &super::ListEntry) -> ListEntryJson<'_> {
    let place = || SourceJson { tier: &entry.tier, path: &entry.path, ..SourceJson::default() };
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
        trust: entry.trust.as_ref().map(|it| trust(it, place())),
    }
}

/// Everything there is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.list/1"))]
pub struct ListDocument<'a> {
    /// Name and version of this shape.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.list/1")))]
    pub format: &'static str,
    /// The version of the program.
    pub tool_version: &'static str,
    /// The name of the protocol.
    pub protocol: &'a str,
    /// The folder in which an agent works; null for the items of tiers.
    pub folder: Option<&'a str>,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    /// By kinds; of items in byte order of ids, each followed by its copies that do not count, of a folder in the order
    /// of the prompt.
    pub entries: Vec<ListEntryJson<'a>>,
    /// Warnings and notes.
    pub diagnostics: Vec<DiagnosticJson<'a>>,
}

/// Something that may come into a prompt.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListEntryJson<'a> {
    /// What it is; the last four are of folders.
    #[cfg_attr(test, schemars(extend("enum" = ["directive", "knowledge", "tool", "base", "append", "context", "skill"])))]
    pub kind: &'static str,
    /// Its id; of a file of a folder its path, of a skill its name.
    pub name: &'a str,
    /// The first line of what it says of itself; null where it says nothing.
    pub description: Option<&'a str>,
    /// Its file; the tier is empty for what no file holds.
    pub source: SourceJson<'a>,
    /// The bytes of its file as it lies on disk; 0 for what no file holds, and for what cannot be read.
    pub bytes: usize,
    /// The tokens that it adds to a prompt: of a directive its own text, of a knowledge item its text, of a tool its
    /// definition, of a skill its entry in the list of skills.
    pub tokens: usize,
    /// Whether it counts where it is asked for.
    pub in_use: bool,
    /// The tier whose copy counts in its place.
    pub shadowed_by: Option<&'a str>,
    /// Why it is not in use, a clause; null where it is.
    pub why: Option<&'a str>,
    /// What is known of its signature; null in folders, where nothing is signed, and for what cannot be read.
    pub trust: Option<TrustJson<'a>>,
}
