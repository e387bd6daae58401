//! The text of a file as the agent keeps it: without front matter and comments.

use std::iter;

use memchr::memchr;

use super::front_matter::SplitText;
use super::markdown::{Structure, without_comments};
use crate::agents::decoding::Decoding;
use crate::agents::ecmascript;
use crate::agents::files::location;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::markdown::{MOST_MARKS, is_too_much};
use crate::text::{Source, Span, Traced};

/// The bytes of a file, and what is left of them.
pub(super) struct CleanText {
    pub front: SplitText,
    /// With the white space at its ends.
    pub text: Traced,
    /// In the order of the text.
    pub imports: Vec<Import>,
    /// Whether comments and imports were not looked for, because of a limit.
    pub is_too_much: bool,
}

/// A file that a text names.
pub(super) struct Import {
    pub path: String,
    pub place: Span,
}

impl CleanText {
    pub fn of(visit: &Visit<'_>, path: &str, tier: &str, bytes: &[u8]) -> Self {
        let source = visit.source(path, tier, bytes);
        let front = SplitText::read(&Decoding::WithoutMark.text(&source));
        let body = front.body.clone();
        let mut clean = Self { text: Traced::raw(&body), front, imports: Vec::new(), is_too_much: false };
        if !body.text().contains("<!--") && !body.text().contains('@') {
            return clean;
        }
        if is_too_much(body.text()) {
            clean.is_too_much = true;
            return clean;
        }
        let body = with_line_feeds(visit, &body, bytes);
        let structure = Structure::of(body.text());
        if !structure.comments.is_empty() {
            clean.text = without(&body, &structure);
        }
        clean.imports = imports(&body, &structure);
        clean
    }
}

/// That a file has more marks than are read.
pub(super) fn too_much(path: &str, tier: &str, visit: &Visit<'_>) -> Diagnostic {
    let problem = Problem::OverLimit { limit: MOST_MARKS as u64, unit: "marks of Markdown in a file" };
    Diagnostic::at(problem, location(path, tier, visit.files.revision(path)))
}

/// The end of a file with LF as its only line end.
pub(super) fn with_line_feeds(visit: &Visit<'_>, end: &Span, bytes: &[u8]) -> Span {
    if !end.text().contains('\r') {
        return end.clone();
    }
    let raw = end.source();
    let source = Source::read_lossy(visit.files.revision(raw.path()), raw.tier().into(), raw.path().to_string(), bytes);
    let start = end.range().start - raw.text()[..end.range().start].matches("\r\n").count();
    source.span(start..source.text().len())
}

/// The text without its comments. A block of nothing else goes as a whole.
fn without(body: &Span, structure: &Structure) -> Traced {
    let (mut text, mut at) = (Traced::new(), 0);
    for block in &structure.comments {
        text.push(&Traced::raw(&body.slice(at..block.start)));
        let block_text = &body.text()[block.clone()];
        let is_blank = without_comments(block_text).all(|range| ecmascript::trim(&block_text[range]).is_empty());
        for range in without_comments(block_text).filter(|_| !is_blank) {
            text.push(&Traced::raw(&body.slice(block.start + range.start..block.start + range.end)));
        }
        at = block.end;
    }
    text.push(&Traced::raw(&body.slice(at..body.text().len())));
    text
}

fn imports(body: &Span, structure: &Structure) -> Vec<Import> {
    let runs = structure.runs.iter().map(|run| (run.start, &body.text()[run.clone()], true));
    let behind = structure.behind_comments.iter().map(|(start, text)| (*start, text.as_str(), false));
    let mut found: Vec<(usize, Import)> = Vec::new();
    for (start, text, is_in_place) in runs.chain(behind) {
        for (at, written) in named(text) {
            let path = written.split('#').next().unwrap_or_default().replace("\\ ", " ");
            // The text behind comments is joined, so that only its block has a place.
            let (at, length) = if is_in_place { (start + at, written.len() + 1) } else { (start, 0) };
            if !path.is_empty() && !path.starts_with('@') {
                found.push((at, Import { path, place: body.slice(at..at + length) }));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, import)| import).collect()
}

/// What stands behind each `@` at the start or behind white space, up to the next white space without a backslash.
fn named(run: &str) -> impl Iterator<Item = (usize, &str)> {
    // A pattern would take longer to compile than most repositories to read.
    let mut from = 0;
    iter::from_fn(move || {
        loop {
            let at = from + memchr(b'@', &run.as_bytes()[from..])?;
            from = at + 1;
            let behind = &run[from..];
            let path = &behind[..path_length(behind)];
            if !path.is_empty() && run[..at].chars().next_back().is_none_or(ecmascript::is_white_space) {
                from += path.len();
                return Some((at, path));
            }
        }
    })
}

fn path_length(text: &str) -> usize {
    let ends = |(at, c): &(usize, char)| match c {
        '\\' => !text[at + 1..].starts_with(' '),
        ' ' => !text[..*at].ends_with('\\'),
        c => ecmascript::is_white_space(*c),
    };
    text.char_indices().find(ends).map_or(text.len(), |(at, _)| at)
}

/// Separated by spaces.
const TEXT: &str = "md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py \
                    pyi pyw rb erb rake go rs java kt kts scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat \
                    cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs pug jade php pl \
                    pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile \
                    gradle sbt rst adoc asciidoc org tex latex lock log diff patch";

/// Whether a path has one of these endings, or none. A dot at the start of a name begins no ending.
pub(super) fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        None | Some(("", _)) => true,
        Some((_, ending)) => TEXT.split(' ').any(|known| known.eq_ignore_ascii_case(ending)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_stand_behind_white_space() {
        for (run, expected) in [
            ("@a.md b @c\u{a0}@d", vec!["a.md", "c", "d"]),
            ("x@a (@b) \"@c\" @ @", vec![]),
            (r"@a\ b\ @c @d\e @f\", vec![r"a\ b\ @c", "d", "f"]),
            (r"@\ a @\\ b", vec![r"\ a"]),
        ] {
            assert_eq!(named(run).map(|(_, it)| it).collect::<Vec<_>>(), expected, "{run}");
        }
    }

    #[test]
    fn endings_are_those_of_text() {
        for name in ["a.md", "a.R", "Makefile", ".env", "a.b/c", "x.local.txt", "..a.F90"] {
            assert!(is_text(&format!("/d/{name}")), "{name}");
        }
        for name in ["a.mdx", "a.", ".env.local", "a.b.png", "a.jsonc"] {
            assert!(!is_text(&format!("/d/{name}")), "{name}");
        }
    }
}
