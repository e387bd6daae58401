use std::collections::HashSet;
use std::sync::Arc;

use super::declared::Declarations;
use super::{FileLines, LineReason, METADATA, folder};
use crate::answer::explain::hooks::{self, ItemMatch, PromptHooks, naming};
use crate::answer::explain::inclusion::{how_to_include, permitted};
use crate::diagnostic::Diagnostic;
use crate::prompt::{ChainMember, Decision, DecisionOutcome, HookRun, HookVerdict, Layer, Prompt, Slot};
use crate::read::item::{CommentStyle, SignatureComment, TextPlace, parse_knowledge, read_signature};
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::text::{Origin, Source, Span};

const INSIDE_FENCE: &str = "inside_fence";

/// What the lines do besides appearing in a message; if they do not appear, why.
pub fn reasons(
    place: &FileLines,
    occurs: bool,
    declarations: Declarations,
    prompt: &Prompt,
    tiers: &Tiers,
) -> Result<Vec<LineReason>, Diagnostic> {
    if prompt.subject.directive().is_none() {
        return Ok(folder::reasons(place, occurs, prompt));
    }
    let mut reasons = Vec::new();
    let Declarations { reasons: does, otherwise } = declarations;
    let item = item_of(place.source.path());
    if !occurs {
        if let Some((kind, id)) = &item {
            reasons.extend(of_the_item(place, *kind, id, prompt, tiers)?);
        }
        if let Some(line) = &place.text {
            let what = of_the_line(place, line, item.as_ref().map(|(kind, _)| *kind), prompt);
            // The declarations are more specific.
            reasons.extend(what.filter(|what| does.is_empty() || !matches!(what.code, INSIDE_FENCE | METADATA)));
        }
    }
    reasons.extend(does);
    if !occurs && reasons.is_empty() {
        reasons.extend(otherwise);
    }
    if !occurs && reasons.is_empty() {
        reasons.push(LineReason::nothing_depends_on(place));
    }
    Ok(reasons)
}

fn item_of(path: &str) -> Option<(ItemKind, ItemId)> {
    let (kind, id) = ItemKind::of_path(path)?;
    Some((kind, ItemId::parse(id).ok()?))
}

fn of_the_item(
    place: &FileLines,
    kind: ItemKind,
    id: &ItemId,
    prompt: &Prompt,
    tiers: &Tiers,
) -> Result<Vec<LineReason>, Diagnostic> {
    let about: Vec<&Decision> = prompt.decisions.iter().filter(|decision| is_about(decision, kind, id)).collect();
    let member = prompt.chain.iter().find(|member| kind == ItemKind::Directive && member.id == id.as_str());
    let used = member
        .map(|member| &member.source)
        .or_else(|| about.iter().find_map(|decision| Some(decision.item.as_ref()?.span.as_ref()?.source())));
    let winner = match used {
        Some(source) => Some(Arc::clone(source)),
        None => tiers.find(kind, id)?.map(|found| found.source),
    };
    if let Some(winner) = winner.filter(|winner| !place.is_file(winner)) {
        let why = format!("it is shadowed: the copy of {} {id} in {} wins", kind.into_str(), winner.tier());
        let mut reasons = vec![LineReason { at: Some(winner.span(0..0)), ..LineReason::new("shadowed", why) }];
        if used.is_none() && about.is_empty() {
            reasons.push(not_part(kind, id, prompt));
        }
        return Ok(reasons);
    }
    let is_used = member.is_some() || about.iter().any(|decision| decision.outcome.is_in_use());
    let left_out = about.iter().filter(|decision| match decision.outcome {
        // A shadowed copy elsewhere does not concern this one.
        DecisionOutcome::Shadowed => false,
        // A repeated request does not concern an item that is included.
        DecisionOutcome::Duplicate => !is_used,
        outcome => !outcome.is_in_use(),
    });
    let of_decision = |decision: &&Decision| LineReason {
        code: decision.outcome.into_str(),
        why: format!("{} is left out: {}", decision.title(), decision.reason()),
        at: decision.decided_at().cloned(),
    };
    let mut reasons: Vec<_> = left_out.map(of_decision).collect();
    if !is_used {
        reasons.extend(of_hooks(kind, id, ItemMatch::Sure, prompt));
    }
    if reasons.is_empty() && !is_used {
        reasons.push(not_part(kind, id, prompt));
        reasons.extend(of_hooks(kind, id, ItemMatch::Maybe, prompt));
    }
    Ok(reasons)
}

