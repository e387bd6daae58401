//! The comment of one allowance.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::lint::options::unknown_help;
use crate::lint::rule::{Group, RULES, find};
use crate::text::nearest::nearest;
use crate::text::{Source, Span, constant_pattern};

use super::{Allowance, AllowanceFault, AllowedRule, Reach};

/// The start of every comment for this program.
pub(super) const MARK: &str = "rye-render:";

/// The start of comments that were probably meant for this program.
pub(super) const PROGRAM: &str = "rye-render";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct AllowComment {
    /// Ranges in the text.
    pub rules: Vec<Range<usize>>,
    /// Empty if there is no reason.
    pub reason: Range<usize>,
}

impl AllowComment {
    /// Reads `rye-render: allow CODE[, CODE…] reason`.
    pub fn read(text: &str) -> Option<Self> {
        static FORM: LazyLock<Regex> = LazyLock::new(|| {
            let rules = r"((?:[[:word:]]+\s*,\s*)*[[:word:]]*)";
            constant_pattern(&format!(r"^\s*{MARK}\s*allow(?:\s+|$){rules}[\s:\-–—]*(?s:(.*?))\s*$"))
        });
        static RULE: LazyLock<Regex> = LazyLock::new(|| constant_pattern("[[:word:]]+"));
        let groups = FORM.captures(text)?;
        let (rules, reason) = (groups.get(1)?, groups.get(2)?.range());
        let rule = |found: regex::Match<'_>| rules.start() + found.start()..rules.start() + found.end();
        Some(Self { rules: RULE.find_iter(rules.as_str()).map(rule).collect(), reason })
    }
}

/// The rule in a comment that resembles an allowance: `rye-render: ignore RR019`.
fn similar_rule(text: &str) -> Option<&str> {
    /// `allow` and the words that other programs use for it.
    const VERBS: &str = "allow|allowed|allows|disable|ignore|noqa|off|permit|skip|suppress";
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        let between = r"[\s,:=\[\]()]";
        constant_pattern(&format!(r"^\s*{PROGRAM}{between}*(?i:{VERBS}){between}+([^\s,:=\[\]()]+)"))
    });
    Some(FORM.captures(text)?.get(1)?.as_str())
}

pub(super) fn content(rules: &[&str], reason: &str) -> String {
    format!("{MARK} allow {} {reason}", rules.join(", "))
}

/// The author of a malicious file could also write a comment that allows the findings in it.
pub const TRUST: &str = "trust findings can only be allowed in the settings";

const TRUST_HELP: &str = "remove it, and review the finding";

/// Reads a comment; `text` is its content, and `refused` says why it has no effect where it is.
pub(super) fn allowance(
    span: &Span,
    text: &Span,
    refused: Option<&str>,
    reach: impl FnOnce() -> Reach,
) -> Option<Allowance> {
    let span = span.clone();
    let Some(comment) = AllowComment::read(text.text()) else { return similar(span, text) };
    let cannot_be_here = |why| AllowanceFault {
        at: span.clone(),
        message: format!("an allowance has no effect here: {why}"),
        help: None,
    };
    let mut faults: Vec<AllowanceFault> = refused.map(cannot_be_here).into_iter().collect();
    if comment.rules.is_empty() {
        faults.push(fault(&span, "this allowance names no rule", "write the code of the rule, then the reason"));
    } else if comment.reason.is_empty() {
        faults.push(fault(&span, "this allowance gives no reason", "write the reason after the rule"));
    }
    let is_invalid = !faults.is_empty();
    let mut rules = Vec::new();
    for at in comment.rules {
        let span = text.slice(at);
        match find(span.text()) {
            Some(rule) if rule.group == Group::Lint => {
                let help = "remove it; --ignore and the settings can turn the rule off";
                faults.push(fault(&span, format!("{} is about allowances and cannot be allowed", rule.code), help));
            }
            Some(rule) if rule.group == Group::Trust => {
                faults.push(fault(&span, format!("{} is about trust: {TRUST}", rule.code), TRUST_HELP));
            }
            Some(rule) => rules.push(AllowedRule { rule, span, is_used: false }),
            None => faults.push(unknown(&span)),
        }
    }
    let reach = if is_invalid { Reach::Nowhere } else { reach() };
    Some(Allowance { span, rules, reach, faults })
}

