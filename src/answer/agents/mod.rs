//! What becomes of each file around a folder, for each coding agent.

pub mod json;
mod view;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{AgentUse, FileOutcome, FileReason, FileState, Prompt, PromptSubject};
use crate::text::numbers::thousands;
use crate::text::tokens::Tokenizer;
use crate::write::notice::file_name;
use crate::write::screen::{Escaping, Screen};

/// A column for each agent, and a row for each file that at least one of them looks at.
#[derive(Debug)]
pub struct AgentMatrix {
    pub folder: PromptSubject,
    pub agents: Vec<AgentColumn>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "AgentEntry"))]
pub struct AgentColumn {
    #[serde(flatten)]
    pub agent: AgentUse,
    /// The releases whose rules are known, oldest first.
    pub releases: &'static [&'static str],
    /// The tokens of the known text of its prompt.
    pub tokens: usize,
    /// Whether the prompt also has text of the agent itself whose wording is unknown.
    #[serde(rename = "unknown_text")]
    pub has_unknown_text: bool,
    /// Why the agent does not start here; null if it does.
    #[serde(rename = "refused")]
    pub refusal: Option<String>,
    /// Why the rules may differ from what the installed release does.
    #[serde(skip)]
    pub release_warning: Option<String>,
    /// What becomes of each file, sorted by path.
    #[cfg_attr(test, schemars(with = "Vec<json::FileEntryJson<'static>>"))]
    pub files: Vec<FileCell>,
}

pub struct FileRow<'a> {
    pub path: &'a str,
    /// One for each agent; `None` if that agent does not look at the file.
    pub cells: Vec<Option<&'a FileCell>>,
}

#[derive(Debug)]
pub struct FileCell {
    pub outcome: FileOutcome,
    /// The size of the file; `None` if it is not known.
    pub bytes: Option<usize>,
    /// Of its text in the prompt; `None` if it has none there.
    pub tokens: Option<usize>,
}

impl AgentMatrix {
    /// `prompts` are those of one folder, each with the known releases of its agent.
    pub fn new(folder: &str, prompts: Vec<(Prompt, &'static [&'static str])>, tokenizer: Tokenizer) -> Self {
        let columns = prompts.iter().filter_map(|(prompt, releases)| AgentColumn::new(prompt, releases, tokenizer));
        Self { folder: PromptSubject::Folder(folder.to_string()), agents: columns.collect() }
    }

    /// Adds the sizes of the files; `size` is asked once for each.
    pub fn with_sizes(mut self, size: impl Fn(&str) -> Option<usize>) -> Self {
        let mut known = HashMap::new();
        for FileCell { outcome, bytes, .. } in self.agents.iter_mut().flat_map(|agent| &mut agent.files) {
            *bytes = *known.entry(outcome.path.as_str()).or_insert_with_key(|path| size(path));
        }
        self
    }

    /// By path.
    pub fn rows(&self) -> Vec<FileRow<'_>> {
        let mut rows: BTreeMap<&str, Vec<Option<&FileCell>>> = BTreeMap::new();
        for (column, agent) in self.agents.iter().enumerate() {
            for file in &agent.files {
                rows.entry(&file.outcome.path).or_insert_with(|| vec![None; self.agents.len()])[column] = Some(file);
            }
        }
        rows.into_iter().map(|(path, cells)| FileRow { path, cells }).collect()
    }
}