/// The hooks that would bring the item in but do not apply, apart from those that a decision already reports.
fn of_hooks(kind: ItemKind, id: &ItemId, how: ItemMatch, prompt: &Prompt) -> Vec<LineReason> {
    let hooks = PromptHooks::new(prompt);
    let reported: HashSet<usize> =
        prompt.decisions.iter().filter(|decision| decision.item.is_some()).filter_map(|it| hooks.of(it)).collect();
    let is_about = |run: &HookRun| naming(&run.hook.actions, |of| of == kind, id.as_str()) == Some(how);
    let would = match how {
        ItemMatch::Sure => "would bring it in",
        ItemMatch::Maybe => "may bring it in, by an id with placeholders",
    };
    let unreported = prompt.hooks.iter().enumerate().filter(|(index, run)| !reported.contains(index) && is_about(run));
    let unreported = unreported.filter(|(_, run)| run.verdict != HookVerdict::Applies);
    unreported
        .map(|(_, run)| LineReason {
            code: run.verdict.into_str(),
            why: format!("hook {} {would}, but is left out: {}", run.hook.name(), hooks::reason(run)),
            at: run.by.as_ref().and_then(|by| by.span.clone()).or_else(|| run.hook.span.clone()),
        })
        .collect()
}

fn not_part(kind: ItemKind, id: &ItemId, prompt: &Prompt) -> LineReason {
    if let Some((why, at)) = permitted(kind, id.as_str(), prompt) {
        return LineReason {
            at,
            ..LineReason::new("not_part", format!("{} {id} is not in the palette: {why}", kind.into_str()))
        };
    }
    let asked = how_to_include(kind, id.as_str(), prompt);
    LineReason::new("not_part", format!("nothing in this prompt requests {} {id}: {asked}", kind.into_str()))
}

fn is_about(decision: &Decision, kind: ItemKind, id: &ItemId) -> bool {
    let named = || decision.name == id.as_str();
    match &decision.item {
        Some(item) => item.kind == kind && item.id == id.as_str(),
        None => kind == ItemKind::Tool && decision.slot == Slot::Palette && named(),
    }
}

fn of_the_line(place: &FileLines, line: &Span, kind: Option<ItemKind>, prompt: &Prompt) -> Option<LineReason> {
    let source = &place.source;
    if line.trim().text().is_empty() {
        return Some(LineReason::new("blank", "it is only white space, which is trimmed"));
    }
    let style = kind.map_or(CommentStyle::Hash, |kind| CommentStyle::of(kind, source.path()));
    let signature = match read_signature(source, style) {
        SignatureComment::Signed(signature) => Some(signature.line),
        SignatureComment::Malformed(line) => Some(line),
        SignatureComment::Unsigned => None,
    };
    if signature.is_some_and(|signature| place.meets(&signature)) {
        return Some(LineReason::new("signature", "it is the signature, which is checked but never sent"));
    }
    if let Some(member) = prompt.chain.iter().find(|member| place.is_file(&member.source)) {
        let is_leaf = prompt.chain.last().is_some_and(|leaf| std::ptr::eq(leaf, member));
        return of_a_directive(place, line, member, is_leaf, prompt);
    }
    match kind {
        Some(ItemKind::Knowledge) => of_knowledge(place, line, source, prompt),
        _ => None,
    }
}

