//! `claudeMdExcludes`: patterns of texts that are left out, in the syntax of the npm package `picomatch`.

use regex::{Regex, RegexBuilder};

use super::settings::{EVERYBODY, Settings};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::Declared;
use crate::read::limits;
use crate::read::yaml::YamlNode;

pub(super) const KEY: &str = "claudeMdExcludes";
/// Further patterns do not count.
const MOST: usize = 1_000;

pub(super) struct Excludes(Vec<Exclude>);

struct Exclude {
    pattern: Regex,
    is_negated: bool,
    by: Declared,
}

impl Excludes {
    pub fn new(visit: &mut Visit<'_>, settings: &Settings) -> Self {
        let items = settings.all(&EVERYBODY, KEY).flat_map(|list| list.as_list().unwrap_or_default()).take(MOST);
        let mut excludes = Vec::new();
        for item in items {
            let written = item.as_str().unwrap_or_default();
            if let Some(what) = surprise(written) {
                warn(visit, item, what);
            }
            excludes.extend(Exclude::new(written, item));
        }
        Self(excludes)
    }

    /// What excludes a text, by its absolute path.
    pub fn by(&self, path: &str) -> Option<&Declared> {
        let matches = |exclude: &&Exclude| exclude.pattern.is_match(path) != exclude.is_negated;
        self.0.iter().find(matches).map(|exclude| &exclude.by)
    }
}

impl Exclude {
    fn new(written: &str, item: &YamlNode) -> Option<Self> {
        let (is_negated, pattern) = negation(written);
        let by = Declared { by: KEY.to_string(), span: item.span.clone() };
        Some(Self { pattern: compiled(pattern)?, is_negated, by })
    }
}

/// What people do not expect of a pattern.
fn surprise(written: &str) -> Option<&'static str> {
    let (is_negated, pattern) = negation(written);
    match pattern.starts_with(['/', '*', '{', '(', '[', '?', '@', '+', '\\']) {
        _ if is_negated => Some("it excludes everything that the pattern behind `!` does not match"),
        false => Some("it excludes nothing, because it is compared with absolute paths: begin it with `/` or `**/`"),
        true => None,
    }
}

fn warn(visit: &mut Visit<'_>, item: &YamlNode, what: &'static str) {
    let problem = Problem::AgentDiffers { what: what.to_string() };
    visit.diagnostics.push(Diagnostic { problem, at: item.span.clone().map(Into::into) });
}

/// Whether a pattern is turned around, and what is behind its exclamation marks.
fn negation(written: &str) -> (bool, &str) {
    let mut rest = written;
    while rest.starts_with('!') && !rest.starts_with("!(") {
        rest = &rest[1..];
    }
    ((written.len() - rest.len()) % 2 == 1, rest)
}

/// `None` if nothing matches.
fn compiled(pattern: &str) -> Option<Regex> {
    if pattern.is_empty() || pattern.len() > limits::PATTERN_BYTES {
        return None;
    }
    let mut translation =
        Translation { rest: pattern, written: String::new(), open: Vec::new(), before: '\0', is_in_quotes: false };
    while !translation.rest.is_empty() {
        translation.next()?;
    }
    let whole = format!("^(?:{})$", translation.written);
    RegexBuilder::new(&whole).size_limit(limits::COMPILED_BYTES).build().ok()
}

/// A pattern that becomes a regular expression.
struct Translation<'p> {
    rest: &'p str,
    written: String,
    /// What closes the open brackets: the character of the pattern, and its translation.
    open: Vec<(char, &'static str)>,
    /// The last special character, or any other one for text; NUL at the start.
    before: char,
    is_in_quotes: bool,
}

