//! Placeholders in texts: the prompt holds only their values.

use std::sync::Arc;

use super::Metadata;
use crate::prompt::{Layer, LayerKind, MessagePart, Prompt};
use crate::text::{Origin, Source, Span};

/// The parts of the directive's text and of hook texts that are in no message.
pub(super) fn placeholders(prompt: &Prompt, all: &mut Vec<Metadata>) {
    let parts = prompt.layer_parts();
    let leaf = prompt.chain.last().and_then(|member| member.directive.as_deref());
    for decision in prompt.decisions.iter().filter(|decision| decision.layer.is_some() || decision.slot.is_hook()) {
        let layer: Option<(&Layer, &MessagePart<'_>)> =
            decision.layer.and_then(|index| Some((prompt.layers.get(index)?, parts.get(index)?.as_ref()?)));
        let filled = match (layer, leaf) {
            (Some((Layer { kind: LayerKind::Directive, .. }, part)), Some(leaf)) => {
                all.extend(between(&leaf.content, part));
                Some(&leaf.body)
            }
            _ => decision.item.as_ref().and_then(|item| item.span.as_ref()).filter(|_| decision.slot.is_hook()),
        };
        if let Some(text) = filled {
            all.extend(gaps(text, layer.map(|(_, part)| part)));
        }
    }
}

/// The ranges that a layer takes from a file, in order.
fn taken(part: &MessagePart<'_>, source: &Arc<Source>) -> impl Iterator<Item = Option<Span>> {
    part.segments().filter_map(move |segment| match segment.origin {
        Origin::File(span) | Origin::Derived(span) if Arc::ptr_eq(span.source(), source) => Some(Some(span.clone())),
        Origin::Protocol => Some(None),
        _ => None,
    })
}

fn gaps(text: &Span, part: Option<&MessagePart<'_>>) -> Vec<Metadata> {
    let within = text.range();
    let shown = part.into_iter().flat_map(|part| taken(part, text.source())).flatten().map(|span| span.range());
    let mut at = within.start;
    let mut gaps = Vec::new();
    for shown in shown.filter(|shown| within.contains(&shown.start)).chain(std::iter::once(within.end..within.end)) {
        gaps.extend((at < shown.start).then(|| text.source().span(at..shown.start)));
        at = at.max(shown.end);
    }
    gaps.iter().filter_map(placeholder).collect()
}

/// The gaps in a text between consecutive ranges that its layer takes.
fn between(text: &Span, part: &MessagePart<'_>) -> Vec<Metadata> {
    let spans: Vec<Option<Span>> = taken(part, text.source()).collect();
    let pairs = spans.windows(2).filter_map(|pair| match pair {
        [Some(left), Some(right)] => Some(left.range().end..right.range().start),
        _ => None,
    });
    let inside = |range: &std::ops::Range<usize>| {
        range.start < range.end && text.range().start <= range.start && range.end <= text.range().end
    };
    pairs.filter(inside).filter_map(|range| placeholder(&text.source().span(range))).collect()
}

/// A gap that is a placeholder has a brace; a comment, an escape or indentation has none.
fn placeholder(gap: &Span) -> Option<Metadata> {
    gap.text().contains(['{', '}']).then(|| Metadata::new("placeholder", gap.text(), gap))
}
