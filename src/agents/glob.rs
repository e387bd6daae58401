//! Globs in settings of agents: those of the npm package `minimatch`.

use std::collections::HashMap;
use std::ops::Range;

use fancy_regex::Regex;

/// How many alternatives braces may give.
pub(super) const MOST_ALTERNATIVES: usize = 1_000;

/// A longer pattern matches nothing, in bytes.
const LONGEST: usize = 1_000;

/// A pattern for paths.
#[derive(Debug)]
pub(super) struct Glob {
    is_negated: bool,
    dots: Dots,
    alternatives: Vec<Vec<Part>>,
}

/// Whether `*`, `?` and `**` match a dot at the start of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    Match,
    Hide,
}

/// What a pattern says about one name of a path.
#[derive(Debug)]
enum Part {
    /// `**`: any number of names.
    Names,
    Exact(String),
    Name(Regex),
    /// A name that no pattern can match.
    Nothing,
}

impl Glob {
    /// A pattern in which `#` at the start is a comment, and each `!` a negation.
    pub fn new(pattern: &str) -> Self {
        let rest = pattern.trim_start_matches('!');
        let is_negated = (pattern.len() - rest.len()) % 2 == 1;
        if pattern.starts_with('#') || pattern.len() > LONGEST {
            return Self { is_negated: false, dots: Dots::Hide, alternatives: Vec::new() };
        }
        Self { is_negated, ..Self::of_paths(rest, Dots::Hide, MOST_ALTERNATIVES) }
    }

    /// A pattern of the npm package `glob`, of whose alternatives `most` count.
    pub fn of_paths(pattern: &str, dots: Dots, most: usize) -> Self {
        let alternatives = match pattern.len() <= LONGEST {
            true => Braces::of(pattern, most).expand(0..pattern.len()),
            false => Vec::new(),
        };
        let parts = |pattern: String| {
            let mut parts: Vec<Part> = pattern.split('/').map(|name| part(name, dots)).collect();
            parts.dedup_by(|next, before| matches!((next, before), (Part::Names, Part::Names)));
            parts
        };
        Self { is_negated: false, dots, alternatives: alternatives.into_iter().map(parts).collect() }
    }

    pub fn alternatives(&self) -> usize {
        self.alternatives.len()
    }

    pub fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        self.alternatives.iter().any(|parts| fits(parts, &names, self.dots)) != self.is_negated
    }
}

fn fits(parts: &[Part], names: &[&str], dots: Dots) -> bool {
    let is_fixed = !parts.iter().any(|part| matches!(part, Part::Names));
    let differs = |exact: &String| names.first() != Some(&exact.as_str());
    if is_fixed && parts.len() != names.len() || matches!(parts.first(), Some(Part::Exact(exact)) if differs(exact)) {
        return false;
    }
    let is_hidden = |name: &str| dots == Dots::Hide && name.starts_with('.');
    // For each number of names, whether the parts so far match that many.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for (index, part) in parts.iter().enumerate() {
        let mut next = vec![false; names.len() + 1];
        for start in (0..=names.len()).filter(|&start| reached[start]) {
            let visible = names[start..].iter().take_while(|name| !is_hidden(name)).count();
            match part {
                // The last one needs a name.
                Part::Names if index + 1 == parts.len() => {
                    next[names.len()] |= visible > 0 && start + visible == names.len();
                }
                Part::Names => next[start..=start + visible].fill(true),
                Part::Exact(exact) => {
                    if names.get(start) == Some(&exact.as_str()) {
                        next[start + 1] = true;
                    }
                }
                Part::Name(regex) => {
                    if names.get(start).is_some_and(|name| regex.is_match(name).unwrap_or(false)) {
                        next[start + 1] = true;
                    }
                }
                Part::Nothing => {}
            }
        }
        reached = next;
    }
    reached[names.len()]
}

/// A pattern with alternatives in braces.
struct Braces<'p> {
    pattern: &'p str,
    /// For each opening brace that is closed: its place, those of its commas, and that of the closing one.
    cuts: HashMap<usize, Vec<usize>>,
    most: usize,
}

impl<'p> Braces<'p> {
    fn of(pattern: &'p str, most: usize) -> Self {
        let (mut open, mut cuts): (Vec<Vec<usize>>, _) = (Vec::new(), HashMap::new());
        let mut bytes = pattern.bytes().enumerate();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'\\' => drop(bytes.next()),
                b'{' => open.push(vec![at]),
                b',' => open.iter_mut().next_back().into_iter().for_each(|cuts| cuts.push(at)),
                b'}' => cuts.extend(open.pop().map(|braces| (braces[0], [braces, vec![at]].concat()))),
                _ => {}
            }
        }
        Self { pattern, cuts, most }
    }

    /// The alternatives of a part of the pattern, as many as may be.
    fn expand(&self, part: Range<usize>) -> Vec<String> {
        let (mut done, mut at) = (part.start, part.start);
        let mut all = vec![String::new()];
        while at < part.end {
            let Some((choices, end)) = self.choices(at) else {
                at += 1;
                continue;
            };
            let before = &self.pattern[done..at];
            let longer = all.iter().flat_map(|start| choices.iter().map(move |it| format!("{start}{before}{it}")));
            all = longer.take(self.most).collect();
            (done, at) = (end + 1, end + 1);
        }
        all.iter_mut().for_each(|alternative| alternative.push_str(&self.pattern[done..part.end]));
        all
    }

    /// What the braces at a place stand for, and where they end; `None` if they stand for themselves.
    fn choices(&self, start: usize) -> Option<(Vec<String>, usize)> {
        let cuts = self.cuts.get(&start)?;
        let end = *cuts.last()?;
        let choices = match cuts.len() {
            2 => range(&self.pattern[start + 1..end])?,
            _ => cuts.windows(2).flat_map(|pair| self.expand(pair[0] + 1..pair[1])).take(self.most).collect(),
        };
        Some((choices, end))
    }
}

