//! The line that says how far long work is, for somebody who waits at a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::report::Report;
use super::terminal::{is_dumb, variable};
use crate::progress;

/// What is done sooner needs no line.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(100);

/// To the beginning of a line, and all of it away.
const ERASE: &str = "\r\x1b[K";

static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

/// The thread that draws the line.
struct Shown {
    thread: JoinHandle<()>,
    /// Ends the thread when it is gone.
    end: Sender<()>,
}

/// Shows how far the work is, until [`end`]. Programs that read standard error find nothing there.
pub(super) fn begin(report: Report) {
    if report == Report::Json || !io::stderr().is_terminal() || is_dumb(variable) {
        return;
    }
    end();
    let (sender, ended) = channel::<()>();
    let work = progress::watch();
    let thread = thread::spawn(move || {
        let mut wait = PATIENCE;
        let mut is_drawn = false;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            if let Some(words) = work.words() {
                // Where nobody can be told, the work goes on.
                let _ = write!(io::stderr().lock(), "{ERASE}{words}");
                is_drawn = true;
            }
            wait = PERIOD;
        }
        if is_drawn {
            let _ = write!(io::stderr().lock(), "{ERASE}");
        }
    });
    *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Shown { thread, end: sender });
}

/// Takes the line away, since something else is written.
pub(super) fn end() {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Shown { thread, end }) = shown {
        drop(end);
        // A thread that drew nothing to the end has taken nothing away, which is all that is lost.
        let _ = thread.join();
        progress::unwatch();
    }
}
