//! The output style that the settings choose.

use super::pieces::FilePiece;
use super::places::{ListKind, PlaceOwner, SLOT, Search};
use crate::agents::claude_code::front_matter::SplitText;
use crate::agents::claude_code::settings::{EVERYBODY, OwnedSettings};
use crate::agents::ecmascript::trimmed;
use crate::agents::visit::Visit;
use crate::prompt::{Declared, FileReason, FileState, LayerKind};
use crate::text::{Origin, Traced};

pub(super) struct Style {
    path: String,
    name: Traced,
    body: Traced,
}

/// The style in use; all other files get their states.
pub(super) fn find(visit: &mut Visit<'_>, search: &mut Search<'_>, settings: &OwnedSettings) -> Option<Style> {
    let chosen = settings.get(&EVERYBODY, "outputStyle").and_then(|node| node.as_str());
    let mut places = search.places(visit, ListKind::Styles);
    places.retain(|place| !matches!(place.owner, PlaceOwner::Added(_)));
    // The user's come last.
    places.rotate_left(1);
    let mut style: Option<Style> = None;
    for place in places {
        for file in search.files(visit, &place) {
            let Some(text) = place.read(visit, &file.path) else { continue };
            let front = SplitText::read(&text);
            let name = front.text("name").filter(|name| !name.is_empty());
            let name = name.unwrap_or_else(|| Traced::of(&file.name, Origin::Derived(text.slice(0..0))));
            match &style {
                _ if Some(name.text()) != chosen => visit.left_out(SLOT, &file.path, FileReason::NotRead, None),
                Some(winner) => {
                    let by = Declared { by: winner.path.clone(), span: winner.name.span() };
                    visit.left_out(SLOT, &file.path, FileReason::Shadowed, Some(by));
                }
                None => {
                    let body = trimmed(&Traced::raw(&front.body));
                    style = Some(Style { path: file.path, name, body });
                }
            }
        }
    }
    style
}

impl Style {
    pub fn text(&self) -> FilePiece {
        let mut text = Traced::protocol("# Output Style: ");
        text.push(&self.name).push_protocol("\n").push(&self.body).push_protocol("\n\n");
        self.piece(text, Some((FileState::Loaded, None)))
    }

    /// The name, which the reminder repeats.
    pub fn reminder(&self) -> FilePiece {
        self.piece(self.name.clone(), None)
    }

    fn piece(&self, text: Traced, state: Option<(FileState, Option<FileReason>)>) -> FilePiece {
        FilePiece {
            path: self.path.clone(),
            kind: LayerKind::Instruction,
            name: self.name.text().to_string(),
            text,
            state,
        }
    }
}
