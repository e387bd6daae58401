//! Test cases: a project, a request, and the result that the documents require.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use rayon::prelude::*;
use rye_render::internals::decide::request::{GivenInput, Request};
use rye_render::internals::read::protocol::{Protocol, Protocols};
use rye_render::internals::read::store::TierKind;
use rye_render::internals::read::value::from_json;
use rye_render::internals::text::{InputFrom, Source};
use serde_json::{Map, Value, json};
use similar::TextDiff;
use tempfile::TempDir;

use crate::support::program;

/// The folder of the conformance cases, if the variable `RYE_RENDER_CONFORMANCE` names one.
pub fn conformance_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("RYE_RENDER_CONFORMANCE").filter(|folder| !folder.is_empty())?;
    Some(fs::canonicalize(folder).expect("RYE_RENDER_CONFORMANCE names a folder"))
}

/// The folders of the conformance cases: that one, and the cases of the newest release beside it.
fn conformance_folders() -> Option<[PathBuf; 2]> {
    let documented = conformance_folder()?;
    let newest = documented.with_file_name("rye-newest");
    Some([documented, newest])
}

/// The cases of one or more folders.
pub struct Cases {
    pub list: Vec<Case>,
    /// An empty user tier for cases that name none, deleted on drop.
    _empty: TempDir,
}

impl Cases {
    /// The cases of this repository.
    pub fn own() -> Self {
        Self::read(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases")])
    }

    pub fn conformance() -> Option<Self> {
        Some(Self::read(&conformance_folders()?))
    }

    fn read(folders: &[PathBuf]) -> Self {
        let empty = tempfile::tempdir().expect("a folder for the user tier");
        fs::create_dir(empty.path().join(".ai")).expect("a new folder");
        let user = empty.path().canonicalize().expect("the folder exists");
        let mut list = Vec::new();
        for folder in folders {
            let of_folder = cases(folder);
            assert!(!of_folder.is_empty(), "{} contains no cases", folder.display());
            list.extend(of_folder.iter().map(|case| Case::read(folder, case, &user)));
        }
        Self { list, _empty: empty }
    }

    /// Checks every case; panics with the messages of all failures.
    #[track_caller]
    pub fn check<T: Send>(&self, check: impl Fn(&Case) -> Result<T, String> + Sync) -> Vec<T> {
        let results: Vec<_> = self.list.par_iter().map(&check).collect();
        let named = self.list.iter().zip(&results);
        let failures: Vec<_> = named
            .filter_map(|(case, result)| Some(format!("FAIL {}\n{}", case.name(), result.as_ref().err()?)))
            .collect();
        assert!(failures.is_empty(), "{} of {} cases failed\n{}", failures.len(), results.len(), failures.join("\n"));
        results.into_iter().filter_map(Result::ok).collect()
    }
}

/// Every folder below this one with a `case.json`, in byte order.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut cases = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            if entry.file_type().expect("a type").is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == "case.json" {
                cases.push(folder.clone());
            }
        }
    }
    cases.sort();
    cases
}

fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn shown(path: &Path) -> String {
    path.to_str().expect("cases have plain names").to_string()
}

pub struct Case {
    case: Value,
    expected: Value,
    folder: PathBuf,
    project: PathBuf,
    /// The folder of the user tier.
    user: PathBuf,
    /// The roots of the system tier.
    bundles: Vec<PathBuf>,
    protocol_file: Option<PathBuf>,
    arguments: Vec<String>,
}

impl Case {
    fn read(corpus: &Path, folder: &Path, empty: &Path) -> Self {
        let case = read_json(&folder.join("case.json"));
        let below = |path: &str| folder.join(path).canonicalize().unwrap_or_else(|_| folder.join(path));
        let project = below(text(&case, "project").unwrap_or("project"));
        let user = text(&case, "user_space").map_or_else(|| empty.to_path_buf(), below);
        let protocol = text(&case, "protocol").expect("a case names its protocol");

        let mut arguments = Vec::new();
        let mut flag = |name: &str, value: String| arguments.extend([name.to_string(), value]);
        flag("--project", shown(&project));
        flag("--user-space", shown(&user));
        let bundles = bundles(&below(text(&case, "system").expect("a case names its system tier")));
        for root in &bundles {
            flag("--system", shown(root));
        }
        let defined = corpus.join(format!("_protocols/{protocol}.yaml"));
        if defined.is_file() {
            flag("--protocol-file", shown(&defined));
        }
        flag("--protocol", protocol.to_string());
        if let Some(model) = text(&case, "model") {
            flag("--model", model.to_string());
        }
        for (name, value) in case.get("inputs").and_then(Value::as_object).unwrap_or(&Map::new()) {
            match value {
                Value::String(text) => flag("--input", format!("{name}={text}")),
                other => flag("--input-json", format!("{name}={other}")),
            }
        }
        for argument in list(&case, "args") {
            let argument = argument.as_str().expect("arguments are text");
            arguments.push(argument.replace("{case}", &shown(folder)));
        }
        arguments.push(text(&case, "directive").expect("a directive").to_string());

        let expected = read_json(&folder.join("expected.json"));
        let protocol_file = Some(defined).filter(|path| path.is_file());
        Self { case, expected, folder: folder.to_path_buf(), project, user, bundles, protocol_file, arguments }
    }

