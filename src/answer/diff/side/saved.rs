pub mod shape;

use std::ops::Range;

use serde::Deserialize;

use super::fields::Fields;
use super::{
    Considered, ExtendsLink, FieldGroup, FilePlace, LineSpan, Side, SideField, SideItem, SideKind, SideLayer,
    SideMessage,
};
use crate::prompt::sent::{self, NotRead, text_or_nothing};
use crate::prompt::{DecisionOutcome, LayerKind, decision_title, layer_title};
use crate::read::value;

use shape::{
    SavedDecision, SavedDocument, SavedInput, SavedItem, SavedLayer, SavedMember, SavedMessage, SavedOutput,
    SavedSegment, SavedSource,
};

/// The formats that hold a prompt.
const FORMATS: [&str; 2] = ["rye-render.prompt/1", "rye-render.explain/1"];

/// The prefix of the names of all formats that this program writes.
const OURS: &str = "rye-render.";

impl Side {
    /// Reads a saved prompt, or what was actually sent.
    ///
    /// # Errors
    /// The text is neither, or has a different version of the format.
    pub fn read(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A transcript has one value per line; this reads the first.
        let first = serde_json::Deserializer::from_str(text).into_iter::<FormatHeader>().next();
        match first {
            Some(Ok(FormatHeader { format: Some(format), .. })) if format.starts_with(OURS) => Self::saved(text, title),
            _ => sent::read(text).map(|sent| Self::sent(sent, title)),
        }
    }

    /// Reads the JSON of `render` or `explain`.
    ///
    /// # Errors
    /// The text is not such JSON, or has a different version of the format.
    pub fn saved(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let FormatHeader { format, tool_version } = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        match format.as_deref() {
            Some(format) if FORMATS.contains(&format) => {}
            format => return Err(of_other_format(format, tool_version.as_deref())),
        }
        let document: SavedDocument = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        Ok(document.side(title))
    }
}

fn not_read(error: &serde_json::Error) -> NotRead {
    NotRead::json_as("a saved prompt", "save the prompt again with `render --format json`", error)
}

fn of_other_format(format: Option<&str>, tool_version: Option<&str>) -> NotRead {
    let format = format.map_or("it names no format".to_string(), |format| format!("its format is `{format}`"));
    let by = tool_version.map_or(String::new(), |version| format!(", written by rye-render {version}"));
    let [prompt, explain] = FORMATS;
    NotRead {
        what: format!("not a saved prompt that this version reads: {format}{by}, not `{prompt}` or `{explain}`"),
        help: "save the prompt again with `render --format json` of this version",
        place: None,
    }
}

/// The keys that tell the formats apart.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FormatHeader {
    #[serde(deserialize_with = "text_or_nothing")]
    format: Option<String>,
    #[serde(deserialize_with = "text_or_nothing")]
    tool_version: Option<String>,
}

impl SavedDocument {
    fn side(self, title: String) -> Side {
        let fields = self.fields();
        let Self { protocol, directive, messages, layers, decisions, chain, tools, .. } = self;
        let tells_layers = !layers.is_empty() || messages.iter().any(|message| !message.segments.is_empty());
        let (layers, has_layers) = match placed(&messages, layers) {
            Some(layers) => (layers, true),
            None => (Vec::new(), false),
        };
        let message = |SavedMessage { role, text, .. }: SavedMessage| SideMessage { role, text, other_parts: 0 };
        let mut side = Side {
            kind: SideKind::Saved,
            // A folder has no chain.
            chain: chain.filter(|_| directive.id.is_some()).map(|all| all.into_iter().map(Into::into).collect()),
            directive: directive.id,
            protocol,
            messages: messages.into_iter().map(message).collect(),
            layers,
            has_layers,
            contradicts_layers: tells_layers && !has_layers,
            decisions: decisions.map(|all| all.into_iter().map(Into::into).collect()),
            tools,
            fields: Some(fields),
            ..Side::absent(title)
        };
        if !has_layers {
            side.by_message();
        }
        side
    }

