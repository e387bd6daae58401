use std::collections::HashMap;
use std::ops::Range;

use super::fields::fields;
use super::{
    Considered, ExtendsLink, FilePlace, LineSpan, Requester, Side, SideItem, SideKind, SideLayer, SideMessage,
    SideTool, SideValue,
};
use crate::answer::explain::inputs::HiddenValues;
use crate::prompt::json::origin::SourceJson;
use crate::prompt::json::shape::{
    ChainMemberJson, DecisionJson, DeclaredJson, ItemJson, LayerJson, MessageJson, PromptDocument, ToolJson,
};
use crate::prompt::json::{self, RunOrigin};
use crate::prompt::{DecisionOutcome, LayerKind, Prompt, decision_title, layer_title};

impl Side {
    /// The document of a rendered prompt, and what it does not record.
    pub fn rendered(prompt: &Prompt, title: String) -> Self {
        let mode = prompt.subject.directive().map(|_| prompt.mode.into_str());
        Self {
            kind: SideKind::Rendered,
            folder: prompt.subject.folder().map(str::to_string),
            has_layers: true,
            hidden_values: HiddenValues::of(prompt),
            ..Self::of(json::document(prompt, None), mode, title)
        }
    }

    /// A saved prompt. `mode` is `None` if not recorded.
    pub(super) fn of(document: PromptDocument<'_>, mode: Option<&str>, title: String) -> Self {
        let fields = fields(&document, mode);
        let PromptDocument { protocol, directive, mut messages, touched, layers, decisions, chain, tools, .. } =
            document;
        messages.extend(touched.into_iter().flat_map(|touched| touched.messages));
        let tells_layers =
            !layers.is_empty() || messages.iter().any(|message| message.segments.runs().next().is_some());
        let layers = placed(&messages, layers, decisions.as_deref().unwrap_or_default());
        let has_layers = layers.is_some();
        let mut side = Self {
            kind: SideKind::Saved,
            // A folder has no chain.
            chain: chain.filter(|_| directive.is_some()).map(|all| all.into_iter().map(Into::into).collect()),
            directive: directive.map(|directive| directive.id.into_owned()),
            protocol: Some(protocol.into_owned()).filter(|name| !name.is_empty()),
            messages: messages.into_iter().map(Into::into).collect(),
            layers: layers.unwrap_or_default(),
            has_layers,
            contradicts_layers: tells_layers && !has_layers,
            decisions: decisions.map(|all| all.into_iter().map(Into::into).collect()),
            tools: tools.map(|all| all.into_iter().map(Into::into).collect()),
            fields: Some(fields),
            ..Self::absent(title)
        };
        if !has_layers {
            side.by_message();
        }
        side
    }
}

/// Where the segments put a layer, and the lines of a file that they are from.
#[derive(Default)]
struct LayerPlace {
    message: usize,
    range: Range<usize>,
    lines: LineSpan,
    file: Option<FilePlace>,
    values: Vec<SideValue>,
}

