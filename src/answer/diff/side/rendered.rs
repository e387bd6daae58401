use std::collections::HashMap;
use std::ops::Range;

use super::fields::Fields;
use super::{
    Considered, ExtendsLink, FieldGroup, FilePlace, LineSpan, Requester, Side, SideField, SideItem, SideKind,
    SideLayer, SideMessage, SideTool,
};
use crate::answer::explain::inputs::HiddenValues;
use crate::prompt::{ChainMember, Decision, Declared, ItemRef, LayerKind, MessagePart, OutputInfo, Prompt, ToolEntry};
use crate::read::item::ItemField as Declaration;
use crate::text::Origin;

impl Side {
    pub fn rendered(prompt: &Prompt, title: String) -> Self {
        Self {
            kind: SideKind::Rendered,
            directive: prompt.subject.directive().map(|directive| directive.id.clone()),
            folder: prompt.subject.folder().map(str::to_string),
            protocol: Some(prompt.protocol.clone()),
            messages: prompt
                .messages
                .iter()
                .map(|message| SideMessage { role: message.role, text: message.text().to_string(), other_parts: 0 })
                .collect(),
            layers: layers(prompt),
            decisions: Some(prompt.decisions.iter().map(considered).collect()),
            chain: prompt.subject.directive().map(|_| prompt.chain.iter().map(link).collect()),
            tools: Some(prompt.tools.iter().map(tool).collect()),
            fields: Some(fields(prompt)),
            hidden_values: HiddenValues::of(prompt),
            ..Self::absent(title)
        }
    }
}

fn link(member: &ChainMember) -> ExtendsLink {
    ExtendsLink { id: member.id.clone(), place: FilePlace::file(&member.source) }
}

fn layers(prompt: &Prompt) -> Vec<SideLayer> {
    let mut parts: Vec<Option<(Range<usize>, MessagePart)>> = prompt.layers.iter().map(|_| None).collect();
    for message in &prompt.messages {
        let mut at = 0;
        for part in message.parts() {
            let start = at;
            at += part.text.len();
            if let Some(found) = part.layer.and_then(|layer| parts.get_mut(layer)) {
                *found = Some((start..at, part));
            }
        }
    }
    // The first decision about each layer.
    let decided: HashMap<usize, &Decision> =
        prompt.decisions.iter().rev().filter_map(|it| Some((it.layer?, it))).collect();
    let layers = prompt.layers.iter().zip(parts).enumerate().map(|(index, (layer, found))| {
        let (range, part) = found.unzip();
        SideLayer {
            title: layer.title(),
            slot: layer.slot.into_str().to_string(),
            kind: layer.kind.into_str().to_string(),
            name: layer.name.clone(),
            message: layer.message,
            range: range.unwrap_or_default(),
            item: layer.item.as_ref().map(|item| self::item(item, layer.kind, part.as_ref())),
            file: match layer.item {
                Some(_) => None,
                None => {
                    part.as_ref().and_then(|part| file(&layer.name, part)).or_else(|| empty_file(decided.get(&index)?))
                }
            },
            declared_by: layer.declared_by.as_ref().map(requester),
            wrap: layer.wrap,
        }
    });
    layers.collect()
}

fn item(item: &ItemRef, kind: LayerKind, part: Option<&MessagePart>) -> SideItem {
    let place = item.span.as_ref().map(|taken| {
        let mut lines = LineSpan::default();
        for segment in part.into_iter().flat_map(MessagePart::segments) {
            if let Origin::File(span) = segment.origin {
                let is_taken = taken.range().contains(&span.range().start);
                if is_taken && !FilePlace::file(span.source()).is_elsewhere(&FilePlace::file(taken.source())) {
                    lines.add(span.line(), segment.text);
                }
            }
        }
        lines.place(FilePlace::line(taken), kind == LayerKind::Directive)
    });
    SideItem { kind: item.kind.into_str().to_string(), id: item.id.clone(), place }
}

/// The lines of the file at `path` that a layer takes text from.
fn file(path: &str, part: &MessagePart) -> Option<FilePlace> {
    let (mut lines, mut file) = (LineSpan::default(), None);
    for segment in part.segments() {
        if let Origin::File(span) | Origin::Derived(span) = segment.origin
            && span.source().path() == path
        {
            lines.add(span.line(), segment.text);
            file.get_or_insert_with(|| FilePlace::file(span.source()));
        }
    }
    lines.of_file(file?)
}

/// The file of a layer without text, as its decision names it.
fn empty_file(decision: &Decision) -> Option<FilePlace> {
    let source = decision.by.as_ref()?.span.as_ref()?.source();
    (source.path() == decision.name).then(|| FilePlace::file(source))
}

fn requester(declared: &Declared) -> Requester {
    Requester { by: declared.by.clone(), place: declared.span.as_ref().map(FilePlace::line) }
}

fn considered(decision: &Decision) -> Considered {
    Considered {
        title: decision.title(),
        slot: decision.slot.into_str().to_string(),
        name: decision.name.clone(),
        outcome: decision.outcome.into_str().to_string(),
        why: decision.why.clone(),
        by: decision.by.as_ref().map(requester),
    }
}

fn tool(tool: &ToolEntry) -> SideTool {
    SideTool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        schema: tool.input_schema.clone(),
        item_id: Some(tool.item_id.clone()),
        primary: Some(tool.primary.to_string()),
        place: tool.source.as_deref().map(FilePlace::file),
    }
}

fn fields(prompt: &Prompt) -> Vec<SideField> {
    use FieldGroup::{Capabilities, Directive, Model, Permissions, Protocol};
    fn declared(field: &Option<Declaration>) -> Option<&str> {
        field.as_ref().map(Declaration::as_str)
    }
    let Prompt { model, subject, .. } = prompt;
    let directive = subject.directive();
    // The prompt of a folder has a model only if one is named.
    let effective = Some(model.effective.as_str()).filter(|model| subject.folder().is_none() || !model.is_empty());
    let mut fields = Fields::default();
    fields.declared([
        (Protocol, "", Some(&prompt.protocol)),
        (Protocol, "mode", directive.map(|_| prompt.mode.into_str())),
        (Directive, "name", directive.and_then(|it| declared(&it.name))),
        (Directive, "version", directive.and_then(|it| declared(&it.version))),
        (Model, "id", declared(&model.declared.id)),
        (Model, "tier", declared(&model.declared.tier)),
        (Model, "provider", declared(&model.declared.provider)),
        (Model, "effective", effective),
    ]);
    fields.limits(&prompt.limits);
    for (group, grants) in [(Permissions, &prompt.permissions), (Capabilities, &prompt.capabilities)] {
        grants.iter().for_each(|grant| fields.add(group, &grant.capability, String::new()));
    }
    prompt.inputs.iter().for_each(|input| fields.input(&input.name, &input.value, input.from.into_str()));
    for OutputInfo { name, output_type, required, description } in &prompt.outputs {
        fields.output(name, output_type, *required, description);
    }
    fields.0
}
