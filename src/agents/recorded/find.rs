//! Finds own texts in a recorded request. Files may have changed since then, so that an own text is found by the lines
//! next to it, not by the whole text around it.

use std::ops::Range;

use super::fill::{Piece, is_own, pieces};
use crate::agents::agent::Agent;
use crate::agents::recording::OwnText;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::ReadMessage;
use crate::prompt::{Message, Role};

pub struct Found {
    /// In the order of the request.
    pub texts: Vec<OwnText>,
    /// Which messages were recorded otherwise.
    pub otherwise: Vec<Diagnostic>,
}

/// The own texts of a prompt, as they were recorded.
pub fn own_texts(messages: &[Message], recorded: &[ReadMessage], agent: &Agent) -> Found {
    let mut texts = Vec::new();
    let mut said = Vec::new();
    for (message, pair) in messages.iter().zip(pairs(messages, recorded, agent)) {
        let pieces = pieces(message);
        let name = || format!("the {} message that begins with `{}`", message.role.into_str(), beginning(message));
        let Some(Pair { before, index, ranges }) = pair else {
            if !is_own(&pieces) {
                said.push(format!("{} was not recorded", name()));
            }
            continue;
        };
        let ReadMessage { text, place, .. } = &recorded[index];
        let ids: Vec<&str> = pieces.iter().filter_map(|piece| piece.own.as_deref()).collect();
        let first = ids.first().copied().unwrap_or_default();
        texts.extend(before.iter().map(|index| OwnText::new(first, recorded[*index].text.as_str())));
        for (id, range) in ids.iter().zip(&ranges) {
            let text = &text[range.clone()];
            texts.extend(agent.own_parts.map_or_else(|| vec![OwnText::new(*id, text)], |parts| parts(id, text)));
        }
        if filled(message, &pieces, text, &ranges) != *text {
            said.push(format!("{} was recorded otherwise ({place})", name()));
        }
    }
    let otherwise = said.into_iter().map(|what| Diagnostic::new(Problem::RecordedOtherwise { what })).collect();
    Found { texts, otherwise }
}

/// The recorded message of one of the prompt.
struct Pair {
    /// Messages of the agent's own before it, which the rules count to its first own text.
    before: Vec<usize>,
    index: usize,
    /// The ranges there of its own texts.
    ranges: Vec<Range<usize>>,
}

/// The recorded messages in order: first for those with known text, then for the others between these.
fn pairs(messages: &[Message], recorded: &[ReadMessage], agent: &Agent) -> Vec<Option<Pair>> {
    let divided: Vec<Vec<Piece>> = messages.iter().map(pieces).collect();
    let mut next = 0;
    let mut pairs: Vec<Option<Pair>> = Vec::new();
    for (message, pieces) in messages.iter().zip(&divided) {
        let mut later =
            (next..recorded.len()).filter(|index| !is_own(pieces) && is_of_role(message, &recorded[*index]));
        let pair = later.find_map(|index| {
            let ranges = ranges(message, pieces, &recorded[index].text)?;
            Some(Pair { before: Vec::new(), index, ranges })
        });
        next = pair.as_ref().map_or(next, |pair| pair.index + 1);
        pairs.push(pair);
    }
    // The others lie between those that were found.
    let mut start = 0;
    let mut at = 0;
    while at <= messages.len() {
        let found = (at..messages.len()).find(|at| pairs[*at].is_some());
        let end = found.and_then(|at| pairs[at].as_ref()).map_or(recorded.len(), |pair| pair.index);
        let until = found.unwrap_or(messages.len());
        for role in [Role::System, Role::Developer, Role::User] {
            let own: Vec<usize> =
                (at..until).filter(|at| messages[*at].role == role && is_own(&divided[*at])).collect();
            let of_role: Vec<usize> = (start..end).filter(|index| recorded[*index].role == role.as_sent()).collect();
            let candidates = match role {
                Role::User => own_of_user(&of_role, own.len(), recorded, agent),
                _ => of_role,
            };
            share(&own, &candidates, recorded, &mut pairs);
            if let Some(at) = found.filter(|at| own.is_empty() && messages[*at].role == role)
                && divided[at].first().is_some_and(Piece::is_own)
                && let Some(pair) = &mut pairs[at]
            {
                pair.before = candidates;
            }
        }
        start = end + 1;
        at = until + 1;
    }
    pairs
}