    pub fn name(&self) -> String {
        shown(&self.folder)
    }

    /// Whether a refusal is expected.
    pub fn is_refused(&self) -> bool {
        text(&self.expected, "error_kind").is_some()
    }

    /// The folder that contains the `.ai/` of a tier. The tier is named as in the output.
    pub fn root(&self, tier: &str) -> Option<&Path> {
        match tier {
            "project" => Some(&self.project),
            "user" => Some(&self.user),
            _ => {
                let name = tier.strip_prefix("system:")?;
                let root = self.bundles.iter().find(|root| root.file_name().is_some_and(|folder| folder == name))?;
                Some(root)
            }
        }
    }

    /// What `render` is asked for; `None` if the case has arguments that say more.
    pub fn request(&self) -> Option<Request> {
        let given = |(name, value): (&String, &Value)| GivenInput {
            name: name.clone(),
            value: from_json(serde_json::from_value(value.clone()).expect("it is a JSON value")),
            from: InputFrom::Flag,
        };
        let variable = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_string()));
        let entries = |key| self.case.get(key).and_then(Value::as_object).into_iter().flatten();
        list(&self.case, "args").is_empty().then(|| Request {
            inputs: entries("inputs").map(given).collect(),
            environment: Arc::new(entries("env").filter_map(variable).collect()),
            model: text(&self.case, "model").map(str::to_string),
            project_path: shown(&self.project),
            ..Request::new(text(&self.case, "directive").expect("a directive"))
        })
    }

    pub fn protocol(&self) -> Protocol {
        let name = text(&self.case, "protocol").expect("a case names its protocol");
        let mut protocols = Protocols::default();
        if let Some(path) = &self.protocol_file {
            let bytes = fs::read(path).expect("it can be read");
            let source = Source::read("".into(), shown(path), bytes).expect("it is UTF-8");
            protocols.add_file(&source).expect("it defines a protocol");
        }
        protocols.get(name).expect("it is defined")
    }

    /// The label, the kind and the folder of each tier, as `render` names them.
    pub fn tiers(&self) -> Vec<(String, TierKind, PathBuf)> {
        let bundle = |root: &PathBuf| {
            let name = root.file_name().expect("a bundle has a name").to_str().expect("cases have plain names");
            (format!("system:{name}"), TierKind::System, root.clone())
        };
        let own = [("project", TierKind::Project, &self.project), ("user", TierKind::User, &self.user)];
        let own = own.map(|(label, kind, root)| (label.to_string(), kind, root.clone()));
        own.into_iter().chain(self.bundles.iter().map(bundle)).collect()
    }

    /// `render` with the case's arguments.
    pub fn command(&self, format: &str) -> Command {
        self.asked("render", &["--format", format])
    }

    /// `explain` with the case's arguments and these, as JSON.
    pub fn explain(&self, further: &[&str]) -> Command {
        self.asked("explain", &[further, &["--format", "json"]].concat())
    }

    fn asked(&self, word: &str, further: &[&str]) -> Command {
        let mut command = program(&self.user);
        let (directive, flags) = self.arguments.split_last().expect("there is a directive");
        command.arg(word).args(flags).args(further).args(["--", directive]).current_dir(&self.folder);
        for (name, value) in self.case.get("env").and_then(Value::as_object).unwrap_or(&Map::new()) {
            command.env(name, value.as_str().expect("variables are text"));
        }
        command
    }

    /// Runs the case and compares the result.
    pub fn check(&self) -> Result<(), String> {
        let output: Output = self.command("json").output().map_err(|error| error.to_string())?;
        let stdout = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        let stderr = String::from_utf8(output.stderr).map_err(|error| error.to_string())?;
        let ended = format!("status {:?}\n{stderr}", output.status.code());
        let differences = match (text(&self.expected, "error_kind"), output.status.code()) {
            (Some(kind), Some(2)) => self.compare_error(kind, &stdout, &stderr),
            (None, Some(0)) => {
                let document = serde_json::from_str(&stdout).map_err(|error| format!("not JSON: {error}"))?;
                self.compare(&document)
            }
            _ => ended,
        };
        if differences.is_empty() { Ok(()) } else { Err(differences) }
    }

    fn compare_error(&self, kind: &str, stdout: &str, stderr: &str) -> String {
        let error: Value = serde_json::from_str(stderr).unwrap_or_default();
        let mut differences = String::new();
        if !stdout.is_empty() {
            differences += "standard output must be empty after an error\n";
        }
        if error.pointer("/error/code").and_then(Value::as_str) != Some(kind) {
            differences += &format!("expected the error {kind}: {stderr}\n");
        }
        for words in list(&self.expected, "error_contains").iter().filter_map(Value::as_str) {
            if !stderr.contains(words) {
                differences += &format!("the error lacks {words:?}: {stderr}\n");
            }
        }
        differences
    }

    fn compare(&self, document: &Value) -> String {
        let protocol = text(&self.case, "protocol").unwrap_or_default();
        let mut differences = Differences(String::new());
        if let Some(expected) = self.expected.get("messages") {
            let sent = |messages: &[Value], key| -> Vec<Value> {
                messages.iter().map(|message| json!([message["role"], message[key]])).collect()
            };
            let mut expected = sent(expected.as_array().expect("a list of messages"), "content");
            // Where a provider takes it separately, the list lacks the system message.
            if let Some(system) = text(&self.expected, "system").filter(|_| expected[0][0] != "system") {
                expected.insert(0, json!(["system", system]));
            }
            differences.compare("messages", &json!(expected), &json!(sent(list(document, "messages"), "text")));
        } else {
            for role in ["system", "user"] {
                let expected = self.expected.get(role).and_then(Value::as_str).unwrap_or_default();
                let expected =
                    expected.replace("{{PROJECT}}", &shown(&self.project)).replace("{{USER}}", &shown(&self.user));
                let of_role = |message: &&Value| message["role"] == role;
                let actual = list(document, "messages")
                    .iter()
                    .find(of_role)
                    .map_or("", |found| found["text"].as_str().unwrap_or_default());
                differences.compare_text(role, &expected, actual);
            }
        }
        let event = |name: &str, key: &str| -> Value {
            let event = list(document, "events").iter().find(|event| event["event"] == name);
            event.and_then(|event| event.get(key)).cloned().unwrap_or(json!([]))
        };
        if let Some(expected) = self.expected.get("system_layers").filter(|_| protocol != "ryeos") {
            differences.compare("system layers", expected, &event("system_prompt", "layers"));
        }
        if let Some(expected) = self.expected.get("context_injected").filter(|_| protocol != "ryeos") {
            let actual =
                json!({"before": event("context_injected", "before"), "after": event("context_injected", "after")});
            differences.compare("context injected", expected, &actual);
        }
        if let Some(expected) = self.expected.get("chain_ids") {
            let actual: Vec<_> = list(document, "chain").iter().map(|member| member["id"].clone()).collect();
            differences.compare("chain", expected, &json!(actual));
        }
        if self.expected.get("tools").is_some() && ["rye-3", "rye-4", "ryeos", "ryeos-4"].contains(&protocol) {
            let (expected, actual) = (tools(list(&self.expected, "tools")), tools(list(document, "tools")));
            differences.compare("tools", &expected, &actual);
        }
        differences.0
    }
}

