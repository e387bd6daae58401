//! What `render --format json` or `explain --format json` wrote, as a side.

mod shape;

use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use super::fields::{self, Told};
use super::{Asker, Considered, Item, Layer, Lines, Link, Message, Place, Side, SideKind, Tool};
use crate::prompt::{LayerKind, Outcome, decision_title, layer_title};
use crate::sent::{self, NotRead};
use crate::value::{self, Map};

use shape::{
    Document, Input, Member, Output, Segment, Source, WrittenAsker, WrittenDecision, WrittenItem, WrittenLayer,
    WrittenMessage, WrittenTool,
};

/// The formats that hold a prompt.
const FORMATS: [&str; 2] = ["rye-render.prompt/1", "rye-render.explain/1"];

/// What every format of this program begins its name with.
const OURS: &str = "rye-render.";

impl Side {
    /// Reads a file: what this program wrote as JSON, or what was really sent.
    ///
    /// # Errors
    /// A text that is neither, or is of another version of the format.
    pub fn read(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Of a transcript this is the first line alone.
        let first = serde_json::Deserializer::from_str(text).into_iter::<Named>().next();
        match first {
            Some(Ok(Named { format: Some(format), .. })) if format.starts_with(OURS) => Self::saved(text, title),
            _ => sent::read(text).map(|sent| Self::sent(sent, title)),
        }
    }

    /// Reads what `render --format json` or `explain --format json` wrote.
    ///
    /// # Errors
    /// A text that is nothing of the kind, or is of another version of the format.
    pub fn saved(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Named { format, tool_version } = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        match format.as_deref() {
            Some(format) if FORMATS.contains(&format) => {}
            format => return Err(of_other_format(format, tool_version.as_deref())),
        }
        let document: Document = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        Ok(document.side(title))
    }
}

fn not_read(error: &serde_json::Error) -> NotRead {
    NotRead::json_as("a saved prompt", "save the prompt anew with `render --format json`", error)
}

fn of_other_format(format: Option<&str>, tool_version: Option<&str>) -> NotRead {
    let format = format.map_or("it names no format".to_string(), |format| format!("its format is `{format}`"));
    let by = tool_version.map_or(String::new(), |version| format!(", written by rye-render {version}"));
    let [prompt, explain] = FORMATS;
    NotRead {
        what: format!("this is no saved prompt that can be read here: {format}{by}, and not `{prompt}` or `{explain}`"),
        help: "save the prompt anew with `render --format json` of this version",
        place: None,
    }
}

/// What tells the formats apart.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named {
    #[serde(deserialize_with = "text_or_nothing")]
    format: Option<String>,
    #[serde(deserialize_with = "text_or_nothing")]
    tool_version: Option<String>,
}

/// A text; anything else says nothing here.
fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Text(text) => Some(text),
        Either::Other(IgnoredAny) => None,
    })
}

impl Document {
    fn side(self, title: String) -> Side {
        let fields = self.fields();
        let Self { protocol, directive, messages, layers, decisions, chain, tools, .. } = self;
        let tells_layers = !layers.is_empty() || messages.iter().any(|message| !message.segments.is_empty());
        let (layers, has_layers) = match placed(&messages, layers) {
            Some(layers) => (layers, true),
            None => (Vec::new(), false),
        };
        let message = |WrittenMessage { role, text, .. }: WrittenMessage| Message { role, text, other_parts: 0 };
        let mut side = Side {
            title,
            kind: SideKind::Saved,
            // A folder has none.
            chain: chain.filter(|_| directive.id.is_some()).map(|all| all.into_iter().map(Into::into).collect()),
            directive: directive.id,
            folder: None,
            protocol,
            messages: messages.into_iter().map(message).collect(),
            layers,
            has_layers,
            contradicts_layers: tells_layers && !has_layers,
            tells_system: true,
            is_whole: true,
            decisions: decisions.map(|all| all.into_iter().map(Into::into).collect()),
            tools: tools.map(|all| all.into_iter().map(Into::into).collect()),
            fields: Some(fields),
            settings: Vec::new(),
        };
        if !has_layers {
            side.by_message();
        }
        side
    }

    fn fields(&self) -> Vec<super::Field> {
        let none = Map::new();
        let null = value::Value::Null;
        let Self { model, directive, .. } = self;
        let told = Told {
            protocol: self.protocol.as_deref().unwrap_or_default(),
            mode: None,
            name: directive.name.as_deref(),
            version: directive.version.as_deref(),
            model: model.id.as_deref(),
            tier: model.tier.as_deref(),
            provider: model.provider.as_deref(),
            // A prompt without a directive is that of a folder, which has a model only if somebody names one.
            effective: Some(model.effective.as_deref().unwrap_or_default())
                .filter(|model| directive.id.is_some() || !model.is_empty()),
            limits: self.limits.as_ref().and_then(|read| read.0.as_map()).unwrap_or(&none),
            permissions: self.permissions.iter().map(String::as_str).collect(),
            capabilities: self.capabilities.iter().map(String::as_str).collect(),
            inputs: self
                .inputs
                .iter()
                .map(|Input { name, value, from }| fields::Input {
                    name,
                    value: value.as_ref().map_or(&null, |value| &value.0),
                    from: from.as_deref().unwrap_or_default(),
                })
                .collect(),
            outputs: self
                .outputs
                .iter()
                .map(|Output { name, output_type, required, description }| fields::Output {
                    name,
                    output_type: output_type.as_deref().unwrap_or_default(),
                    required: required.unwrap_or_default(),
                    description: description.as_deref().unwrap_or_default(),
                })
                .collect(),
        };
        told.fields()
    }
}

