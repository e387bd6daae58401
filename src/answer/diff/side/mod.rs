//! One side of a comparison, as far as its source records it.

mod document;
mod fields;
mod saved;
mod sent;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use serde::{Serialize, Serializer};
use strum::IntoStaticStr;

use super::{SideValue, numbers};
use crate::answer::explain::inputs::HiddenValues;
use crate::answer::explain::sent::message_title;
use crate::prompt::Role;
use crate::prompt::sent::SentKind;
use crate::read::value::Value;

#[derive(Debug, Clone)]
pub struct Side {
    /// `HEAD:deploy`, `deploy`, `saved.json`.
    pub title: String,
    pub kind: SideKind,
    /// The id of the directive; `None` for a folder, or if not recorded.
    pub directive: Option<String>,
    /// The path of the folder; `None` for a directive, or if not recorded.
    pub folder: Option<String>,
    pub protocol: Option<String>,
    pub messages: Vec<SideMessage>,
    /// The contributions to the messages, in order; each message is one layer if they are not recorded.
    pub layers: Vec<SideLayer>,
    /// Whether layers are contributions rather than messages.
    pub has_layers: bool,
    /// Whether the layers of a file contradict its text.
    pub contradicts_layers: bool,
    /// Whether a missing system message means that there was none, rather than that it is not recorded.
    pub records_system: bool,
    /// Whether all messages are recorded. A transcript holds only the last message of a request.
    pub is_whole: bool,
    /// Everything that was considered, in assembly order; `None` if not recorded.
    pub decisions: Option<Vec<Considered>>,
    /// The extends chain, root first; `None` for a folder, or if not recorded.
    pub chain: Option<Vec<ExtendsLink>>,
    /// The tool palette in order; `None` if not recorded.
    pub tools: Option<Vec<SideTool>>,
    /// `None` if not recorded. A sent prompt records only the model.
    pub fields: Option<Vec<SideField>>,
    /// The names of request settings, whose values are not compared: `temperature`, `tool_choice`.
    pub settings: Vec<String>,
    /// Which values a rendered prompt hides.
    pub hidden_values: HiddenValues,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideKind {
    Rendered,
    /// Written by `render --format json` or `explain --format json`.
    Saved,
    /// A transcript or the body of a request.
    Sent(SentKind),
    /// The directive or the folder does not exist on this side.
    Absent,
}

impl SideKind {
    /// The source of a side that was not rendered here.
    pub fn phrase(self) -> Option<&'static str> {
        match self {
            Self::Sent(kind) => Some(kind.phrase()),
            Self::Saved => Some("a saved prompt"),
            Self::Rendered | Self::Absent => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct SideMessage {
    pub role: Role,
    pub text: String,
    /// The number of parts without text: images, files, tool calls and their results. A rendered prompt has none.
    pub other_parts: usize,
    /// The agent's own texts whose wording is unknown.
    pub unknown: Vec<Range<usize>>,
}

/// A contribution to a message.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideLayer {
    /// The name that views show: `hook ctx_environment`, `deploy/rules`, `user message`.
    pub title: String,
    /// Index into the side's `messages`.
    pub message: usize,
    /// First byte in that message.
    #[serde(rename = "at", serialize_with = "start")]
    #[cfg_attr(test, schemars(with = "usize"))]
    pub range: Range<usize>,
    /// Its place in the assembly order; empty for a whole message.
    pub slot: String,
    /// `hook`, `context`, `instruction`, `directive` or `message`; for a folder also `base`, `append`, `skills`,
    /// `environment`, `extension` or `prompt`.
    pub kind: String,
    /// Hook id or item id; in the prompt of a folder the path of the file.
    pub name: String,
    /// The item that the text is from.
    pub item: Option<SideItem>,
    /// The file that the text is from; null for an item, or if there is no single file.
    #[serde(rename = "source")]
    pub file: Option<FilePlace>,
    pub declared_by: Option<Requester>,
    /// Whether an element wraps the text.
    pub wrap: bool,
    /// The values that a file decides, in order.
    #[serde(skip)]
    pub values: Vec<SideValue>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideItem {
    /// `directive`, `knowledge` or `tool`.
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    /// The text used; null if not recorded.
    #[serde(rename = "source")]
    pub place: Option<FilePlace>,
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FilePlace {
    /// `project`, `user`, `system:<bundle>` or `builtin`; for a folder `cwd`, `ancestor`, `agent` or `home`.
    pub tier: String,
    /// Relative to the folder that holds `.ai/`, always with `/`; absolute for a folder.
    pub path: String,
    /// The first line, from 1; left out if only the file is known.
    #[serde(skip_serializing_if = "is_unknown")]
    pub line: usize,
    /// The last line; for a declaration the first line.
    #[serde(skip)]
    pub last_line: usize,
    /// The revision that the file was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// A hook or directive that asks for something or decides about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Asker"))]
pub struct Requester {
    /// A hook (`hook ctx_environment`) or the id of a directive.
    pub by: String,
    /// The declaration; null if no file declares it.
    #[serde(rename = "source")]
    pub place: Option<FilePlace>,
}

/// Something that was considered, and its outcome.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Considered {
    /// The name that views show.
    pub title: String,
    /// Hook id, item id or tool id.
    pub name: String,
    /// Its place in the assembly order.
    pub slot: String,
    /// One of the outcomes in the JSON of `render`.
    pub outcome: String,
    /// The reason, as a sentence.
    pub why: String,
    /// What decided the outcome.
    pub by: Option<Requester>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExtendsLink {
    pub id: String,
    #[serde(rename = "source")]
    pub place: FilePlace,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideTool {
    /// The name that the API sees.
    pub name: String,
    /// May be empty.
    pub description: String,
    /// The JSON Schema of its input.
    #[serde(rename = "input_schema")]
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub schema: Value,
    /// Null if not recorded.
    pub item_id: Option<String>,
    /// The primary action that a call is routed to; null if not recorded.
    pub primary: Option<String>,
    #[serde(skip)]
    pub place: Option<FilePlace>,
}

/// A field that the directive declares or is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideField {
    pub group: FieldGroup,
    /// `tier`, `turns`, `rye.execute.tool.x`; empty for the only value of its group.
    pub name: String,
    /// Empty if the field has no value, such as a permission.
    pub value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, IntoStaticStr)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum FieldGroup {
    /// Protocol and mode.
    Protocol,
    /// Name and version.
    Directive,
    Model,
    Limits,
    /// What the chain grants.
    Permissions,
    /// The permissions that the parent's capabilities allow.
    Capabilities,
    Inputs,
    Outputs,
    /// The parts of messages without text.
    Parts,
}

impl FieldGroup {
    pub fn has_values(self) -> bool {
        !matches!(self, Self::Permissions | Self::Capabilities)
    }
}

fn start<S: Serializer>(range: &Range<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    range.start.serialize(serializer)
}

fn is_unknown(line: &usize) -> bool {
    *line == 0
}

impl Side {
    pub fn absent(title: String) -> Self {
        Self {
            title,
            kind: SideKind::Absent,
            directive: None,
            folder: None,
            protocol: None,
            messages: Vec::new(),
            layers: Vec::new(),
            has_layers: true,
            contradicts_layers: false,
            records_system: true,
            is_whole: true,
            decisions: Some(Vec::new()),
            chain: Some(Vec::new()),
            tools: Some(Vec::new()),
            fields: Some(Vec::new()),
            settings: Vec::new(),
            hidden_values: HiddenValues::default(),
        }
    }

    /// The id of the directive, or the path of the folder.
    pub fn subject(&self) -> Option<&str> {
        self.directive.as_deref().or(self.folder.as_deref())
    }

    pub fn is_absent(&self) -> bool {
        self.kind == SideKind::Absent
    }

    pub fn has_unknown(&self) -> bool {
        self.messages.iter().any(|message| !message.unknown.is_empty())
    }

    pub(super) fn by_message(&mut self) {
        // How many messages a role has, and how many of them have a layer.
        let mut counts: HashMap<Role, (usize, usize)> = HashMap::new();
        self.messages.iter().for_each(|message| counts.entry(message.role).or_default().0 += 1);
        let layer = |(index, message): (usize, &SideMessage)| {
            let (all, number) = counts.entry(message.role).or_default();
            *number += 1;
            let title = message_title(message.role, (*all > 1).then_some(*number));
            let (kind, range) = ("message".to_string(), 0..message.text.len());
            SideLayer { name: title.clone(), title, kind, message: index, range, ..SideLayer::default() }
        };
        self.layers = self.messages.iter().enumerate().map(layer).collect();
        self.has_layers = false;
    }

    /// The text of a layer that counts as tokens; `None` if all of it is unknown.
    pub fn known_layer_text(&self, layer: &SideLayer) -> Option<Cow<'_, str>> {
        let known = self.messages.get(layer.message).map(|message| message.known(layer.range.clone()));
        known.filter(|known| !known.is_empty() || layer.range.is_empty())
    }

    pub fn layer_text(&self, layer: &SideLayer) -> &str {
        self.messages.get(layer.message).and_then(|message| message.text.get(layer.range.clone())).unwrap_or_default()
    }
}

impl SideMessage {
    /// The text in a range without the parts whose wording is unknown.
    pub fn known(&self, range: Range<usize>) -> Cow<'_, str> {
        let first = self.unknown.partition_point(|part| part.end <= range.start);
        let (mut known, mut from) = (Cow::Borrowed(""), range.start);
        for part in self.unknown[first..].iter().take_while(|part| part.start < range.end) {
            known += self.text.get(from..part.start.max(from)).unwrap_or_default();
            from = part.end.min(range.end);
        }
        known + self.text.get(from..range.end).unwrap_or_default()
    }
}

impl SideLayer {
    /// The place that its text comes from.
    pub fn place(&self) -> Option<&FilePlace> {
        self.item.as_ref().and_then(|item| item.place.as_ref()).or(self.file.as_ref())
    }
}

impl FilePlace {
    /// `6-20`; empty if only the file is known.
    pub(super) fn lines(&self) -> String {
        let start = self.line.checked_sub(1);
        start.map(|start| numbers(&(start..self.last_line.max(self.line)))).unwrap_or_default()
    }

    /// Whether the file differs. A different revision of a file is the same file.
    pub(super) fn is_elsewhere(&self, other: &Self) -> bool {
        (&self.tier, &self.path) != (&other.tier, &other.path)
    }
}

/// `project .ai/knowledge/rules.md:6-20`
impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.line == 0 { "" } else { ":" };
        write!(f, "{} {}{colon}{}", self.tier, self.path, self.lines())
    }
}

/// The lines of a file that a layer takes text from, collected from its segments.
#[derive(Debug, Default)]
struct LineSpan(Option<(usize, usize)>);

impl LineSpan {
    fn add(&mut self, line: usize, text: &str) {
        // A saved file may hold any number.
        let last = line.saturating_add(text.strip_suffix('\n').unwrap_or(text).matches('\n').count());
        self.0 = Some(self.0.map_or((line, last), |(first, end)| (first.min(line), end.max(last))));
    }

    fn of_file(self, file: FilePlace) -> Option<FilePlace> {
        let (line, last_line) = self.0?;
        Some(FilePlace { line, last_line, ..file })
    }

    /// Extends the place where a text begins to the lines of its segments. A directive's file holds more than its text,
    /// so its first line also comes from the segments.
    fn place(self, item: FilePlace, is_directive: bool) -> FilePlace {
        match self.0 {
            Some((first, last)) if is_directive => FilePlace { line: first, last_line: last, ..item },
            Some((_, last)) => FilePlace { last_line: last.max(item.line), ..item },
            None => item,
        }
    }
}

#[cfg(test)]
mod tests;
