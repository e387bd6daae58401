use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::read::store::ItemKind;
use crate::text::{Source, Span, constant_pattern};

/// The signature in the first line of a file (Directives, "Signatures").
#[derive(Debug, Clone, PartialEq)]
pub enum SignatureComment {
    Unsigned,
    /// The line starts like a signature but cannot be parsed.
    Malformed(Span),
    Signed(Signature),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    pub line: Span,
    /// `YYYY-MM-DDTHH:MM:SSZ`
    pub time: Span,
    /// 64 hexadecimal digits.
    pub hash: Span,
    /// Ed25519 over the text of `hash`, as base64url.
    pub signature: Span,
    /// The first 16 hexadecimal digits of the public key's fingerprint.
    pub key: Span,
    /// Who distributed the item: a registry and a name there.
    pub provider: Option<(Span, Span)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentStyle {
    /// `<!-- … -->`: directives and knowledge.
    Markup,
    /// `# …`: configuration, and tools except JavaScript and TypeScript; a `#!` line may precede it.
    Hash,
    /// `// …`
    Slashes,
}

impl CommentStyle {
    pub fn of(kind: ItemKind, path: &str) -> Self {
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
        match kind {
            ItemKind::Directive | ItemKind::Knowledge => Self::Markup,
            ItemKind::Tool if matches!(extension, "js" | "ts" | "mjs" | "cjs") => Self::Slashes,
            ItemKind::Tool => Self::Hash,
        }
    }

    pub(crate) fn opening(self) -> &'static str {
        match self {
            Self::Markup => "<!-- rye:signed:",
            Self::Hash => "# rye:signed:",
            Self::Slashes => "// rye:signed:",
        }
    }
}

pub fn read_signature(source: &Arc<Source>, style: CommentStyle) -> SignatureComment {
    let text = source.text();
    let line_end = |start: usize| text[start..].find('\n').map_or(text.len(), |length| start + length);
    let start = match style {
        CommentStyle::Hash if text.starts_with("#!/") => (line_end(0) + 1).min(text.len()),
        _ => 0,
    };
    let line = source.span(start..line_end(start));
    let Some(fields) = line.text().strip_prefix(style.opening()) else { return SignatureComment::Unsigned };
    let fields = line.slice(line.text().len() - fields.len()..line.text().len());
    match parts(&line, &fields, style) {
        Some(signature) => SignatureComment::Signed(signature),
        None => SignatureComment::Malformed(line),
    }
}

/// Whether a file begins with a signature of any comment style, valid or not. By the rules, a
/// signature after a byte order mark is not recognised, but the content was still signed.
pub fn is_signed(source: &Arc<Source>) -> bool {
    let unmarked = source.text().strip_prefix('\u{feff}').map(|text| text.as_bytes().to_vec());
    let unmarked = unmarked.and_then(|bytes| Source::read(source.tier().into(), source.path(), bytes).ok());
    let source = unmarked.as_ref().unwrap_or(source);
    let styles = [CommentStyle::Markup, CommentStyle::Hash, CommentStyle::Slashes];
    styles.into_iter().any(|style| read_signature(source, style) != SignatureComment::Unsigned)
}

