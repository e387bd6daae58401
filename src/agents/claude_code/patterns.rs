//! The `paths` of a rule or skill: which files make it join.

use std::cell::OnceCell;
use std::ops::Range;

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::allowance::Allowance;
use super::front_matter::{BRACES, SplitText, parts};
use crate::agents::ignore_line::add;
use crate::read::limits;
use crate::text::Span;

/// Of all rules or skills together; braces may multiply them.
pub(super) const ALL_BYTES: Allowance = Allowance::new(200_000, "bytes in the patterns of paths");

/// Together they are one ignore file.
#[derive(Clone)]
pub(super) struct Patterns {
    /// Without braces.
    lines: Vec<String>,
    written: Vec<WrittenPattern>,
    /// Most patterns are never compared with a file.
    compiled: OnceCell<Gitignore>,
}

/// A pattern as it is written, and the lines that it stands for.
#[derive(Clone)]
pub(super) struct WrittenPattern {
    pub text: String,
    pub span: Option<Span>,
    lines: Range<usize>,
}

impl Patterns {
    /// `None` without patterns that exclude any file.
    pub fn read(front: &SplitText, bytes: &mut Allowance) -> Option<Self> {
        let node = front.get("paths")?;
        let texts = match node.as_list() {
            Some(items) => items.iter().filter_map(|item| Some((item.as_str()?, item))).collect(),
            None => vec![(node.as_str()?, node)],
        };
        let (mut lines, mut written, mut is_whole) = (Vec::new(), Vec::new(), true);
        for (text, node) in texts {
            for part in parts(text, BRACES).into_iter().map(|part| &text[part]) {
                let start = lines.len();
                is_whole &= expand(part, bytes, &mut lines);
                if start < lines.len() {
                    let (text, span, lines) = (part.to_string(), node.span.clone(), start..lines.len());
                    written.push(WrittenPattern { text, span, lines });
                }
            }
        }
        let is_any = is_whole && lines.iter().all(|line| matches!(without_stars(line), "" | "**"));
        (!is_any).then(|| Self { lines, written, compiled: OnceCell::new() })
    }

    pub fn written(&self) -> std::slice::Iter<'_, WrittenPattern> {
        self.written.iter()
    }

    /// One of the patterns by itself.
    pub fn of(&self, part: &WrittenPattern) -> Self {
        let lines = self.lines.get(part.lines.clone()).unwrap_or_default().to_vec();
        Self { lines, written: Vec::new(), compiled: OnceCell::new() }
    }

    fn compiled(&self) -> &Gitignore {
        self.compiled.get_or_init(|| {
            let mut builder = GitignoreBuilder::new("");
            let _ = builder.case_insensitive(true);
            for line in &self.lines {
                add(&mut builder, without_stars(line));
            }
            // Without valid patterns, nothing matches.
            builder.build().unwrap_or_else(|_| Gitignore::empty())
        })
    }

    /// Whether they match a file by its path relative to their folder. A folder that matches matches all below.
    pub fn match_file(&self, relative: &str) -> bool {
        if !self.lines.iter().any(|line| may_match(line, relative)) {
            return false;
        }
        let folders = relative.match_indices('/').map(|(at, _)| (&relative[..at], true));
        let mut paths = folders.chain([(relative, false)]);
        !relative.starts_with("../")
            && paths.any(|(path, is_folder)| self.compiled().matched(path, is_folder).is_ignore())
    }
}

/// Whether a pattern could match a file or a folder on its way, judged by plain text: compiling takes much longer.
fn may_match(line: &str, relative: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() && !matches!(c, '*' | '?' | '[' | '\\' | '!' | '#');
    let pattern = without_stars(line).trim_end_matches([' ', '/']);
    if !pattern.contains('/') {
        let name = pattern.rsplit(|c| !is_plain(c)).next().unwrap_or_default();
        let name = if pattern.contains(['[', '\\']) { "" } else { name };
        let ends = |part: &str| {
            let at = part.len().checked_sub(name.len());
            at.and_then(|at| part.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
        };
        return relative.split('/').any(ends);
    }
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    let start = pattern.split(|c| !is_plain(c)).next().unwrap_or_default();
    relative.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start)) || !relative.is_ascii()
}

/// A pattern without the end that stands for all that a folder holds.
fn without_stars(line: &str) -> &str {
    line.strip_suffix("/**").unwrap_or(line)
}

