//! The agent's own text, taken from a recorded request (Agents, "Model").
//!
//! Files may have changed since the request was recorded. An own text is therefore found by the lines next to it, not by
//! the whole text around it.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::ReadMessage;
use crate::prompt::{Layer, Message};
use crate::text::{BaseFrom, Origin, Traced};

/// Fills own texts whose wording is unknown, and says which messages were recorded otherwise.
pub fn fill(messages: &mut [Message], layers: &mut [Layer], recorded: &[ReadMessage]) -> Vec<Diagnostic> {
    let found = pairs(messages, recorded);
    let mut said = Vec::new();
    for (message, found) in messages.iter_mut().zip(found) {
        let name = || format!("the {} message that begins with `{}`", message.role.into_str(), beginning(message));
        let Some((index, texts)) = found else {
            if !is_own(&pieces(message)) {
                said.push(format!("{} was not recorded", name()));
            }
            continue;
        };
        let ReadMessage { text, place, .. } = &recorded[index];
        let filled = filled(message, text, &texts, layers);
        if filled.text() != text {
            said.push(format!("{} was recorded otherwise ({place})", name()));
        }
        *message = filled;
    }
    said.into_iter().map(|what| Diagnostic::new(Problem::RecordedOtherwise { what })).collect()
}

/// For each message, the recorded one, and the ranges there of its own texts.
type Found = Option<(usize, Vec<Range<usize>>)>;

/// The recorded messages in order: first for those with known text, then for the others between these.
fn pairs(messages: &[Message], recorded: &[ReadMessage]) -> Vec<Found> {
    let of_role = |message: &Message, index: &usize| message.role.as_sent() == recorded[*index].role;
    let mut next = 0;
    let mut found: Vec<Found> = Vec::new();
    for message in messages {
        let pieces = pieces(message);
        let is_own = is_own(&pieces);
        let mut later = (next..recorded.len()).filter(|index| !is_own && of_role(message, index));
        let pair = later.find_map(|index| Some((index, own_texts(message, &pieces, &recorded[index].text)?)));
        next = pair.as_ref().map_or(next, |(index, _)| index + 1);
        found.push(pair);
    }
    // The others lie before the next message that was found.
    let mut ends = vec![recorded.len(); messages.len()];
    for index in (1..messages.len()).rev() {
        ends[index - 1] = found[index].as_ref().map_or(ends[index], |(at, _)| *at);
    }
    let mut next = 0;
    for ((message, pair), end) in messages.iter().zip(&mut found).zip(ends) {
        let pieces = pieces(message);
        if pair.is_none() && is_own(&pieces) {
            let index = (next..end).find(|index| of_role(message, index));
            *pair = index.and_then(|index| Some((index, own_texts(message, &pieces, &recorded[index].text)?)));
        }
        next = pair.as_ref().map_or(next, |(index, _)| index + 1);
    }
    found
}

/// A run of known text, or of own texts with nothing but white space between them.
struct Piece {
    is_own: bool,
    range: Range<usize>,
}

fn pieces(message: &Message) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for segment in message.segments() {
        let (is_own, range) = (segment.origin.is_unknown(), segment.at..segment.at + segment.text.len());
        match pieces.last_mut() {
            Some(last) if last.is_own == is_own => last.range.end = range.end,
            _ => pieces.push(Piece { is_own, range }),
        }
    }
    // White space between own texts does not tell where one ends.
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces {
        let is_blank = |piece: &Piece| !piece.is_own && message.text()[piece.range.clone()].trim().is_empty();
        match joined.as_mut_slice() {
            [.., own, blank] if piece.is_own && own.is_own && is_blank(blank) => {
                own.range.end = piece.range.end;
                joined.pop();
            }
            _ => joined.push(piece),
        }
    }
    joined
}

/// Whether all text is the agent's own.
fn is_own(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| piece.is_own)
}

/// The ranges of the own texts in a recorded text; `None` if a line next to one is missing.
fn own_texts(message: &Message, pieces: &[Piece], recorded: &str) -> Option<Vec<Range<usize>>> {
    let known = |index: usize| Some(&message.text()[pieces.get(index)?.range.clone()]);
    if let [Piece { is_own: false, .. }] = pieces {
        return recorded.starts_with(first_line(known(0)?)).then(Vec::new);
    }
    let mut at = 0;
    let mut texts = Vec::new();
    for (index, _) in pieces.iter().enumerate().filter(|(_, piece)| piece.is_own) {
        let start = match index.checked_sub(1).and_then(known).map(last_line) {
            Some(line) => at + recorded[at..].find(line)? + line.len(),
            None => 0,
        };
        let end = match known(index + 1).map(first_line) {
            Some(line) => start + recorded[start..].find(line)?,
            None => recorded.len(),
        };
        texts.push(start..end);
        at = end;
    }
    Some(texts)
}

