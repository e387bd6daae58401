//! Pairs the messages of a prompt with those that were sent.

use crate::prompt::Role;

/// How far to look ahead for an equal message, so that an extra one before it is recognised.
const AHEAD: usize = 16;

pub struct MessagePairs {
    /// Indices into the prompt and into the request, in the prompt's order.
    pub list: Vec<(Option<usize>, Option<usize>)>,
    pub unknown: Vec<usize>,
    pub later: usize,
}

type RoleAndText<'a> = (Role, &'a str);

/// Pairs by role and order. After the prompt's last message, those from the model's answer on are `later`.
/// `records_system`: the request shows whether there was a system message; `is_whole`: it records all messages.
pub fn pair(prompt: &[RoleAndText], sent: &[RoleAndText], records_system: bool, is_whole: bool) -> MessagePairs {
    let mut pairs = MessagePairs { list: Vec::new(), unknown: Vec::new(), later: 0 };
    let last = prompt.len().saturating_sub(1);
    let has_rest = sent.iter().any(|&(role, _)| role != Role::System);
    let has_system = sent.first().is_some_and(|&(role, _)| role == Role::System);
    let mut next = 0;
    // Roles with no more messages are not searched again.
    let mut used_up: Vec<Role> = Vec::new();
    for (index, message) in prompt.iter().enumerate() {
        let role = message.0;
        let is_reported = match (index, role) {
            (0, Role::System) => records_system || has_system,
            _ => is_whole || (index == last && has_rest),
        };
        if !is_reported {
            pairs.unknown.push(index);
            continue;
        }
        let rest = &sent[next..];
        let found = (!used_up.contains(&role)).then(|| find(message, rest)).flatten();
        match found {
            Some(ahead) => {
                pairs.list.extend((next..next + ahead).map(|extra| (None, Some(extra))));
                pairs.list.push((Some(index), Some(next + ahead)));
                next += ahead + 1;
            }
            None => {
                used_up.push(role);
                pairs.list.push((Some(index), None));
            }
        }
    }
    let rest = &sent[next..];
    let answer = rest.iter().position(|&(role, _)| matches!(role, Role::Assistant | Role::Tool));
    let extra = answer.unwrap_or(rest.len());
    pairs.list.extend((next..next + extra).map(|extra| (None, Some(extra))));
    pairs.later = rest.len() - extra;
    pairs
}

/// An equal message among the next few, else the next one of its role.
fn find(message: &RoleAndText, rest: &[RoleAndText]) -> Option<usize> {
    let same = rest.iter().take(AHEAD).position(|sent| sent == message);
    same.or_else(|| rest.iter().position(|sent| sent.0 == message.0))
}
