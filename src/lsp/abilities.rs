//! What the editor can do, and what it is told that this server can.

use serde_json::{Value, json};

use super::lens::{COMMAND, SCHEME};
use super::position::Encoding;

/// What the editor can do.
#[derive(Debug, Default)]
pub struct Abilities {
    /// Counts in bytes instead of UTF-16.
    pub encoding: Encoding,
    /// Asks for diagnostics instead of being sent them.
    pub pull: bool,
    /// Takes the diagnostics of other files with those that it asks for.
    pub take_related: bool,
    /// Asks for diagnostics again if told to.
    pub pull_again: bool,
    /// Reports changes on disk.
    pub report_changes: bool,
    /// Also of those outside of its folders.
    pub report_elsewhere: bool,
    /// Renames a file as part of an edit.
    pub rename_files: bool,
    /// Opens the address of a prompt.
    pub show_prompts: bool,
    /// Asks for the text of a prompt again if told to.
    pub read_again: bool,
    pub lens_again: bool,
    pub hint_again: bool,
}

impl Abilities {
    /// From the parameters of `initialize`.
    pub fn of(params: &Value) -> Self {
        let ability = |pointer: &str| params.pointer(&format!("/capabilities/{pointer}"));
        let is_set = |pointer: &str| ability(pointer) == Some(&Value::Bool(true));
        let has = |pointer: &str| ability(pointer).is_some_and(Value::is_object);
        let encodings = ability("general/positionEncodings").and_then(Value::as_array);
        let counts_bytes = encodings.is_some_and(|encodings| encodings.iter().any(|it| it == "utf-8"));
        let operations = ability("workspace/workspaceEdit/resourceOperations").and_then(Value::as_array);
        let renames = operations.is_some_and(|operations| operations.iter().any(|it| it == "rename"));
        Self {
            encoding: if counts_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            pull: has("textDocument/diagnostic"),
            take_related: is_set("textDocument/diagnostic/relatedDocumentSupport"),
            pull_again: is_set("workspace/diagnostics/refreshSupport"),
            report_changes: is_set("workspace/didChangeWatchedFiles/dynamicRegistration"),
            report_elsewhere: is_set("workspace/didChangeWatchedFiles/relativePatternSupport"),
            rename_files: is_set("workspace/workspaceEdit/documentChanges") && renames,
            show_prompts: is_set("window/showDocument/support") && has("workspace/textDocumentContent"),
            read_again: has("workspace/textDocumentContent"),
            lens_again: is_set("workspace/codeLens/refreshSupport"),
            hint_again: is_set("workspace/inlayHint/refreshSupport"),
        }
    }

    /// The answer to `initialize`.
    pub fn answer(&self) -> Value {
        let mut capabilities = json!({
            "positionEncoding": match self.encoding { Encoding::Utf8 => "utf-8", Encoding::Utf16 => "utf-16" },
            // Incremental changes.
            "textDocumentSync": { "openClose": true, "change": 2 },
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
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
        if self.rename_files {
            capabilities["renameProvider"] = json!({ "prepareProvider": true });
        }
        if self.pull {
            capabilities["diagnosticProvider"] =
                json!({ "interFileDependencies": true, "workspaceDiagnostics": false });
        }
        let server = json!({ "name": "rye-render", "version": env!("CARGO_PKG_VERSION") });
        json!({ "capabilities": capabilities, "serverInfo": server })
    }
}

/// The addresses of the folders that the editor has open, from the parameters of `initialize`.
pub fn folders(params: &Value) -> Vec<&str> {
    let folders = addresses(&params["workspaceFolders"]);
    let root = params.get("rootUri").and_then(Value::as_str).filter(|_| folders.is_empty());
    folders.into_iter().chain(root).collect()
}

/// The addresses of a list of folders.
pub fn addresses(folders: &Value) -> Vec<&str> {
    folders.as_array().into_iter().flatten().filter_map(|folder| folder.get("uri")?.as_str()).collect()
}
