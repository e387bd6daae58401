//! The `paths` of a rule or skill: which files make it join.

use std::cell::OnceCell;

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::allowance::Allowance;
use super::front_matter::SplitText;
use crate::agents::white_space;
use crate::read::limits;
use crate::read::patterns::add;
use crate::read::yaml::YamlNode;

/// Of all rules or skills together; braces may multiply them.
pub(super) const ALL_BYTES: Allowance = Allowance::new(200_000, "bytes in the patterns of paths");

/// Together they are one ignore file.
#[derive(Clone)]
pub(super) struct Patterns {
    /// Without braces.
    lines: Vec<String>,
    /// Most patterns are never compared with a file.
    compiled: OnceCell<Gitignore>,
}

impl Patterns {
    /// `None` without patterns that exclude any file.
    pub fn of(front: &SplitText, bytes: &mut Allowance) -> Option<Self> {
        let node = front.get("paths")?;
        let texts = match node.as_list() {
            Some(items) => items.iter().filter_map(YamlNode::as_str).collect(),
            None => vec![node.as_str()?],
        };
        let mut expanded = Expanded { lines: Vec::new(), bytes, is_whole: true };
        texts.into_iter().flat_map(parts).for_each(|part| expanded.add(part));
        let Expanded { lines, is_whole, .. } = expanded;
        let is_any = is_whole && lines.iter().all(|line| matches!(without_stars(line), "" | "**"));
        (!is_any).then(|| Self { lines, compiled: OnceCell::new() })
    }

    fn compiled(&self) -> &Gitignore {
        self.compiled.get_or_init(|| {
            let mut builder = GitignoreBuilder::new("");
            let _ = builder.case_insensitive(true);
            for line in &self.lines {
                let _ = add(&mut builder, without_stars(line));
            }
            // Without valid patterns, nothing matches.
            builder.build().unwrap_or_else(|_| Gitignore::empty())
        })
    }

    /// Whether they match a file by its path relative to their folder. A folder that matches matches all below.
    pub fn match_file(&self, relative: &str) -> bool {
        let folders = relative.match_indices('/').map(|(at, _)| (&relative[..at], true));
        let mut paths = folders.chain([(relative, false)]);
        !relative.starts_with("../")
            && paths.any(|(path, is_folder)| self.compiled().matched(path, is_folder).is_ignore())
    }
}

/// A pattern without the end that stands for all that a folder holds.
fn without_stars(line: &str) -> &str {
    line.strip_suffix("/**").unwrap_or(line)
}

/// The parts between commas outside of braces, without blanks around them.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let split = text.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    split.map(white_space::trim).filter(|part| !part.is_empty())
}

/// Patterns without braces.
struct Expanded<'a> {
    lines: Vec<String>,
    bytes: &'a mut Allowance,
    /// Whether none was left out because of a limit.
    is_whole: bool,
}

impl Expanded<'_> {
    /// Adds the patterns that the braces of one stand for.
    fn add(&mut self, pattern: &str) {
        if pattern.len() > limits::PATTERN_BYTES || self.bytes.is_exceeded() {
            self.is_whole = false;
            return;
        }
        let mut waiting = vec![pattern.to_string()];
        while let Some(pattern) = waiting.pop() {
            let Some((start, commas, end)) = choice(&pattern) else {
                if !self.bytes.take(pattern.len() + 1) {
                    self.is_whole = false;
                    return;
                }
                self.lines.push(pattern);
                continue;
            };
            let bounds: Vec<usize> = [start].into_iter().chain(commas).chain([end]).collect();
            // The last one is taken first.
            for bound in bounds.windows(2).rev() {
                let chosen = &pattern[bound[0] + 1..bound[1]];
                waiting.push(format!("{}{chosen}{}", &pattern[..start], &pattern[end + 1..]));
            }
        }
    }
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
        Patterns::of(&SplitText::read(&Source::read_raw(None, "cwd".into(), "/r.md", text.as_bytes()).whole()), &mut {
            ALL_BYTES
        })
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
        let mut bytes = Allowance::new(1_000, "bytes");
        let mut expanded = Expanded { lines: Vec::new(), bytes: &mut bytes, is_whole: true };
        expanded.add(&"{a,b}".repeat(200));
        assert_eq!((expanded.lines.len(), expanded.is_whole), (1_000 / 201, false));
        assert!(bytes.is_exceeded());
        assert_eq!(choice(&"{".repeat(10_000)), None);
    }
}
