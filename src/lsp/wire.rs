//! Messages as an editor sends and reads them: a header with the length, then JSON. They are read ahead, so that a request
//! can be cancelled before its turn.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::linked::LinkedFolders;
use crate::system;

/// The longest message in bytes.
const MOST_BYTES: u64 = 64_000_000;

/// The longest line of a header in bytes.
const LONGEST_LINE: u64 = 4_096;

#[derive(Debug, PartialEq)]
pub enum Message {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// The answer to a request of this program.
    Answer {
        id: Value,
        is_refused: bool,
    },
    /// What is wrong with a message that was read to its end.
    Malformed(String),
}

/// The errors of the protocol that are answered here (JSON-RPC 2.0; Language Server Protocol, "ErrorCodes").
#[derive(Debug, Clone, Copy)]
pub enum ErrorCode {
    Parse = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    NotInitialized = -32002,
    Cancelled = -32800,
    Failed = -32803,
}

/// Reads a message; `None` at the end of the input.
///
/// # Errors
///
/// If the input ends inside a message, or if its length is missing or too large: the next message cannot be found.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let Some(length) = length(input)? else { return Ok(None) };
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => message_of(message),
        Err(error) => Message::Malformed(error.to_string()),
    }))
}

/// The length in the header; `None` at the end of the input.
fn length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = String::new();
        input.take(LONGEST_LINE).read_line(&mut line)?;
        match line.trim_end() {
            "" if line.is_empty() && is_first => return Ok(None),
            "" => break,
            header => {
                let value = header.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
                length = value.map(|(_, value)| value.trim().parse()).transpose().map_err(io::Error::other)?.or(length);
            }
        }
        is_first = false;
    }
    match length {
        Some(length) if length <= MOST_BYTES => Ok(Some(length)),
        Some(length) => Err(io::Error::other(format!("a message of {length} bytes is too long"))),
        None => Err(io::Error::other("a message has no Content-Length")),
    }
}

fn message_of(message: Value) -> Message {
    let Value::Object(mut fields) = message else {
        return Message::Malformed("the message is not an object".to_string());
    };
    let params = fields.remove("params").unwrap_or_default();
    match (fields.remove("id"), fields.remove("method")) {
        (Some(id), Some(Value::String(method))) => Message::Request { id, method, params },
        (None, Some(Value::String(method))) => Message::Notification { method, params },
        (Some(id), None) => Message::Answer { id, is_refused: fields.contains_key("error") },
        _ => Message::Malformed("the message has no method".to_string()),
    }
}

/// Where messages to the editor go.
pub struct Client<W> {
    output: W,
    requests: u64,
    pub linked: LinkedFolders,
}

impl<W: Write> Client<W> {
    pub fn new(output: W) -> Self {
        Self { output, requests: 0, linked: LinkedFolders::default() }
    }

    pub fn answer(&mut self, id: &Value, result: impl Serialize) -> io::Result<()> {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "result": serde_json::to_value(result)? }))
    }

    pub fn refuse(&mut self, id: &Value, code: ErrorCode, message: &str) -> io::Result<()> {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } }))
    }

    pub fn notify(&mut self, method: &str, params: impl Serialize) -> io::Result<()> {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": serde_json::to_value(params)? }))
    }

    /// Asks the editor for something, and returns the id of the request.
    pub fn ask(&mut self, method: &str, params: &Value) -> io::Result<String> {
        self.requests += 1;
        let id = format!("rye-render-{}", self.requests);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params.clone();
        }
        self.send(message)?;
        Ok(id)
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.linked.restore(&mut message);
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }
}

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
                let message = read(&mut input).transpose();
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

#[cfg(test)]
mod wire_tests {
    use super::*;

    fn read_all(mut input: &[u8]) -> (Vec<Message>, bool) {
        let mut all = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(message)) => all.push(message),
                Ok(None) => return (all, true),
                Err(_) => return (all, false),
            }
        }
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn messages_are_told_apart() {
        let texts = [
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}"#,
            r#"{"jsonrpc":"2.0","method":"a"}"#,
            r#"{"jsonrpc":"2.0","id":"x","result":null}"#,
        ];
        let (messages, is_whole) = read_all(texts.map(framed).concat().as_bytes());
        let expected = [
            Message::Request { id: json!(1), method: "a".into(), params: json!({"b": 1}) },
            Message::Notification { method: "a".into(), params: Value::Null },
            Message::Answer { id: json!("x"), is_refused: false },
        ];
        assert_eq!((messages.as_slice(), is_whole), (expected.as_slice(), true));
    }

    /// After a message that is not JSON, the next one is read.
    #[test]
    fn malformed_messages_do_not_end_the_conversation() {
        for malformed in ["{", "[]", "{}", "\u{feff}", "{\"id\":1,\"method\":2}"] {
            let input = framed(malformed) + &framed(r#"{"method":"exit"}"#);
            let (messages, is_whole) = read_all(input.as_bytes());
            assert!(
                matches!(messages.as_slice(), [Message::Malformed(_), Message::Notification { .. }]),
                "{malformed}"
            );
            assert!(is_whole);
        }
    }

    #[test]
    fn a_false_length_ends_it() {
        for input in
            ["Content-Length: 99999999999999999\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "a: b\r\n\r\n", "x", "\r\n"]
        {
            assert_eq!(read_all(input.as_bytes()), (Vec::new(), false), "{input}");
        }
        assert_eq!(read_all(b"Content-Length: 10\r\n\r\n{}"), (Vec::new(), false));
        assert_eq!(read_all(b""), (Vec::new(), true));
    }
}
