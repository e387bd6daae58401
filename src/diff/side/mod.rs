//! One side of a comparison, as far as what it was made from tells.

use strum::IntoStaticStr;
mod fields;
mod rendered;
mod saved;
mod sent;

use std::ops::Range;

use crate::explain::sent::message_title;
use crate::prompt::Role;
use crate::sent::Kind;
use crate::text::{Source, Span};
use crate::value::Value;

/// One side of a comparison.
#[derive(Debug, Clone)]
pub struct Side {
    /// What views call it: `HEAD:deploy`, `deploy`, `saved.json`.
    pub title: String,
    /// What it was made from.
    pub kind: SideKind,
    /// The id of the directive; none of a folder, and where a file does not tell.
    pub directive: Option<String>,
    /// The path of the folder; none of a directive, and where a file does not tell.
    pub folder: Option<String>,
    /// The name of the protocol; none where a file does not tell.
    pub protocol: Option<String>,
    /// The messages, a system message first if there is one.
    pub messages: Vec<Message>,
    /// What contributed to the messages, in order. Where nobody tells, each message is one layer.
    pub layers: Vec<Layer>,
    /// Whether layers are what contributed, rather than messages.
    pub has_layers: bool,
    /// Whether a file says of its layers what its text contradicts.
    pub contradicts_layers: bool,
    /// Whether there was no system message, if `messages` holds none; it may be that the file does not tell.
    pub tells_system: bool,
    /// Whether the messages are all there were. A transcript holds the last one of a request and none before it.
    pub is_whole: bool,
    /// Everything that was considered, in assembly order; none where a file does not tell.
    pub decisions: Option<Vec<Considered>>,
    /// The extends chain, root first; none of a folder, and where a file does not tell.
    pub chain: Option<Vec<Link>>,
    /// The tool palette in order; none where a file does not tell.
    pub tools: Option<Vec<Tool>>,
    /// What the directive asks for and is given; none where a file does not tell. Of what was sent that is the model.
    pub fields: Option<Vec<Field>>,
    /// The settings of a request that are read no further, by name: `temperature`, `tool_choice`.
    pub settings: Vec<String>,
}

/// What a side was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideKind {
    /// A prompt that was rendered.
    Rendered,
    /// What `render --format json` or `explain --format json` wrote.
    Saved,
    /// What was really sent.
    Sent(Kind),
    /// The directive or the folder is not there on this side.
    Absent,
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The exact text.
    pub text: String,
    /// How many of its parts are no text: images, files, calls of tools and their results. A prompt has none.
    pub other_parts: usize,
}

/// A contribution to a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// What views call it: `hook ctx_environment`, `deploy/rules`, `user message`.
    pub title: String,
    /// Its place in the assembly order, as output words it; empty for a whole message.
    pub slot: String,
    /// What it is, as output words it: `hook`, `context`, `directive`, `message`.
    pub kind: String,
    /// Hook id or item id.
    pub name: String,
    /// Index into the messages.
    pub message: usize,
    /// Its bytes in the text of that message; empty where it has none.
    pub range: Range<usize>,
    /// The item whose text it is.
    pub item: Option<Item>,
    /// The file that it is named after and whose text it is, where it is of no item; of the prompt of a folder.
    pub file: Option<Place>,
    /// What asked for it.
    pub declared_by: Option<Asker>,
    /// Whether it stands in an element of its own.
    pub wrap: bool,
}

/// An item, and where it was taken from.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// `knowledge`, `directive`, `tool`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// The lines that were taken.
    pub place: Option<Place>,
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// `project`, `user`, `system:std`, `builtin`; of the prompt of a folder `cwd`, `ancestor`, `agent`, `home`.
    pub tier: String,
    /// Relative to the folder that holds `.ai/`; absolute in the prompt of a folder.
    pub path: String,
    /// The first line, from 1; 0 where only the file is known.
    pub line: usize,
    /// The last line; of a declaration the first one, by which it is known.
    pub last_line: usize,
    /// The revision that the file was read from.
    pub revision: Option<String>,
}

/// What asked for something.
#[derive(Debug, Clone, PartialEq)]
pub struct Asker {
    /// `hook ctx_environment`, `app/base`.
    pub by: String,
    /// Its declaration.
    pub place: Option<Place>,
}

/// Something that was considered.
#[derive(Debug, Clone, PartialEq)]
pub struct Considered {
    /// What views call it.
    pub title: String,
    /// Its place in the assembly order, as output words it.
    pub slot: String,
    /// Hook id, item id or tool id.
    pub name: String,
    /// What became of it, as output words it: `included`, `suppressed`.
    pub outcome: String,
    /// A sentence.
    pub why: String,
    /// What decided.
    pub by: Option<Asker>,
}

/// A directive of the extends chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its id.
    pub id: String,
    /// Its file.
    pub place: Place,
}

