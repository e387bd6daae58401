//! The content of a prompt in a form that can be compared before and after a byte is replaced.

use std::collections::{BTreeMap, BTreeSet};

use rye_render::internals::answer::explain::metadata::metadata;
use rye_render::internals::diagnostic::Location;
use rye_render::internals::prompt::{Declared, ItemRef, Prompt, TranscriptEvent};
use rye_render::internals::read::item::{ItemField, NoText, TextPlace};
use rye_render::internals::read::value::Value;
use rye_render::internals::text::{Origin, Span};

use super::project::File;

/// A range of bytes of a file on disk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub start: usize,
    pub end: usize,
}

impl Place {
    fn of(span: &Span) -> Self {
        let (source, range) = (span.source(), span.range());
        let (start, end) = (source.on_disk(range.start), source.on_disk(range.end));
        Self { file: format!("{} {}", source.tier(), source.path()), start, end }
    }

    pub fn holds(&self, byte: &Self) -> bool {
        self.file == byte.file && self.start <= byte.start && byte.end <= self.end
    }
}

/// A run of text in a message.
struct Segment {
    layer: Option<usize>,
    text: String,
    /// The kind of text, and its name if it has one.
    kind: String,
    /// The range that it was copied or computed from.
    place: Option<Place>,
    /// The offsets of its characters in the file, if it was copied.
    characters: Vec<usize>,
}

/// What a layer prints of a variable, in all places together.
#[derive(Default)]
struct PrintedValue {
    text: String,
    places: Vec<Place>,
}

/// The content of a prompt.
pub struct Facts {
    /// Everything except the text of messages, places and diagnostics.
    pub structure: String,
    /// The runs of all messages.
    segments: Vec<Segment>,
    /// The layers, each by its id and item.
    layers: Vec<String>,
    /// By layer and name.
    values: BTreeMap<(String, String), PrintedValue>,
    /// Named ranges of files: what requested an item, what decided its outcome, and declarations.
    entries: BTreeMap<(String, Place), usize>,
    pub diagnostics: Vec<String>,
}

impl Facts {
    pub fn of(prompt: &Prompt) -> Self {
        let mut facts = Self {
            structure: structure(prompt),
            segments: Vec::new(),
            layers: prompt.layers.iter().map(|layer| format!("{} {}", layer.id, item(&layer.item))).collect(),
            values: BTreeMap::new(),
            entries: BTreeMap::new(),
            diagnostics: Vec::new(),
        };
        for (index, message) in prompt.messages.iter().enumerate() {
            facts.segments.extend(message.segments().map(|run| {
                let kind = match run.origin {
                    Origin::File(_) => "file".to_string(),
                    Origin::Derived(_) => "derived".to_string(),
                    Origin::Input { name, from, .. } => format!("input {name} {}", from.into_str()),
                    Origin::Env(name) => format!("env {name}"),
                    Origin::Variable { name, .. } => format!("variable {name}"),
                    Origin::Argument(name) => format!("argument {name}"),
                    Origin::Protocol => "protocol".to_string(),
                    Origin::Base { id, .. } => format!("base {id}"),
                };
                let characters = match run.origin {
                    Origin::File(span) => {
                        let at = |(at, _)| span.source().on_disk(span.range().start + at);
                        span.text().char_indices().map(at).collect()
                    }
                    _ => Vec::new(),
                };
                let kind = format!("message {index}, {kind}");
                let place = run.origin.span().map(Place::of);
                if let (Origin::Variable { name, .. }, Some(layer)) = (run.origin, run.layer) {
                    let value = facts.values.entry((facts.layers[layer].clone(), name.to_string())).or_default();
                    value.text += run.text;
                    value.places.extend(place.clone());
                }
                Segment { layer: run.layer, text: run.text.to_string(), kind, place, characters }
            }));
        }
        for layer in &prompt.layers {
            facts.declared(&format!("layer {}", layer.id), &layer.declared_by);
        }
        for decision in &prompt.decisions {
            let said = format!(
                "{} {} {}: {} ({})",
                decision.slot.into_str(),
                decision.name,
                decision.outcome.into_str(),
                decision.why,
                item(&decision.item)
            );
            facts.declared(&format!("decided {said}"), &decision.by);
            facts.declared(&format!("asked {said}"), &decision.declared_by);
        }
        for declared in metadata(prompt) {
            let said = format!("{} = {}", declared.name, json(&declared.value));
            for span in [Some(&declared.span), declared.line_break.as_ref()].into_iter().flatten() {
                facts.entry(said.clone(), span);
            }
        }
        facts.diagnostics =
            prompt.diagnostics.iter().map(|found| format!("{} {}", found.code(), found.message())).collect();
        facts
    }

