//! Runs this program for a question, and gives long answers in portions.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

use crate::text::numbers::{count, thousands};

/// The longest time of a run.
const LIMIT: Duration = Duration::from_secs(60);

/// The maximum size of each output of a run, in bytes.
const MOST_BYTES: u64 = 32_000_000;

/// A run of this program.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub folder: PathBuf,
    pub arguments: Vec<String>,
    /// The character with which the answer begins.
    pub start: usize,
}

/// What a run wrote.
pub struct Answer {
    pub text: String,
    /// Warnings and errors.
    pub said: String,
    /// Whether the run failed.
    pub is_failure: bool,
}

impl Run {
    /// Ends with the future: a question that is cancelled is not answered.
    pub async fn answer(&self) -> Answer {
        match timeout(LIMIT, self.finished()).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => Answer::failed(format!("there is no answer: {error}")),
            Err(_) => Answer::failed(format!("no answer within {} seconds", LIMIT.as_secs())),
        }
    }

    async fn finished(&self) -> io::Result<Answer> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (text, said) = tokio::try_join!(all(out), all(err))?;
        Ok(Answer::new(text, said, child.wait().await?))
    }
}

impl Answer {
    fn new(text: String, said: String, status: ExitStatus) -> Self {
        // 1 means that something differs or was found.
        Self { text, said, is_failure: !matches!(status.code(), Some(0 | 1)) }
    }

    fn failed(said: String) -> Self {
        Self { text: String::new(), said, is_failure: true }
    }
}

async fn all(from: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(MOST_BYTES + 1).read_to_end(&mut bytes).await?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("the answer has more than {} bytes", thousands(MOST_BYTES as usize))));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The characters of a portion. Clients cut or refuse answers of more than 25,000 tokens.
pub const MOST: usize = 40_000;

/// The part of a text that begins at a character, and what follows it.
pub struct Portion<'a> {
    pub text: &'a str,
    /// How much follows, and the character with which it begins; `None` at the end.
    pub rest: Option<(String, usize)>,
}

impl<'a> Portion<'a> {
    pub fn new(text: &'a str, start: usize) -> Self {
        let text = &text[offset(text, start)..];
        let (text, after) = text.split_at(offset(text, MOST));
        let next = start.saturating_add(MOST);
        let rest = || (format!("and {}", count(after.chars().count(), "more character")), next);
        Self { text, rest: (!after.is_empty()).then(rest) }
    }
}

fn offset(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod portion_tests {
    use super::*;

    #[test]
    fn portions_add_up_to_the_text() {
        let text = "ä".repeat(MOST) + &"b".repeat(MOST) + "c";
        let mut whole = String::new();
        for start in [0, MOST, 2 * MOST] {
            let portion = Portion::new(&text, start);
            whole += portion.text;
            assert_eq!(portion.rest.is_none(), start == 2 * MOST);
        }
        assert_eq!(whole, text);
        let portion = Portion::new(&text, MOST);
        assert_eq!(portion.rest, Some(("and 1 more character".to_string(), 80_000)));
        assert_eq!(Portion::new(&text, usize::MAX).text, "");
    }
}