/// The layers, each at the place that the segments of the messages give it; `None` if the segments do not add up to
/// the messages.
fn placed(
    messages: &[MessageJson<'_>],
    written: Vec<LayerJson<'_>>,
    decisions: &[DecisionJson<'_>],
) -> Option<Vec<SideLayer>> {
    let mut found: Vec<Option<LayerPlace>> = written.iter().map(|_| None).collect();
    for (index, message) in messages.iter().enumerate() {
        let (mut at, mut last) = (0, None);
        for run in message.segments.runs() {
            let end = at + run.text.len();
            (message.text.get(at..end)? == run.text).then_some(())?;
            if let Some(layer) = run.layer {
                let place = found.get_mut(layer)?;
                if last != run.layer {
                    *place = Some(LayerPlace { message: index, range: at..at, ..LayerPlace::default() });
                }
                if let Some(place) = place {
                    place.range.end = end;
                    match run.origin {
                        RunOrigin::Variable(name, source) => {
                            let name = name.to_string();
                            place.values.push(SideValue { name, range: at..end, place: source.into() });
                        }
                        RunOrigin::Text { source, is_derived } if written[layer].takes(&source, is_derived) => {
                            source.line.into_iter().for_each(|line| place.lines.add(line, run.text));
                            place.file.get_or_insert_with(|| source.into());
                        }
                        RunOrigin::Text { .. } | RunOrigin::Unknown | RunOrigin::NoFile => {}
                    }
                }
            }
            (at, last) = (end, run.layer);
        }
        (at == message.text.len()).then_some(())?;
    }
    // The first decision about each layer.
    let decided: HashMap<usize, &DecisionJson> =
        decisions.iter().rev().filter_map(|it| Some((it.layer?, it))).collect();
    let layers = written.into_iter().zip(found).enumerate().map(|(index, (layer, found))| {
        let LayerJson { message, slot, kind, name, item, declared_by, wrap, .. } = layer;
        let LayerPlace { message, range, lines, file, values } =
            found.unwrap_or(LayerPlace { message, ..LayerPlace::default() });
        (message < messages.len()).then_some(())?;
        let (item, file) = match item {
            Some(item) => (Some(item.placed(lines, kind == LayerKind::Directive.into_str())), None),
            None => (None, file.and_then(|it| lines.of_file(it)).or_else(|| empty_file(decided.get(&index)?))),
        };
        Some(SideLayer {
            title: layer_title(&kind, &name),
            message,
            range,
            slot: slot.into_owned(),
            kind: kind.into_owned(),
            name: name.into_owned(),
            item,
            file,
            declared_by: declared_by.map(Into::into),
            wrap,
            values,
        })
    });
    layers.collect()
}

impl LayerJson<'_> {
    /// Whether the place of the layer includes a range that one of its segments is from.
    fn takes(&self, source: &SourceJson<'_>, is_derived: bool) -> bool {
        match &self.item {
            Some(ItemJson { source: Some(item), .. }) => {
                let taken = item.start.unwrap_or_default()..item.end.unwrap_or_default();
                let is_taken = source.start.is_some_and(|start| taken.contains(&start));
                !is_derived && is_taken && (&item.tier, &item.path) == (&source.tier, &source.path)
            }
            Some(_) => false,
            None => source.path == self.name,
        }
    }
}

impl ItemJson<'_> {
    fn placed(self, lines: LineSpan, is_directive: bool) -> SideItem {
        let place = self.source.map(|source| lines.place(source.into(), is_directive));
        SideItem { kind: self.item_type.into_owned(), id: self.id.into_owned(), place }
    }
}

/// The file of a layer without text, as its decision names it.
fn empty_file(decision: &DecisionJson<'_>) -> Option<FilePlace> {
    let source = decision.by.as_ref()?.source.as_ref()?;
    let SourceJson { tier, path, revision, .. } = source.clone();
    (path == decision.name).then(|| SourceJson { tier, path, revision, ..SourceJson::default() }.into())
}

impl From<SourceJson<'_>> for FilePlace {
    fn from(source: SourceJson<'_>) -> Self {
        let SourceJson { tier, path, line, revision, .. } = source;
        let line = line.unwrap_or_default();
        let revision = revision.map(|revision| revision.into_owned());
        Self { tier: tier.into_owned(), path: path.into_owned(), line, last_line: line, revision }
    }
}

impl From<DeclaredJson<'_>> for Requester {
    fn from(declared: DeclaredJson<'_>) -> Self {
        Self { by: declared.by.into_owned(), place: declared.source.map(Into::into) }
    }
}

impl From<MessageJson<'_>> for SideMessage {
    fn from(message: MessageJson<'_>) -> Self {
        let (mut unknown, mut at) = (Vec::new(), 0);
        for run in message.segments.runs() {
            let end = at + run.text.len();
            if matches!(run.origin, RunOrigin::Unknown) {
                unknown.push(at..end);
            }
            at = end;
        }
        Self { role: message.role, text: message.text.into_owned(), other_parts: 0, unknown }
    }
}

impl From<ChainMemberJson<'_>> for ExtendsLink {
    fn from(member: ChainMemberJson<'_>) -> Self {
        Self { id: member.id.into_owned(), place: member.source.map(Into::into).unwrap_or_default() }
    }
}

impl From<DecisionJson<'_>> for Considered {
    fn from(decision: DecisionJson<'_>) -> Self {
        let DecisionJson { name, slot, outcome, why, by, declared_by, .. } = decision;
        let requested_by = declared_by.as_ref().map(|asked| &*asked.by);
        let is_shadowed = outcome == DecisionOutcome::Shadowed.into_str();
        Self {
            title: decision_title(&name, slot.parse().ok(), is_shadowed, requested_by),
            slot: slot.into_owned(),
            name: name.into_owned(),
            outcome: outcome.into_owned(),
            why: why.into_owned(),
            by: by.map(Into::into),
        }
    }
}

impl From<ToolJson<'_>> for SideTool {
    fn from(tool: ToolJson<'_>) -> Self {
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        Self {
            name: tool.name.into_owned(),
            description: tool.description.into_owned(),
            schema: tool.input_schema.into_owned(),
            item_id: known(tool.item_id.into_owned()),
            primary: known(tool.primary.into_owned()),
            place: tool.source.map(Into::into),
        }
    }
}
