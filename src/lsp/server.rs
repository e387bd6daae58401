//! The conversation with one editor.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use gen_lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Range, TextDocumentContentChangeEvent, WorkspaceFolder,
};
use serde_json::{Value, json};

use super::abilities::{Abilities, addresses, folders};
use super::answers::{Refusal, parsed};
use super::position::Encoding;
use super::wire::{Client, ErrorCode, Incoming, Message};
use super::workspace::{Opener, Workspace};
use crate::read::address::{path_of, url_of};
use crate::system;

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
    Server {
        incoming: Incoming::new(input),
        client: Client::new(output),
        workspace: Workspace::new(opener),
        stage: Stage::New,
        editor: None,
        can: Abilities::default(),
        shown: BTreeMap::new(),
        prompts: VecDeque::new(),
        is_shown: true,
        registration: None,
        watched: BTreeSet::new(),
    }
    .run()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

pub(super) struct Server<'o, W> {
    incoming: Incoming,
    pub(super) client: Client<W>,
    pub(super) workspace: Workspace<'o>,
    stage: Stage,
    /// The process of the editor.
    editor: Option<u32>,
    pub(super) can: Abilities,
    /// What the editor shows, by file, and for which version of an open document.
    pub(super) shown: BTreeMap<PathBuf, (Option<i32>, Vec<Diagnostic>)>,
    /// The addresses of prompts that the editor showed last.
    pub(super) prompts: VecDeque<String>,
    /// Whether the editor has the results of the last check.
    is_shown: bool,
    /// The request to be told of changes on disk.
    registration: Option<String>,
    /// The roots of tiers outside of the editor's folders whose changes it reports.
    watched: BTreeSet<PathBuf>,
}

