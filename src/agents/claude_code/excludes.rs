//! `claudeMdExcludes`: patterns of texts that are left out.

use super::allowance::Allowance;
use super::settings::{EVERYBODY, OwnedSettings};
use crate::agents::glob::{Dots, Glob, MOST_ALTERNATIVES};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::Declared;

pub(super) const KEY: &str = "claudeMdExcludes";
/// In all patterns.
const MOST_BYTES: usize = 20_000;

#[derive(Default)]
pub(super) struct Excludes(Vec<Exclude>);

struct Exclude {
    pattern: Glob,
    is_negated: bool,
    declared: Declared,
}

impl Excludes {
    pub fn new(visit: &mut Visit<'_>, settings: &OwnedSettings) -> Self {
        let mut bytes = Allowance::new(MOST_BYTES, "bytes in the patterns of claudeMdExcludes");
        let mut excludes = Vec::new();
        for item in settings.all(&EVERYBODY, KEY).flat_map(|list| list.as_list().unwrap_or_default()) {
            let written = item.as_str().unwrap_or_default();
            if !bytes.take(written.len() + 1) {
                break;
            }
            let (is_negated, pattern) = negation(written);
            if let Some(what) = surprise(is_negated, pattern) {
                visit.report_near(Problem::AgentDiffers { what: what.to_string() }, item.span.clone());
            }
            let pattern = Glob::of_paths(pattern, Dots::Match, MOST_ALTERNATIVES);
            if pattern.alternatives() > 0 {
                let declared = Declared { by: KEY.to_string(), span: item.span.clone() };
                excludes.push(Exclude { pattern, is_negated, declared });
            }
        }
        visit.diagnostics.extend(bytes.error());
        Self(excludes)
    }

    /// What excludes a text, by its absolute path.
    pub fn by(&self, path: &str) -> Option<&Declared> {
        let excludes = |exclude: &&Exclude| exclude.pattern.matches(path) != exclude.is_negated;
        self.0.iter().find(excludes).map(|exclude| &exclude.declared)
    }
}

/// What people do not expect of a pattern.
fn surprise(is_negated: bool, pattern: &str) -> Option<&'static str> {
    match pattern.starts_with(['/', '*', '{', '(', '[', '?', '@', '+', '\\']) {
        _ if is_negated => Some("it excludes everything that the pattern behind `!` does not match"),
        false => Some("it excludes nothing, because it is compared with absolute paths: begin it with `/` or `**/`"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_absolute_paths() {
        for (pattern, path, expected) in [
            ("**/x/**", "/a/x/b", true),
            ("/a/**/b", "/a/b", true),
            ("/a/*", "/a/.b", true),
            ("/a/*", "/a/b/c", false),
            ("**", "/a/b", true),
            ("/a/{b,c}.md", "/a/c.md", true),
            ("/a/[!b].md", "/a/c.md", true),
            ("/a/b?", "/a/bc", true),
            ("/a/@(b|c).md", "/a/c.md", true),
            (r"/a/\*b", "/a/*b", true),
            ("/a/{b,{c,d}}", "/a/d", true),
            ("/a/{**,b}/c", "/a/x/y/c", true),
            ("a/b", "/a/b", false),
            ("/A", "/a", false),
        ] {
            assert_eq!(Glob::of_paths(pattern, Dots::Match, MOST_ALTERNATIVES).matches(path), expected, "{pattern}");
        }
        assert_eq!(
            (negation("!/a"), negation("!!/a"), negation("!(a)")),
            ((true, "/a"), (false, "/a"), (false, "!(a)"))
        );
    }
}
