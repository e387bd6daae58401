//! Long results go through the user's pager, as `git` does it.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::sync::Arc;

use super::terminal::variable;

/// What `less` is told where the user tells it nothing: end on one screen, keep colours, leave the text on the screen.
const LESS: &str = "FRX";

/// A terminal, behind a pager as soon as a result is longer than the screen.
pub(super) struct Paged<W> {
    out: W,
    /// The lines of the screen.
    rows: usize,
    /// The command, for a shell.
    command: String,
    /// What is held back until it is known whether all of it has room.
    held: Vec<u8>,
    lines: usize,
    pager: Option<Child>,
}

/// The pager of the user: `RYE_RENDER_PAGER`, else `PAGER`, else `less`; none where that is empty or `cat`.
pub(super) fn command() -> Option<String> {
    let named = variable("RYE_RENDER_PAGER").or_else(|| variable("PAGER"));
    let command = named.unwrap_or_else(|| "less".to_string());
    Some(command.trim().to_string()).filter(|command| !command.is_empty() && command != "cat")
}

impl<W: Write> Paged<W> {
    /// Nothing is started yet.
    pub(super) fn new(out: W, rows: usize, command: String) -> Self {
        Self { out, rows, command, held: Vec::new(), lines: 0, pager: None }
    }

    /// Shows what is held back, or waits until the user has seen enough; whether it was shown without a pager.
    pub(super) fn finish(mut self) -> io::Result<bool> {
        if let Some(mut pager) = self.pager.take() {
            // It ends when there is no more to come.
            drop(pager.stdin.take());
            pager.wait()?;
            return Ok(false);
        }
        self.out.write_all(&self.held)?;
        self.out.flush()?;
        Ok(true)
    }

    /// Starts the pager; without one, everything goes to the terminal.
    fn start(&mut self) -> io::Result<()> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.command).stdin(Stdio::piped());
        if variable("LESS").is_none() {
            shell.env("LESS", LESS);
        }
        self.pager = shell.spawn().ok();
        if self.pager.is_some() {
            stay();
        }
        let held = std::mem::take(&mut self.held);
        match self.pager.as_mut().and_then(|pager| pager.stdin.as_mut()) {
            Some(stdin) => stdin.write_all(&held),
            None => self.out.write_all(&held),
        }
    }
}

impl<W: Write> Write for Paged<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(stdin) = self.pager.as_mut().and_then(|pager| pager.stdin.as_mut()) {
            return stdin.write(bytes);
        }
        if self.lines >= self.rows {
            return self.out.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        self.lines += bytes.iter().filter(|byte| **byte == b'\n').count();
        if self.lines >= self.rows {
            self.start()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.pager.as_mut().and_then(|pager| pager.stdin.as_mut()) {
            Some(stdin) => stdin.flush(),
            None => Ok(()),
        }
    }
}

/// An interrupt is for the pager, which would otherwise be left alone with the terminal.
#[cfg(unix)]
fn stay() {
    // Where it cannot be had, an interrupt ends both.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default());
}

#[cfg(not(unix))]
fn stay() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, command: &str) -> String {
        let mut out = Vec::new();
        let mut paged = Paged::new(&mut out, 3, command.to_string());
        text.split_inclusive('\n').try_for_each(|line| paged.write_all(line.as_bytes())).unwrap();
        paged.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_has_room_is_shown_at_once() {
        assert_eq!(shown("a\nb\n", "false"), "a\nb\n");
        assert_eq!(shown("", "false"), "");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_longer_goes_to_the_pager() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let command = format!("cat > '{}'", seen.display());
        assert_eq!(shown("a\nb\nc\nd\n", &command), "");
        assert_eq!(std::fs::read_to_string(seen).unwrap(), "a\nb\nc\nd\n");
    }
}