/// The numbers of `1..3`.
fn range(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let (first, last): (i32, i32) = (first.parse().ok()?, last.parse().ok()?);
    let numbers: Box<dyn Iterator<Item = i32>> =
        if first <= last { Box::new(first..=last) } else { Box::new((last..=first).rev()) };
    Some(numbers.take(MOST_ALTERNATIVES).map(|number| number.to_string()).collect())
}

fn part(name: &str, dots: Dots) -> Part {
    if name == "**" {
        return Part::Names;
    }
    if !name.contains(['*', '?', '[', '(', '\\']) {
        return Part::Exact(name.to_string());
    }
    let guard = match dots {
        Dots::Hide if name.starts_with(['*', '?', '[', '@', '+', '!']) => r"(?!\.)(?=.)",
        Dots::Match | Dots::Hide => "",
    };
    Regex::new(&format!(r"\A(?s:{guard}{})\z", regex(name))).map_or(Part::Nothing, Part::Name)
}

/// A name's pattern as a regular expression.
fn regex(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if let (true, Some((inside, end))) = ("@?*+!".contains(c), group(after)) {
            let choices: Vec<String> = inside.split('|').map(regex).collect();
            let choices = choices.join("|");
            out += &match c {
                '@' => format!("(?:{choices})"),
                '!' => format!("(?:(?!(?:{choices})$)[^/]*?)"),
                repeated => format!("(?:{choices}){repeated}"),
            };
            rest = end;
            continue;
        }
        if let (true, Some((class, end))) = (c == '[', class(after)) {
            out += &class;
            rest = end;
            continue;
        }
        match (c, after.chars().next()) {
            ('*', _) if out.ends_with(".*?") => {}
            ('*', _) => out += ".*?",
            ('?', _) => out.push('.'),
            ('\\', Some(next)) => {
                out += &regex::escape(next.encode_utf8(&mut [0; 4]));
                rest = &after[next.len_utf8()..];
                continue;
            }
            _ => out += &regex::escape(c.encode_utf8(&mut [0; 4])),
        }
        rest = after;
    }
    out
}

/// The inside of `(…)` at the start of a text, and what follows.
fn group(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    inside.split_once(')')
}

/// The class that begins after `[`, as a regular expression, and what follows.
fn class(text: &str) -> Option<(String, &str)> {
    let (negation, inside) = match text.strip_prefix(['!', '^']) {
        Some(inside) => ("^", inside),
        None => ("", text),
    };
    let from = usize::from(inside.starts_with(']'));
    let end = from + inside[from..].find(']')?;
    let members = inside[..end].replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]").replace("&&", r"&\&");
    Some((format!("[{negation}{}]", members.replace('^', r"\^").replace("~~", r"~\~")), &inside[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the released `minimatch` 11.0.3 answers.
    #[test]
    fn globs_match_like_minimatch() {
        for (pattern, yes, no) in [
            ("*", &["a", "a.md"][..], &[".a", "a/b", ""][..]),
            ("?", &["a"], &[".", "ab", "/"]),
            ("**", &["a", "a/b"], &[".a", "a/.b"]),
            ("a/**", &["a/b", "a/b/c"], &["a", "a/.b"]),
            ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/.x/b", "a/b/c"]),
            ("**/SKILL.md", &["SKILL.md", "a/b/SKILL.md"], &[".a/SKILL.md"]),
            ("a**", &["ab", "a"], &["a/b"]),
            ("skills/{a,b}", &["skills/a", "skills/b"], &["skills/{a,b}", "skills/ab"]),
            ("{a,b{c,d}}", &["a", "bc", "bd"], &["b"]),
            ("x{1..3}", &["x1", "x3"], &["x4", "x1..3"]),
            ("{a}", &["{a}"], &["a"]),
            ("{a{b,c}", &["{ab", "{ac"], &["ab"]),
            ("{{a,b}}", &["{a}", "{b}"], &["a"]),
            ("gr*/[ot]ne", &["grp/one", "gr/tne"], &["grp/in/one", "grp/xne"]),
            ("[!a]b", &["xb"], &["ab", ".b"]),
            ("[a-c]", &["b"], &["d", "-"]),
            ("@(x|y)", &["x", "y"], &["xy", "@(x|y)"]),
            ("+(x|y)z", &["xz", "xyz"], &["z"]),
            ("a?(x)", &["a", "ax"], &["axx"]),
            ("a!(x)", &["ay", "axx", "a"], &["ax"]),
            ("!(x)", &["x", ".y"], &["(x)"]),
            ("KEEP", &["KEEP"], &["keep"]),
            ("./a", &[], &["a"]),
            ("a/", &[], &["a"]),
            ("!a", &["b", "a/b"], &["a"]),
            ("!!a", &["a"], &["b"]),
            ("#a", &[], &["#a", "a"]),
            (r"\*", &["*"], &["a"]),
            ("a.md", &["a.md"], &["axmd"]),
        ] {
            let glob = Glob::new(pattern);
            for path in yes {
                assert!(glob.matches(path), "{pattern} should match {path}");
            }
            for path in no {
                assert!(!glob.matches(path), "{pattern} should not match {path}");
            }
        }
    }
}