/// A comment that resembles an allowance but uses different words.
fn similar(span: Span, text: &Span) -> Option<Allowance> {
    let rule = find(similar_rule(text.text())?)?;
    let help = format!("write `rye-render: allow {} reason`", rule.code);
    let faults = vec![fault(&span, "this looks like an allowance, but it has no effect", help)];
    Some(Allowance { span, rules: Vec::new(), reach: Reach::Nowhere, faults })
}

fn unknown(at: &Span) -> AllowanceFault {
    let name = at.text();
    let is_group =
        name == "ALL" || RULES.iter().any(|rule| rule.group.into_str() == name || rule.code.starts_with(name));
    if is_group {
        let message = format!("`{name}` is a group, and a group cannot be allowed");
        return fault(at, message, "name its rules, separated by commas");
    }
    let nearest = nearest(name, RULES.iter().flat_map(|rule| [rule.code, rule.name]));
    let commas = if nearest.is_some() { "" } else { "; separate several with commas" };
    fault(at, format!("unknown rule `{name}`"), unknown_help(nearest.as_deref()) + commas)
}

fn fault(at: &Span, message: impl Into<String>, help: impl Into<String>) -> AllowanceFault {
    AllowanceFault { at: at.clone(), message: message.into(), help: Some(help.into()) }
}

/// The line that contains an offset, with its line feed.
pub(super) fn line_of(source: &Arc<Source>, offset: usize) -> Range<usize> {
    let text = source.text();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    start..text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

/// The last line that was looked up: consecutive offsets are often on one line.
#[derive(Default)]
pub(super) struct LineCache(Range<usize>);

impl LineCache {
    pub fn of(&mut self, source: &Arc<Source>, offset: usize) -> Range<usize> {
        if !self.0.contains(&offset) {
            self.0 = line_of(source, offset);
        }
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(Vec<&str>, &str)> {
        let said = AllowComment::read(text)?;
        Some((said.rules.into_iter().map(|rule| &text[rule]).collect(), &text[said.reason]))
    }

    #[test]
    fn rules_come_before_the_reason() {
        assert_eq!(read("rye-render: allow RR105 it is known"), Some((vec!["RR105"], "it is known")));
        assert_eq!(read(" rye-render:allow RR105,item_missing — é "), Some((vec!["RR105", "item_missing"], "é")));
        assert_eq!(read("rye-render: allow RR105 , RR106: two"), Some((vec!["RR105", "RR106"], "two")));
        assert_eq!(read("rye-render: allow RR105"), Some((vec!["RR105"], "")));
        assert_eq!(read("rye-render: allow"), Some((vec![], "")));
        assert_eq!(read("rye-render: allowed RR105 x"), None);
        assert_eq!(read("see rye-render: allow RR105 x"), None);
    }

    proptest! {
        #[test]
        fn written_text_reads_back(
            rules in prop::collection::vec("[A-Z]{2}[0-9]{3}|[a-z_]{1,9}", 1..4),
            reason in "[a-zé][a-z é.]{0,20}[a-z]",
        ) {
            let names: Vec<&str> = rules.iter().map(String::as_str).collect();
            let text = content(&names, &reason);
            prop_assert_eq!(read(&text), Some((names, reason.as_str())));
        }

        #[test]
        fn no_text_causes_a_panic(text in "(rye-render:)? ?(allow)?[ ,A-Za-z0-9é:–-]{0,20}") {
            let _ = read(&text);
        }
    }
}
