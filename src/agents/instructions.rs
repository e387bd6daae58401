//! The instruction files on the way to a folder.

use super::decoding::Decoding;
use super::draft::Text;
use super::files::{ancestors, below};
use super::visit::Visit;
use crate::prompt::{Declared, FileReason, FileState, LayerKind, Slot};
use crate::read::store::ReadError;
use crate::text::{Span, Traced};

/// Which files of the folders on the way count.
pub struct Instructions {
    /// In each folder, the first of these that is a file counts.
    pub names: &'static [&'static str],
    pub decoding: Decoding,
}

/// A file whose text is sent.
pub struct InstructionFile {
    pub path: String,
    pub text: Span,
}

impl Instructions {
    /// The files from the root down to the working folder, in this order; the ones that do not count get their states.
    pub fn find(&self, visit: &mut Visit<'_>) -> Vec<InstructionFile> {
        let cwd = visit.request.cwd.clone();
        let folders: Vec<&str> = ancestors(&cwd).collect();
        folders.into_iter().rev().filter_map(|folder| self.in_folder(folder, visit)).collect()
    }

    /// The file of one folder.
    pub fn in_folder(&self, folder: &str, visit: &mut Visit<'_>) -> Option<InstructionFile> {
        let tier = if folder == visit.request.cwd { "cwd" } else { "ancestor" };
        self.of_tier(folder, tier, visit)
    }

    /// The file of one folder, which belongs to `tier`.
    pub fn of_tier(&self, folder: &str, tier: &str, visit: &mut Visit<'_>) -> Option<InstructionFile> {
        let mut found: Option<InstructionFile> = None;
        for name in self.names {
            let path = below(folder, name);
            if !visit.is_file(Slot::SystemContext, &path) {
                continue;
            }
            match (&found, visit.text(&path, tier, self.decoding)) {
                (Some(winner), _) => {
                    let by = Declared { by: winner.path.clone(), span: Some(winner.text.slice(0..0)) };
                    visit.left_out(Slot::SystemContext, &path, FileReason::Shadowed, Some(by));
                }
                (None, Ok(text)) => found = Some(InstructionFile { path, text }),
                (None, Err(error @ ReadError::TooLarge(_))) => {
                    visit.too_large(Slot::SystemContext, &path, tier, error);
                    break;
                }
                (None, Err(_)) => visit.left_out(Slot::SystemContext, &path, FileReason::Invalid, None),
            }
        }
        found
    }
}

impl Visit<'_> {
    /// Adds the text of a file, in its frame, as a section.
    pub fn context(&mut self, path: &str, slot: Slot, text: Traced, state: FileState) {
        let layer = self.draft.section("context", slot, LayerKind::Context, Text::named(path, text));
        self.stands(path, state, layer);
    }
}