fn parts(line: &Span, fields: &Span, style: CommentStyle) -> Option<Signature> {
    // The last part, the distributor, is ignored if incomplete.
    static FIELDS: LazyLock<Regex> = LazyLock::new(|| {
        const FIELDS: &str = r"(?x-u) ^ (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) : ([0-9a-f]{64}) : ([\w-]+={0,2}) : ([0-9a-f]{16})
            (?: \| ([\w-]+) @ ([\w-]+) )?";
        constant_pattern(FIELDS)
    });
    let found = FIELDS.captures(fields.text())?;
    if style == CommentStyle::Markup && !fields.text()[found.get_match().end()..].starts_with(" -->") {
        return None;
    }
    let part = |group| found.get(group).map(|part| fields.slice(part.range()));
    let (time, hash, signature, key) = (part(1)?, part(2)?, part(3)?, part(4)?);
    Some(Signature { line: line.clone(), time, hash, signature, key, provider: part(5).zip(part(6)) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HASH: &str = "3a8867b33d952136b7cb9c09dd9b0666efdc303f6a1aa42db9953654b7f884b8";
    const KEY: &str = "6ea18199041a1ea8";

    fn read(text: &str, style: CommentStyle) -> SignatureComment {
        let source = Source::read("project".into(), "x", text.as_bytes().to_vec()).unwrap();
        read_signature(&source, style)
    }

    fn signed(text: &str, style: CommentStyle) -> Signature {
        match read(text, style) {
            SignatureComment::Signed(signature) => signature,
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn every_part_has_its_range() {
        let text = format!("<!-- rye:signed:2026-04-06T04:31:43Z:{HASH}:a-B_9==:{KEY} -->\n# T\n");
        let found = signed(&text, CommentStyle::Markup);
        let parts = [&found.time, &found.hash, &found.signature, &found.key].map(Span::text);
        assert_eq!(parts, ["2026-04-06T04:31:43Z", HASH, "a-B_9==", KEY]);
        assert_eq!(found.line.text(), text.lines().next().unwrap());
        assert_eq!(found.time.range(), 16..36);
        assert_eq!(found.provider, None);
    }

    #[test]
    fn a_provider_may_follow_the_key() {
        let text = format!("<!-- rye:signed:2026-04-06T04:31:43Z:{HASH}:x:{KEY}|reg-1@some_one -->");
        let (provider, user) = signed(&text, CommentStyle::Markup).provider.unwrap();
        assert_eq!((provider.text(), user.text()), ("reg-1", "some_one"));
    }

    #[test]
    fn the_file_type_determines_the_comment_style() {
        let fields = format!("rye:signed:2026-04-06T04:31:43Z:{HASH}:x:{KEY}");
        assert_eq!(signed(&format!("# {fields}\n"), CommentStyle::Hash).key.text(), KEY);
        assert_eq!(signed(&format!("#!/bin/sh\n# {fields}\n"), CommentStyle::Hash).key.text(), KEY);
        assert_eq!(signed(&format!("// {fields}\n"), CommentStyle::Slashes).key.text(), KEY);
        assert_eq!(read(&format!("# {fields}\n"), CommentStyle::Markup), SignatureComment::Unsigned);
        for (kind, path, style) in [
            (ItemKind::Directive, ".ai/directives/a.md", CommentStyle::Markup),
            (ItemKind::Knowledge, ".ai/knowledge/a.yaml", CommentStyle::Markup),
            (ItemKind::Tool, ".ai/tools/a.py", CommentStyle::Hash),
            (ItemKind::Tool, ".ai/tools/a.b/sh", CommentStyle::Hash),
            (ItemKind::Tool, ".ai/tools/a.ts", CommentStyle::Slashes),
        ] {
            assert_eq!(CommentStyle::of(kind, path), style, "{path}");
        }
    }

    #[test]
    fn incomplete_signatures_are_malformed() {
        for fields in [
            "x".to_string(),
            format!("2026-04-06 04:31:43Z:{HASH}:x:{KEY} -->"),
            format!("2026-04-06T04:31:43Z:{}:x:{KEY} -->", HASH.to_uppercase()),
            format!("2026-04-06T04:31:43Z:{HASH}::{KEY} -->"),
            format!("2026-04-06T04:31:43Z:{HASH}:x===:{KEY} -->"),
            format!("2026-04-06T04:31:43Z:{HASH}:x:{KEY}0 -->"),
            format!("2026-04-06T04:31:43Z:{HASH}:x:{KEY}|a@ -->"),
            format!("2026-04-06T04:31:43Z:{HASH}:x:{KEY}"),
        ] {
            let line = format!("<!-- rye:signed:{fields}");
            let found = read(&format!("{line}\n"), CommentStyle::Markup);
            assert!(matches!(&found, SignatureComment::Malformed(span) if span.text() == line), "{found:?}");
        }
        for text in ["", "# T\n", "\n<!-- rye:signed:x -->", "<!-- rye:unsigned -->"] {
            assert_eq!(read(text, CommentStyle::Markup), SignatureComment::Unsigned);
        }
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "(#!/\n)?(# rye:signed:)?[0-9TZ:é|@ -]{0,60}") {
            read(&text, CommentStyle::Hash);
        }
    }
}
