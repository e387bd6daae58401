//! Long results go through the user's pager, as in `git`.

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
#[cfg(unix)]
use std::sync::Arc;

use anyhow::Context as _;

use super::terminal::variable;

/// `$LESS` if the user sets none: exit if one screen is enough, keep colours, leave the text on the screen.
const LESS: &str = "FRX";

/// The default capacity of a pipe in bytes. A pager that accepted more has started to read.
const PIPE_CAPACITY: usize = 65_536;

/// Writes to a terminal, through a pager as soon as the result is longer than the screen.
pub(super) struct Paged<W> {
    out: W,
    rows: usize,
    /// A shell command.
    command: String,
    /// Output that is held back until it can no longer be lost.
    held: Vec<u8>,
    lines: usize,
    pager: Option<Child>,
    has_left: bool,
}

/// The user's pager: `RYE_RENDER_PAGER`, else `PAGER`, else `less`. An empty value or `cat` switches paging off.
pub(super) fn command() -> Option<String> {
    let named = variable("RYE_RENDER_PAGER").or_else(|| variable("PAGER"));
    let command = named.unwrap_or_else(|| "less".to_string());
    Some(command.trim().to_string()).filter(|command| !command.is_empty() && command != "cat")
}

impl<W: Write> Paged<W> {
    pub(super) fn new(out: W, rows: usize, command: String) -> Self {
        Self { out, rows, command, held: Vec::new(), lines: 0, pager: None, has_left: false }
    }

    /// Writes what is held back, or waits until the user leaves the pager. Returns whether the terminal got the text
    /// without a pager.
    pub(super) fn finish(mut self) -> anyhow::Result<bool> {
        if self.pager.is_some() && self.has_shown()? {
            return Ok(false);
        }
        self.out.write_all(&self.held)?;
        self.out.flush()?;
        Ok(true)
    }

    /// Waits for the pager to exit. A pager that is missing or fails before it reads has shown nothing.
    fn has_shown(&mut self) -> anyhow::Result<bool> {
        let Some(mut pager) = self.pager.take() else { return Ok(false) };
        // Ends the pager's input.
        drop(pager.stdin.take());
        let status = pager.wait().with_context(|| format!("cannot wait for the pager `{}`", self.command))?;
        Ok(status.success() || user_ended(status) || self.held.len() > PIPE_CAPACITY)
    }

    fn start(&mut self) -> io::Result<()> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.command).stdin(Stdio::piped());
        if variable("LESS").is_none() {
            shell.env("LESS", LESS);
        }
        self.pager = shell.spawn().ok();
        let held = std::mem::take(&mut self.held);
        if self.pager.is_some() {
            ignore_interrupts();
            self.write_all(&held)
        } else {
            self.out.write_all(&held)
        }
    }
}

impl<W: Write> Write for Paged<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_left {
            // A buffer writes once more when it is dropped.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(stdin) = self.pager.as_mut().and_then(|pager| pager.stdin.as_mut()) {
            return match stdin.write(bytes) {
                Ok(written) => {
                    if self.held.len() <= PIPE_CAPACITY {
                        self.held.extend_from_slice(&bytes[..written]);
                    }
                    Ok(written)
                }
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    if self.has_shown().map_err(io::Error::other)? {
                        self.held.clear();
                        self.has_left = true;
                        return Err(error);
                    }
                    self.out.write_all(&std::mem::take(&mut self.held))?;
                    self.out.write(bytes)
                }
                Err(error) => Err(error),
            };
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

/// A shell reports a signal as 128 plus its number.
#[cfg(unix)]
fn user_ended(status: ExitStatus) -> bool {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().or_else(|| Some(status.code()? - 128));
    signal.is_some_and(|signal| [SIGHUP, SIGINT, SIGPIPE, SIGTERM].contains(&signal))
}

#[cfg(not(unix))]
fn user_ended(_: ExitStatus) -> bool {
    false
}

/// Leaves an interrupt to the pager, which would otherwise be orphaned on the terminal.
#[cfg(unix)]
fn ignore_interrupts() {
    // If this fails, an interrupt ends both.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default());
}

#[cfg(not(unix))]
fn ignore_interrupts() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, command: &str) -> String {
        let mut out = Vec::new();
        let mut paged = Paged::new(&mut out, 3, command.to_string());
        match text.split_inclusive('\n').try_for_each(|line| paged.write_all(line.as_bytes())) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written.unwrap(),
        }
        paged.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_result_that_fits_the_screen_is_shown_without_a_pager() {
        assert_eq!(shown("a\nb\n", "false"), "a\nb\n");
        assert_eq!(shown("", "false"), "");
    }

    #[cfg(unix)]
    #[test]
    fn a_longer_result_goes_to_the_pager() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let command = format!("cat > '{}'", seen.display());
        assert_eq!(shown("a\nb\nc\nd\n", &command), "");
        assert_eq!(std::fs::read_to_string(seen).unwrap(), "a\nb\nc\nd\n");
    }

    /// Tests a result that fits in the pipe and a longer one.
    #[cfg(unix)]
    #[test]
    fn a_pager_that_fails_loses_nothing() {
        for lines in [4, 100_000] {
            let text = "line\n".repeat(lines);
            for command in ["exec /nowhere/pager", "false"] {
                assert_eq!(shown(&text, command), text, "{command}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_printed_after_the_user_leaves_the_pager() {
        for lines in [4, 100_000] {
            assert_eq!(shown(&"line\n".repeat(lines), "head -n 1 >/dev/null"), "");
        }
        assert_eq!(shown("a\nb\nc\nd\n", "kill -INT $$"), "");
    }
}
