//! The conversation with one editor.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use gen_lsp_types::{
    CodeActionKind, CodeActionParams, Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentDiagnosticParams,
    Position, PublishDiagnosticsParams, Range, TextDocumentContentChangeEvent,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::about::About;
use super::actions::Target;
use super::diagnostics::{of_error, of_finding};
use super::hover::hover;
use super::lens::{COMMAND, PromptAddress, SCHEME};
use super::position::Encoding;
use super::wire::{self, Client, ErrorCode, Message};
use super::workspace::{Opener, Workspace};
use crate::read::address::{path_of, url_of};
use crate::text::Source;

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The editor said that it would end it.
    AsAgreed,
    /// The editor is gone.
    Suddenly,
}

/// Answers an editor until it ends the conversation.
///
/// # Errors
///
/// The editor does not read any more, or what it sends is not of the protocol.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write, opener: &dyn Opener) -> io::Result<Ended> {
    let (sender, receiver) = mpsc::channel();
    // Reads ahead, so that a request can be cancelled before it is answered.
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
    Server {
        incoming: Incoming { receiver, queue: VecDeque::new() },
        client: Client::new(output),
        workspace: Workspace::new(opener),
        stage: Stage::New,
        encoding: Encoding::Utf16,
        can: Abilities::default(),
        shown: BTreeMap::new(),
        prompts: BTreeSet::new(),
    }
    .run()
}

struct Incoming {
    receiver: Receiver<io::Result<Message>>,
    /// What has been read but not yet answered.
    queue: VecDeque<Message>,
}

impl Incoming {
    /// Moves what has arrived into the queue.
    fn gather(&mut self) -> io::Result<()> {
        for message in self.receiver.try_iter() {
            self.queue.push_back(message?);
        }
        Ok(())
    }

    /// The next message; `None` if the editor is gone.
    fn next(&mut self) -> io::Result<Option<Message>> {
        if self.queue.is_empty() {
            match self.receiver.recv() {
                Ok(message) => self.queue.push_back(message?),
                Err(_) => return Ok(None),
            }
        }
        Ok(self.queue.pop_front())
    }

