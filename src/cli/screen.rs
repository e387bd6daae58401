//! What stands on the terminal while a command works, and goes when the result is drawn: the line of its progress and,
//! where the command runs again, the result of the run before.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::progress;

/// To the beginning of an empty screen. What was scrolled out of it stays: it may not be ours.
const CLEAR: &[u8] = b"\x1b[2J\x1b[H";

/// There is one screen.
static IS_OLD: AtomicBool = AtomicBool::new(false);

/// What is on the screen is of the run before. It stays until there is something to show in its place.
pub(super) fn grow_old() {
    IS_OLD.store(true, Ordering::Relaxed);
}

/// Takes away what something else is now written in place of.
pub(super) fn make_way() {
    progress::end();
    if IS_OLD.swap(false, Ordering::Relaxed) {
        let mut out = io::stdout().lock();
        // A terminal that cannot be written to shows nothing of what follows, either.
        let _ = out.write_all(CLEAR).and_then(|()| out.flush());
    }
}
