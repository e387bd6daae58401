//! The settings of the user, of the project, the local ones, and those that the command line names.

use super::folders::{DOT_FOLDER, DecidingFolders};
use super::refusal;
use crate::agents::decoding::Decoding;
use crate::agents::files::{below, joined, location};
use crate::agents::json::settings;
use crate::agents::setting_keys::{SettingKey, ValueType};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::ReadError;
use crate::read::value::read_json;
use crate::read::yaml::YamlNode;

/// Whose settings, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    User,
    Project,
    Local,
    CommandLine,
}

pub(super) const EVERYBODY: [Owner; 4] = [Owner::User, Owner::Project, Owner::Local, Owner::CommandLine];
/// Those whom a repository cannot speak for.
pub(super) const PERSON: [Owner; 2] = [Owner::User, Owner::CommandLine];

/// The settings files that have an effect, weakest first.
pub(super) struct OwnedSettings {
    files: Vec<(Owner, YamlNode)>,
}

/// A value of another type disables its whole file.
pub(super) const KEYS: [SettingKey; 24] = [
    ("apiKeyHelper", ValueType::Text, "a command that prints the key for requests"),
    ("autoMemoryDirectory", ValueType::Text, "the folder of MEMORY.md; counts only in the settings of the user"),
    ("autoMemoryEnabled", ValueType::Boolean, "whether MEMORY.md is sent"),
    ("claudeMdExcludes", ValueType::Texts, "patterns of instruction files that are not sent"),
    ("cleanupPeriodDays", ValueType::Number, "for how many days conversations are kept"),
    ("disableAllHooks", ValueType::Boolean, "whether no hook runs"),
    ("disabledMcpjsonServers", ValueType::Texts, "servers of .mcp.json that are not started"),
    ("enableAllProjectMcpServers", ValueType::Boolean, "whether all servers of .mcp.json are started"),
    ("enabledMcpjsonServers", ValueType::Texts, "servers of .mcp.json that are started"),
    ("enabledPlugins", ValueType::Map, "plugins, each on or off"),
    ("env", ValueType::Map, "environment variables of the session"),
    ("hooks", ValueType::Map, "commands that run at events"),
    ("includeCoAuthoredBy", ValueType::Boolean, "whether commits name the agent"),
    ("language", ValueType::Text, "the language of answers"),
    ("model", ValueType::Text, "the model"),
    ("outputStyle", ValueType::Text, "the name of the output style, whose text is sent"),
    ("permissions", ValueType::Map, "which tools run, and where"),
    ("permissions.additionalDirectories", ValueType::Texts, "further folders to work in"),
    ("permissions.allow", ValueType::Texts, "tools that run without a question"),
    ("permissions.ask", ValueType::Texts, "tools that run after a question"),
    ("permissions.deny", ValueType::Texts, "tools that never run"),
    ("pluginConfigs", ValueType::Map, "options of plugins"),
    (
        "pluginConfigs.agents-md@builtin",
        ValueType::Map,
        "how AGENTS.md is read; counts only in the settings of the user",
    ),
    ("pluginConfigs.agents-md@builtin.options", ValueType::Map, "its options"),
];

impl OwnedSettings {
    pub fn read(visit: &mut Visit<'_>, folders: &DecidingFolders) -> Result<Self, Diagnostic> {
        let project = below(&folders.cwd, DOT_FOLDER);
        let sources = folders.arguments.sources;
        let places = [
            (Owner::User, sources.user, below(&folders.config, "settings.json")),
            (Owner::Project, sources.project, below(&project, "settings.json")),
            (Owner::Local, sources.local, below(&project, "settings.local.json")),
        ];
        let mut files = Vec::new();
        for (owner, _, path) in places.into_iter().filter(|(_, counts, _)| *counts) {
            files.extend(of_file(visit, &path).map(|node| (owner, node)));
        }
        if let Some(given) = &folders.arguments.settings {
            files.extend(of_command_line(visit, given)?.map(|node| (Owner::CommandLine, node)));
        }
        Ok(Self { files })
    }

    /// The values of a key, weakest first. Dots lead into maps.
    pub fn all(&self, owners: &'static [Owner], key: &'static str) -> impl DoubleEndedIterator<Item = &YamlNode> {
        self.files.iter().filter(|(owner, _)| owners.contains(owner)).filter_map(move |(_, node)| node.at(key))
    }

    /// The strongest value of a key.
    pub fn get(&self, owners: &'static [Owner], key: &'static str) -> Option<&YamlNode> {
        self.all(owners, key).next_back()
    }
}

fn of_command_line(visit: &mut Visit<'_>, given: &str) -> Result<Option<YamlNode>, Diagnostic> {
    if given.trim_start().starts_with('{') {
        let value = read_json(given)
            .map_err(|error| refusal(format!("the settings given as an argument are not valid JSON: {error}")))?;
        return Ok(Some(YamlNode::of(&value)).filter(|node| wrong_type(node).is_none()));
    }
    let path = joined(&visit.request.cwd, given);
    match visit.files.exists(&path) {
        true => Ok(of_file(visit, &path)),
        false => Err(refusal(format!("the settings file {path} is missing"))),
    }
}

/// The settings of a file; `None` if they have no effect.
fn of_file(visit: &mut Visit<'_>, path: &str) -> Option<YamlNode> {
    let whole = || location(path, "settings", visit.files.revision(path));
    let wrong = |reason, at: Option<&YamlNode>| {
        let at = at.and_then(|node| node.span.clone()).map_or_else(whole, Into::into);
        Diagnostic::at(Problem::AgentSettingsUnreadable { reason }, at)
    };
    let read = match visit.text(path, "settings", Decoding::Whole) {
        Err(ReadError::NotFound) => return None,
        Err(_) => Err(wrong("it cannot be read".to_string(), None)),
        Ok(text) => settings(text.source()).and_then(|node| match wrong_type(&node) {
            Some(key) => Err(wrong(format!("`{key}` has a value of a wrong type"), node.at(key))),
            None => Ok(node),
        }),
    };
    read.map_err(|error| visit.diagnostics.push(error)).ok()
}

/// A key whose value is of another type than the agent expects.
fn wrong_type(node: &YamlNode) -> Option<&'static str> {
    if !ValueType::Map.accepts(node) {
        return Some("the file itself");
    }
    let is_wrong = |(key, expected, _): &&SettingKey| node.at(key).is_some_and(|node| !expected.accepts(node));
    KEYS.iter().find(is_wrong).map(|(key, ..)| *key)
}
