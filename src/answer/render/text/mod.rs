//! The annotated view: every layer in a box with its origin, and what was left out.
//!
//! The prompt's own text is never changed: it follows a margin of two columns, and its lines are never wrapped. Text
//! without a margin belongs to the view. Nothing depends on colour.

use std::io;

use indexmap::IndexSet;
use owo_colors::Style;

use crate::answer::render::RenderView;
use crate::prompt::{Decision, DecisionOutcome, Layer, LayerKind, Message, MessagePart, Prompt, Slot, no_message};
use crate::text::numbers::{count, thousands};
use crate::text::{BaseFrom, Origin};
use crate::write::layout::{
    Flow, Spread, Word, heading, lines_of, listed, located, margin_text, newlines, what_if, with_place, words,
};

const WIDTHS: (usize, usize) = (40, 200);

/// With `view.role`, only that message and what was left out of it.
pub fn write(prompt: &Prompt, view: &RenderView, mut out: impl io::Write) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    let view = &RenderView { width: view.width.clamp(WIDTHS.0, WIDTHS.1), ..*view };
    header(prompt, view, out)?;
    messages(prompt, view, out)?;
    if view.role.is_none() {
        palette(prompt, view, out)?;
    }
    left_out_list(prompt, view, out)
}

/// Writes a line about the prompt, and its chain and routing.
fn header(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let tokens: usize =
        prompt.messages.iter().map(|message| message.known().map_or(0, |known| view.tokenizer.count(&known))).sum();
    let mut facts = vec![Word::new(prompt.subject.name(), strong), Word::new(&prompt.protocol, dim)];
    facts.extend(prompt.installed_phrase().map(|installed| Word::new(&installed, dim)));
    if !prompt.model.effective.is_empty() {
        facts.push(Word::new(&format!("model {}", prompt.model.effective), dim));
    }
    facts.push(Word::new(&count(prompt.messages.len(), "message"), dim));
    let own = if prompt.has_unknown_text() { " + own text" } else { "" };
    facts.push(Word::new(&format!("{}{own}", count(tokens, "token")), dim));
    if !prompt.tools.is_empty() {
        facts.push(Word::new(&count(prompt.tools.len(), "tool"), dim));
    }
    Flow { between: "  ", ..Flow::plain("", "  ", view.theme, view.width) }.write(&facts, out)?;

    what_if(&prompt.what_if, view.theme, view.width, out)?;

    let line = Flow::plain("  ", "    ", view.theme, view.width);
    if let [root, rest @ ..] = prompt.chain.as_slice()
        && !rest.is_empty()
    {
        let mut chain = vec![Word::new(&root.id, dim)];
        chain.extend(rest.iter().map(|member| Word::new(&format!("→ {}", member.id), dim)));
        line.write(&chain, out)?;
    }
    for decision in prompt.decisions.iter().filter(|decision| decision.outcome == DecisionOutcome::Routed) {
        let by = decision.by.as_ref().map_or(decision.name.as_str(), |by| &by.by);
        let mut why = vec![Word::new(&format!("{by}:"), dim)];
        why.extend(words(&decision.why, dim));
        line.write(&why, out)?;
    }
    Ok(())
}

fn messages(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
    let only = view.role.map(|role| prompt.messages_of(role));
    let is_meant =
        |message: &Message| only.as_ref().is_none_or(|only| only.iter().any(|it| std::ptr::eq(*it, message)));
    let mut shown = prompt.messages.iter().enumerate().filter(|(_, message)| is_meant(message)).peekable();
    if shown.peek().is_none() {
        writeln!(out, "\n{}", no_message(view.role))?;
    }
    let without_text = prompt.layers_without_text();
    let names = prompt.message_names();
    for (at, message) in shown {
        let tokens = view.tokenizer.phrase(message.known().as_deref());
        writeln!(out)?;
        let name = if at < prompt.request().len() { message.role.into_str() } else { &names[at] };
        heading(name, &tokens, view.theme, view.width, out)?;
        let mut empty = without_text[at].iter().map(|&index| (index, &prompt.layers[index])).peekable();
        for part in message.parts() {
            let Some((index, layer)) = part.layer.and_then(|index| Some((index, prompt.layers.get(index)?))) else {
                between(view, part.text, out)?;
                continue;
            };
            while let Some((_, layer)) = empty.next_if(|(before, _)| *before < index) {
                layer_box(view, layer, None, out)?;
            }
            layer_box(view, layer, Some(&part), out)?;
        }
        empty.try_for_each(|(_, layer)| layer_box(view, layer, None, out))?;
    }
    Ok(())
}

