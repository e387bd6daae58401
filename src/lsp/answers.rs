//! The answers to the requests of an editor.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    CodeActionKind, CodeActionParams, Diagnostic, DocumentDiagnosticParams, Position, PublishDiagnosticsParams, Range,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::about::About;
use super::findings::{Target, elsewhere, of_error, of_finding};
use super::hover::hover;
use super::lens::{COMMAND, PromptAddress};
use super::server::Server;
use super::wire::ErrorCode;
use crate::read::address::{path_of, url_of};

/// Why a request is refused.
pub type Refusal = (ErrorCode, String);

impl<W: Write> Server<'_, W> {
    pub(super) fn result(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        let answer = match method {
            "textDocument/diagnostic" => self.report(&parsed(params)?),
            "textDocument/codeAction" => self.actions(&parsed(params)?),
            "workspace/textDocumentContent" => self.prompt(&params["uri"]),
            "workspace/executeCommand" => self.command(&params),
            "workspace/symbol" => self.items(params["query"].as_str().unwrap_or_default()),
            _ => {
                let unknown = || (ErrorCode::MethodNotFound, format!("there is no `{method}`"));
                return self.question(question_of(method).ok_or_else(unknown)?, &params);
            }
        };
        answer.map_err(|error| (ErrorCode::Failed, error.to_string()))
    }

    /// The diagnostics of all files that have any.
    fn diagnostics(&self) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for (root, path, findings) in self.workspace.findings() {
            let shown = findings.iter().map(|finding| of_finding(finding, root, self.can.encoding));
            all.entry(root.join(path)).or_default().extend(shown);
        }
        for (home, error) in self.workspace.errors() {
            let (path, shown) = of_error(error, &home.root, self.can.encoding);
            // Nothing else is known of the open documents, which looks as if nothing were wrong with them.
            for (open, document) in self.workspace.documents() {
                if document.home.as_ref() == Some(home) && open != path && self.workspace.is_read(open) {
                    all.entry(open.to_path_buf()).or_default().push(elsewhere(&shown, &path));
                }
            }
            all.entry(path).or_default().push(shown);
        }
        all
    }

    /// Sends the diagnostics of the documents that the editor does not show already.
    pub(super) fn show(&mut self) -> io::Result<()> {
        if self.can.pull {
            return Ok(());
        }
        let mut now = self.diagnostics();
        let open = self.workspace.documents().map(|(path, _)| path.to_path_buf());
        let paths: BTreeSet<PathBuf> = now.keys().chain(self.shown.keys()).cloned().chain(open).collect();
        for path in paths {
            let document = self.workspace.document(&path);
            let version = document.map(|document| document.version);
            let uri = document.map_or_else(|| url_of(&path), |document| document.uri.clone()).into();
            let diagnostics = now.remove(&path).unwrap_or_default();
            let is_known = match self.shown.get(&path) {
                Some((known, shown)) => *shown == diagnostics && (version.is_none() || *known == version),
                None => version.is_none() && diagnostics.is_empty(),
            };
            if version.is_none() && diagnostics.is_empty() {
                self.shown.remove(&path);
            } else {
                self.shown.insert(path, (version, diagnostics.clone()));
            }
            if !is_known {
                let params = PublishDiagnosticsParams { uri, version, diagnostics };
                self.client.notify("textDocument/publishDiagnostics", params)?;
            }
        }
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
            let is_gone = |path: &&PathBuf| !now.contains_key(*path) && self.workspace.document(path).is_none();
            let gone = self.shown.keys().filter(is_gone).map(|path| (path, &[] as &[Diagnostic]));
            let others = now.iter().map(|(path, shown)| (path, shown.as_slice())).chain(gone);
            let others = others.map(|(path, shown)| Ok((url_of(path), full(shown)?)));
            report["relatedDocuments"] = Value::Object(others.collect::<io::Result<_>>()?);
            self.shown = now.into_iter().map(|(path, shown)| (path, (None, shown))).collect();
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
        let mut findings = self.workspace.findings_of(&path).to_vec();
        findings.retain(|it| {
            is_wanted(&CodeActionKind::QuickFix) && touches(&self.can.encoding.range(&it.at), &params.range)
        });
        if findings.is_empty() && !is_all {
            return Ok(json!([]));
        }
        let uri = params.text_document.uri.as_ref();
        let actions = self.about(&path, |about| {
            let target = Target { uri, about };
            let all = is_all.then(|| target.fix_all()).flatten();
            target.of_findings(&findings).into_iter().chain(all).collect::<Vec<_>>()
        });
        Ok(serde_json::to_value(actions.unwrap_or_default())?)
    }

    /// Reads the project of a document for a question about it; `None` if nothing reads the document.
    fn about<T>(&mut self, path: &Path, then: impl FnOnce(&About<'_>) -> T) -> Option<T> {
        let document = self.workspace.document(path)?;
        let (home, inside) = document.place(path)?;
        let (root, text, encoding) = (home.root.clone(), document.text.clone(), self.can.encoding);
        self.workspace.read(path, |reading| then(&About { reading, path: &inside, root: &root, text: &text, encoding }))
    }

    /// Answers a question about a document or a place in it.
    fn question(&mut self, question: DocumentQuestion, params: &Value) -> Result<Value, Refusal> {
        let invalid = |what: &str| (ErrorCode::InvalidParams, format!("the question has no {what}"));
        let uri = params["textDocument"]["uri"].as_str().ok_or_else(|| invalid("document"))?;
        let path = path_of(uri).unwrap_or_default();
        let position = params.get("position").map(|at| parsed::<Position>(at.clone())).transpose()?;
        let answer = self.about(&path, |about| {
            let at = about.encoding.offset(about.read_text(), position.unwrap_or_default());
            question(about, at, params)
        });
        answer.unwrap_or(Ok(Value::Null)).map_err(|why| (ErrorCode::Failed, why))
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
        if !self.prompts.iter().any(|it| it == uri) {
            self.prompts.push_back(uri.to_string());
            // Nobody says when a prompt is closed.
            self.prompts.drain(..self.prompts.len().saturating_sub(MOST_PROMPTS));
        }
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

/// The most prompts that are kept up to date.
const MOST_PROMPTS: usize = 10;

/// Answers a question about a document, from the offset of the position and the parameters.
type DocumentQuestion = fn(&About<'_>, usize, &Value) -> Result<Value, String>;

/// The question that a method asks about one document.
fn question_of(method: &str) -> Option<DocumentQuestion> {
    let question: DocumentQuestion = match method {
        "textDocument/hover" => |about, at, _| Ok(json!(hover(about, at))),
        "textDocument/definition" => |about, at, _| Ok(json!(about.definition(at))),
        "textDocument/references" => {
            |about, at, params| Ok(json!(about.references(at, params["context"]["includeDeclaration"] == true)))
        }
        "textDocument/prepareRename" => |about, at, _| {
            let (name, range) = about.renamable(at)?;
            // An item names itself without its folder.
            Ok(json!({ "range": range, "placeholder": name.id }))
        },
        "textDocument/rename" => |about, at, params| about.rename(at, params["newName"].as_str().unwrap_or_default()),
        "textDocument/documentSymbol" => |about, _, _| Ok(json!(about.symbols())),
        "textDocument/completion" => |about, at, _| Ok(json!(about.completion(at))),
        "textDocument/codeLens" => |about, _, _| Ok(json!(about.lenses())),
        "textDocument/inlayHint" => |about, _, _| Ok(json!(about.hints())),
        _ => return None,
    };
    Some(question)
}

pub fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn touches(one: &Range, other: &Range) -> bool {
    one.start <= other.end && other.start <= one.end
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
