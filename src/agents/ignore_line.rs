//! Lines of ignore files as the npm package `ignore` reads them, which agents use.

use ::ignore::gitignore::GitignoreBuilder;

/// Adds what a line excludes or brings back. One that can match nothing adds nothing.
pub(super) fn add(builder: &mut GitignoreBuilder, line: &str) {
    if let Some(line) = translated(line) {
        let _ = builder.add_line(None, &line);
    }
}

/// The line in the syntax of the crate.
fn translated(line: &str) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let (negation, body) = line.strip_prefix('!').map_or(("", line), |body| ("!", body));
    let body = trimmed(body);
    let path = body.trim_end_matches('/');
    let is_anchored = body.strip_suffix('/').unwrap_or(body).contains('/');
    let start = if is_anchored { "/" } else { "**/" };
    let mut out = format!("{negation}{start}");
    let mut rest = body.strip_prefix('/').unwrap_or(body);
    let mut is_segment_start = true;
    while let Some(c) = rest.chars().next().filter(|_| !path.is_empty()) {
        let after = &rest[c.len_utf8()..];
        rest = after;
        match c {
            '\\' => {
                let escaped = after.chars().next().filter(|_| after != "/")?;
                rest = &after[escaped.len_utf8()..];
                literal(&mut out, escaped);
            }
            '[' => {
                let (class, end) = Class::read(after)?;
                class.write(&mut out);
                rest = end;
            }
            '*' if is_segment_start => {
                let end = after.trim_start_matches('*');
                let is_whole = end.is_empty() || end.starts_with('/');
                out += if is_whole && end.len() < after.len() { "**" } else { "*" };
                rest = end;
            }
            '*' | '?' | '/' => out.push(c),
            c => literal(&mut out, c),
        }
        is_segment_start = c == '/';
    }
    Some(out).filter(|_| !path.is_empty())
}

/// Without the line end, and without spaces at the end but an escaped one.
fn trimmed(body: &str) -> &str {
    let body = body.strip_suffix('\r').unwrap_or(body);
    let short = body.trim_end_matches(' ');
    let backslashes = short.len() - short.trim_end_matches('\\').len();
    if backslashes % 2 == 1 && short.len() < body.len() { &body[..=short.len()] } else { short }
}

fn literal(out: &mut String, c: char) {
    // The crate cuts white space at the end.
    if c.is_whitespace() {
        Class { is_negated: false, ranges: vec![(c, c)] }.write(out);
    } else {
        out.extend(['\\', c]);
    }
}

/// The characters between brackets.
#[derive(Debug)]
struct Class {
    is_negated: bool,
    ranges: Vec<(char, char)>,
}

impl Class {
    /// The class at the start of a text behind its `[`, and what follows; `None` if it never ends.
    fn read(text: &str) -> Option<(Self, &str)> {
        let inside = text.strip_prefix(['!', '^']);
        let mut class = Self { is_negated: inside.is_some(), ranges: Vec::new() };
        let mut rest = inside.unwrap_or(text);
        // The first character never ends the class.
        loop {
            rest = class.member(rest)?;
            if let Some(end) = rest.strip_prefix(']') {
                return Some((class, end));
            }
        }
    }

    /// Adds a character, a range or a named class, and returns what follows.
    fn member<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if let Some((name, end)) = text.strip_prefix("[:").and_then(|named| named.split_once(']'))
            && let Some(name) = name.strip_suffix(':')
        {
            self.ranges.extend(named(name)?);
            return Some(end);
        }
        let (from, rest) = character(text)?;
        let Some(end) = rest.strip_prefix('-').filter(|end| !end.is_empty() && !end.starts_with(']')) else {
            self.ranges.push((from, from));
            return Some(rest);
        };
        let (to, rest) = character(end)?;
        // One that is turned around is its first character.
        self.ranges.push((from, to.max(from)));
        Some(rest)
    }

    /// Writes the class as the crate reads it, which knows no escapes: `]` comes first and `-` last. It holds no slash.
    fn write(mut self, out: &mut String) {
        let [has_bracket, has_hyphen, _] = [']', '-', '/'].map(|c| self.take(c));
        out.push('[');
        out.extend(self.is_negated.then_some('!'));
        // No path holds U+0000, behind which `!` is a character.
        out.push(if has_bracket { ']' } else { '\0' });
        out.extend(self.is_negated.then_some('/'));
        for (from, to) in self.ranges {
            out.push(from);
            if from < to {
                out.extend(['-', to]);
            }
        }
        out.extend(has_hyphen.then_some('-'));
        out.push(']');
    }

    /// Takes a character out of the ranges; false if it is in none.
    fn take(&mut self, c: char) -> bool {
        let (before, after) = (char::from_u32(u32::from(c) - 1), char::from_u32(u32::from(c) + 1));
        let count = self.ranges.len();
        let mut rest: Vec<(char, char)> = Vec::with_capacity(count);
        let mut is_in = false;
        for (from, to) in self.ranges.drain(..) {
            if !(from..=to).contains(&c) {
                rest.push((from, to));
                continue;
            }
            is_in = true;
            rest.extend(before.filter(|before| from <= *before).map(|before| (from, before)));
            rest.extend(after.filter(|after| *after <= to).map(|after| (after, to)));
        }
        self.ranges = rest;
        is_in
    }
}

/// A character that may be escaped, and what follows.
fn character(text: &str) -> Option<(char, &str)> {
    let text = text.strip_prefix('\\').unwrap_or(text);
    let c = text.chars().next()?;
    Some((c, &text[c.len_utf8()..]))
}

/// What git takes for a class of this name.
fn named(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[(' ', ' '), ('\t', '\n'), ('\r', '\r')],
        "upper" => &[('A', 'Z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `ignore` 7.0.16 answers.
    #[test]
    fn lines_match_as_in_the_package() {
        for (line, path, expected) in [
            ("[!a-c]*", "d", true),
            ("[!a-c]*", "Be", false),
            ("[!a-c]*", "x/a", true),
            ("a[!b]c", "a/c", false),
            ("[c-a]", "c", true),
            ("[c-a]", "b", false),
            ("[^c-a]", "a", true),
            (r"[a\-c]", "-", true),
            (r"[a\-c]", "b", false),
            (r"[!\]]", "]", false),
            ("[]a]", "]", true),
            ("[a-]", "-", true),
            ("[+--]", ",", true),
            ("[[:digit:]x]", "7", true),
            ("[[:none:]]", "n", false),
            ("[[:a]", ":", true),
            ("[", "[", false),
            ("a[", "a[", false),
            ("***/a", "x/y/a", true),
            ("a***", "ab", true),
            (r"a\/", "a/", false),
            ("a\t", "a", false),
            (r"a\ ", "a ", true),
            ("a ", "a", true),
            ("a\r", "a", true),
            ("{a,b}", "a", false),
            ("#a", "#a", false),
            (r"\#a", "#a", true),
            ("/", "a", false),
        ] {
            let mut builder = GitignoreBuilder::new("");
            builder.case_insensitive(true).expect("case may be ignored");
            add(&mut builder, line);
            let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
            let lines = builder.build().expect("the patterns are valid");
            let is_ignored = lines.matched_path_or_any_parents(path, is_folder).is_ignore();
            assert_eq!(is_ignored, expected, "{line:?} {path}");
        }
    }
}
