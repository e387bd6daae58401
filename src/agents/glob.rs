//! Globs in settings of agents: those of the npm package `minimatch`.

use fancy_regex::Regex;

/// How many alternatives braces may give.
const MOST_ALTERNATIVES: usize = 1_000;

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
        Self { is_negated, ..Self::of_paths(rest, Dots::Hide) }
    }

    /// A pattern of the npm package `glob`.
    pub fn of_paths(pattern: &str, dots: Dots) -> Self {
        let mut alternatives = Vec::new();
        if pattern.len() <= LONGEST {
            expand(pattern, &mut alternatives);
        }
        let parts = |pattern: String| pattern.split('/').map(|name| part(name, dots)).collect();
        Self { is_negated: false, dots, alternatives: alternatives.into_iter().map(parts).collect() }
    }

    pub fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        self.alternatives.iter().any(|parts| fits(parts, &names, self.dots)) != self.is_negated
    }
}

fn fits(parts: &[Part], names: &[&str], dots: Dots) -> bool {
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

/// The alternatives of `{a,b}` and `{1..3}`, outermost first.
fn expand(pattern: &str, into: &mut Vec<String>) {
    if into.len() >= MOST_ALTERNATIVES {
        return;
    }
    let Some((start, choices, end)) = first_braces(pattern) else {
        into.push(pattern.to_string());
        return;
    };
    for choice in choices {
        expand(&format!("{start}{choice}{end}"), into);
    }
}

/// The text before the first braces with alternatives, these, and the text after them.
fn first_braces(pattern: &str) -> Option<(&str, Vec<String>, &str)> {
    let bytes = pattern.as_bytes();
    let opening = (0..bytes.len()).filter(|&at| bytes[at] == b'{' && (at == 0 || bytes[at - 1] != b'\\'));
    opening.into_iter().find_map(|start| {
        let (mut depth, mut commas) = (0, vec![start]);
        let end = (start..bytes.len()).find(|&at| {
            match bytes[at] {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b',' if depth == 1 => commas.push(at),
                _ => {}
            }
            depth == 0
        })?;
        commas.push(end);
        let choices: Vec<String> = commas.windows(2).map(|pair| pattern[pair[0] + 1..pair[1]].to_string()).collect();
        let choices = if choices.len() == 1 { range(&choices[0])? } else { choices };
        Some((&pattern[..start], choices, &pattern[end + 1..]))
    })
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
