//! What the editor sends, read ahead so that a request can be cancelled before its turn.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::wire::{self, Message};
use crate::system;

/// How long to wait for a message until the process of the editor is looked for.
const PATIENCE: Duration = Duration::from_secs(3);

pub struct Incoming {
    receiver: Receiver<io::Result<Message>>,
    /// What has been read but not yet answered.
    queue: VecDeque<Message>,
}

impl Incoming {
    pub fn new(input: impl BufRead + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut input = input;
            loop {
                let message = wire::read(&mut input).transpose();
                let is_last = !matches!(message, Some(Ok(_)));
                if message.is_none_or(|message| sender.send(message).is_err()) || is_last {
                    return;
                }
            }
        });
        Self { receiver, queue: VecDeque::new() }
    }

    /// Moves what has arrived into the queue.
    fn gather(&mut self) -> io::Result<()> {
        for message in self.receiver.try_iter() {
            self.queue.push_back(message?);
        }
        Ok(())
    }

    /// Whether nothing waits to be answered.
    pub fn is_empty(&mut self) -> io::Result<bool> {
        self.gather()?;
        Ok(self.queue.is_empty())
    }

    /// Whether a document has changed in the meantime.
    pub fn has_edit(&mut self) -> io::Result<bool> {
        self.gather()?;
        let is_edit = |message: &Message| matches!(message, Message::Notification { method, .. } if method == "textDocument/didChange");
        Ok(self.queue.iter().any(is_edit))
    }

    /// The next message; `None` if the editor is gone, which its process may show although the input is still open.
    pub fn next(&mut self, editor: Option<u32>) -> io::Result<Option<Message>> {
        let patience = editor.map_or(Duration::MAX, |_| PATIENCE);
        while self.queue.is_empty() {
            match self.receiver.recv_timeout(patience) {
                Ok(message) => self.queue.push_back(message?),
                Err(RecvTimeoutError::Timeout) if editor.is_none_or(system::is_process) => {}
                Err(_) => return Ok(None),
            }
        }
        Ok(self.queue.pop_front())
    }

    pub fn is_cancelled(&mut self, wanted: &Value) -> io::Result<bool> {
        self.gather()?;
        let is_it = |message: &Message| match message {
            Message::Notification { method, params } => method == "$/cancelRequest" && params.get("id") == Some(wanted),
            _ => false,
        };
        Ok(self.queue.iter().any(is_it))
    }
}
