//! Reads the comment of one allowance.

use std::sync::Arc;

use super::comment::{self, AllowComment};
use super::{Allowance, AllowanceFault, AllowedRule, Reach};
use crate::lint::options::unknown_help;
use crate::lint::pages::{RULES, find};
use crate::lint::rule::Group;
use crate::text::nearest::nearest;
use crate::text::{Source, Span};

/// The author of a malicious file could also write a comment that allows the findings in it.
pub const TRUST: &str = "trust findings can only be allowed in the settings";

const TRUST_HELP: &str = "remove it, and review the finding";

/// Reads a comment; `text` is its content, and `refused` is the reason if the comment is misplaced.
pub(super) fn allowance(
    span: Span,
    text: &Span,
    refused: Option<AllowanceFault>,
    reach: impl FnOnce() -> Reach,
) -> Option<Allowance> {
    let Some(comment) = AllowComment::read(text.text()) else { return similar(span, text) };
    let mut faults: Vec<AllowanceFault> = refused.into_iter().collect();
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
    let rule = find(comment::similar(text.text())?)?;
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

pub(super) fn cannot_be_here(at: &Span, why: &str) -> AllowanceFault {
    AllowanceFault { at: at.clone(), message: format!("an allowance has no effect here: {why}"), help: None }
}

fn fault(at: &Span, message: impl Into<String>, help: impl Into<String>) -> AllowanceFault {
    AllowanceFault { at: at.clone(), message: message.into(), help: Some(help.into()) }
}

/// The line that contains an offset, with its line feed.
pub(super) fn line_of(source: &Arc<Source>, offset: usize) -> std::ops::Range<usize> {
    let text = source.text();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    start..text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

/// The last line that was looked up: consecutive offsets are often on one line.
#[derive(Default)]
pub(super) struct LineCache(std::ops::Range<usize>);

impl LineCache {
    pub fn of(&mut self, source: &Arc<Source>, offset: usize) -> std::ops::Range<usize> {
        if !self.0.contains(&offset) {
            self.0 = line_of(source, offset);
        }
        self.0.clone()
    }
}
