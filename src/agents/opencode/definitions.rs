//! Agents: what settings and files say about them, and which one the request is of.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;

use super::front_matter;
use super::json::Wrong;
use super::node::{Data, Lists, Map, Node};
use super::settings::{MergedSettings, keys, sources};
use super::{AGENT, walk, warn};
use crate::agents::ecmascript;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, FileState, Slot};
use crate::text::{Span, Traced};

const SLOT: Slot = Slot::SystemBase;
const FOLDERS: [&str; 2] = ["agent", "agents"];
const MODE_FOLDERS: [&str; 2] = ["mode", "modes"];

/// A file that defines an agent.
#[derive(Debug)]
pub(super) struct AgentFile {
    pub path: String,
    name: String,
    has_body: bool,
    is_off: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Primary,
    Subagent,
    All,
}

/// What counts when the agent of the request is chosen.
#[derive(Debug, Clone, Copy)]
struct Definition {
    mode: Mode,
    is_hidden: bool,
    is_off: bool,
}

/// The agents that are always there, in order, with whether they are hidden.
const BUILT_IN: [(&str, Mode, bool); 7] = [
    ("build", Mode::Primary, false),
    ("plan", Mode::Primary, false),
    ("general", Mode::Subagent, false),
    ("explore", Mode::Subagent, false),
    ("compaction", Mode::Primary, true),
    ("title", Mode::Primary, true),
    ("summary", Mode::Primary, true),
];

/// Merges the agents and modes of a config folder into the settings.
pub(super) fn read(visit: &mut Visit<'_>, folder: &str, settings: &mut MergedSettings) {
    let roots = FOLDERS.map(|name| (name, false)).into_iter().chain(MODE_FOLDERS.map(|name| (name, true)));
    for (root, is_mode) in roots {
        let root = below(folder, root);
        let files = match is_mode {
            true => walk::files_in(visit, &root),
            false => walk::files(visit, &root, walk::ALL),
        };
        for path in files {
            let name = path.strip_prefix(&below(&root, "")).and_then(|below| below.strip_suffix(".md"));
            let Some((name, (fields, body))) = name.and_then(|name| Some((name, parts(visit, &path)?))) else {
                continue;
            };
            if let Err((reason, at)) = add(visit, settings, (&path, name, is_mode), fields, body) {
                visit.invalid(SLOT, &path, format!("is not valid: {reason}"), at.clone());
                if !is_mode {
                    settings.refuse((format!("{path} is not valid: {reason}"), at));
                }
            }
        }
    }
}

/// The settings that the key `mode.NAME` stands for.
pub(super) fn of_mode(name: &str, mut fields: Node) -> Node {
    set_primary(&mut fields);
    of_agent(name, fields)
}

fn of_agent(name: &str, fields: Node) -> Node {
    let agents = Node::map(Map::from_iter([(name.to_string(), fields)]));
    Node::map(Map::from_iter([("agent".to_string(), agents)]))
}

fn set_primary(fields: &mut Node) {
    let mode = Node { data: Data::Text(Traced::protocol("primary")), place: None };
    fields.merge(Node::map(Map::from_iter([("mode".to_string(), mode)])));
}

/// The front matter and the body of a file; `None` if the agent passes over it.
fn parts(visit: &mut Visit<'_>, path: &str) -> Option<(Node, Span)> {
    let file = visit.text_or_state(SLOT, path, "agent")?;
    match front_matter::read(&file) {
        Ok(read) => {
            if let Some((_, at)) = front_matter::lost(&file, &read.body) {
                let does = "cannot read this front matter, so it becomes part of the agent's prompt".to_string();
                warn(visit, at.unwrap_or_else(|| file.slice(0..0)), does, "fix the YAML");
            }
            Some((read.fields, read.body))
        }
        Err((reason, at)) => {
            let at = at.unwrap_or_else(|| file.slice(0..0));
            visit.invalid(SLOT, path, reason.clone(), Some(at.clone()));
            if reason == front_matter::RUN {
                visit.report_at(Problem::FrontMatterRun { agent: AGENT }, at);
            } else {
                warn(visit, at, format!("passes over this file, which {reason}"), "fix the front matter");
            }
            None
        }
    }
}

fn add(
    visit: &mut Visit<'_>,
    settings: &mut MergedSettings,
    (path, name, is_mode): (&str, &str, bool),
    mut fields: Node,
    body: Span,
) -> Result<(), Wrong> {
    if let Some(ignored) = fields.get("prompt").and_then(|node| node.place.clone()) {
        let does = "ignores `prompt` here, because the text below the front matter is the prompt".to_string();
        warn(visit, ignored, does, "delete the field");
    }
    let body = ecmascript::trim_span(&body);
    let prompt = Node { data: Data::Text(Traced::raw(&body)), place: Some(body.clone()) };
    fields.merge(Node::map(Map::from_iter([("prompt".to_string(), prompt)])));
    keys::check_agent(&fields)?;
    keys::settle_agent(&mut fields);
    if is_mode {
        set_primary(&mut fields);
    }
    let name = fields.text("name").map_or(name, Traced::text).to_string();
    let has_body = !body.text().is_empty();
    let known = settings.merged.get("agent").and_then(|agents| agents.get(&name)?.text("prompt"));
    if !has_body && known.is_some_and(|prompt| !prompt.is_empty()) {
        let does = format!("takes this empty text as the prompt of `{name}`, which has one elsewhere");
        warn(visit, body, does, "write the prompt here, or set the other fields in the settings");
    }
    let file = AgentFile { path: path.to_string(), name: name.clone(), has_body, is_off: fields.is_true("disable") };
    settings.agent_files.push(file);
    settings.add(of_agent(&name, fields), Lists::Add);
    Ok(())
}