    fn declared(&mut self, what: &str, declared: &Option<Declared>) {
        if let Some(Declared { by, span: Some(span) }) = declared {
            self.entry(format!("{what} by {by}"), span);
        }
    }

    fn entry(&mut self, said: String, span: &Span) {
        *self.entries.entry((said, Place::of(span))).or_default() += 1;
    }

    /// Whether both have the same entries, regardless of their places.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let said = |facts: &Self| {
            let mut said: Vec<String> = facts.entries.keys().map(|(said, _)| said.clone()).collect();
            said.sort();
            said
        };
        said(self) == said(other)
    }

    /// The ranges of the segments that contain a byte.
    pub fn holding(&self, byte: &Place) -> impl Iterator<Item = Place> {
        self.segments.iter().filter_map(|segment| segment.place.clone()).filter(move |place| place.holds(byte))
    }

    /// Whether both have the same messages, ignoring the ranges in `apart`.
    pub fn same_text(&self, other: &Self, apart: &[Place]) -> bool {
        self.outside(apart) == other.outside(apart)
    }

    /// Every character of the messages outside `apart`, and its origin.
    fn outside(&self, apart: &[Place]) -> Vec<(Option<usize>, &str, &str, usize)> {
        let mut all = Vec::new();
        for segment in &self.segments {
            let within = |start: usize, end: usize| {
                let file = segment.place.as_ref().map(|place| place.file.as_str());
                apart.iter().any(|place| file == Some(place.file.as_str()) && place.start <= start && end <= place.end)
            };
            match &segment.place {
                Some(place) if !segment.characters.is_empty() => {
                    for ((at, c), &start) in segment.text.char_indices().zip(&segment.characters) {
                        if !within(start, start + 1) {
                            all.push((segment.layer, place.file.as_str(), &segment.text[at..at + c.len_utf8()], start));
                        }
                    }
                }
                Some(place) if within(place.start, place.end) => {}
                place => {
                    let start = place.as_ref().map_or(0, |place| place.start);
                    all.push((segment.layer, segment.kind.as_str(), segment.text.as_str(), start));
                }
            }
        }
        all
    }

    /// Whether an entry that contains the byte was removed, added or changed.
    pub fn entry_changes(&self, after: &Self, byte: &Place) -> bool {
        let changes = |here: &Self, there: &Self| {
            let count = |facts: &Self, said: &str| -> usize {
                let of_file =
                    facts.entries.iter().filter(|((other, place), _)| other == said && place.file == byte.file);
                of_file.map(|(_, count)| count).sum()
            };
            here.entries.keys().any(|(said, place)| place.holds(byte) && count(here, said) != count(there, said))
        };
        changes(self, after) || changes(after, self)
    }

    /// The places of each value of a variable that differs in a layer that both prompts have.
    pub fn changed_values<'a>(&'a self, after: &'a Self) -> Vec<Vec<&'a Place>> {
        let names: BTreeSet<_> = self.values.keys().chain(after.values.keys()).collect();
        let in_both =
            names.into_iter().filter(|(layer, _)| self.layers.contains(layer) && after.layers.contains(layer));
        let pairs = in_both.map(|name| [self, after].map(|facts| facts.values.get(name)));
        let text = |value: Option<&'a PrintedValue>| value.map_or("", |value| value.text.as_str());
        let changed = pairs.filter(|[left, right]| text(*left) != text(*right));
        changed.map(|sides| sides.into_iter().flatten().flat_map(|value| &value.places).collect()).collect()
    }

    /// Describes the differences.
    pub fn difference(&self, after: &Self) -> String {
        let mut lines = Vec::new();
        lines.extend(apart(self.structure.lines(), after.structure.lines()));
        let texts = |facts: &Self| -> Vec<String> {
            facts
                .segments
                .iter()
                .map(|segment| format!("{} {:?} {:?}", segment.kind, segment.text, segment.place))
                .collect()
        };
        lines.extend(apart(texts(self).iter().map(String::as_str), texts(after).iter().map(String::as_str)));
        let said = |facts: &Self| -> Vec<String> { facts.entries.keys().map(|entry| format!("{entry:?}")).collect() };
        lines.extend(apart(said(self).iter().map(String::as_str), said(after).iter().map(String::as_str)));
        lines.iter().map(|line| line.chars().take(300).collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// The lines that are in only one of the lists.
fn apart<'a>(before: impl Iterator<Item = &'a str>, after: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.collect(), after.collect());
    let gone = before.iter().filter(|line| !after.contains(line)).map(|line| format!("  - {line}"));
    let new = after.iter().filter(|line| !before.contains(line)).map(|line| format!("  + {line}"));
    gone.chain(new).collect()
}

