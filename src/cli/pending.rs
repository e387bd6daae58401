//! What is on the terminal until the result is written: the progress line, and with `--watch` the previous result.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::terminal::{is_dumb, variable};
use crate::write::progress;

/// Shorter work shows no progress line.
const DELAY: Duration = Duration::from_millis(500);

const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

const ERASE_LINE: &str = "\r\x1b[K";

/// Clears the screen but not the scrollback, which may hold the output of other programs.
const CLEAR_SCREEN: &[u8] = b"\x1b[2J\x1b[H";

/// Whether the screen shows the result of the previous run.
static IS_STALE: AtomicBool = AtomicBool::new(false);

static PROGRESS_LINE: Mutex<Option<ProgressLine>> = Mutex::new(None);

struct ProgressLine {
    thread: JoinHandle<()>,
    /// Dropping it ends the thread.
    end: Sender<()>,
}

/// Draws a progress line until [`clear`].
pub(super) fn show_progress() {
    if !io::stderr().is_terminal() || is_dumb(variable) {
        return;
    }
    end_progress();
    let (sender, ended) = channel::<()>();
    let work = progress::watch();
    let thread = thread::spawn(move || {
        let mut wait = DELAY;
        let mut is_drawn = false;
        // Standard error may be closed; the work goes on.
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            if let Some(words) = work.words() {
                let _ = write!(io::stderr().lock(), "{ERASE_LINE}{words}");
                is_drawn = true;
            }
            wait = REDRAW_INTERVAL;
        }
        if is_drawn {
            let _ = write!(io::stderr().lock(), "{ERASE_LINE}");
        }
    });
    *PROGRESS_LINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(ProgressLine { thread, end: sender });
}

fn end_progress() {
    let line = PROGRESS_LINE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(ProgressLine { thread, end }) = line {
        drop(end);
        // A panic in the thread costs at most a line that is not erased.
        let _ = thread.join();
        progress::unwatch();
    }
}

/// Marks the result on the screen as outdated. It stays until [`clear`], when there is something to show instead.
pub(super) fn mark_stale() {
    IS_STALE.store(true, Ordering::Relaxed);
}

/// Removes the progress line and an outdated result, before something is written.
pub(super) fn clear() {
    end_progress();
    if IS_STALE.swap(false, Ordering::Relaxed) {
        let mut out = io::stdout().lock();
        // If this fails, so does what is written next.
        let _ = out.write_all(CLEAR_SCREEN).and_then(|()| out.flush());
    }
}