impl AgentColumn {
    fn new(prompt: &Prompt, releases: &'static [&'static str], tokenizer: Tokenizer) -> Option<Self> {
        let parts = prompt.layer_parts();
        let tokens = |layer: usize| Some(tokenizer.count(&parts.get(layer)?.as_ref()?.known()?));
        let file = |outcome: &FileOutcome| FileCell {
            outcome: outcome.clone(),
            bytes: None,
            tokens: outcome.layer.and_then(tokens),
        };
        let known = prompt.messages.iter().filter_map(|message| message.known());
        let is_about_release = |it: &&Diagnostic| matches!(it.problem, Problem::AgentReleaseUnknown { .. });
        Some(Self {
            agent: prompt.agent.clone()?,
            releases,
            tokens: known.map(|text| tokenizer.count(&text)).sum(),
            has_unknown_text: prompt.has_unknown_text(),
            refusal: prompt.refusal().map(with_place),
            release_warning: prompt.diagnostics.iter().find(is_about_release).map(Diagnostic::message),
            files: prompt.files.iter().map(file).collect(),
        })
    }

    /// What to know about the whole column.
    fn remarks(&self) -> impl Iterator<Item = &str> {
        self.refusal.iter().chain(&self.release_warning).map(String::as_str)
    }

    /// `1,214`, `1,214 + own text`
    pub fn tokens_shown(&self) -> String {
        let own = if self.has_unknown_text { " + own text" } else { "" };
        format!("{}{own}", thousands(self.tokens))
    }

    pub fn installed_shown(&self) -> String {
        self.agent.installed.as_ref().map_or_else(|| "no".to_string(), |installed| installed.version.clone())
    }

    /// The first and the last release whose rules are known.
    pub fn releases_shown(&self) -> String {
        match self.releases {
            [first, .., last] => format!("{first}–{last}"),
            releases => releases.concat(),
        }
    }
}

impl FileCell {
    /// `loaded`, `cut at 32,768`, `name only`, `shadowed`
    pub fn phrase(&self) -> String {
        match (self.outcome.state, self.outcome.why) {
            (FileState::Cut(at), _) => format!("cut at {}", thousands(at)),
            (FileState::LeftOut, Some(why)) => why.into_str().replace('_', " "),
            (FileState::Listed, Some(FileReason::Budget)) => "name only".to_string(),
            (state, _) => state.into_str().replace('_', " "),
        }
    }

    /// Whether its text, or its name and description, is in the prompt, or its values count.
    pub fn is_in_use(&self) -> bool {
        matches!(self.outcome.state, FileState::Loaded | FileState::Cut(_) | FileState::Listed | FileState::Applied)
    }
}

/// `opencode does not start here: … (cwd /code/opencode.json:1:1)`
fn with_place(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.at.as_ref().map(|at| format!(" ({}{})", file_name(at), at.line_and_column()));
    format!("{}{}", diagnostic.message(), place.unwrap_or_default())
}

/// The totals below the files: a name, and a value for each agent.
fn totals(matrix: &AgentMatrix) -> [(&'static str, Vec<String>); 5] {
    let of = |shown: fn(&AgentColumn) -> String| matrix.agents.iter().map(shown).collect();
    let own_text = |column: &AgentColumn| {
        let counts = if column.has_unknown_text { "not counted" } else { "counted" };
        if column.refusal.is_some() { "-" } else { counts }.to_string()
    };
    [
        ("release", of(|column| column.agent.version.clone())),
        ("tokens", of(|column| thousands(column.tokens))),
        ("own text", of(own_text)),
        ("installed", of(AgentColumn::installed_shown)),
        ("rules known", of(AgentColumn::releases_shown)),
    ]
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum AgentsFormat {
    #[default]
    Text,
    Json,
    /// One agent per line.
    Jsonl,
    Markdown,
    Html,
}

#[derive(Debug, Clone, Copy)]
pub struct AgentsView<'a> {
    /// The folder as typed, if it is.
    pub argument: Option<&'a Path>,
    pub format: AgentsFormat,
    pub tokenizer: Tokenizer,
    pub screen: Screen,
}

pub fn write(matrix: &AgentMatrix, view: &AgentsView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let escaping = match view.format {
        AgentsFormat::Text => Escaping::Itself,
        AgentsFormat::Json | AgentsFormat::Jsonl => Escaping::Json,
        AgentsFormat::Markdown | AgentsFormat::Html => Escaping::Text,
    };
    view.screen.write_escaped(escaping, out, |out| match view.format {
        AgentsFormat::Text => view::text(matrix, view, out),
        AgentsFormat::Json => json::write(matrix, view.tokenizer, out),
        AgentsFormat::Jsonl => json::write_lines(matrix, out),
        AgentsFormat::Markdown => view::markdown(matrix, out),
        AgentsFormat::Html => view::html(matrix, out),
    })
}

#[cfg(test)]
mod tests;
