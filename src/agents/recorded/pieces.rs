use std::ops::Range;

use crate::agents::recording::ends;
use crate::prompt::Message;
use crate::text::Origin;

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
