//! A list as one JSON object.

use std::io;

use super::{Entry, List, View, shape};
use crate::render::json;
use crate::render::json::shape::Source;

/// Writes the object and a line feed.
pub(super) fn write(list: &List, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let document = shape::ListDocument {
        format: "rye-render.list/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        protocol: &list.protocol,
        folder: list.folder.as_deref(),
        tokenizer: view.tokenizer.into_str(),
        entries: list.entries.iter().map(entry).collect(),
        diagnostics: list.diagnostics.iter().map(Into::into).collect(),
    };
    json::line(&document, out)
}

fn entry(entry: &Entry) -> shape::Entry<'_> {
    let place = || Source {
        tier: &entry.tier,
        path: &entry.path,
        start: None,
        end: None,
        line: None,
        column: None,
        revision: None,
    };
    shape::Entry {
        kind: entry.kind.into_str(),
        name: &entry.name,
        description: entry.about.as_deref(),
        source: place(),
        bytes: entry.bytes,
        tokens: entry.tokens,
        in_use: entry.left_out.is_none(),
        shadowed_by: entry.left_out.as_ref().and_then(|left_out| left_out.shadowed_by.as_deref()),
        why: entry.left_out.as_ref().map(|left_out| left_out.why.as_str()),
        trust: entry.trust.as_ref().map(|trust| json::trust(trust, place())),
    }
}