/// Adds the patterns that the braces of one stand for. Returns whether none is left out because of a limit.
fn expand(pattern: &str, bytes: &mut Allowance, lines: &mut Vec<String>) -> bool {
    if pattern.len() > limits::PATTERN_BYTES || bytes.is_exceeded() {
        return false;
    }
    let mut waiting = vec![pattern.to_string()];
    while let Some(pattern) = waiting.pop() {
        // Patterns that are only on the way count, too: nested braces cost a look at the whole pattern for each.
        if !bytes.take(pattern.len() + 1) {
            return false;
        }
        let Some((start, commas, end)) = choice(&pattern) else {
            lines.push(pattern);
            continue;
        };
        let bounds: Vec<usize> = [start].into_iter().chain(commas).chain([end]).collect();
        // The last one is taken first.
        for bound in bounds.windows(2).rev() {
            let chosen = &pattern[bound[0] + 1..bound[1]];
            waiting.push(format!("{}{chosen}{}", &pattern[..start], &pattern[end + 1..]));
        }
    }
    true
}

/// The first braces with a comma: where they open, their own commas, and where they close.
fn choice(pattern: &str) -> Option<(usize, Vec<usize>, usize)> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut first: Option<(usize, Vec<usize>, usize)> = None;
    for (at, c) in pattern.char_indices() {
        match (c, open.last_mut()) {
            ('{', _) => open.push((at, Vec::new())),
            (',', Some((_, commas))) => commas.push(at),
            ('}', Some(_)) => {
                let closed = open.pop().filter(|(_, commas)| !commas.is_empty());
                let is_earlier = |start: usize| first.as_ref().is_none_or(|first| start < first.0);
                if let Some((start, commas)) = closed.filter(|(start, _)| is_earlier(*start)) {
                    first = Some((start, commas, at));
                }
            }
            _ => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    fn patterns(paths: &str) -> Option<Patterns> {
        let text = format!("---\npaths: {paths}\n---\n");
        Patterns::read(
            &SplitText::read(&Source::read_raw(None, "cwd".into(), "/r.md", text.as_bytes()).whole()),
            &mut { ALL_BYTES },
        )
    }

    #[test]
    fn paths_without_a_pattern_are_none() {
        for paths in ["", "~", "7", "{a: b}", "[]", "''", "'**'", "'/**, **'", "'**/**'"] {
            assert!(patterns(paths).is_none(), "{paths}");
        }
    }

    #[test]
    fn patterns_are_those_of_an_ignore_file() {
        for (paths, file, expected) in [
            ("src/**", "src/a.ts", true),
            ("src/**", "x/SRC/y/a.ts", true),
            ("/src/**", "x/src/a.ts", false),
            ("'*.{ts,tsx}, docs/**'", "x/a.tsx", true),
            ("'*.{ts,tsx}, docs/**'", "docs/a", true),
            ("'{a,b{c,d}}.md'", "bd.md", true),
            ("'{a,b{c,d}}.md'", "b.md", false),
            ("'{1..3}.md'", "2.md", false),
            ("'{1..3}.md'", "{1..3}.md", true),
            ("[src, '!src/a.ts']", "src/a.ts", true),
            ("['*.ts', '!a.ts']", "a.ts", false),
            ("./src", "src/a", false),
            ("'*'", "../a", false),
            ("a/b.ts", "x/a/b.ts", false),
            ("'**/b.ts'", "x/a/b.ts", true),
        ] {
            assert_eq!(patterns(paths).unwrap().match_file(file), expected, "{paths} {file}");
        }
    }

    #[test]
    fn braces_are_bounded() {
        let lines = |pattern: &str, most: usize| {
            let mut lines = Vec::new();
            let is_whole = expand(pattern, &mut Allowance::new(most, "bytes"), &mut lines);
            (lines.len(), is_whole)
        };
        assert_eq!(lines("{a,b}{c,d}", 1_000), (4, true));
        assert_eq!(lines(&"{a,b}".repeat(200), 1_000), (0, false));
        // Nested braces are looked at again at each level.
        let (lines, is_whole) = lines(&format!("{}{}", "{a,".repeat(300), "}".repeat(300)), 100_000);
        assert!(lines < 300 && !is_whole, "{lines}");
        assert_eq!(choice(&"{".repeat(10_000)), None);
    }
}
