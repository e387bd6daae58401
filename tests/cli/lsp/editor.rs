//! An editor that speaks to the server, as far as the tests need one.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::running::{DEADLINE, Files};

pub struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Received, but not yet asked for.
    kept: Vec<Value>,
    requests: u64,
    folder: String,
}

impl Editor {
    /// Starts the server in the folder `project`, which is the editor's folder.
    pub fn connect(files: &Files) -> Self {
        let mut command = files.command(&["lsp"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output)
                && sender.send(message).is_ok()
            {}
        });
        let folder = format!("file://{}", files.path("project").display());
        Self { stdin: child.stdin.take(), child, messages, kept: Vec::new(), requests: 0, folder }
    }

    pub fn start(files: &Files, capabilities: &Value) -> Self {
        let mut editor = Self::connect(files);
        let hello = editor.ask("initialize", &json!({"capabilities": capabilities, "rootUri": editor.folder}));
        editor.answer(hello);
        editor.tell("initialized", &json!({}));
        editor
    }

    /// The address of a path in the editor's folder; an address stays as it is.
    pub fn uri(&self, path: &str) -> String {
        if path.starts_with("file:") { path.to_string() } else { format!("{}/{path}", self.folder) }
    }

    pub fn send(&mut self, text: &str) {
        self.stdin.as_mut().expect("it is open").write_all(text.as_bytes()).expect("the server reads");
    }

    pub fn tell(&mut self, method: &str, params: &Value) {
        self.send(&framed(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()));
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.requests += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params});
        self.send(&framed(&request.to_string()));
        self.requests
    }

    /// The first message that is meant; others are kept.
    fn until(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_meant) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(DEADLINE).expect("the server answers");
            if is_meant(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    pub fn answer(&mut self, id: u64) -> Value {
        self.until(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The result of a request.
    pub fn result(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    pub fn open(&mut self, path: &str, text: &str) {
        let document = json!({"uri": self.uri(path), "languageId": "markdown", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
    }

    pub fn change(&mut self, path: &str, change: &Value) {
        let document = json!({"uri": self.uri(path), "version": self.requests + 2});
        self.tell("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [change]}));
    }

    pub fn pull(&mut self, path: &str) -> Value {
        self.result("textDocument/diagnostic", &json!({"textDocument": {"uri": self.uri(path)}}))
    }

    /// The next diagnostics that the server sends for a file.
    pub fn published(&mut self, path: &str) -> Value {
        let uri = self.uri(path);
        self.until(|message| is_published(message, &uri))["params"].clone()
    }

    /// The parameters of the next request of this method.
    pub fn asked(&mut self, method: &str) -> Value {
        self.until(|message| message["method"] == method)["params"].clone()
    }

    /// Whether diagnostics for a file came before the last message that was asked for.
    pub fn has_published(&self, path: &str) -> bool {
        self.kept.iter().any(|message| is_published(message, &self.uri(path)))
    }

    /// What the server offers for a whole file.
    pub fn actions(&mut self, path: &str, only: &Value) -> Vec<Value> {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}});
        let context = json!({"diagnostics": [], "only": only});
        let params = json!({"textDocument": {"uri": self.uri(path)}, "range": range, "context": context});
        self.result("textDocument/codeAction", &params).as_array().expect("a list").clone()
    }

    /// Ends the conversation as the protocol asks; returns the status of the server.
    pub fn end(mut self) -> Option<i32> {
        self.result("shutdown", &Value::Null);
        self.tell("exit", &json!({}));
        self.wait()
    }

    /// Closes the pipe to the server.
    pub fn leave(&mut self) {
        self.stdin = None;
    }

    /// The status of the server, whose input may still be open.
    pub fn wait(mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a child") {
                return status.code();
            }
            assert!(begun.elapsed() < DEADLINE, "the server ends");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn is_published(message: &Value, uri: &str) -> bool {
    message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
}

pub fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    output.read_line(&mut header).ok().filter(|length| *length > 0)?;
    let length: usize = header.trim_end().strip_prefix("Content-Length: ")?.parse().ok()?;
    let mut bytes = vec![0; length + 2];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes[2..]).ok()
}

/// Runs a command with this text on standard input.
pub fn output(command: &mut Command, stdin: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("it is piped").write_all(stdin.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// The paths of the files in and below a folder, relative to it.
pub fn files_below(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        match path.is_dir() {
            true => all.extend(files_below(&path).into_iter().map(|below| format!("{name}/{below}"))),
            false => all.push(name),
        }
    }
    all
}

/// A position in UTF-16.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap_or_default();
    json!({"line": before.matches('\n').count(), "character": line.encode_utf16().count()})
}

/// A text after the edits that an action makes in its only file.
pub fn edited(text: &str, edit: &Value) -> String {
    let changes = edit["changes"].as_object().expect("changes");
    let edits = changes.values().next().expect("a file").as_array().expect("edits");
    let mut edits: Vec<&Value> = edits.iter().collect();
    edits.sort_by_key(|edit| offset(text, &edit["range"]["start"]));
    let mut after = text.to_string();
    for edit in edits.into_iter().rev() {
        let [start, end] = ["start", "end"].map(|end| offset(text, &edit["range"][end]));
        after.replace_range(start..end, edit["newText"].as_str().expect("a text"));
    }
    after
}

fn offset(text: &str, at: &Value) -> usize {
    (0..=text.len())
        .filter(|&offset| text.is_char_boundary(offset))
        .find(|&offset| position(text, offset) == *at)
        .expect("a place in the text")
}
