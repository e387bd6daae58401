//! `claudeMdExcludes`: patterns of texts that are left out, in the syntax of the npm package `picomatch`.

use std::collections::HashMap;

use regex::{RegexBuilder, RegexSet, RegexSetBuilder};

use super::NAME;
use super::allowance::Allowance;
use super::settings::{EVERYBODY, OwnedSettings};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::Declared;
use crate::read::limits;

pub(super) const KEY: &str = "claudeMdExcludes";
/// In all patterns.
const MOST_BYTES: usize = 20_000;

/// All patterns are one set, so that a path is looked at once.
#[derive(Default)]
pub(super) struct Excludes {
    patterns: RegexSet,
    /// For each pattern, whether it is turned around.
    origins: Vec<(bool, Declared)>,
}

impl Excludes {
    pub fn new(visit: &mut Visit<'_>, settings: &OwnedSettings) -> Self {
        let mut bytes = Allowance::new(MOST_BYTES, "bytes in the patterns of claudeMdExcludes");
        let (mut patterns, mut origins) = (Vec::new(), Vec::new());
        for item in settings.all(&EVERYBODY, KEY).flat_map(|list| list.as_list().unwrap_or_default()) {
            let written = item.as_str().unwrap_or_default();
            if !bytes.take(written.len() + 1) {
                break;
            }
            if let Some((does, help)) = surprise(written) {
                let problem = Problem::AgentPitfall { agent: NAME, does: does.to_string(), help };
                visit.report_near(problem, item.span.clone());
            }
            let (is_negated, pattern) = negation(written);
            if let Some(translated) = translated(pattern) {
                patterns.push(translated);
                origins.push((is_negated, Declared { by: KEY.to_string(), span: item.span.clone() }));
            }
        }
        visit.diagnostics.extend(bytes.error());
        match RegexSetBuilder::new(patterns).size_limit(limits::COMPILED_BYTES).build() {
            Ok(patterns) => Self { patterns, origins },
            // Each pattern by itself is valid.
            Err(_) => {
                let (limit, unit) =
                    (limits::COMPILED_BYTES as u64, "bytes in the compiled patterns of claudeMdExcludes");
                visit.report(Problem::OverLimit { limit, unit });
                Self::default()
            }
        }
    }

    /// What excludes a text, by its absolute path.
    pub fn by(&self, path: &str) -> Option<&Declared> {
        let matched = self.patterns.matches(path);
        let mut origins = self.origins.iter().enumerate();
        origins.find(|(index, (is_negated, _))| matched.matched(*index) != *is_negated).map(|(_, (_, by))| by)
    }
}

/// What people do not expect of a pattern, and what to do.
fn surprise(written: &str) -> Option<(&'static str, &'static str)> {
    let (is_negated, pattern) = negation(written);
    match pattern.starts_with(['/', '*', '{', '(', '[', '?', '@', '+', '\\']) {
        _ if is_negated => Some((
            "excludes everything that the pattern behind `!` does not match",
            "write what to exclude, without `!`",
        )),
        false => Some((
            "excludes nothing with this pattern, because it compares it with absolute paths",
            "begin it with `/` or `**/`",
        )),
        true => None,
    }
}

/// Whether a pattern is turned around, and what is behind its exclamation marks.
fn negation(written: &str) -> (bool, &str) {
    let mut rest = written;
    while rest.starts_with('!') && !rest.starts_with("!(") {
        rest = &rest[1..];
    }
    ((written.len() - rest.len()) % 2 == 1, rest)
}

/// A pattern as a regular expression; `None` if nothing matches.
fn translated(pattern: &str) -> Option<String> {
    if pattern.is_empty() || pattern.len() > limits::PATTERN_BYTES {
        return None;
    }
    let mut translation = Translation {
        pattern,
        rest: pattern,
        closings: closings(pattern),
        written: String::new(),
        open: Vec::new(),
        before: '\0',
        is_in_quotes: false,
    };
    while !translation.rest.is_empty() {
        translation.next()?;
    }
    let whole = format!("^(?:{})$", translation.written);
    RegexBuilder::new(&whole).size_limit(limits::COMPILED_BYTES).build().is_ok().then_some(whole)
}

/// A pattern that becomes a regular expression.
struct Translation<'p> {
    pattern: &'p str,
    rest: &'p str,
    closings: HashMap<usize, usize>,
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
            '*' | '?' | '+' | '@' if behind.starts_with('(') && self.closing(behind).is_some() => {
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
            '(' if self.closing(self.rest).is_some() => self.open(')', ")"),
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

    /// Where the bracket at the start of an end of the pattern closes, counted from there.
    fn closing(&self, end: &str) -> Option<usize> {
        let start = self.pattern.len() - end.len();
        self.closings.get(&start).map(|closing| closing - start)
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
        let inside = self.closing(self.rest).map(|end| &self.rest[1..end]);
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

/// Where the brackets of a pattern close, by where they open.
fn closings(pattern: &str) -> HashMap<usize, usize> {
    let (mut closings, mut round, mut curly) = (HashMap::new(), Vec::new(), Vec::new());
    for (at, c) in pattern.char_indices() {
        match c {
            '(' => round.push(at),
            '{' => curly.push(at),
            ')' => closings.extend(round.pop().map(|open| (open, at))),
            '}' => closings.extend(curly.pop().map(|open| (open, at))),
            _ => {}
        }
    }
    closings
}

#[cfg(test)]
mod tests {
    use regex::Regex;

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
            let is_match = translated(pattern).is_some_and(|it| Regex::new(&it).unwrap().is_match(path));
            assert_eq!(is_match, expected, "{pattern} {path}");
        }
        assert_eq!(
            (negation("!/a"), negation("!!/a"), negation("!(a)")),
            ((true, "/a"), (false, "/a"), (false, "!(a)"))
        );
    }
}
