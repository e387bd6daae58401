//! Which skills the permissions of settings deny.

use crate::agents::opencode::node::Node;
use crate::agents::opencode::settings::MergedSettings;
use crate::text::Span;

const KEY: &str = "skill";

/// A longer pattern matches nothing, in bytes.
const LONGEST: usize = 1_000;

/// The rules about skills, the last of which wins.
pub(super) struct Permissions {
    rules: Vec<Rule>,
}

struct Rule {
    pattern: String,
    is_denied: bool,
    place: Option<Span>,
}

impl Permissions {
    /// Those of the settings, then those of the agent.
    pub fn new(settings: &MergedSettings, agent: &str) -> Self {
        let fields = settings.merged.get("agent").and_then(|agents| agents.get(agent));
        let mut rules = Vec::new();
        for owner in [Some(&settings.merged), fields].into_iter().flatten() {
            for (_, node) in owner.entries("permission").filter(|(key, _)| matches(key, KEY)) {
                rules.extend(of_key(node));
            }
        }
        Self { rules }
    }

    /// The rule that takes the whole list away.
    pub fn denies_all(&self) -> Option<Option<Span>> {
        let last = self.rules.last()?;
        (last.is_denied && last.pattern == "*").then(|| last.place.clone())
    }

    /// The rule that hides a skill.
    pub fn denies(&self, name: &str) -> Option<Option<Span>> {
        let last = self.rules.iter().rfind(|rule| matches(&rule.pattern, name))?;
        last.is_denied.then(|| last.place.clone())
    }
}

fn of_key(node: &Node) -> Vec<Rule> {
    let rule = |pattern: &str, node: &Node| {
        let is_denied = node.as_text().is_some_and(|action| action.text() == "deny");
        Rule { pattern: pattern.to_string(), is_denied, place: node.place.clone() }
    };
    match node.as_map() {
        Some(map) => map.iter().map(|(pattern, node)| rule(pattern, node)).collect(),
        None => vec![rule("*", node)],
    }
}

/// Whether a pattern matches all of a text. A blank and a `*` at its end may be missing in the text.
fn matches(pattern: &str, text: &str) -> bool {
    fits(pattern, text) || pattern.strip_suffix(" *").is_some_and(|start| fits(start, text))
}

/// [`matches`], with `*` and `?`, in time proportional to the product of their lengths.
fn fits(mut pattern: &str, mut text: &str) -> bool {
    if pattern.len() > LONGEST {
        return false;
    }
    // What follows the last `*`, and the text that it does not cover yet.
    let mut star: Option<(&str, &str)> = None;
    while let Some(c) = text.chars().next() {
        if let Some(after) = pattern.strip_prefix('*') {
            pattern = after;
            star = Some((after, text));
        } else if let Some(after) = pattern.strip_prefix(['?', c]) {
            (pattern, text) = (after, &text[c.len_utf8()..]);
        } else {
            let Some((after, uncovered)) = star else { return false };
            let covered = uncovered.chars().next().map_or(0, char::len_utf8);
            (pattern, text) = (after, &uncovered[covered..]);
            star = Some((pattern, text));
        }
    }
    pattern.chars().all(|c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_two_wildcards() {
        for (pattern, yes, no) in [
            ("*", &["", "a"][..], &[][..]),
            ("in-*", &["in-", "in-x"], &["in", "xin-"]),
            ("a?c", &["abc", "a?c"], &["ac", "abbc"]),
            ("*a*b", &["ab", "xaxab"], &["aba"]),
            ("a *", &["a", "a ", "a b"], &["ab"]),
            ("a.c", &["a.c"], &["abc"]),
            ("[a]", &["[a]"], &["a"]),
        ] {
            assert!(yes.iter().all(|text| matches(pattern, text)), "{pattern}");
            assert!(!no.iter().any(|text| matches(pattern, text)), "{pattern}");
        }
    }
}
