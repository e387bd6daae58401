//! Pairs the messages of two sides if one of them does not record layers.

use super::{Pair, Side, SideKind};
use crate::answer::explain::sent::{MessagePairs, pair};
use crate::prompt::Role;

pub struct Paired {
    pub list: Vec<Pair<Option<usize>>>,
    /// The parts that are not compared, as text.
    pub not_compared: Vec<&'static str>,
}

/// Turns each message into a layer. Removes messages that one side does not record, or that came after the prompt.
pub fn pairs(left: &mut Side, right: &mut Side) -> Paired {
    // The sent side is compared with the other; if both are sent, the right one with the left one.
    let is_swapped = is_sent(left) && !is_sent(right);
    let (prompt, sent) = if is_swapped { (&*right, &*left) } else { (&*left, &*right) };
    let MessagePairs { mut list, unknown, later } =
        pair(&texts(prompt), &texts(sent), sent.records_system, sent.is_whole);
    // Later answers of the model are not part of a prompt. Two sent files are compared in full.
    if is_sent(prompt) == is_sent(sent) {
        let count = sent.messages.len();
        list.extend((count - later..count).map(|later| (None, Some(later))));
    }
    let mut not_compared: Vec<Role> = Vec::new();
    not_compared.extend(unknown.iter().map(|&index| prompt.messages[index].role));
    list.retain(|pair| match *pair {
        (None, Some(extra)) if !records(prompt, sent, extra) => {
            not_compared.push(sent.messages[extra].role);
            false
        }
        _ => true,
    });
    let ordered = |(a, b)| if is_swapped { Pair { left: b, right: a } } else { Pair { left: a, right: b } };
    let mut list: Vec<Pair<Option<usize>>> = list.into_iter().map(ordered).collect();
    let words = words([left, right], &not_compared);
    keep(left, list.iter_mut().map(|pair| &mut pair.left));
    keep(right, list.iter_mut().map(|pair| &mut pair.right));
    Paired { list, not_compared: words }
}

fn is_sent(side: &Side) -> bool {
    matches!(side.kind, SideKind::Sent(_))
}

fn texts(side: &Side) -> Vec<(Role, &str)> {
    side.messages.iter().map(|message| (message.role, message.text.as_str())).collect()
}

/// Whether a side that lacks a message of the other would have recorded it.
fn records(side: &Side, other: &Side, message: usize) -> bool {
    match (message, other.messages[message].role) {
        (0, Role::System) => side.records_system,
        _ => side.is_whole,
    }
}

fn words(sides: [&Side; 2], not_compared: &[Role]) -> Vec<&'static str> {
    let mut words = Vec::new();
    if not_compared.contains(&Role::System) {
        words.push("the system message");
    }
    if not_compared.iter().any(|role| *role != Role::System) {
        let count = |side: &Side| side.messages.iter().filter(|message| message.role != Role::System).count();
        words.push(if sides.into_iter().all(|side| count(side) <= 1) {
            "the user message"
        } else {
            "earlier messages"
        });
    }
    words
}

/// Keeps the messages that are compared, and renumbers them.
fn keep<'a>(side: &mut Side, compared: impl Iterator<Item = &'a mut Option<usize>>) {
    let mut new = vec![None; side.messages.len()];
    let compared: Vec<&mut usize> = compared.flatten().collect();
    compared.iter().for_each(|index| new[**index] = Some(0));
    new.iter_mut().flatten().enumerate().for_each(|(next, slot)| *slot = next);
    for index in compared {
        *index = new[*index].unwrap_or(*index);
    }
    let mut kept = new.iter().map(Option::is_some);
    side.messages.retain(|_| kept.next().unwrap_or(false));
    side.by_message();
}