/// A tool of the palette.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The name that the API sees.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its JSON Schema.
    pub schema: Value,
    /// Its id; none where a file does not tell.
    pub item_id: Option<String>,
    /// The primary action that a call is routed to; none where a file does not tell.
    pub primary: Option<String>,
    /// Its file.
    pub place: Option<Place>,
}

/// A field of what a directive asks for and is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What it is about.
    pub group: FieldGroup,
    /// Its name in the group: `tier`, `turns`, `rye.execute.tool.x`; empty for the group's only value.
    pub name: String,
    /// Its value as text; empty for what is there or not, such as a permission.
    pub value: String,
}

/// What fields are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum FieldGroup {
    /// Protocol, mode.
    Protocol,
    /// Name and version of the directive.
    Directive,
    /// The model.
    Model,
    /// Limits.
    Limits,
    /// What the chain grants.
    Permissions,
    /// What is left of it.
    Capabilities,
    /// Inputs and their values.
    Inputs,
    /// Named outputs.
    Outputs,
    /// The parts of messages that are no text.
    Parts,
}

impl FieldGroup {
    /// Whether its fields have values; those of the others are there or not.
    pub fn has_values(self) -> bool {
        !matches!(self, Self::Permissions | Self::Capabilities)
    }
}

impl Side {
    /// Nothing: the directive or the folder is not there on this side.
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
            tells_system: true,
            is_whole: true,
            decisions: Some(Vec::new()),
            chain: Some(Vec::new()),
            tools: Some(Vec::new()),
            fields: Some(Vec::new()),
            settings: Vec::new(),
        }
    }

    /// What it is the prompt of: the id of a directive, or the path of a folder.
    pub fn subject(&self) -> Option<&str> {
        self.directive.as_deref().or(self.folder.as_deref())
    }

    /// Whether the directive or the folder is not there on this side.
    pub fn is_absent(&self) -> bool {
        self.kind == SideKind::Absent
    }

    /// Makes each message one layer.
    pub(super) fn by_message(&mut self) {
        let count = |role| self.messages.iter().filter(|message| message.role == role).count();
        let is_only = [Role::System, Role::User, Role::Assistant, Role::Tool].map(|role| (role, count(role) == 1));
        let mut numbers = is_only.map(|(role, is_only)| (role, is_only, 0));
        let layer = |(index, message): (usize, &Message)| {
            let mut title = String::new();
            for (role, is_only, number) in &mut numbers {
                if *role == message.role {
                    *number += 1;
                    title = message_title(*role, (!*is_only).then_some(*number));
                }
            }
            Layer {
                name: title.clone(),
                title,
                slot: String::new(),
                kind: "message".to_string(),
                message: index,
                range: 0..message.text.len(),
                item: None,
                file: None,
                declared_by: None,
                wrap: false,
            }
        };
        self.layers = self.messages.iter().enumerate().map(layer).collect();
        self.has_layers = false;
    }

    /// The text of a layer.
    pub fn layer_text(&self, layer: &Layer) -> &str {
        self.messages.get(layer.message).and_then(|message| message.text.get(layer.range.clone())).unwrap_or_default()
    }
}

impl Layer {
    /// Where its text was taken from.
    pub fn place(&self) -> Option<&Place> {
        self.item.as_ref().and_then(|item| item.place.as_ref()).or(self.file.as_ref())
    }
}

impl Place {
    /// A file.
    fn file(source: &Source) -> Self {
        Self {
            tier: source.tier().to_string(),
            path: source.path().to_string(),
            line: 0,
            last_line: 0,
            revision: source.revision().map(str::to_string),
        }
    }

    /// A declaration, or the first line of a text.
    fn line(span: &Span) -> Self {
        let line = span.line();
        Self { line, last_line: line, ..Self::file(span.source()) }
    }

    /// Whether it is another file than that. A file at another revision is the same one.
    pub(super) fn is_elsewhere(&self, other: &Self) -> bool {
        (&self.tier, &self.path) != (&other.tier, &other.path)
    }
}

/// The lines of a file that a layer has text from, counted over its segments.
#[derive(Debug, Default)]
struct Lines(Option<(usize, usize)>);

impl Lines {
    /// Counts a segment that begins at a line.
    fn add(&mut self, line: usize, text: &str) {
        // A file may say any number.
        let last = line.saturating_add(text.strip_suffix('\n').unwrap_or(text).matches('\n').count());
        self.0 = Some(self.0.map_or((line, last), |(first, end)| (first.min(line), end.max(last))));
    }

    /// The lines of a file, if it has any.
    fn of_file(self, file: Place) -> Option<Place> {
        let (line, last_line) = self.0?;
        Some(Place { line, last_line, ..file })
    }

    /// Where a text stands that begins at that place, as far as the segments tell. Of a directive, whose file is more
    /// than its text, they tell the first line, too.
    fn place(self, item: Place, is_directive: bool) -> Place {
        match self.0 {
            Some((first, last)) if is_directive => Place { line: first, last_line: last, ..item },
            Some((_, last)) => Place { last_line: last.max(item.line), ..item },
            None => item,
        }
    }
}

#[cfg(test)]
mod tests;
