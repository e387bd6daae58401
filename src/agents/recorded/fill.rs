use std::collections::HashMap;
use std::ops::Range;

use crate::agents::recording::{Recording, ends};
use crate::prompt::{Layer, Message};
use crate::text::{BaseFrom, Origin, Traced};

/// Fills own texts whose wording is unknown, and returns whether there were any.
pub fn fill(messages: &mut [Message], layers: &mut [Layer], recording: &Recording, folder: &str) -> bool {
    let mut next = 0;
    let mut has_filled = false;
    for message in messages {
        let pieces = pieces(message);
        let shared = shared(&pieces);
        let text = |piece: &Piece| {
            let id = piece.own.as_deref()?;
            let is_shared = [ends(id).0, ends(id).1].iter().any(|end| shared.contains(end));
            recording.text(id, folder, &mut next).filter(|_| !is_shared)
        };
        let texts: Vec<Option<String>> = pieces.iter().map(text).collect();
        if texts.iter().any(Option::is_some) {
            *message = filled(message, &pieces, &texts, layers);
            has_filled = true;
        }
    }
    has_filled
}

/// The ids at which several runs of a message begin or end: where the text of such an id is divided is not known.
fn shared(pieces: &[Piece]) -> Vec<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for id in pieces.iter().filter_map(|piece| piece.own.as_deref()) {
        let (first, last) = ends(id);
        *counts.entry(first).or_default() += 1;
        if first != last {
            *counts.entry(last).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(id, _)| id).collect()
}

/// The message with texts for its own pieces.
fn filled(message: &Message, pieces: &[Piece], texts: &[Option<String>], layers: &mut [Layer]) -> Message {
    let mut filled = Message::new(message.role);
    for layer in message.segments().filter_map(|segment| segment.layer) {
        layers[layer].bytes = 0;
    }
    let mut own = pieces.iter().zip(texts).filter_map(|(piece, text)| Some((piece, text.as_deref()?))).peekable();
    for segment in message.segments() {
        while own.next_if(|(piece, _)| piece.range.end <= segment.at).is_some() {}
        let text = match own.peek() {
            Some((piece, text)) if piece.range.start == segment.at => *text,
            // The first of several own texts has the text of all.
            Some((piece, _)) if piece.range.contains(&segment.at) => "",
            _ => segment.text,
        };
        let is_filled = own.peek().is_some_and(|(piece, _)| piece.range.contains(&segment.at));
        let origin = match segment.origin {
            Origin::Base { id, from: BaseFrom::Unknown } if is_filled => {
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

/// A run of known text, or of own texts with nothing but white space between them.
pub struct Piece {
    /// The id of an own text, `FIRST..LAST` of several; `None` for known text.
    pub own: Option<String>,
    pub range: Range<usize>,
}

impl Piece {
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }
}

/// The texts of a message whose wording is unknown, and what is between them.
pub fn pieces(message: &Message) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for segment in message.segments() {
        let range = segment.at..segment.at + segment.text.len();
        let own = match segment.origin {
            Origin::Base { id, .. } if segment.origin.is_unknown() => Some(id.to_string()),
            _ => None,
        };
        match (pieces.last_mut(), own) {
            (Some(Piece { own: Some(ids), range: last }), Some(id)) => {
                (*ids, last.end) = (joined(ids, &id), range.end);
            }
            (Some(Piece { own: None, range: last }), None) => last.end = range.end,
            (_, own) => pieces.push(Piece { own, range }),
        }
    }
    // White space between own texts does not tell where one ends.
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        let is_blank = |piece: &Piece| !piece.is_own() && message.text()[piece.range.clone()].trim().is_empty();
        match (all.as_mut_slice(), &piece.own) {
            ([.., Piece { own: Some(ids), range }, blank], Some(id)) if is_blank(blank) => {
                (*ids, range.end) = (joined(ids, id), piece.range.end);
                all.pop();
            }
            _ => all.push(piece),
        }
    }
    all
}

/// Whether all text is the agent's own.
pub fn is_own(pieces: &[Piece]) -> bool {
    pieces.iter().all(Piece::is_own)
}

fn joined(first: &str, last: &str) -> String {
    format!("{}..{}", ends(first).0, ends(last).1)
}
