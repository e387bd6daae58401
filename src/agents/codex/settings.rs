//! The settings: `config.toml` of the user, a profile, the command line, and the trusted folders of the project.

use super::folders::{Folders, joined_or_home, level};
use super::{keys, refusal, toml};
use crate::agents::decoding::not_utf8;
use crate::agents::files::{ancestors, below, parent};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::ReadError;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};

pub(super) const FILE: &str = "config.toml";
const FALLBACK_NAMES: &str = "project_doc_fallback_filenames";
const DEFAULT_BUDGET: usize = 32768;
/// The flag that names a setting.
pub(super) const FLAG: &str = "config";

pub(super) struct Settings {
    /// Without those of the project.
    pub user: YamlNode,
    pub merged: YamlNode,
    /// The last parts of all fallback names in any file, used or not.
    pub named: Vec<String>,
}

impl Settings {
    /// The settings of the user.
    pub fn of_user(
        visit: &mut Visit<'_>,
        home: &str,
        profile: Option<&str>,
        overrides: Vec<YamlNode>,
    ) -> Result<Self, Diagnostic> {
        let mut settings = Self { user: empty(), merged: empty(), named: Vec::new() };
        if let Some(node) = read(visit, &below(home, FILE))? {
            settings.add(node);
        }
        settings.add_profile(visit, home, profile)?;
        let overrides = overrides.into_iter().fold(empty(), toml::merge);
        keys::check(&overrides)?;
        settings.add(overrides);
        settings.user = settings.merged.clone();
        Ok(settings)
    }

    fn add(&mut self, node: YamlNode) {
        let names = texts(&node, FALLBACK_NAMES);
        self.named.extend(names.iter().flatten().filter_map(|name| name.trim().rsplit('/').next().map(str::to_string)));
        self.merged = toml::merge(std::mem::replace(&mut self.merged, empty()), node);
    }

    fn add_profile(&mut self, visit: &mut Visit<'_>, home: &str, profile: Option<&str>) -> Result<(), Diagnostic> {
        if !visit.since("0.135.0") {
            let named = profile.map(str::to_string).or_else(|| self.text("profile").map(str::to_string));
            let table = named.and_then(|name| self.merged.get("profiles")?.get(&name).cloned());
            table.into_iter().for_each(|table| self.add(table));
            return Ok(());
        }
        if let Some(old) = self.merged.get("profile") {
            return Err(refusal("it no longer reads the key `profile`".to_string(), old.span.clone()));
        }
        let Some(profile) = profile else { return Ok(()) };
        if let Some(old) = self.merged.get("profiles").and_then(|tables| tables.get(profile)) {
            return Err(refusal(format!("it no longer reads the table `profiles.{profile}`"), old.span.clone()));
        }
        let path = below(home, &format!("{profile}.{FILE}"));
        match read(visit, &path)? {
            Some(node) => self.add(node),
            None => visit.diagnostics.push(Diagnostic::new(Problem::AgentFileMissing { agent: "codex", path })),
        }
        Ok(())
    }

    /// Adds the settings of the trusted folders of the project.
    pub fn add_project(&mut self, visit: &mut Visit<'_>, folders: &Folders) -> Result<(), Diagnostic> {
        for (folder, dot) in folders.dot_folders() {
            let path = below(&dot, FILE);
            let trust = folders.trust(folder, &self.user);
            let by = trust.declared();
            if !trust.is_trusted {
                if visit.files.exists(&path) {
                    let file = below(&folders.home, FILE);
                    let help = match by {
                        Some(_) => "set `trust_level` to `\"trusted\"`".to_string(),
                        None => format!("write `[projects.\"{folder}\"]` and `trust_level = \"trusted\"` into {file}"),
                    };
                    let problem = Problem::AgentSettingsUntrusted { agent: "codex", folder: folder.to_string(), help };
                    match by.as_ref().and_then(|by| by.span.clone()) {
                        Some(span) => visit.report_at(problem, span),
                        None => visit.report_file(problem, &path, "settings"),
                    }
                    visit.left_out(Slot::SystemContext, &path, FileReason::Untrusted, by);
                }
                continue;
            }
            let Some(node) = read(visit, &path)? else { continue };
            visit.decided(&path, by);
            for key in ["project_root_markers", "skills.config"] {
                if let Some(ignored) = node.at(key) {
                    visit.report_near(Problem::AgentSettingIgnored { agent: "codex", key }, ignored.span.clone());
                }
            }
            self.add(node);
        }
        self.warn_of_keys(visit, folders);
        Ok(())
    }