impl<W: Write> Server<'_, W> {
    fn run(mut self) -> io::Result<Ended> {
        loop {
            if self.stage == Stage::Running && !self.is_shown && self.incoming.is_empty()? {
                self.workspace.check();
                // Results that are out of date already are not shown.
                if !self.incoming.has_edit()? {
                    self.show_all()?;
                }
            }
            match self.incoming.next(self.editor)? {
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
                Some(Message::Answer { id, is_refused }) => {
                    if is_refused && self.registration.as_deref() == id.as_str() {
                        self.workspace.is_told_of_changes = false;
                    }
                }
            }
        }
    }

    fn show_all(&mut self) -> io::Result<()> {
        self.is_shown = true;
        self.show()?;
        self.watch_tiers()?;
        for uri in self.prompts.iter().filter(|_| self.can.read_again) {
            self.client.ask("workspace/textDocumentContent/refresh", &json!({ "uri": uri }))?;
        }
        // An editor asks again about the document that changed, but not about the others.
        let has_others = self.workspace.documents().nth(1).is_some();
        for (can, what) in [(self.can.lens_again, "codeLens"), (self.can.hint_again, "inlayHint")] {
            if can && has_others {
                self.client.ask(&format!("workspace/{what}/refresh"), &Value::Null)?;
            }
        }
        Ok(())
    }

    /// Asks the editor to report changes on disk.
    fn watch(&mut self, id: &str, pattern: &Value) -> io::Result<String> {
        let watchers = json!({ "watchers": [{ "globPattern": pattern }] });
        let method = "workspace/didChangeWatchedFiles";
        let registration = json!({ "id": id, "method": method, "registerOptions": watchers });
        self.client.ask("client/registerCapability", &json!({ "registrations": [registration] }))
    }

    /// Asks it also for changes in tiers outside of its folders.
    fn watch_tiers(&mut self) -> io::Result<()> {
        if !self.can.report_elsewhere || !self.workspace.is_told_of_changes {
            return Ok(());
        }
        for root in self.workspace.tiers_outside() {
            if !self.watched.contains(&root) {
                let pattern = json!({ "baseUri": url_of(&root), "pattern": ".ai/**/*" });
                self.watch(&format!("tier-{}", self.watched.len()), &pattern)?;
                self.watched.insert(root);
            }
        }
        Ok(())
    }

    /// More changed than the document that the editor asks about by itself.
    fn changed(&mut self) -> io::Result<()> {
        self.is_shown = false;
        if self.can.pull && self.can.pull_again {
            self.client.ask("workspace/diagnostic/refresh", &Value::Null)?;
        }
        Ok(())
    }

    fn answer(&mut self, id: &Value, method: &str, mut params: Value) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (Stage::New, "initialize") => return Ok(self.initialize(params)),
            (Stage::New, _) => {
                return Err((ErrorCode::NotInitialized, "the first request is `initialize`".to_string()));
            }
            (Stage::ShutDown, _) => return Err((ErrorCode::InvalidRequest, "the server is shut down".to_string())),
            (Stage::Running, "initialize") => {
                return Err((ErrorCode::InvalidRequest, "the server is initialized already".to_string()));
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                return Ok(Value::Null);
            }
            (Stage::Running, _) => {}
        }
        if self.incoming.is_cancelled(id).unwrap_or_default() {
            return Err((ErrorCode::Cancelled, "cancelled".to_string()));
        }
        self.client.linked.resolve(&mut params);
        self.result(method, params)
    }

    fn initialize(&mut self, mut params: Value) -> Value {
        self.stage = Stage::Running;
        self.client.linked.add(folders(&params));
        self.client.linked.resolve(&mut params);
        let process = params["processId"].as_u64().and_then(|number| u32::try_from(number).ok());
        // In a container, the number may be one of the system around it.
        self.editor = process.filter(|number| system::is_process(*number));
        self.can = Abilities::of(&params);
        self.workspace.is_told_of_changes = self.can.report_changes;
        self.workspace.folders = folders(&params).into_iter().filter_map(path_of).collect();
        self.can.answer()
    }

    /// A notification, which has no answer: one that is wrong is left out.
    fn noted(&mut self, method: &str, mut params: Value) -> io::Result<()> {
        if self.stage != Stage::Running {
            return Ok(());
        }
        self.client.linked.add(addresses(&params["event"]["added"]));
        let removed: Vec<String> = addresses(&params["event"]["removed"]).into_iter().map(str::to_string).collect();
        self.client.linked.resolve(&mut params);
        self.client.linked.remove(&removed);
        match method {
            "initialized" if self.workspace.is_told_of_changes => {
                self.registration = Some(self.watch("files", &json!("**/*"))?);
            }
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: it }) = parsed(params)
                    && let Some(path) = path_of(it.uri.as_ref())
                {
                    self.shown.remove(&path);
                    self.workspace.open(path, it.uri.0, it.version, it.text);
                    self.is_shown = false;
                }
            }
            "textDocument/didChange" => {
                if let Ok(DidChangeTextDocumentParams { text_document: it, content_changes }) = parsed(params)
                    && let Some(path) = path_of(it.text_document_identifier.uri.as_ref())
                {
                    let encoding = self.can.encoding;
                    let changed = |text: &str| {
                        content_changes.into_iter().fold(text.to_string(), |text, change| apply(text, change, encoding))
                    };
                    self.is_shown &= !self.workspace.change(&path, it.version, changed);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document: it }) = parsed(params)
                    && let Some(path) = path_of(it.uri.as_ref())
                {
                    self.workspace.close(&path);
                    self.changed()?;
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(DidChangeWatchedFilesParams { changes }) = parsed(params) {
                    let paths: Vec<PathBuf> = changes.iter().filter_map(|it| path_of(it.uri.as_ref())).collect();
                    if self.workspace.changed_on_disk(&paths) {
                        self.changed()?;
                    }
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = parsed(params) {
                    let path = |folder: &WorkspaceFolder| path_of(folder.uri.as_ref());
                    let removed: Vec<PathBuf> = event.removed.iter().filter_map(path).collect();
                    let kept = self.workspace.folders.iter().filter(|folder| !removed.contains(folder)).cloned();
                    self.workspace.set_folders(kept.chain(event.added.iter().filter_map(path)).collect());
                    self.changed()?;
                }
            }
            _ => {}
        }
        Ok(())
    }
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
