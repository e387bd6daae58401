//! `{env:NAME}` and `{file:PATH}` in settings, which are replaced before the JSON is read.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use crate::agents::decoding::Decoding;
use crate::agents::ecmascript;
use crate::agents::files::{below, joined, normalized};
use crate::agents::opencode::json::Wrong;
use crate::agents::visit::Visit;
use crate::read::limits;
use crate::text::{Origin, Span, Traced};

/// The text of settings in `folder`. Adds the files that it holds to `files`.
pub(super) fn substituted(
    visit: &Visit<'_>,
    text: &Traced,
    folder: &str,
    files: &mut Vec<String>,
) -> Result<Traced, Wrong> {
    let text = replaced(text, "{env:", |name, out, _| {
        let value = visit.request.environment.get(name).map_or("", String::as_str);
        out.push_str(value, Origin::Env(name.into()));
        Ok(1)
    })?;
    let mut lines = CommentLines { text: text.text(), seen: 0, is_comment: false };
    let mut read: HashMap<String, Span> = HashMap::new();
    replaced(&text, "{file:", |named, out, range| {
        if lines.is_comment(range.start) {
            out.push_range(&text, range);
            return Ok(1);
        }
        let path = match named.strip_prefix("~/") {
            Some(rest) => normalized(&below(&visit.request.home, rest)),
            None => joined(folder, named),
        };
        if !read.contains_key(&path) {
            let span = visit.text(&path, "settings", Decoding::WithoutMark);
            let wrong = |_| (format!("the file {path} that it names cannot be read"), text.slice(range).span());
            read.insert(path.clone(), ecmascript::trim_span(&span.map_err(wrong)?));
            files.push(path.clone());
        }
        let span = &read[&path];
        let escapes = span.text().bytes().filter(|byte| matches!(byte, b'"' | b'\\' | ..b' ')).count();
        if escapes <= limits::JSON_VALUES {
            push_escaped(out, span);
        }
        Ok(1 + escapes)
    })
}

/// A text with each `OPENING…}` replaced by what `put` adds, which returns how many pieces of text those are.
fn replaced(
    text: &Traced,
    opening: &str,
    mut put: impl FnMut(&str, &mut Traced, Range<usize>) -> Result<usize, Wrong>,
) -> Result<Traced, Wrong> {
    let (whole, mut out, mut done, mut at, mut pieces) = (text.text(), Traced::new(), 0, 0, 0);
    while let Some(start) = whole[at..].find(opening).map(|found| at + found) {
        let inside = start + opening.len();
        let Some(end) = whole[inside..].find('}').map(|found| inside + found) else { break };
        at = end + 1;
        if end == inside {
            continue;
        }
        out.push_range(text, done..start);
        pieces += put(&whole[inside..end], &mut out, start..at)?;
        done = at;
        if out.len() > limits::FILLED_BYTES || pieces > limits::JSON_VALUES {
            return Err(("what it names is too large".to_string(), None));
        }
    }
    out.push_range(text, done..whole.len());
    Ok(out)
}

/// Which lines begin with `//`, asked in ascending order.
struct CommentLines<'t> {
    text: &'t str,
    seen: usize,
    is_comment: bool,
}

impl CommentLines<'_> {
    fn is_comment(&mut self, at: usize) -> bool {
        let line = self.text[self.seen..at].rfind('\n').map(|found| self.seen + found + 1);
        // What stands before the first of several on a line decides for all.
        if let Some(start) = line.or_else(|| (self.seen == 0).then_some(0)) {
            self.is_comment = self.text[start..at].trim_start_matches(ecmascript::is_white_space).starts_with("//");
        }
        self.seen = at;
        self.is_comment
    }
}

/// Adds a text as JSON writes it between quotes.
fn push_escaped(out: &mut Traced, span: &Span) {
    let mut done = 0;
    for (at, c) in span.text().char_indices() {
        let mut escape = String::new();
        match c {
            '"' | '\\' => escape.extend(['\\', c]),
            '\u{8}' => escape += "\\b",
            '\u{c}' => escape += "\\f",
            '\n' => escape += "\\n",
            '\r' => escape += "\\r",
            '\t' => escape += "\\t",
            '\0'..' ' => write!(escape, "\\u{:04x}", u32::from(c)).expect("writing to a String cannot fail"),
            _ => continue,
        }
        out.push(&Traced::raw(&span.slice(done..at)));
        done = at + c.len_utf8();
        out.push_str(&escape, Origin::Derived(span.slice(at..done)));
    }
    out.push(&Traced::raw(&span.slice(done..span.text().len())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::opencode::OPENCODE;
    use crate::agents::testing::{request, tree};
    use crate::prompt::Prompt;

    fn prompt(settings: &str, text: &str) -> Prompt {
        let mut request = request(&OPENCODE, "/code/app", "/home");
        request.environment.insert("WHO".to_string(), "me".to_string());
        crate::agents::render_agent(
            &request,
            &tree(&[("/code/app/opencode.json", settings), ("/code/app/a.txt", text)]),
        )
    }

    #[test]
    fn a_prompt_of_several_sources_keeps_their_origins() {
        let settings = r#"{"agent": {"build": {"prompt": "From {env:WHO}:\n{file:a.txt}"}}}"#;
        let prompt = prompt(settings, "\n one\t\"two\" \n");
        let segments = prompt.messages[0].segments().take_while(|it| !it.origin.is_unknown()).map(|segment| {
            let kind = match segment.origin {
                Origin::File(span) => span.source().path().rsplit('/').next().unwrap_or_default().to_string(),
                Origin::Derived(_) => "derived".to_string(),
                origin => origin.value_name().unwrap_or_default(),
            };
            (segment.text.to_string(), kind)
        });
        let expected = [
            ("From ", "opencode.json"),
            ("me", "env WHO"),
            (":", "opencode.json"),
            ("\n", "derived"),
            ("one\t\"two\"", "a.txt"),
            ("\n", ""),
        ];
        let expected = expected.map(|(text, kind)| (text.to_string(), kind.to_string()));
        assert_eq!(segments.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn comments_name_no_file_and_other_lines_must() {
        let of = |settings: &str| prompt(settings, "x").refusal().map(|refusal| refusal.message());
        assert_eq!(of("{\n \t// {file:gone} and {file:gone}\n}"), None);
        assert!(of("{\n  \"username\": \"//\", // {file:gone}\n}").unwrap().contains("/code/app/gone"));
        assert!(of("{\"username\": \"{file:}{file:a.txt}\"}").is_none());
    }
}