/// Writes a layer: heading, text, and lines about its origin. `part` is its text; `None` if it is empty.
fn layer_box(view: &RenderView, layer: &Layer, part: Option<&MessagePart>, out: &mut dyn io::Write) -> io::Result<()> {
    let (text, dim) = (part.map_or("", |part| part.text), view.theme.dim());
    let hue = view.theme.tier(tier(layer));
    let known = part.map_or(Some("".into()), MessagePart::known);
    layer_heading(view, &layer.title(), known.as_deref(), hue, out)?;
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
fn between(view: &RenderView, text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    if text.contains(|c| c != '\n') {
        layer_heading(view, "between layers", Some(text), dim, out)?;
        content(view, text, dim, out)?;
        return writeln!(out, "{}", dim.style("└ fixed text of the protocol"));
    }
    writeln!(out, "{}", dim.style(format!("· {}", newlines(text.len()))))
}

fn layer_heading(
    view: &RenderView,
    name: &str,
    known: Option<&str>,
    hue: Style,
    out: &mut dyn io::Write,
) -> io::Result<()> {
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

const MOST_NAMES: usize = 12;

/// The tools of the palette with their tokens, the budget, and the tools left out.
fn palette(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
    let left_out: Vec<_> = left_out(prompt).filter(|decision| decision.slot == Slot::Palette).collect();
    if prompt.tools.is_empty() && left_out.is_empty() {
        return Ok(());
    }
    let (dim, width) = (view.theme.dim(), view.width);
    let right = match prompt.budget {
        Some(budget) => budget.to_string(),
        None => count(prompt.tools.len(), "tool"),
    };
    writeln!(out)?;
    heading("tools", &right, view.theme, width, out)?;
    let line = Spread { lead: "  ", fill: ' ', style: dim, width };
    for tool in &prompt.tools {
        let tokens = count(view.tokenizer.count(&tool.text()), "token");
        // `directive_return` has no file.
        let (tier, tokens) = match (&tool.source, prompt.budget) {
            (Some(source), _) => (source.tier(), tokens),
            (None, Some(_)) => ("", format!("outside the budget  {tokens}")),
            (None, None) => ("", tokens),
        };
        line.write(&Word::new(&tool.name, view.theme.tier(tier)), &Word::new(&tokens, dim), out)?;
    }
    let outcomes: IndexSet<DecisionOutcome> = left_out.iter().map(|decision| decision.outcome).collect();
    for outcome in outcomes {
        let of_it: Vec<_> = left_out.iter().filter(|decision| decision.outcome == outcome).collect();
        let what = of_it.first().map_or("", |decision| decision.phrase());
        let mut line = vec![Word::new(&format!("{} {what}:", thousands(of_it.len())), dim)];
        line.extend(listed(of_it.iter().map(|decision| decision.name.as_str()), MOST_NAMES, dim));
        Flow::plain("  ", "    ", view.theme, width).write(&line, out)?;
    }
    Ok(())
}

/// One entry per decision: name and outcome, with the reason below.
fn left_out_list(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
    let of_role = |slot: Slot| match view.role {
        None => slot != Slot::Palette,
        role => slot.role() == role,
    };
    // Guidelines of a replaced base are counted with that base.
    let is_reported =
        |decision: &&Decision| decision.slot == Slot::SystemGuidelines && decision.outcome == DecisionOutcome::Shadowed;
    let all = left_out(prompt).filter(|decision| !is_reported(decision));
    let entries: Vec<_> = all.filter(|decision| of_role(decision.slot)).collect();
    if entries.is_empty() {
        return Ok(());
    }
    let (dim, width) = (view.theme.dim(), view.width);
    writeln!(out, "\n{} left out", thousands(entries.len()))?;
    for decision in entries {
        let (title, phrase) = (Word::new(&decision.title(), dim), Word::new(decision.outcome.phrase(), dim));
        Spread { lead: "  ", fill: ' ', style: dim, width }.write(&title, &phrase, out)?;
        let why = with_place(words(&decision.why, dim).collect(), decision.decided_at(), view.theme);
        Flow::plain("    ", "    ", view.theme, width).write(&why, out)?;
    }
    Ok(())
}

fn left_out(prompt: &Prompt) -> impl Iterator<Item = &Decision> {
    prompt.decisions.iter().filter(|decision| !decision.outcome.is_in_use())
}

#[cfg(test)]
mod tests;