    fn is_cancelled(&self, wanted: &Value) -> bool {
        self.queue.iter().any(|message| match message {
            Message::Notification { method, params } => method == "$/cancelRequest" && params.get("id") == Some(wanted),
            _ => false,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

struct Server<'o, W> {
    incoming: Incoming,
    client: Client<W>,
    workspace: Workspace<'o>,
    stage: Stage,
    encoding: Encoding,
    can: Abilities,
    /// What the editor shows, by file.
    shown: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// The addresses of prompts that the editor shows.
    prompts: BTreeSet<String>,
}

/// What the editor can do.
#[derive(Debug, Default)]
struct Abilities {
    /// Asks for diagnostics instead of being sent them.
    pull: bool,
    /// Takes the diagnostics of other files with those that it asks for.
    take_related: bool,
    /// Asks for diagnostics again if told to.
    pull_again: bool,
    /// Opens the address of a prompt.
    show_prompts: bool,
    /// Asks for the text of a prompt again if told to.
    read_again: bool,
}

/// Why a request is refused.
type Refusal = (ErrorCode, String);

impl<W: Write> Server<'_, W> {
    fn run(mut self) -> io::Result<Ended> {
        loop {
            self.incoming.gather()?;
            if self.incoming.queue.is_empty() && self.stage == Stage::Running && !self.workspace.is_checked() {
                self.workspace.check();
                // Results that are out of date already are not shown.
                self.incoming.gather()?;
                if !self.incoming.queue.iter().any(is_edit) {
                    self.show()?;
                    for uri in self.prompts.iter().filter(|_| self.can.read_again) {
                        self.client.ask("workspace/textDocumentContent/refresh", &json!({ "uri": uri }))?;
                    }
                }
            }
            match self.incoming.next()? {
                None => return Ok(Ended::Suddenly),
                Some(Message::Notification { method, .. }) if method == "exit" => {
                    return Ok(if self.stage == Stage::ShutDown { Ended::AsAgreed } else { Ended::Suddenly });
                }
                Some(Message::Notification { method, params }) => self.noted(&method, params)?,
                Some(Message::Request { id, method, params }) => match self.answer(&id, &method, params) {
                    Ok(result) => self.client.answer(&id, result)?,
                    Err((code, why)) => self.client.refuse(&id, code, &why)?,
                },
                Some(Message::Malformed(why)) => self.client.refuse(&Value::Null, ErrorCode::Parse, &why)?,
                Some(Message::Answer) => {}
            }
        }
    }

    fn answer(&mut self, id: &Value, method: &str, params: Value) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (Stage::New, "initialize") => return Ok(self.initialize(&params)),
            (Stage::New, _) => {
                return Err((ErrorCode::NotInitialized, "the first request is `initialize`".to_string()));
            }
            (Stage::ShutDown, _) => return Err((ErrorCode::InvalidRequest, "the server is shut down".to_string())),
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                return Ok(Value::Null);
            }
            (Stage::Running, _) => {}
        }
        if self.incoming.is_cancelled(id) {
            return Err((ErrorCode::Cancelled, "cancelled".to_string()));
        }
        let answer = match method {
            "textDocument/diagnostic" => self.report(&parsed(params)?),
            "textDocument/codeAction" => self.actions(&parsed(params)?),
            "workspace/textDocumentContent" => self.prompt(&params["uri"]),
            "workspace/executeCommand" => self.command(&params),
            "workspace/symbol" => self.items(params["query"].as_str().unwrap_or_default()),
            _ if QUESTIONS.contains(&method) => self.question(method, &params)?,
            _ => return Err((ErrorCode::MethodNotFound, format!("there is no `{method}`"))),
        };
        answer.map_err(|error| (ErrorCode::Failed, error.to_string()))
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Running;
        let is_set = |pointer: &str| params.pointer(&format!("/capabilities/{pointer}")) == Some(&Value::Bool(true));
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        if encodings.is_some_and(|encodings| encodings.iter().any(|it| it == "utf-8")) {
            self.encoding = Encoding::Utf8;
        }
        let has = |pointer: &str| params.pointer(&format!("/capabilities/{pointer}")).is_some_and(Value::is_object);
        self.can = Abilities {
            pull: has("textDocument/diagnostic"),
            take_related: is_set("textDocument/diagnostic/relatedDocumentSupport"),
            pull_again: is_set("workspace/diagnostics/refreshSupport"),
            show_prompts: is_set("window/showDocument/support") && has("workspace/textDocumentContent"),
            read_again: has("workspace/textDocumentContent"),
        };
        self.workspace.is_told_of_changes = is_set("workspace/didChangeWatchedFiles/dynamicRegistration");
        let folders = params.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
        let folders: Vec<&Value> = folders.filter_map(|folder| folder.get("uri")).collect();
        let root = params.get("rootUri").filter(|_| folders.is_empty());
        let urls = folders.into_iter().chain(root).filter_map(Value::as_str);
        self.workspace.folders = urls.filter_map(path_of).collect();
        let diagnostics = json!({ "interFileDependencies": true, "workspaceDiagnostics": false });
        let mut capabilities = json!({
            "positionEncoding": match self.encoding { Encoding::Utf8 => "utf-8", Encoding::Utf16 => "utf-16" },
            "textDocumentSync": { "openClose": true, "change": 2 },
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "completionProvider": { "triggerCharacters": [":", ".", "\"", ">", "/", "@"] },
            "codeLensProvider": {},
            "inlayHintProvider": true,
            "executeCommandProvider": { "commands": [COMMAND] },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "textDocumentContent": { "schemes": [SCHEME] },
            },
        });
        if self.can.pull {
            capabilities["diagnosticProvider"] = diagnostics;
        }
        let server = json!({ "name": "rye-render", "version": env!("CARGO_PKG_VERSION") });
        json!({ "capabilities": capabilities, "serverInfo": server })
    }

    /// A notification, which has no answer: one that is wrong is left out.
    fn noted(&mut self, method: &str, params: Value) -> io::Result<()> {
        if self.stage != Stage::Running {
            return Ok(());
        }
        match method {
            "initialized" if self.workspace.is_told_of_changes => {
                let watchers = json!({ "watchers": [{ "globPattern": "**/*" }] });
                let method = "workspace/didChangeWatchedFiles";
                let registration = json!({ "id": "files", "method": method, "registerOptions": watchers });
                self.client.ask("client/registerCapability", &json!({ "registrations": [registration] }))?;
            }
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: it }) = parsed(params)
                    && let Some(path) = path_of(it.uri.as_ref())
                {
                    self.workspace.open(path, it.uri.0, it.version, it.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(DidChangeTextDocumentParams { text_document: it, content_changes }) = parsed(params)
                    && let Some(path) = path_of(it.text_document_identifier.uri.as_ref())
                {
                    let encoding = self.encoding;
                    let changed = |text: &str| {
                        content_changes.into_iter().fold(text.to_string(), |text, change| apply(text, change, encoding))
                    };
                    self.workspace.change(&path, it.version, changed);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document: it }) = parsed(params)
                    && let Some(path) = path_of(it.uri.as_ref())
                {
                    self.workspace.close(&path);
                    self.show()?;
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(DidChangeWatchedFilesParams { changes }) = parsed(params) {
                    let paths: Vec<PathBuf> =
                        changes.iter().filter_map(|change| path_of(change.uri.as_ref())).collect();
                    self.workspace.changed_on_disk(&paths);
                    if self.can.pull && self.can.pull_again {
                        self.client.ask("workspace/diagnostic/refresh", &Value::Null)?;
                    }
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = parsed(params) {
                    let path = |folder: &gen_lsp_types::WorkspaceFolder| path_of(folder.uri.as_ref());
                    let removed: Vec<PathBuf> = event.removed.iter().filter_map(path).collect();
                    self.workspace.folders.retain(|folder| !removed.contains(folder));
                    self.workspace.folders.extend(event.added.iter().filter_map(path));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The diagnostics of all files that have any.
    fn diagnostics(&self) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for (root, path, findings) in self.workspace.findings() {
            let shown = findings.iter().map(|finding| of_finding(finding, root, self.encoding));
            all.entry(root.join(path)).or_default().extend(shown);
        }
        for (root, error) in self.workspace.errors() {
            let (path, shown) = of_error(error, root, self.encoding);
            all.entry(path).or_default().push(shown);
        }
        all
    }

    /// Sends the diagnostics of the open documents, and those of others that changed.
    fn show(&mut self) -> io::Result<()> {
        if self.can.pull {
            return Ok(());
        }
        let now = self.diagnostics();
        let cleared = self.shown.keys().filter(|path| !now.contains_key(*path));
        let open = self.workspace.documents().map(|(path, _)| path).filter(|path| !now.contains_key(*path));
        let empty: Vec<PathBuf> = cleared.cloned().chain(open.map(Path::to_path_buf)).collect();
        for (path, diagnostics) in now
            .iter()
            .map(|(path, shown)| (path.as_path(), shown.clone()))
            .chain(empty.iter().map(|path| (path.as_path(), Vec::new())))
        {
            let document = self.workspace.document(path);
            if document.is_none() && self.shown.get(path).unwrap_or(&Vec::new()) == &diagnostics {
                continue;
            }
            let uri = document.map_or_else(|| url_of(path), |document| document.uri.clone()).into();
            let version = document.map(|document| document.version);
            self.client
                .notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics })?;
        }
        self.shown = now;
        Ok(())
    }

    /// The diagnostics of a document, for an editor that asks.
    fn report(&mut self, params: &DocumentDiagnosticParams) -> io::Result<Value> {
        self.workspace.check();
        let path = path_of(params.text_document.uri.as_ref()).unwrap_or_default();
        let mut now = self.diagnostics();
        let mut report = full(now.get(&path).map_or(&[], Vec::as_slice))?;
        if params.previous_result_id.as_deref() == report["resultId"].as_str() {
            report = json!({ "kind": "unchanged", "resultId": report["resultId"] });
        }
        if self.can.take_related {
            now.retain(|path, _| self.workspace.document(path).is_none());
            let gone =
                self.shown.keys().filter(|path| !now.contains_key(*path)).map(|path| (path, &[] as &[Diagnostic]));
            let others = now.iter().map(|(path, shown)| (path, shown.as_slice())).chain(gone);
            let others = others.map(|(path, shown)| Ok((url_of(path), full(shown)?)));
            report["relatedDocuments"] = Value::Object(others.collect::<io::Result<_>>()?);
            self.shown = now;
        }
        Ok(report)
    }

    fn actions(&mut self, params: &CodeActionParams) -> io::Result<Value> {
        self.workspace.check();
        let path = path_of(params.text_document.uri.as_ref()).unwrap_or_default();
        let only = params.context.only.as_deref();
        let is_wanted = |kind: &CodeActionKind| only.is_none_or(|only| only.iter().any(|it| contains(it, kind)));
        // All fixes at once are for those who ask for them: it takes several checks to find them.
        let is_all = only.is_some() && is_wanted(&CodeActionKind::SourceFixAll);
        let findings = match is_wanted(&CodeActionKind::QuickFix) {
            true => self.workspace.findings_of(&path).to_vec(),
            false => Vec::new(),
        };
        let uri = params.text_document.uri.as_ref();
        let actions = self.about(&path, |about| {
            let target = Target { uri, about };
            let all = target.fix_all().filter(|_| is_all);
            target.of_findings(&findings, &params.range).into_iter().chain(all).collect::<Vec<_>>()
        });
        Ok(serde_json::to_value(actions.unwrap_or_default())?)
    }

    /// Reads the project of a document for a question about it; `None` if nothing reads the document.
    fn about<T>(&mut self, path: &Path, then: impl FnOnce(&About<'_>) -> T) -> Option<T> {
        let document = self.workspace.document(path)?;
        let (home, inside) = document.place(path)?;
        let (root, text, encoding) = (home.root.clone(), document.text.clone(), self.encoding);
        self.workspace.read(path, |reading| then(&About { reading, path: &inside, root: &root, text: &text, encoding }))
    }

    /// A question about a document or a place in it.
    fn question(&mut self, method: &str, params: &Value) -> Result<io::Result<Value>, Refusal> {
        let invalid = |what: &str| (ErrorCode::InvalidParams, format!("the question has no {what}"));
        let uri = params["textDocument"]["uri"].as_str().ok_or_else(|| invalid("document"))?;
        let path = path_of(uri).unwrap_or_default();
        let position = params.get("position").map(|at| parsed::<Position>(at.clone())).transpose()?;
        let answer = self.about(&path, |about| {
            // What the questions below are about is normalised text.
            let text = about.source().map_or(about.text, Source::text);
            let at = || about.encoding.offset(text, position.unwrap_or_default());
            Ok(match method {
                "textDocument/hover" => json!(hover(about, at())),
                "textDocument/definition" => json!(about.definition(at())),
                "textDocument/references" => {
                    json!(about.references(at(), params["context"]["includeDeclaration"] == true))
                }
                "textDocument/prepareRename" => json!(about.renamable(at())?.1),
                "textDocument/rename" => about.rename(at(), params["newName"].as_str().unwrap_or_default())?,
                "textDocument/documentSymbol" => json!(about.symbols()),
                "textDocument/completion" => json!(about.completion(at())),
                "textDocument/codeLens" => json!(about.lenses()),
                _ => json!(about.hints()),
            })
        });
        match answer.unwrap_or(Ok(Value::Null)) {
            Ok(answer) => Ok(Ok(answer)),
            Err(why) => Err((ErrorCode::Failed, why)),
        }
    }

    /// The items of all projects with open documents.
    fn items(&mut self, wanted: &str) -> io::Result<Value> {
        let documents: BTreeMap<_, _> =
            self.workspace.documents().filter_map(|(path, it)| Some((it.home.clone()?, path.to_path_buf()))).collect();
        let mut items = Vec::new();
        for path in documents.values() {
            items.extend(self.about(path, |about| about.items(wanted)).unwrap_or_default());
        }
        Ok(json!(items))
    }

    /// The text of a prompt that is shown as a document.
    fn prompt(&mut self, uri: &Value) -> io::Result<Value> {
        let wrong = |what: &str| io::Error::other(what.to_string());
        let uri = uri.as_str().unwrap_or_default();
        let address = PromptAddress::parse(uri).ok_or_else(|| wrong("this is not the address of a prompt"))?;
        let path = path_of(&address.file).unwrap_or_default();
        let text = self.about(&path, |about| about.rendered(&address.agent)).flatten();
        self.prompts.insert(uri.to_string());
        Ok(json!({ "text": text.ok_or_else(|| wrong("there is no prompt: is its file open and valid?"))? }))
    }

    /// Opens a prompt in the editor if it can do that, and returns its text.
    fn command(&mut self, params: &Value) -> io::Result<Value> {
        if params["command"] != COMMAND {
            return Err(io::Error::other(format!("the only command is `{COMMAND}`")));
        }
        let uri = &params["arguments"][0];
        let prompt = self.prompt(uri)?;
        if self.can.show_prompts {
            self.client.ask("window/showDocument", &json!({ "uri": uri, "takeFocus": true }))?;
        }
        Ok(prompt["text"].clone())
    }
}

/// The questions about one document.
const QUESTIONS: [&str; 9] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/completion",
    "textDocument/codeLens",
    "textDocument/inlayHint",
];

fn is_edit(message: &Message) -> bool {
    matches!(message, Message::Notification { method, .. } if method == "textDocument/didChange")
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// A kind contains those that it is a prefix of.
fn contains(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let [wanted, kind] = [wanted, kind].map(ToString::to_string);
    kind.strip_prefix(&wanted).is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

fn full(diagnostics: &[Diagnostic]) -> io::Result<Value> {
    let items = serde_json::to_value(diagnostics)?;
    let mut hasher = DefaultHasher::new();
    items.to_string().hash(&mut hasher);
    Ok(json!({ "kind": "full", "resultId": format!("{:x}", hasher.finish()), "items": items }))
}

fn apply(mut text: String, change: TextDocumentContentChangeEvent, encoding: Encoding) -> String {
    match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text,
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            let Range { start, end } = part.range;
            let start = encoding.offset(&text, start);
            let end = encoding.offset(&text, end).max(start);
            text.replace_range(start..end, &part.text);
            text
        }
    }
}
