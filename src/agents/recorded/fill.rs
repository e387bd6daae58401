use std::collections::HashMap;

use super::pieces::{Piece, pieces};
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
