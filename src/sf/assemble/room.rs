use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::sf::system::System;

/// How much of what all prompts of the user may hold together is taken: each has the whole base, and each change of it
/// writes it anew.
#[derive(Default)]
pub(super) struct Room {
    parts: usize,
    bytes: u64,
}

impl Room {
    /// Counts a prompt with so many tools.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn take(&mut self, system: &System, tools: usize) -> Result<(), Diagnostic> {
        self.parts += system.layers().len() + tools;
        self.bytes += system.bytes();
        match limits::too_large_for_turns(self.parts, self.bytes) {
            Some(problem) => Err(Diagnostic::new(problem)),
            None => Ok(()),
        }
    }
}
