//! Waits for the request that holds the prompt.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::failed;
use crate::diagnostic::Diagnostic;
use crate::read::loopback::{Arrival, Loopback, ModelRequest};
use crate::system::{self, Interrupt};

/// How long an agent may take to end after its prompt was answered.
const AFTER: Duration = Duration::from_secs(5);
/// How long it may take to send a request with tools after one without.
const BETWEEN: Duration = Duration::from_secs(15);
/// How long a command may take to end after it was asked to.
const ENDING: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

pub(super) struct Session {
    pub loopback: Loopback,
    pub deadline: Instant,
    pub agent: &'static str,
    pub interrupt: Interrupt,
}

/// What was sent so far.
#[derive(Default)]
struct Received {
    /// The first request with tools.
    prompt: Option<ModelRequest>,
    /// The longest other one.
    other: Option<ModelRequest>,
    /// Why the last of those that were refused was.
    refused: Option<String>,
}

impl Session {
    /// The first request with tools, since agents send others for titles and the like. Without one, the longest.
    pub fn wait(self, mut command: Option<Child>) -> Result<ModelRequest, Diagnostic> {
        let received = self.receive(command.as_mut());
        let ended = command.map(end);
        self.interrupt.follow();
        let Received { prompt, other, refused } =
            received.map_err(|error| failed("no request was received", &error))?;
        prompt.or(other).ok_or_else(|| {
            let why = match (refused, ended) {
                (Some(refused), _) => format!(": {refused}"),
                (None, Some(Some(status))) => format!(": the command ended with {status}"),
                (None, _) => String::new(),
            };
            let help = "see what the agent prints; it must be one that sends a prompt without asking for it";
            Diagnostic::invalid(format!("no prompt of {} arrived{why}", self.agent), help)
        })
    }

    fn receive(&self, mut command: Option<&mut Child>) -> io::Result<Received> {
        let mut received = Received::default();
        let mut until = self.deadline;
        while Instant::now() < until && !self.interrupt.is_there() {
            // What was sent before the command ended is received after that.
            let has_ended = match &mut command {
                Some(command) => command.try_wait()?.is_some(),
                None => received.prompt.is_some(),
            };
            let is_open = self.loopback.accept()?;
            let mut is_idle = !is_open || received.prompt.is_some();
            while let Some(arrival) = self.loopback.next() {
                is_idle = false;
                received.add(arrival);
                let left = match (&received.prompt, &received.other) {
                    (Some(_), _) => AFTER,
                    // A command that runs may send more.
                    (None, Some(_)) if command.is_none() => BETWEEN,
                    (None, _) => continue,
                };
                until = until.min(Instant::now() + left);
            }
            if has_ended && is_idle {
                break;
            }
        }
        Ok(received)
    }
}

impl Received {
    fn add(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Request(request) if self.prompt.is_none() && has_tools(&request.body) => {
                self.prompt = Some(request);
            }
            Arrival::Request(request) => {
                let length = self.other.as_ref().map_or(0, |other| other.body.len());
                if self.prompt.is_none() && request.body.len() > length {
                    self.other = Some(request);
                }
            }
            Arrival::Refused(why) => self.refused = Some(why),
        }
    }
}

/// Whether a body offers tools to the model.
fn has_tools(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Tools {
        #[serde(default)]
        tools: Vec<IgnoredAny>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Input {
        Items(Vec<Tools>),
        Other(IgnoredAny),
    }
    #[derive(Deserialize)]
    struct Body {
        #[serde(default)]
        tools: Vec<IgnoredAny>,
        /// Of the Responses API, an item of which may hold them.
        input: Option<Input>,
    }
    let Ok(Body { tools, input }) = serde_json::from_slice(body) else { return false };
    let in_items = match input {
        Some(Input::Items(items)) => items.iter().any(|item| !item.tools.is_empty()),
        Some(Input::Other(IgnoredAny)) | None => false,
    };
    in_items || !tools.is_empty()
}

/// Ends a command with what it started, and returns its status if it ended by itself.
fn end(mut command: Child) -> Option<ExitStatus> {
    if let Ok(Some(status)) = command.try_wait() {
        return Some(status);
    }
    system::ask_group_to_end(&command);
    let until = Instant::now() + ENDING;
    while Instant::now() < until {
        if matches!(command.try_wait(), Ok(Some(_))) && !system::is_group_alive(&command) {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
    system::kill_group(&mut command);
    let _ = command.wait();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_has_tools() {
        assert!(has_tools(br#"{"messages": [], "tools": [{"name": "read"}]}"#));
        assert!(has_tools(br#"{"input": [{"role": "user"}, {"role": "developer", "tools": [{}]}]}"#));
        for title in [r#"{"messages": [], "tools": []}"#, r#"{"input": "hello"}"#, r#"{"input": [1]}"#, "{}", "x"] {
            assert!(!has_tools(title.as_bytes()), "{title}");
        }
    }
}