/// Those of the user's messages that are the agent's own, as many as the rules expect. What the user typed is one of the
/// others, and may begin as they do; then none is the agent's.
fn own_of_user(of_user: &[usize], expected: usize, recorded: &[ReadMessage], agent: &Agent) -> Vec<usize> {
    let is_own = |index: &usize| agent.own_user_start.is_some_and(|start| recorded[*index].text.starts_with(start));
    let own: Vec<usize> = of_user.iter().copied().filter(is_own).collect();
    if own.len() == expected && own.len() < of_user.len() { own } else { Vec::new() }
}

/// Gives each own message a recorded one, in their order. The first takes those that are left over.
fn share(own: &[usize], candidates: &[usize], recorded: &[ReadMessage], pairs: &mut [Option<Pair>]) {
    let (over, rest) = candidates.split_at(candidates.len().saturating_sub(own.len()));
    for (position, (at, index)) in own.iter().zip(rest).enumerate() {
        let before = if position == 0 { over.to_vec() } else { Vec::new() };
        let whole = 0..recorded[*index].text.len();
        pairs[*at] = Some(Pair { before, index: *index, ranges: vec![whole] });
    }
}

fn is_of_role(message: &Message, recorded: &ReadMessage) -> bool {
    message.role.as_sent() == recorded.role
}

/// The ranges of the own texts in a recorded text; `None` if a line next to one is missing.
fn ranges(message: &Message, pieces: &[Piece], recorded: &str) -> Option<Vec<Range<usize>>> {
    let known = |index: usize| Some(&message.text()[pieces.get(index)?.range.clone()]);
    if let [Piece { own: None, .. }] = pieces {
        return first_lines(known(0)?).next().is_some_and(|line| recorded.starts_with(line)).then(Vec::new);
    }
    let mut at = 0;
    let mut ranges = Vec::new();
    for (index, _) in pieces.iter().enumerate().filter(|(_, piece)| piece.is_own()) {
        let start = match index.checked_sub(1).and_then(known) {
            Some(text) => at + last_of(last_lines(text), &recorded[at..])?.end,
            None => 0,
        };
        let end = match known(index + 1) {
            Some(text) => start + last_of(first_lines(text), &recorded[start..])?.start,
            None => recorded.len(),
        };
        ranges.push(start..end);
        at = end;
    }
    Some(ranges)
}

/// How many lines next to an own text are looked for. If a file has changed, there are fewer.
const NEAR: usize = 3;

/// The last of these that is in a text.
fn last_of<'a>(lines: impl DoubleEndedIterator<Item = &'a str>, text: &str) -> Option<Range<usize>> {
    lines.rev().find_map(|lines| text.find(lines).map(|at| at..at + lines.len()))
}

/// The first lines that are not blank, one and more, with what is before them, and the whole text: its lines may stand
/// elsewhere too.
fn first_lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let blank = text.len() - text.trim_start().len();
    let ends = text[blank..].match_indices('\n').map(|(at, _)| blank + at).chain([text.len()]);
    ends.take(NEAR).map(|end| &text[..end]).chain([text]).collect::<Vec<_>>().into_iter()
}

/// The last lines that are not blank, one and more, with what is after them, and the whole text.
fn last_lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let starts = text.trim_end().rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
    starts.take(NEAR).map(|start| &text[start..]).chain([text]).collect::<Vec<_>>().into_iter()
}

/// The message with its own texts as recorded.
fn filled(message: &Message, pieces: &[Piece], recorded: &str, ranges: &[Range<usize>]) -> String {
    let mut own = ranges.iter();
    let text = |piece: &Piece| match piece.own {
        Some(_) => own.next().map_or("", |range| &recorded[range.clone()]),
        None => &message.text()[piece.range.clone()],
    };
    pieces.iter().map(text).collect()
}

/// The first words of the known text.
fn beginning(message: &Message) -> String {
    let known = message.known().unwrap_or_default();
    known.trim().lines().next().unwrap_or_default().chars().take(40).collect()
}