/// The folder itself if it is a bundle root, else the bundle roots in it, in byte order.
fn bundles(system: &Path) -> Vec<PathBuf> {
    if system.join(".ai").is_dir() {
        return vec![system.to_path_buf()];
    }
    let entries = fs::read_dir(system).expect("a folder of bundles");
    let mut roots: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    roots.retain(|root| root.join(".ai").is_dir());
    roots.sort();
    roots
}

/// The parts of a palette to compare, in a fixed order. The description of `directive_return` is not specified.
fn tools(tools: &[Value]) -> Value {
    let mut tools: Vec<_> = tools
        .iter()
        .map(|tool| {
            let schema = tool.get("input_schema").or(tool.get("schema"));
            let description = Some(&tool["description"]).filter(|_| tool["name"] != "directive_return");
            json!({
                "name": tool["name"], "item_id": tool["item_id"], "primary": tool["primary"],
                "description": description, "schema": schema.map(sorted),
            })
        })
        .collect();
    tools.sort_by_key(|tool| tool["name"].to_string());
    Value::Array(tools)
}

/// Sorts the keys of maps in byte order, so that a different order does not appear in a diff.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().collect())
        }
        scalar => scalar.clone(),
    }
}

struct Differences(String);

impl Differences {
    fn compare(&mut self, what: &str, expected: &Value, actual: &Value) {
        if expected != actual {
            let lines = |value: &Value| serde_json::to_string_pretty(&sorted(value)).expect("a value is JSON");
            self.compare_text(what, &lines(expected), &lines(actual));
        }
    }

    fn compare_text(&mut self, what: &str, expected: &str, actual: &str) {
        if expected != actual {
            let difference = TextDiff::from_lines(expected, actual);
            self.0 += &format!("{what} differs:\n{}", difference.unified_diff().header("expected", "actual"));
        }
    }
}
