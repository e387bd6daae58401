//! The settings: files of the user, of the project and of config folders, merged in order.

pub(super) mod keys;
mod substitute;

use std::collections::HashSet;
use std::mem;

use super::definitions::{self, AgentFile};
use super::json::{self, Wrong};
use super::node::{Lists, Map, Node};
use super::places::{AgentFolders, DOT_FOLDER, exists};
use super::{AGENT, references, refusal};
use crate::agents::files::{below, joined, parent};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::PathKind;
use crate::text::{Origin, Traced};

pub(super) const NAMES: [&str; 2] = ["opencode.json", "opencode.jsonc"];
const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";
const SYSTEM: &str = "/etc/opencode";

#[derive(Debug)]
pub(super) struct MergedSettings {
    pub merged: Node,
    /// Entries of `instructions` that a later file of the user replaces, and that file.
    pub replaced: Vec<(Traced, Declared)>,
    /// Entries of `instructions` in files that a variable switches off.
    pub excluded: Vec<Traced>,
    /// In the order in which they are merged.
    pub agent_files: Vec<AgentFile>,
    /// The files that `{file:…}` names.
    pub files: Vec<String>,
    /// Those whose text is in the prompt of an agent.
    pub prompt_files: HashSet<String>,
    /// Why the agent does not start.
    pub refusal: Option<Diagnostic>,
}

impl MergedSettings {
    pub fn load(visit: &mut Visit<'_>, places: &AgentFolders) -> Self {
        let mut settings = Self {
            merged: Node::map(Map::new()),
            replaced: Vec::new(),
            excluded: Vec::new(),
            agent_files: Vec::new(),
            files: Vec::new(),
            prompt_files: HashSet::new(),
            refusal: None,
        };
        for name in ["config.json"].iter().chain(&NAMES) {
            settings.add_file(visit, &below(&places.global, name), Lists::Replace);
        }
        if let Some(named) = visit.variable("OPENCODE_CONFIG").map(|path| joined(&places.cwd, path)) {
            settings.add_file(visit, &named, Lists::Add);
        }
        for folder in places.chain().iter().rev() {
            settings.add_folder(visit, folder, places.switches.no_project);
        }
        for folder in places.config_folders() {
            if folder != places.global {
                settings.add_folder(visit, &folder, false);
            }
            definitions::read(visit, &folder, &mut settings);
        }
        if places.switches.no_project {
            for folder in places.chain().iter().filter(|folder| **folder != places.home) {
                settings.add_folder(visit, &below(folder, DOT_FOLDER), true);
            }
        }
        settings.add_content(visit, places);
        settings.add_folder(visit, SYSTEM, false);
        for (name, node) in settings.merged.clone().entries("mode") {
            settings.add(definitions::of_mode(name, node.clone()), Lists::Add);
        }
        keys::add_tools(&mut settings.merged);
        settings
    }

    pub fn refuse(&mut self, (reason, at): Wrong) {
        self.refusal.get_or_insert_with(|| refusal(reason, at));
    }

    pub fn add(&mut self, node: Node, lists: Lists) {
        self.merged.merge_settings(node, lists);
    }

    fn add_folder(&mut self, visit: &mut Visit<'_>, folder: &str, is_off: bool) {
        for path in NAMES.map(|name| below(folder, name)) {
            if is_off {
                self.exclude(visit, &path);
            } else {
                self.add_file(visit, &path, Lists::Add);
            }
        }
    }

    fn add_file(&mut self, visit: &mut Visit<'_>, path: &str, lists: Lists) {
        match self.read(visit, path) {
            Ok(Some(node)) => {
                if let (Lists::Replace, Some(list)) = (lists, node.get("instructions")) {
                    let by = Declared { by: path.to_string(), span: list.place.clone() };
                    self.replaced.extend(self.merged.texts("instructions").cloned().map(|entry| (entry, by.clone())));
                }
                if node.get("$schema").is_none() {
                    let does = "adds the key `$schema` to this file when it starts".to_string();
                    visit.report_file(Problem::AgentFact { agent: AGENT, does }, path, "settings");
                }
                visit.applied(path);
                self.add(node, lists);
            }
            Ok(None) => {}
            Err((reason, at)) => {
                visit.invalid(Slot::SystemBase, path, format!("is not valid: {reason}"), at.clone());
                self.refuse((format!("{path} is not valid: {reason}"), at));
            }
        }
    }

    /// Records settings that are switched off, and which instructions they name.
    fn exclude(&mut self, visit: &mut Visit<'_>, path: &str) {
        if visit.has_state(path) || !exists(visit, path) {
            return;
        }
        visit.left_out(Slot::SystemBase, path, FileReason::Excluded, None);
        let (files, prompt_files) = (mem::take(&mut self.files), mem::take(&mut self.prompt_files));
        if let Ok(Some(node)) = self.read(visit, path) {
            self.excluded.extend(node.texts("instructions").cloned());
        }
        (self.files, self.prompt_files) = (files, prompt_files);
    }

    /// The values of a file; `None` if it is missing, unreadable or empty.
    fn read(&mut self, visit: &mut Visit<'_>, path: &str) -> Result<Option<Node>, Wrong> {
        if !visit.is_file(Slot::SystemBase, path) {
            if visit.kind(path) == Some(PathKind::Folder) {
                visit.left_out(Slot::SystemBase, path, FileReason::Invalid, None);
            }
            return Ok(None);
        }
        let Some(span) = visit.text_or_state(Slot::SystemBase, path, "settings") else { return Ok(None) };
        if span.text().is_empty() {
            visit.left_out(Slot::SystemBase, path, FileReason::Empty, None);
            return Ok(None);
        }
        self.parse(visit, &Traced::raw(&span), parent(path).unwrap_or("/")).map(Some)
    }

    fn add_content(&mut self, visit: &mut Visit<'_>, places: &AgentFolders) {
        let Some(content) = visit.variable(CONTENT) else { return };
        let text = Traced::of(content, Origin::Env(CONTENT.into()));
        match self.parse(visit, &text, &places.cwd) {
            Ok(node) => self.add(node, Lists::Add),
            Err((reason, at)) => self.refuse((format!("{CONTENT} is not valid: {reason}"), at)),
        }
    }

    fn parse(&mut self, visit: &Visit<'_>, text: &Traced, folder: &str) -> Result<Node, Wrong> {
        let mut files = Vec::new();
        let text = substitute::substituted(visit, text, folder, &mut files)?;
        let mut node = json::parse(&text)?;
        keys::rename(&mut node);
        keys::check(&node)?;
        references::resolve(&mut node, folder, &visit.request.home);
        keys::spread_permission(&mut node);
        for key in ["agent", "mode"] {
            node.entries_mut(key).for_each(keys::settle_agent);
        }
        let agents = ["agent", "mode"].into_iter().flat_map(|key| node.entries(key));
        for prompt in agents.filter_map(|(_, fields)| fields.text("prompt")) {
            self.prompt_files.extend(sources(prompt).filter(|path| files.contains(path)));
        }
        self.files.append(&mut files);
        Ok(node)
    }
}

/// The paths of the files that hold parts of a text.
pub(super) fn sources(text: &Traced) -> impl Iterator<Item = String> {
    text.segments().filter_map(|segment| Some(segment.origin.span()?.source().path().to_string()))
}
