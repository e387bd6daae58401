//! Which message that was sent stands for which message of the prompt.

use crate::prompt::Role;

/// So far ahead is looked for a message that is the same, so that one more in front of it is seen as such.
const AHEAD: usize = 16;

pub struct Pairs {
    /// Indices into the prompt and into what was sent, in the prompt's order.
    pub list: Vec<(Option<usize>, Option<usize>)>,
    pub unknown: Vec<usize>,
    pub later: usize,
}

/// A message: who speaks, and what.
type Message<'a> = (Role, &'a str);

/// Pairs by role and order. What follows the prompt's last message, from the model's answer on, came later. It is said of
/// what was sent whether it tells that there is no system message, and whether its messages are all there were.
pub fn pair(prompt: &[Message], sent: &[Message], tells_system: bool, is_whole: bool) -> Pairs {
    let mut pairs = Pairs { list: Vec::new(), unknown: Vec::new(), later: 0 };
    let last = prompt.len().saturating_sub(1);
    let has_rest = sent.iter().any(|&(role, _)| role != Role::System);
    let has_system = sent.first().is_some_and(|&(role, _)| role == Role::System);
    let mut next = 0;
    // A role that nobody has any more is not looked for again.
    let mut used_up: Vec<Role> = Vec::new();
    for (index, message) in prompt.iter().enumerate() {
        let role = message.0;
        let is_told = match (index, role) {
            (0, Role::System) => tells_system || has_system,
            _ => is_whole || (index == last && has_rest),
        };
        if !is_told {
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

/// The same message soon, else the next of its role. A system message is the first, or there is none.
fn find(message: &Message, rest: &[Message]) -> Option<usize> {
    let same = rest.iter().take(AHEAD).position(|sent| sent == message);
    same.or_else(|| rest.iter().position(|sent| sent.0 == message.0))
}