fn definitions(settings: &MergedSettings) -> IndexMap<&str, Definition> {
    let built_in = BUILT_IN.map(|(name, mode, is_hidden)| (name, Definition { mode, is_hidden, is_off: false }));
    let mut all = IndexMap::from(built_in);
    for (name, fields) in settings.merged.entries("agent") {
        let custom = Definition { mode: Mode::All, is_hidden: false, is_off: false };
        let definition = all.entry(name).or_insert(custom);
        match fields.text("mode").map(Traced::text) {
            Some("primary") => definition.mode = Mode::Primary,
            Some("subagent") => definition.mode = Mode::Subagent,
            Some("all") => definition.mode = Mode::All,
            _ => {}
        }
        if let Some(Data::Bool(is_hidden)) = fields.get("hidden").map(|node| &node.data) {
            definition.is_hidden = *is_hidden;
        }
        definition.is_off = fields.is_true("disable");
    }
    all
}

/// The name of the agent that the request is of.
pub(super) fn chosen(settings: &MergedSettings) -> Result<String, Wrong> {
    let all = definitions(settings);
    let is_set = |node: &&Node| node.as_text().is_none_or(|name| !name.is_empty());
    let Some(named) = settings.merged.get("default_agent").filter(is_set) else {
        let can_be = |it: &Definition| !it.is_off && !it.is_hidden && it.mode != Mode::Subagent;
        let first = all.iter().find(|(_, definition)| can_be(definition));
        return first.map(|(name, _)| name.to_string()).ok_or(("no agent is left".to_string(), None));
    };
    let name = named.as_text().map_or("", Traced::text);
    let wrong = match all.get(name).filter(|definition| !definition.is_off) {
        None => "is unknown",
        Some(definition) if definition.mode == Mode::Subagent => "is a subagent",
        Some(definition) if definition.is_hidden => "is hidden",
        Some(_) => return Ok(name.to_string()),
    };
    Err((format!("the default agent `{name}` {wrong}"), named.place.clone()))
}

/// The agent that the command line names. One that cannot answer is passed over.
pub(super) fn named(visit: &mut Visit<'_>, settings: &MergedSettings, name: String) -> Option<String> {
    let definition = definitions(settings).get(name.as_str()).copied();
    if definition.is_some_and(|definition| !definition.is_off && definition.mode != Mode::Subagent) {
        return Some(name);
    }
    let does = format!("takes the default agent, because `{name}` is unknown or a subagent");
    let help = "name another agent behind `--agent`";
    visit.report(Problem::AgentPitfall { agent: AGENT, does, help });
    None
}

/// The prompt of an agent, unless it is empty.
pub(super) fn prompt<'s>(settings: &'s MergedSettings, name: &str) -> Option<&'s Traced> {
    let prompt = settings.merged.get("agent")?.get(name)?.text("prompt")?;
    Some(prompt).filter(|prompt| !prompt.is_empty())
}

/// Gives the files of agents their states, but those whose text is the prompt.
pub(super) fn mark(visit: &mut Visit<'_>, settings: &MergedSettings, chosen: &str) {
    let all = definitions(settings);
    let sent: BTreeSet<String> = prompt(settings, chosen).into_iter().flat_map(sources).collect();
    let last: HashMap<&str, &str> =
        settings.agent_files.iter().map(|file| (file.name.as_str(), file.path.as_str())).collect();
    for file in &settings.agent_files {
        let is_built_in = BUILT_IN.iter().any(|(name, ..)| *name == file.name);
        let last = last.get(file.name.as_str()).copied().unwrap_or_default();
        let is_last = last == file.path;
        let definition = all.get(file.name.as_str()).copied();
        match definition {
            _ if is_built_in && (file.is_off || !file.has_body) => visit.applied(&file.path),
            _ if file.name == chosen && sent.contains(&file.path) => {}
            _ if file.name == chosen && file.has_body => {
                let by = Some(sent.first().map_or(last, String::as_str)).filter(|by| *by != file.path);
                let by = by.map(|by| Declared { by: by.to_string(), span: None });
                visit.left_out(SLOT, &file.path, FileReason::Shadowed, by);
            }
            _ if file.name == chosen => visit.applied(&file.path),
            Some(definition) if definition.is_off => visit.left_out(SLOT, &file.path, FileReason::Excluded, None),
            _ if !is_last => visit.left_out_by(SLOT, &file.path, FileReason::Shadowed, last),
            Some(definition) if definition.mode != Mode::Primary => {
                visit.state(SLOT, &file.path, FileState::Listed, None, None);
            }
            _ => visit.left_out(SLOT, &file.path, FileReason::Hidden, None),
        }
    }
}
