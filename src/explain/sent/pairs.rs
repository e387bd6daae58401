//! Which message that was sent stands for which message of the prompt.

use crate::prompt::{Message, Prompt, Role};
use crate::sent::{self, Sent};

/// So far ahead is looked for a message that is the same, so that one more in front of it is seen as such.
const AHEAD: usize = 16;

/// The messages in pairs.
pub struct Pairs {
    /// Indices into the prompt and into what was sent, in the prompt's order.
    pub list: Vec<(Option<usize>, Option<usize>)>,
    /// Messages of the prompt that the file does not tell.
    pub unknown: Vec<usize>,
    /// Messages that were sent later than the prompt.
    pub later: usize,
}

/// Pairs by role and order. What follows the prompt's last message, from the model's answer on, came later.
pub fn pair(prompt: &Prompt, sent: &Sent) -> Pairs {
    let mut pairs = Pairs { list: Vec::new(), unknown: Vec::new(), later: 0 };
    let last = prompt.messages.len().saturating_sub(1);
    let has_rest = sent.messages.iter().any(|message| message.role != Role::System);
    let mut next = 0;
    // A role that nobody has any more is not looked for again.
    let mut used_up: Vec<Role> = Vec::new();
    for (index, message) in prompt.messages.iter().enumerate() {
        let is_told = match (index, message.role) {
            (0, Role::System) => sent.tells_system || has_system(sent),
            _ => sent.is_whole || (index == last && has_rest),
        };
        if !is_told {
            pairs.unknown.push(index);
            continue;
        }
        let rest = &sent.messages[next..];
        let found = (!used_up.contains(&message.role)).then(|| find(message, rest)).flatten();
        match found {
            Some(ahead) => {
                pairs.list.extend((next..next + ahead).map(|extra| (None, Some(extra))));
                pairs.list.push((Some(index), Some(next + ahead)));
                next += ahead + 1;
            }
            None => {
                used_up.push(message.role);
                pairs.list.push((Some(index), None));
            }
        }
    }
    let rest = &sent.messages[next..];
    let answer = rest.iter().position(|message| matches!(message.role, Role::Assistant | Role::Tool));
    let extra = answer.unwrap_or(rest.len());
    pairs.list.extend((next..next + extra).map(|extra| (None, Some(extra))));
    pairs.later = rest.len() - extra;
    pairs
}

fn has_system(sent: &Sent) -> bool {
    sent.messages.first().is_some_and(|message| message.role == Role::System)
}

/// The same message soon, else the next of its role. A system message is the first, or there is none.
fn find(message: &Message, rest: &[sent::Message]) -> Option<usize> {
    let is_same = |sent: &sent::Message| sent.role == message.role && sent.text == message.text();
    let same = rest.iter().take(AHEAD).position(is_same);
    same.or_else(|| rest.iter().position(|sent| sent.role == message.role))
}