impl Translation<'_> {
    /// Translates what comes next. `None` if the whole pattern matches nothing.
    fn next(&mut self) -> Option<()> {
        let c = self.rest.chars().next()?;
        let behind = &self.rest[c.len_utf8()..];
        match c {
            '"' => self.is_in_quotes = !self.is_in_quotes,
            _ if self.is_in_quotes => self.literal(c),
            '\\' => {
                let escaped = behind.chars().next().unwrap_or(c);
                self.literal(escaped);
                self.rest = behind.strip_prefix(escaped).unwrap_or(behind);
                return Some(());
            }
            '!' if behind.starts_with('(') => return None,
            '*' | '?' | '+' | '@' if behind.starts_with('(') && is_closed(behind, '(', ')') => {
                self.open(
                    ')',
                    match c {
                        '*' => ")*",
                        '?' => ")?",
                        '+' => ")+",
                        _ => ")",
                    },
                );
                self.rest = &behind[1..];
                return Some(());
            }
            '*' => return self.stars(),
            '?' => self.push("[^/]", c),
            '[' => return self.class(),
            '(' if is_closed(self.rest, '(', ')') => self.open(')', ")"),
            '{' => return self.braces(),
            ',' if self.open.last().is_some_and(|open| open.0 == '}') => self.push("|", c),
            '|' => self.push("|", c),
            _ if self.open.last().is_some_and(|open| open.0 == c) => {
                let close = self.open.pop()?.1;
                self.push(close, c);
            }
            c => self.literal(c),
        }
        self.rest = behind;
        Some(())
    }

    fn literal(&mut self, c: char) {
        self.push(&regex::escape(c.encode_utf8(&mut [0; 4])), c);
        // An escaped character is text.
        if "*{(|,".contains(c) {
            self.before = 'a';
        }
    }

    fn push(&mut self, translated: &str, before: char) {
        self.written.push_str(translated);
        self.before = before;
    }

    fn open(&mut self, close: char, translated: &'static str) {
        self.push("(?:", '(');
        self.open.push((close, translated));
    }

    /// Two stars in the place of a folder stand for any number of them; all others for a part of a name.
    fn stars(&mut self) -> Option<()> {
        let count = self.rest.len() - self.rest.trim_start_matches('*').len();
        let mut rest = &self.rest[count..];
        let is_inner = "{(|,".contains(self.before);
        if count == 2 && (matches!(self.before, '\0' | '/') || is_inner) {
            while let Some(after) = rest.strip_prefix("/**").filter(|after| after.is_empty() || after.starts_with('/'))
            {
                rest = after;
            }
            let is_first_slash = self.written == "/";
            let is_after_star = self.written.ends_with("[^/]*/");
            match (self.before, rest.strip_prefix('/')) {
                ('\0', Some(after)) => {
                    self.push("(?:.*/)?", '/');
                    rest = after;
                }
                ('/', Some(after)) if !is_first_slash => {
                    self.push("(?:.*/)?", '/');
                    rest = after;
                }
                ('/', None) if rest.is_empty() && !is_first_slash && !is_after_star => {
                    self.written.pop();
                    self.push("(?:/.*)?", '*');
                }
                ('\0', None) if is_ending(rest) => self.push(".*", '*'),
                ('\0' | '/', None) if !rest.is_empty() && !rest.starts_with([',', '}', ')', '|']) => {
                    self.push("[^/]*", '*');
                }
                _ => self.push(".*", '*'),
            }
        } else {
            let is_whole = matches!(self.before, '\0' | '/') && rest.is_empty();
            self.push(if is_whole { "[^/]+" } else { "[^/]*" }, '*');
        }
        self.rest = rest;
        Some(())
    }

    fn class(&mut self) -> Option<()> {
        let Some(end) = class_end(self.rest) else {
            self.literal('[');
            self.rest = &self.rest[1..];
            return Some(());
        };
        let (written, rest) = self.rest.split_at(end);
        let inside = &written[1..written.len() - 1];
        let class = format!("[{}]", inside.replace('&', "\\&").replace('~', "\\~"));
        match inside.contains(|c| "-*+?.^${}(|)[]".contains(c)) {
            true => self.push(&class, ']'),
            // Brackets without special characters may be meant as they are.
            false => self.push(&format!("(?:{}|{class})", regex::escape(written)), ']'),
        }
        self.rest = rest;
        Some(())
    }

    fn braces(&mut self) -> Option<()> {
        let inside = closing(self.rest, '{', '}').map(|end| &self.rest[1..end]);
        let has_comma = inside.unwrap_or(self.rest).contains(',');
        match inside {
            None if has_comma => return None,
            Some(range) if !has_comma && range.contains("..") => {
                let mut bounds: Vec<&str> = range.split("..").collect();
                bounds.sort_unstable();
                self.push(
                    &format!("[{}]", bounds.iter().map(|it| regex::escape(it)).collect::<Vec<_>>().join("-")),
                    ']',
                );
                self.rest = &self.rest[range.len() + 2..];
                return Some(());
            }
            Some(_) if has_comma => self.open('}', ")"),
            _ => self.literal('{'),
        }
        self.rest = &self.rest[1..];
        Some(())
    }
}

/// Whether this is a dot and a word, before which two stars stand for any path.
fn is_ending(rest: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    rest.strip_prefix('.').is_some_and(is_word)
}

/// The end of a class, which holds at least one character.
fn class_end(text: &str) -> Option<usize> {
    let named = text.find("[:").filter(|start| *start == 1).and_then(|_| text.find(":]").map(|end| end + 2));
    let from = named.unwrap_or(2).min(text.len());
    Some(text.get(from..)?.find(']')? + from + 1)
}

fn is_closed(text: &str, open: char, close: char) -> bool {
    closing(text, open, close).is_some()
}

/// Where the bracket at the start of a text closes.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `picomatch` 4.0.7 answers with the option `dot`.
    #[test]
    fn patterns_match_as_in_picomatch() {
        for (pattern, path, expected) in [
            ("**/x/**", "/a/x/b", true),
            ("**/x/**", "/x", true),
            ("/a/**", "/a", true),
            ("/a/**/b", "/a/b", true),
            ("/a/*", "/a/.b", true),
            ("/a/*", "/a/b/c", false),
            ("**", "/a/b", true),
            ("**.md", "/a/b.md", true),
            ("**d.md", "/a/d.md", false),
            ("/a/**b", "/a/c/b", false),
            ("/a/{b,c}.md", "/a/c.md", true),
            ("/a/{b}.md", "/a/b.md", false),
            ("/a/{1..3}.md", "/a/2.md", true),
            ("/a/[b].md", "/a/b.md", true),
            ("/a/[!b].md", "/a/c.md", false),
            ("/a/[^b].md", "/a/c.md", true),
            ("/a/b?", "/a/bc", true),
            ("/a/@(b|c).md", "/a/c.md", true),
            ("/a/+(b)", "/a/bb", true),
            (r"/a\*b", "/a*b", true),
            (r#"/a/"b*""#, "/a/b*", true),
            ("/a/{b,{c,d}}", "/a/d", true),
            ("/a/{**,b}/c", "/a/x/y/c", true),
            ("/**/x", "/x", false),
            ("/a/{b,c", "/a/b", false),
            ("a/b", "/a/b", false),
            ("/A", "/a", false),
        ] {
            assert_eq!(compiled(pattern).is_some_and(|it| it.is_match(path)), expected, "{pattern} {path}");
        }
        assert_eq!(
            (negation("!/a"), negation("!!/a"), negation("!(a)")),
            ((true, "/a"), (false, "/a"), (false, "!(a)"))
        );
    }
}