fn of_a_directive(
    place: &FileLines,
    line: &Span,
    member: &ChainMember,
    is_leaf: bool,
    prompt: &Prompt,
) -> Option<LineReason> {
    let directive = member.directive.as_ref()?;
    let meets = |part: &Span| !part.text().is_empty() && place.meets(part);
    Some(if meets(&directive.content) {
        if in_comment(&directive.content, line) {
            LineReason::new("comment", "it is inside a comment in the xml block")
        } else {
            LineReason::new(INSIDE_FENCE, "it is inside the xml block, which is read but not sent as it stands")
        }
    } else if meets(&directive.body) && is_leaf {
        return of_placeholders(place, line, prompt);
    } else if meets(&directive.body) {
        LineReason::new(
            "parent_body",
            "it is the body of a parent, and only the body of the requested directive is sent",
        )
    } else if meets(&directive.preamble) {
        LineReason::new("preamble", "it is before the xml block, and this prompt does not use that text")
    } else {
        LineReason::new("fence", "it opens or closes the xml block")
    })
}

/// For a line that consists only of placeholders in a text that is sent. `None` if the text is not sent, which its
/// decision reports.
fn of_placeholders(place: &FileLines, line: &Span, prompt: &Prompt) -> Option<LineReason> {
    let is_of_it = |layer: &Layer| {
        layer.item.as_ref().and_then(|item| item.span.as_ref()).is_some_and(|span| place.is_file(span.source()))
    };
    let layers: Vec<usize> = (0..prompt.layers.len()).filter(|&index| is_of_it(&prompt.layers[index])).collect();
    if layers.is_empty() {
        return None;
    }
    let stands = layers.into_iter().any(|layer| value_stands(layer, line, prompt));
    Some(LineReason::new(
        "placeholder",
        match stands {
            true => "it consists of placeholders, and their values are in the message",
            false => "it consists of placeholders, and their values are empty",
        },
    ))
}

/// Whether a layer holds the value of a placeholder in these lines, between the bytes of the file before and after
/// them.
fn value_stands(layer: usize, lines: &Span, prompt: &Prompt) -> bool {
    let asked = lines.range();
    let message = &prompt.messages[prompt.layers[layer].message];
    let (mut before, mut open) = (0, false);
    for segment in message.segments().filter(|segment| segment.layer == Some(layer)) {
        let name = match segment.origin {
            Origin::File(span) if *span.source().path() == *lines.source().path() => {
                if open && asked.start < span.range().start {
                    return true;
                }
                (before, open) = (span.range().end, false);
                continue;
            }
            Origin::Input { name, .. } | Origin::Env(name) | Origin::Variable { name, .. } => name,
            _ => continue,
        };
        let is_named = [format!("{name}}}"), format!("{name}:"), format!("{name}|")];
        let is_named = is_named.iter().any(|named| lines.text().contains(named.as_str()));
        open |= before < asked.end && is_named && !segment.text.trim().is_empty();
    }
    open
}

/// Whether a comment covers the whole line.
fn in_comment(content: &Span, line: &Span) -> bool {
    let line = line.trim().range();
    let mut at = 0;
    while let Some(start) = content.text()[at..].find("<!--").map(|found| at + found) {
        let end = content.text()[start..].find("-->").map_or(content.text().len(), |found| start + found + 3);
        let offset = content.range().start;
        if offset + start <= line.start && line.end <= offset + end {
            return true;
        }
        at = end;
    }
    false
}

fn of_knowledge(place: &FileLines, line: &Span, source: &Arc<Source>, prompt: &Prompt) -> Option<LineReason> {
    let knowledge = parse_knowledge(source).ok()?.item;
    let TextPlace::Block(text) = &knowledge.place else {
        return Some(LineReason::new(METADATA, "it is metadata of the item"));
    };
    if line.range().start >= text.range().start {
        let has_placeholder = ["${", "{input:"].iter().any(|open| line.text().contains(open));
        return if has_placeholder { of_placeholders(place, line, prompt) } else { None };
    }
    Some(if line.text().starts_with("```") {
        LineReason::new("fence", "it opens or closes the yaml block")
    } else if knowledge.metadata.span.as_ref().is_some_and(|metadata| place.meets(metadata)) {
        LineReason::new("yaml_block", "it is inside the yaml block of the item, which is read but not sent")
    } else {
        LineReason::new("preamble", "it is outside the yaml block and before the text of the item")
    })
}