/// The first line that is not blank, with what is before it.
fn first_line(text: &str) -> &str {
    let blank = text.len() - text.trim_start().len();
    let end = text[blank..].find('\n').map_or(text.len(), |at| blank + at);
    &text[..end]
}

/// The last line that is not blank, with what is after it.
fn last_line(text: &str) -> &str {
    let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
    &text[start..]
}

/// The message with its own texts as recorded.
fn filled(message: &Message, recorded: &str, texts: &[Range<usize>], layers: &mut [Layer]) -> Message {
    let mut filled = Message::new(message.role);
    for layer in message.segments().filter_map(|segment| segment.layer) {
        layers[layer].bytes = 0;
    }
    let mut own = pieces(message).into_iter().filter(|piece| piece.is_own).zip(texts).peekable();
    for segment in message.segments() {
        while own.next_if(|(piece, _)| piece.range.end <= segment.at).is_some() {}
        let text = match own.peek() {
            Some((piece, text)) if piece.range.start == segment.at => &recorded[(*text).clone()],
            // The first of several own texts has the text of all.
            Some((piece, _)) if piece.range.contains(&segment.at) => "",
            _ => segment.text,
        };
        let origin = match segment.origin {
            Origin::Base { id, from: BaseFrom::Unknown } if !text.is_empty() => {
                Origin::Base { id: id.clone(), from: BaseFrom::Recorded }
            }
            origin => origin.clone(),
        };
        filled.push(&Traced::of(text, origin), segment.layer);
        if let Some(layer) = segment.layer {
            layers[layer].bytes += text.len();
        }
    }
    filled
}

/// The first words of the known text.
fn beginning(message: &Message) -> String {
    let known = message.known().unwrap_or_default();
    known.trim().lines().next().unwrap_or_default().chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::draft::Draft;
    use crate::prompt::{LayerKind, Role, Slot};

    fn own(id: &str) -> Traced {
        Traced::of(&format!("{{{{base:{id}}}}}"), Origin::Base { id: id.into(), from: BaseFrom::Unknown })
    }

    fn prompt(messages: &[(Role, Vec<Traced>)]) -> (Vec<Message>, Vec<Layer>) {
        let mut draft = Draft::default();
        for (role, texts) in messages {
            draft.message(*role);
            for text in texts {
                draft.part(Slot::UserContext, LayerKind::Own, "part", text);
            }
        }
        draft.parts()
    }

    fn recorded(role: Role, text: &str) -> ReadMessage {
        ReadMessage {
            role,
            text: text.to_string(),
            parts: Vec::new(),
            other_parts: 0,
            place: "messages[0]".to_string(),
        }
    }

    #[test]
    fn own_texts_are_found_though_files_have_changed() {
        let frame = |text: &str| Traced::protocol(text);
        let (mut messages, mut layers) = prompt(&[
            (Role::System, vec![own("identity")]),
            (
                Role::User,
                vec![
                    frame("<reminder>\n"),
                    own("intro"),
                    frame("\n\nContents of /a:\n\nnew rules"),
                    frame("\n</reminder>\n"),
                    own("outro"),
                ],
            ),
            (Role::Developer, vec![own("a"), frame("\n"), own("b")]),
        ]);
        let said = fill(
            &mut messages,
            &mut layers,
            &[
                recorded(Role::System, "I am it."),
                recorded(Role::User, "<reminder>\nRead this.\n\nContents of /a:\n\nold rules\n</reminder>\nBye."),
                recorded(Role::System, "One.\nTwo."),
            ],
        );
        let texts: Vec<&str> = messages.iter().map(Message::text).collect();
        let user = "<reminder>\nRead this.\n\nContents of /a:\n\nnew rules\n</reminder>\nBye.";
        assert_eq!(texts, ["I am it.", user, "One.\nTwo."]);
        assert_eq!(said.len(), 1);
        assert!(said[0].message().contains("recorded otherwise (messages[0])"), "{}", said[0].message());
        assert_eq!(layers.iter().map(|layer| layer.bytes).sum::<usize>(), texts.concat().len());
        assert!(messages.iter().flat_map(Message::segments).all(|segment| !segment.origin.is_unknown()));
    }

    #[test]
    fn what_was_not_recorded_stays_unknown() {
        let (mut messages, mut layers) = prompt(&[(Role::User, vec![Traced::protocol("# Rules\n"), own("end")])]);
        let said =
            fill(&mut messages, &mut layers, &[recorded(Role::User, "hello"), recorded(Role::System, "# Rules\nx")]);
        assert_eq!(messages[0].text(), "# Rules\n{{base:end}}");
        assert_eq!(said[0].message(), "the user message that begins with `# Rules` was not recorded");
    }
}