/// Where a layer is found: its message, its bytes there, and what they are made of.
type Found<'a> = (usize, Range<usize>, &'a [Segment]);

/// The layers, each where the segments of the messages put it; none if these do not make up the messages.
fn placed(messages: &[WrittenMessage], written: Vec<WrittenLayer>) -> Option<Vec<Layer>> {
    let mut found: Vec<Option<Found>> = vec![None; written.len()];
    for (index, message) in messages.iter().enumerate() {
        let mut at = 0;
        for run in message.segments.chunk_by(|a, b| a.layer == b.layer) {
            let start = at;
            for segment in run {
                let end = at + segment.text.len();
                (message.text.get(at..end)? == segment.text).then_some(())?;
                at = end;
            }
            if let Some(layer) = run.first().and_then(|segment| segment.layer) {
                *found.get_mut(layer)? = Some((index, start..at, run));
            }
        }
        (at == message.text.len()).then_some(())?;
    }
    let layers = written.into_iter().zip(found).map(|(layer, found)| {
        let WrittenLayer { message, slot, kind, name, item, declared_by, wrap } = layer;
        let (message, range, segments) = found.unwrap_or((message, 0..0, &[]));
        let item = item.map(|item| item.placed(segments, kind == LayerKind::Directive.into_str()));
        let title = layer_title(&kind, &name);
        let file = if item.is_none() { file(&name, segments) } else { None };
        (message < messages.len()).then_some(Layer {
            title,
            slot,
            kind,
            name,
            message,
            range,
            item,
            file,
            declared_by: declared_by.map(Into::into),
            wrap,
        })
    });
    layers.collect()
}

/// The lines of the file of that path that a layer has text from.
fn file(path: &str, segments: &[Segment]) -> Option<Place> {
    let (mut lines, mut file) = (Lines::default(), None);
    for Segment { text, origin, .. } in segments {
        if let (Some("file" | "derived"), Some(tier), Some(line)) = (origin.kind.as_deref(), &origin.tier, origin.line)
            && origin.path.as_deref() == Some(path)
        {
            lines.add(line, text);
            let (tier, path, revision) = (tier.clone(), path.to_string(), origin.revision.clone());
            file.get_or_insert(Place { tier, path, line, last_line: line, revision });
        }
    }
    lines.of_file(file?)
}

impl WrittenItem {
    fn placed(self, segments: &[Segment], is_directive: bool) -> Item {
        let Self { kind, id, source } = self;
        let place = source.map(|source| {
            let mut lines = Lines::default();
            let taken = source.start.unwrap_or_default()..source.end.unwrap_or_default();
            for Segment { text, origin, .. } in segments {
                let is_of_file = origin.kind.as_deref() == Some("file")
                    && origin.tier.as_ref() == Some(&source.tier)
                    && origin.path.as_ref() == Some(&source.path);
                let is_taken = origin.start.is_some_and(|start| taken.contains(&start));
                if let (true, true, Some(line)) = (is_of_file, is_taken, origin.line) {
                    lines.add(line, text);
                }
            }
            lines.place(source.into(), is_directive)
        });
        Item { kind, id, place }
    }
}

impl From<Source> for Place {
    fn from(source: Source) -> Self {
        let Source { tier, path, line, revision, .. } = source;
        let line = line.unwrap_or_default();
        Self { tier, path, line, last_line: line, revision }
    }
}

impl From<WrittenAsker> for Asker {
    fn from(WrittenAsker { by, source }: WrittenAsker) -> Self {
        Self { by, place: source.map(Into::into) }
    }
}

impl From<Member> for Link {
    fn from(Member { id, source }: Member) -> Self {
        let unknown = || Place { tier: String::new(), path: String::new(), line: 0, last_line: 0, revision: None };
        Self { id, place: source.map_or_else(unknown, Into::into) }
    }
}

impl From<WrittenDecision> for Considered {
    fn from(decision: WrittenDecision) -> Self {
        let WrittenDecision { name, slot, outcome, why, by, declared_by } = decision;
        let asked_by = declared_by.as_ref().map(|asked| asked.by.as_str());
        let is_shadowed = outcome == Outcome::Shadowed.into_str();
        let title = decision_title(&name, slot.parse().ok(), is_shadowed, asked_by);
        Self { title, slot, name, outcome, why, by: by.map(Into::into) }
    }
}

impl From<WrittenTool> for Tool {
    fn from(tool: WrittenTool) -> Self {
        let WrittenTool { name, description, input_schema, item_id, primary, source } = tool;
        let schema = input_schema.map_or(value::Value::Null, |read| read.0);
        Self { name, description, schema, item_id, primary, place: source.map(Into::into) }
    }
}