/// Whether a prompt reports that it cannot use a file.
pub fn is_unusable(prompt: &Prompt, file: &File) -> bool {
    let is_file = |span: &Span| Place::of(span).file == file.to_string();
    let parent = prompt.chain.iter().any(|member| member.directive.is_none() && is_file(&member.source.whole()));
    let yaml = prompt.knowledge.iter().any(|knowledge| {
        matches!(knowledge.place, TextPlace::Nowhere(NoText::NotYaml)) && is_file(&knowledge.source.whole())
    });
    let reported = prompt.diagnostics.iter().any(|found| {
        matches!(found.code(), "knowledge_broken" | "tool_without_schema")
            && matches!(&found.at, Some(Location::Span(span)) if is_file(span))
    });
    parent || yaml || reported
}

fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("it is a value")
}

fn item(item: &Option<ItemRef>) -> String {
    let Some(ItemRef { kind, id, span }) = item else { return String::new() };
    let file = span.as_ref().map_or_else(String::new, |span| format!("{:?}", span.source()));
    format!("{} {id} {file}", kind.into_str())
}

/// One line for each fact except the text of messages.
fn structure(prompt: &Prompt) -> String {
    let mut lines = Vec::new();
    let name = |field: &Option<ItemField>| field.as_ref().map(|field| field.as_str().to_string());
    lines.push(format!(
        "directive {} {:?} {:?}",
        prompt.subject.name(),
        prompt.subject.directive().and_then(|it| name(&it.name)),
        prompt.subject.directive().and_then(|it| name(&it.version))
    ));
    let declared = &prompt.model.declared;
    lines.push(format!(
        "model {:?} {:?} {:?} {}",
        name(&declared.tier),
        name(&declared.id),
        name(&declared.provider),
        prompt.model.effective
    ));
    lines.push(format!("limits {}", json(&Value::Map(prompt.limits.clone()))));
    lines.extend(prompt.permissions.iter().map(|grant| format!("permission {} {}", grant.capability, grant.by.by)));
    lines.extend(prompt.capabilities.iter().map(|grant| format!("capability {} {}", grant.capability, grant.by.by)));
    lines.extend(prompt.outputs.iter().map(|output| format!("{output:?}")));
    lines.extend(
        prompt.inputs.iter().map(|input| format!("input {} {} {:?}", input.name, json(&input.value), input.from)),
    );
    lines.extend(prompt.chain.iter().map(|member| {
        let by = member.extends.as_ref().map(|by| &by.by);
        format!("chain {} {:?} {:?} {by:?}", member.id, member.name(), member.source)
    }));
    lines.extend(prompt.messages.iter().map(|message| format!("message {}", message.role.into_str())));
    lines.extend(prompt.layers.iter().map(|layer| {
        let by = layer.declared_by.as_ref().map(|by| &by.by);
        format!("layer {} {} {:?} {} {by:?} {}", layer.id, layer.message, layer.kind, layer.name, layer.wrap)
            + &item(&layer.item)
    }));
    lines.extend(prompt.decisions.iter().map(|decision| {
        let by = |declared: &Option<Declared>| declared.as_ref().map(|declared| declared.by.clone());
        format!(
            "decision {} {} {} {} {:?} {:?} {:?} {}",
            decision.name,
            decision.slot.into_str(),
            decision.outcome.into_str(),
            decision.why,
            by(&decision.by),
            by(&decision.declared_by),
            decision.layer,
            item(&decision.item)
        )
    }));
    lines.extend(prompt.tools.iter().map(|tool| {
        format!(
            "tool {} {} {} {} {:?}",
            tool.name,
            tool.primary,
            tool.description,
            json(&tool.input_schema),
            tool.source
        )
    }));
    lines.push(format!("budget {:?}", prompt.budget));
    lines.extend(prompt.events.iter().map(|event| match event {
        TranscriptEvent::SystemPrompt { layers, .. } => format!("system_prompt {layers:?}"),
        TranscriptEvent::ContextInjected { before, after } => format!("context_injected {before:?} {after:?}"),
    }));
    lines.join("\n")
}
