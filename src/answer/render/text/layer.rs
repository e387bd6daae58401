//! A layer as a box: its name, its text behind a margin, and its origin.

use std::io;

use indexmap::IndexSet;
use owo_colors::Style;

use crate::answer::render::RenderView;
use crate::prompt::{Layer, LayerKind, MessagePart};
use crate::text::{BaseFrom, Origin};
use crate::write::layout::{Flow, Spread, Word, lines_of, listed, located, margin_text, newlines, words};

/// Writes a layer: heading, text, and lines about its origin. `part` is its text; `None` if it is empty.
pub fn layer(view: &RenderView, layer: &Layer, part: Option<&MessagePart>, out: &mut dyn io::Write) -> io::Result<()> {
    let (text, dim) = (part.map_or("", |part| part.text), view.theme.dim());
    let hue = view.theme.tier(tier(layer));
    let known = part.map_or(Some("".into()), MessagePart::known);
    heading(view, &layer.title(), known.as_deref(), hue, out)?;
    content(view, text, hue, out)?;

    let mut lines = vec![taken_from(view, layer, part)];
    lines.extend(asked_for_by(view, layer));
    lines.extend(part.and_then(|part| values(view, part)));
    if text.is_empty() {
        lines.push(words("it has no text", dim).collect());
    } else if text.ends_with('\n') {
        lines.push(words("its text ends with a newline", dim).collect());
    }
    for (at, line) in lines.iter().enumerate() {
        let lead = if at == 0 { "└ " } else { "  " };
        Flow { lead_style: hue, ..Flow::plain(lead, "    ", view.theme, view.width) }.write(line, out)?;
    }
    Ok(())
}

/// Writes text between two layers, which belongs to neither: newlines in words, anything else in a box.
pub fn between(view: &RenderView, text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    if text.contains(|c| c != '\n') {
        heading(view, "between layers", Some(text), dim, out)?;
        content(view, text, dim, out)?;
        return writeln!(out, "{}", dim.style("└ fixed text of the protocol"));
    }
    writeln!(out, "{}", dim.style(format!("· {}", newlines(text.len()))))
}

fn heading(view: &RenderView, name: &str, known: Option<&str>, hue: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let tokens = Word::new(&view.tokenizer.phrase(known), view.theme.dim());
    let spread = Spread { lead: "┌ ", fill: ' ', style: hue, width: view.width };
    spread.write(&Word::new(name, view.theme.strong()), &tokens, out)
}

/// One row per line of the text. Only newlines break lines, and the last line has none.
fn content(view: &RenderView, text: &str, hue: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let lines = text.split('\n').filter(|_| !text.is_empty());
    lines.into_iter().try_for_each(|line| margin_text(line, hue, view.visible, view.theme, out))
}

/// Where the item's text is, or else the first file that the layer's text comes from.
fn taken_from(view: &RenderView, layer: &Layer, part: Option<&MessagePart>) -> Vec<Word> {
    match layer.taken_from(part) {
        Some(span) => lines_of(&span, view.theme).into(),
        None if part.is_some_and(is_recorded) => words("the agent's own text, as recorded", view.theme.dim()).collect(),
        None => words(no_file(layer), view.theme.dim()).collect(),
    }
}

fn is_recorded(part: &MessagePart) -> bool {
    let is_recorded = |origin: &Origin| matches!(origin, Origin::Base { from: BaseFrom::Recorded, .. });
    part.segments().any(|segment| is_recorded(segment.origin))
}

pub(crate) fn no_file(layer: &Layer) -> &'static str {
    match layer.kind {
        LayerKind::Message => "given by --messages",
        LayerKind::Own => "the agent's own text",
        _ => "not from a file",
    }
}

/// The declaration that requests the layer, or else the name of the requester; `None` for the command line.
fn asked_for_by(view: &RenderView, layer: &Layer) -> Option<Vec<Word>> {
    let typed = matches!(layer.kind, LayerKind::Directive | LayerKind::Message);
    let declared = layer.declared_by.as_ref().filter(|_| !typed)?;
    let mut line: Vec<_> = words("requested by", view.theme.dim()).collect();
    match &declared.span {
        Some(span) => line.extend(located(span, &span.line().to_string(), view.theme)),
        None => line.extend(words(&declared.by, view.theme.dim())),
    }
    Some(line)
}

/// The values in the text, each once, in order.
fn values(view: &RenderView, part: &MessagePart) -> Option<Vec<Word>> {
    let names = part.segments().filter_map(|segment| match segment.origin {
        // An earlier message consists only of its argument.
        Origin::Argument(_) => None,
        origin => origin.value_name(),
    });
    let names: IndexSet<String> = names.collect();
    let dim = view.theme.dim();
    let listed = listed(names.iter().map(String::as_str), names.len(), dim);
    (!names.is_empty()).then(|| words("holds", dim).chain(listed).collect())
}

/// The tier of the text, or else of the declaration. It determines the hue.
fn tier(layer: &Layer) -> &str {
    let item = layer.item.as_ref().and_then(|item| item.span.as_ref());
    let span = item.or_else(|| layer.declared_by.as_ref()?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}
