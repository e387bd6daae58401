//! The conformance cases of agents, in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rye_render::internals::agents::{Agent, AgentRequest, parent, render_agent};
use rye_render::internals::prompt::Prompt;
use rye_render::internals::read::store::{MemoryStore, Store};
use serde_json::Value;

/// Where a case's files are.
const ROOT: &str = "/root";

/// A case: its files, and the prompt in them.
pub struct Tree {
    pub name: String,
    pub files: BTreeMap<String, Vec<u8>>,
    links: BTreeMap<String, String>,
    request: AgentRequest,
    pub prompt: Prompt,
}

/// The cases of all agents that this program knows.
pub fn all(folder: &Path) -> Vec<Tree> {
    let cases = |agent: &'static Agent| {
        let folder = folder.join(agent.name);
        let mut cases: Vec<_> =
            fs::read_dir(&folder).expect("cases of the agent").map(|it| it.unwrap().path()).collect();
        cases.retain(|case| case.join("case.json").is_file());
        cases.sort();
        cases.into_iter().map(move |case| Tree::read(agent, &case))
    };
    Agent::all().flat_map(cases).collect()
}

impl Tree {
    fn read(agent: &'static Agent, folder: &Path) -> Self {
        let case: Value = serde_json::from_slice(&fs::read(folder.join("case.json")).unwrap()).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().replace("@ROOT@", ROOT);
        let path = |value: &Value| format!("{ROOT}/{}", text(value));
        let list = |key: &str| case[key].as_array().cloned().unwrap_or_default();
        let (mut files, mut links) = (BTreeMap::new(), BTreeMap::new());
        read_folder(&folder.join("fs"), ROOT, &mut files, &mut links);
        for op in list("ops") {
            let path = path(&op["path"]);
            match op["op"].as_str().unwrap() {
                "git" => drop(files.insert(format!("{path}/.git/HEAD"), Vec::new())),
                "mkdir" => drop(files.insert(format!("{path}/kept"), Vec::new())),
                "symlink" => drop(links.insert(path, text(&op["target"]))),
                _ if op["b64"].is_string() => {
                    files.insert(path, STANDARD.decode(text(&op["b64"])).expect("it is base64"));
                }
                _ => {
                    let times = op["times"].as_u64().unwrap_or(1) as usize;
                    files.insert(path, text(&op["text"]).repeat(times).into_bytes());
                }
            }
        }
        let variable = |name: &&'static str| Some((*name, text(case["env"].get(name)?)));
        let chosen = agent.at(Some(text(&case["version"])), None);
        let request = AgentRequest {
            variables: agent.variables.iter().filter_map(variable).collect(),
            environment: case["env"].as_object().into_iter().flatten().map(|it| (it.0.clone(), text(it.1))).collect(),
            arguments: list("args").iter().map(text).collect(),
            touch: list("touch").iter().map(path).collect(),
            ..AgentRequest::new(chosen, path(&case["cwd"]), path(&case["home"]))
        };
        let name = format!("{} {}", agent.name, folder.file_name().unwrap().to_string_lossy());
        let mut tree = Self { name, files, links, request, prompt: Prompt::default() };
        tree.prompt = tree.render(&tree.store(None));
        tree
    }

    /// The files, one of them with other bytes.
    pub fn store(&self, changed: Option<(&str, &[u8])>) -> MemoryStore {
        let mut store: MemoryStore = self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        if let Some((path, bytes)) = changed {
            store.insert(path, bytes);
        }
        for (link, target) in &self.links {
            store.link(link, Some(followed(link, target)));
        }
        store
    }

    pub fn render(&self, files: &dyn Store) -> Prompt {
        render_agent(&self.request, files)
    }
}

/// The path that a link leads to.
fn followed(link: &str, target: &str) -> String {
    if target.starts_with('/') {
        return target.to_string();
    }
    let mut folder = parent(link).unwrap_or_default();
    let mut rest = target;
    while let Some(below) = rest.strip_prefix("../") {
        (folder, rest) = (parent(folder).unwrap_or_default(), below);
    }
    format!("{folder}/{rest}")
}

fn read_folder(folder: &Path, path: &str, files: &mut BTreeMap<String, Vec<u8>>, links: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.expect("an entry of the case");
        let path = format!("{path}/{}", entry.file_name().to_string_lossy());
        if let Ok(target) = fs::read_link(entry.path()) {
            links.insert(path, target.to_string_lossy().into_owned());
        } else if entry.path().is_dir() {
            read_folder(&entry.path(), &path, files, links);
        } else {
            files.insert(path, fs::read(entry.path()).expect("a file of the case"));
        }
    }
}