    fn fields(&self) -> Vec<SideField> {
        use FieldGroup::{Capabilities, Directive, Model, Permissions, Protocol};
        let Self { model, directive, .. } = self;
        // The prompt of a folder, which names no directive, has a model only if one is named.
        let effective = Some(model.effective.as_deref().unwrap_or_default())
            .filter(|model| directive.id.is_some() || !model.is_empty());
        let mut fields = Fields::default();
        fields.declared([
            (Protocol, "", Some(self.protocol.as_deref().unwrap_or_default())),
            (Directive, "name", directive.name.as_deref()),
            (Directive, "version", directive.version.as_deref()),
            (Model, "id", model.id.as_deref()),
            (Model, "tier", model.tier.as_deref()),
            (Model, "provider", model.provider.as_deref()),
            (Model, "effective", effective),
        ]);
        if let Some(limits) = self.limits.as_ref().and_then(|read| read.0.as_map()) {
            fields.limits(limits);
        }
        for (group, names) in [(Permissions, &self.permissions), (Capabilities, &self.capabilities)] {
            names.iter().for_each(|name| fields.add(group, name, String::new()));
        }
        for SavedInput { name, value, from } in &self.inputs {
            let value = value.as_ref().map_or(&value::Value::Null, |value| &value.0);
            fields.input(name, value, from.as_deref().unwrap_or_default());
        }
        for SavedOutput { name, output_type, required, description } in &self.outputs {
            let [output_type, description] = [output_type, description].map(|it| it.as_deref().unwrap_or_default());
            fields.output(name, output_type, required.unwrap_or_default(), description);
        }
        fields.0
    }
}

/// The message of a layer, its bytes there, and their segments.
type PlacedSegments<'a> = (usize, Range<usize>, &'a [SavedSegment]);

/// The layers at the places that the segments of the messages give; `None` if the segments do not add up to the
/// messages.
fn placed(messages: &[SavedMessage], written: Vec<SavedLayer>) -> Option<Vec<SideLayer>> {
    let mut found: Vec<Option<PlacedSegments>> = vec![None; written.len()];
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
        let SavedLayer { message, slot, kind, name, item, declared_by, wrap } = layer;
        let (message, range, segments) = found.unwrap_or((message, 0..0, &[]));
        let item = item.map(|item| item.placed(segments, kind == LayerKind::Directive.into_str()));
        let title = layer_title(&kind, &name);
        let file = if item.is_none() { file(&name, segments) } else { None };
        let layer = SideLayer { title, message, range, slot, kind, name, item, file, declared_by, wrap };
        (message < messages.len()).then_some(layer)
    });
    layers.collect()
}

/// The lines of the file at `path` that a layer takes text from.
fn file(path: &str, segments: &[SavedSegment]) -> Option<FilePlace> {
    let (mut lines, mut file) = (LineSpan::default(), None);
    for SavedSegment { text, origin, .. } in segments {
        if let (Some("file" | "derived"), Some(tier), Some(line)) = (origin.kind.as_deref(), &origin.tier, origin.line)
            && origin.path.as_deref() == Some(path)
        {
            lines.add(line, text);
            let (tier, path, revision) = (tier.clone(), path.to_string(), origin.revision.clone());
            file.get_or_insert(FilePlace { tier, path, line, last_line: line, revision });
        }
    }
    lines.of_file(file?)
}

impl SavedItem {
    fn placed(self, segments: &[SavedSegment], is_directive: bool) -> SideItem {
        let Self { kind, id, source } = self;
        let place = source.map(|source| {
            let mut lines = LineSpan::default();
            let taken = source.start.unwrap_or_default()..source.end.unwrap_or_default();
            for SavedSegment { text, origin, .. } in segments {
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
        SideItem { kind, id, place }
    }
}

impl From<SavedSource> for FilePlace {
    fn from(source: SavedSource) -> Self {
        let SavedSource { tier, path, line, revision, .. } = source;
        let line = line.unwrap_or_default();
        Self { tier, path, line, last_line: line, revision }
    }
}

impl From<SavedMember> for ExtendsLink {
    fn from(SavedMember { id, source }: SavedMember) -> Self {
        Self { id, place: source.unwrap_or_default() }
    }
}

impl From<SavedDecision> for Considered {
    fn from(decision: SavedDecision) -> Self {
        let SavedDecision { name, slot, outcome, why, by, declared_by } = decision;
        let requested_by = declared_by.as_ref().map(|asked| asked.by.as_str());
        let is_shadowed = outcome == DecisionOutcome::Shadowed.into_str();
        let title = decision_title(&name, slot.parse().ok(), is_shadowed, requested_by);
        Self { title, slot, name, outcome, why, by }
    }
}
