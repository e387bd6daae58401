//! A message of pieces, most of which are the agent's own. Neighbouring own pieces are one text.

use super::places::SLOT;
use crate::agents::visit::Visit;
use crate::prompt::{FileReason, FileState, LayerKind, Role};
use crate::text::Traced;

/// A text from a file.
pub(super) struct FilePiece {
    pub path: String,
    pub kind: LayerKind,
    pub name: String,
    pub text: Traced,
    /// `None` if another piece of the file decides it.
    pub state: Option<(FileState, Option<FileReason>)>,
}

#[derive(Default)]
pub(super) struct Pieces(Vec<Part>);

enum Part {
    /// The first and the last of neighbouring own pieces.
    Own(String, String),
    File(FilePiece),
}

impl Pieces {
    pub fn own(&mut self, id: &str) {
        match self.0.last_mut() {
            Some(Part::Own(_, last)) => *last = id.to_string(),
            _ => self.0.push(Part::Own(id.to_string(), id.to_string())),
        }
    }

    pub fn add(&mut self, pieces: impl IntoIterator<Item = FilePiece>) {
        self.0.extend(pieces.into_iter().map(Part::File));
    }

    /// Writes the message, unless no file has a part in it and the agent's own text is unknown.
    pub fn write(self, visit: &mut Visit<'_>) {
        if visit.request.recording.is_none() && !self.0.iter().any(|part| matches!(part, Part::File(_))) {
            return;
        }
        visit.draft.message(Role::System);
        for part in self.0 {
            match part {
                Part::Own(first, last) => {
                    let id = if first == last { first } else { format!("{first}..{last}") };
                    visit.own_part(SLOT, &id);
                }
                Part::File(FilePiece { path, kind, name, text, state }) => {
                    let layer = visit.draft.part(SLOT, kind, &name, &text);
                    if let Some((state, why)) = state {
                        visit.stands_because(&path, state, why, layer);
                    }
                }
            }
        }
    }
}
