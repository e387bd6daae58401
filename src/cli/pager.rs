//! Long results go through the user's pager, as in `git`.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use super::terminal::variable;
use crate::system;

/// `$LESS` if the user sets none: exit if one screen is enough, keep colours, leave the text on the screen.
const LESS: &str = "FRX";

/// The default capacity of a pipe in bytes. A pager that accepted more has started to read.
const PIPE_CAPACITY: usize = 65_536;

/// The user's pager: `RYE_RENDER_PAGER`, else `PAGER`, else `less`. An empty value or `cat` switches paging off.
pub(super) fn command() -> Option<String> {
    let named = variable("RYE_RENDER_PAGER").or_else(|| variable("PAGER"));
    let command = named.unwrap_or_else(|| "less".to_string());
    Some(command.trim().to_string()).filter(|command| !command.is_empty() && command != "cat")
}

/// Writes a text to a terminal, through the pager if it does not fit on the screen. Returns whether the terminal got it
/// without a pager.
pub(super) fn show(text: &[u8], rows: usize, pager: Option<&str>, out: &mut impl Write) -> io::Result<bool> {
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    if let Some(command) = pager.filter(|_| lines >= rows)
        && is_shown_by(command, text)?
    {
        return Ok(false);
    }
    out.write_all(text)?;
    out.flush()?;
    Ok(true)
}

/// Runs the pager. One that is missing or fails before it reads has shown nothing.
fn is_shown_by(command: &str, text: &[u8]) -> io::Result<bool> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::piped());
    if variable("LESS").is_none() {
        shell.env("LESS", LESS);
    }
    let Ok(mut pager) = shell.spawn() else { return Ok(false) };
    system::ignore_interrupts();
    let mut left = text;
    // Dropped after the loop, which ends the pager's input.
    if let Some(mut stdin) = pager.stdin.take() {
        while !left.is_empty() {
            match stdin.write(left) {
                Ok(written) => left = &left[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The user left the pager, or it failed: its status says which.
                Err(_) => break,
            }
        }
    }
    let status = pager.wait()?;
    Ok(status.success() || system::user_ended(status) || text.len() - left.len() > PIPE_CAPACITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, command: &str) -> String {
        let mut out = Vec::new();
        show(text.as_bytes(), 3, Some(command), &mut out).unwrap();
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
