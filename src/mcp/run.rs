//! Runs this program for a question.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

use crate::text::numbers::thousands;

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