    /// Points at the trust of folders that people may expect to count below them, too.
    fn warn_of_keys(&self, visit: &mut Visit<'_>, folders: &Folders) {
        let counts = [folders.cwd.as_str(), folders.settings_root()].into_iter().chain(folders.repository.as_deref());
        let counting: Vec<&str> = counts.collect();
        for folder in ancestors(&folders.cwd).filter(|folder| !counting.contains(folder)) {
            let level =
                level(&self.merged, [folder]).filter(|_| level(&self.merged, counting.iter().copied()).is_none());
            if let Some(level) = level {
                let does = format!("does not apply this to {}, only to the folder itself", folders.cwd);
                let help = "name the working folder, or its repository";
                visit.report_near(Problem::AgentTrustPitfall { agent: "codex", does, help }, level.span);
            }
        }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.merged.get(key)?.as_str()
    }

    /// A setting that some file sets.
    pub fn declared(&self, key: &str) -> Option<Declared> {
        let span = self.merged.at(key)?.span.clone()?;
        Some(Declared { by: key.to_string(), span: Some(span) })
    }

    /// The item of the list that makes a name one of an instruction file.
    pub fn named_by(&self, name: &str) -> Option<Declared> {
        let names = self.merged.get(FALLBACK_NAMES)?.as_list()?;
        let item = names.iter().find(|item| item.as_str().is_some_and(|item| item.trim() == name))?;
        Some(Declared { by: FALLBACK_NAMES.to_string(), span: Some(item.span.clone()?) })
    }

    /// Whether a setting is not false.
    pub fn is_on(&self, key: &str) -> bool {
        !matches!(self.merged.at(key).map(|it| &it.data), Some(YamlData::Scalar(Value::Bool(false))))
    }

    fn number(&self, key: &str) -> Option<usize> {
        match &self.merged.get(key)?.data {
            YamlData::Scalar(Value::Int(number)) => usize::try_from(number).ok(),
            _ => None,
        }
    }

    /// How many bytes of the project's instruction files are sent.
    pub fn budget(&self) -> usize {
        self.number("project_doc_max_bytes").unwrap_or(DEFAULT_BUDGET)
    }

    pub fn context_window(&self) -> Option<usize> {
        self.number("model_context_window")
    }

    pub fn markers(&self) -> Vec<String> {
        texts(&self.user, "project_root_markers").unwrap_or_else(|| vec![".git".to_string()])
    }

    /// More names of instruction files. Paths count in older releases only.
    pub fn fallback_names(&self, visit: &Visit<'_>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in texts(&self.merged, FALLBACK_NAMES).unwrap_or_default() {
            let name = name.trim();
            let is_path = name.contains('/') && visit.since("0.160.0");
            if !matches!(name, "" | "." | "..") && !is_path && !names.iter().any(|known| known == name) {
                names.push(name.to_string());
            }
        }
        names
    }

    /// The path of a setting that names a file, as seen from the file in which it stands.
    pub fn path(&self, visit: &Visit<'_>, folders: &Folders, key: &str) -> Option<String> {
        let node = self.merged.get(key)?;
        let folder = node.span.as_ref().and_then(|span| parent(span.source().path())).unwrap_or(&folders.cwd);
        Some(joined_or_home(visit, folder, node.as_str()?))
    }
}

fn empty() -> YamlNode {
    YamlNode { data: YamlData::Map(Default::default()), span: None }
}

fn texts(settings: &YamlNode, key: &str) -> Option<Vec<String>> {
    Some(settings.get(key)?.as_list()?.iter().filter_map(|item| item.as_str().map(str::to_string)).collect())
}

/// Reads and checks a file of settings; `None` if there is none.
fn read(visit: &mut Visit<'_>, path: &str) -> Result<Option<YamlNode>, Diagnostic> {
    let result = parsed(visit, path);
    match &result {
        Ok(Some(_)) => visit.applied(path),
        Ok(None) => {}
        Err(_) => visit.left_out(Slot::SystemContext, path, FileReason::Invalid, None),
    }
    result
}

fn parsed(visit: &Visit<'_>, path: &str) -> Result<Option<YamlNode>, Diagnostic> {
    let bytes = match visit.bytes(path) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(None),
        Err(_) => return Err(refusal(format!("{path} cannot be read"), None)),
    };
    let source = visit.source(path, "settings", &bytes);
    if let Some(at) = not_utf8(&source, &bytes) {
        return Err(refusal(format!("{path} is not UTF-8"), Some(at)));
    }
    let node = toml::read(&source)
        .map_err(|(reason, span)| refusal(format!("{path} is not valid TOML: {reason}"), Some(span)))?;
    keys::check(&node)?;
    Ok(Some(node))
}
