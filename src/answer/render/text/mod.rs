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
use crate::write::layout::newlines;
use crate::write::report::{Line, Report, lines_of, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_tier};

/// With `view.role`, only that message and what was left out of it.
pub fn write(prompt: &Prompt, view: &RenderView, mut out: impl io::Write) -> io::Result<()> {
    let mut report = Report::new(view.screen, &mut out);
    header(prompt, view, &mut report);
    messages(prompt, view, &mut report);
    if view.role.is_none() {
        palette(prompt, view, &mut report);
    }
    left_out_list(prompt, view, &mut report);
    if let Some(agent) = prompt.agent.as_ref().filter(|_| prompt.has_unknown_text()) {
        let how = format!("`rye-render record {}` or --base FILE shows it", agent.name);
        report.blank();
        report.line("", "  ", words(DIM, &format!("{{{{base:ID}}}} is the agent's own text: {how}")));
    }
    report.finish()
}

/// A line about the prompt, and its chain and routing.
fn header(prompt: &Prompt, view: &RenderView, report: &mut Report) {
    let tokens: usize =
        prompt.messages.iter().map(|message| message.known().map_or(0, |known| view.tokenizer.count(&known))).sum();
    let model = Some(&prompt.model.effective).filter(|model| !model.is_empty());
    let own = if prompt.has_unknown_text() { " + own text" } else { "" };
    let tools = Some(prompt.tools.len()).filter(|&tools| tools > 0);
    let facts = [
        prompt.installed_phrase(),
        model.map(|model| format!("model {model}")),
        Some(count(prompt.messages.len(), "message")),
        Some(format!("{}{own}", count(tokens, "token"))),
        tools.map(|tools| count(tools, "tool")),
    ];
    let title = word(STRONG, prompt.subject.name()).word(DIM, &prompt.protocol);
    report.phrases("  ", "", "  ", facts.iter().flatten().fold(title, |line, fact| line.word(DIM, fact)));
    report.what_if(&prompt.what_if);
    if let [root, rest @ ..] = prompt.chain.as_slice()
        && !rest.is_empty()
    {
        let chain = rest.iter().fold(word(DIM, &root.id), |line, member| line.word(DIM, &format!("→ {}", member.id)));
        report.line("  ", "    ", chain);
    }
    for decision in prompt.decisions.iter().filter(|decision| decision.outcome == DecisionOutcome::Routed) {
        let by = decision.by.as_ref().map_or(decision.name.as_str(), |by| &by.by);
        report.line("  ", "    ", word(DIM, by).mark(":").words(DIM, &decision.why));
    }
}

fn messages(prompt: &Prompt, view: &RenderView, report: &mut Report) {
    let only = view.role.map(|role| prompt.messages_of(role));
    let is_meant =
        |message: &Message| only.as_ref().is_none_or(|only| only.iter().any(|it| std::ptr::eq(*it, message)));
    let mut shown = prompt.messages.iter().enumerate().filter(|(_, message)| is_meant(message)).peekable();
    if shown.peek().is_none() {
        report.blank();
        report.row(word(PLAIN, &no_message(view.role)));
    }
    let without_text = prompt.layers_without_text();
    let names = prompt.message_names();
    for (at, message) in shown {
        let name = if at < prompt.request().len() { message.role.into_str() } else { &names[at] };
        report.section(name, &view.tokenizer.phrase(message.known().as_deref()));
        let mut empty = without_text[at].iter().map(|&index| (index, &prompt.layers[index])).peekable();
        for part in message.parts() {
            let Some((index, layer)) = part.layer.and_then(|index| Some((index, prompt.layers.get(index)?))) else {
                between(view, &part, report);
                continue;
            };
            while let Some((_, layer)) = empty.next_if(|(before, _)| *before < index) {
                layer_box(view, layer, None, report);
            }
            layer_box(view, layer, Some(&part), report);
        }
        empty.for_each(|(_, layer)| layer_box(view, layer, None, report));
    }
}

/// A layer: heading, text, and lines about its origin. `part` is its text; `None` if it is empty.
fn layer_box(view: &RenderView, layer: &Layer, part: Option<&MessagePart>, report: &mut Report) {
    let (text, hue) = (part.map_or("", |part| part.text), of_tier(tier(layer)));
    let known = part.map_or(Some("".into()), MessagePart::known);
    text_box(view, &layer.title(), text, known.as_deref(), hue, report);

    let mut lines = vec![taken_from(layer, part)];
    lines.extend(asked_for_by(layer));
    lines.extend(part.and_then(values));
    if text.is_empty() {
        lines.push(words(DIM, "it has no text"));
    } else if text.ends_with('\n') {
        lines.push(words(DIM, "its text ends with a newline"));
    }
    for (at, line) in lines.into_iter().enumerate() {
        report.marked(hue, if at == 0 { "└ " } else { "  " }, "    ", line);
    }
}

/// Text between two layers, which belongs to neither: newlines in words, anything else in a box.
fn between(view: &RenderView, part: &MessagePart, report: &mut Report) {
    let text = part.text;
    if text.contains(|c| c != '\n') {
        text_box(view, "between layers", text, Some(text), DIM, report);
        let own = if part.segments().any(|segment| is_own(segment.origin)) { " and the agent's own text" } else { "" };
        return report.row(word(DIM, &format!("└ fixed text of the protocol{own}")));
    }
    report.row(word(DIM, &format!("· {}", newlines(text.len()))));
}

/// A heading, and one row per line of the text. Only newlines break lines, and the last line has none.
fn text_box(view: &RenderView, name: &str, text: &str, known: Option<&str>, hue: Style, report: &mut Report) {
    report.spread(hue, "┌ ", (STRONG, name), (DIM, &view.tokenizer.phrase(known)));
    let lines = text.split('\n').filter(|_| !text.is_empty());
    lines.for_each(|line| report.quote(hue, line));
}

/// Where the item's text is, or else the first file that the layer's text comes from.
fn taken_from(layer: &Layer, part: Option<&MessagePart>) -> Line {
    match layer.taken_from(part) {
        Some(span) => lines_of(&span),
        None if part.is_some_and(is_recorded) => words(DIM, "the agent's own text, as recorded"),
        None if part.is_some_and(|part| part.segments().any(|it| is_own(it.origin))) => words(DIM, OWN_TEXT),
        None => words(DIM, no_file(layer)),
    }
}

fn is_own(origin: &Origin) -> bool {
    matches!(origin, Origin::Base { .. })
}

const OWN_TEXT: &str = "the agent's own text";

fn is_recorded(part: &MessagePart) -> bool {
    let is_recorded = |origin: &Origin| matches!(origin, Origin::Base { from: BaseFrom::Recorded, .. });
    part.segments().any(|segment| is_recorded(segment.origin))
}

pub(crate) fn no_file(layer: &Layer) -> &'static str {
    match layer.kind {
        LayerKind::Message => "given by --messages",
        LayerKind::Own => OWN_TEXT,
        _ => "not from a file",
    }
}

/// The declaration that requests the layer, or else the name of the requester; `None` for the command line.
fn asked_for_by(layer: &Layer) -> Option<Line> {
    let typed = matches!(layer.kind, LayerKind::Directive | LayerKind::Message);
    let declared = layer.declared_by.as_ref().filter(|_| !typed)?;
    let line = words(DIM, "requested by");
    Some(match &declared.span {
        Some(span) => line.line_of(span),
        None => line.words(DIM, &declared.by),
    })
}

/// The values in the text, each once, in order.
fn values(part: &MessagePart) -> Option<Line> {
    let names = part.segments().filter_map(|segment| match segment.origin {
        // An earlier message consists only of its argument.
        Origin::Argument(_) => None,
        origin => origin.value_name(),
    });
    let names: IndexSet<String> = names.collect();
    let line = || words(DIM, "holds").listed(DIM, names.iter().map(String::as_str), names.len());
    (!names.is_empty()).then(line)
}

/// The tier of the text, or else of the declaration. It determines the hue.
fn tier(layer: &Layer) -> &str {
    let item = layer.item.as_ref().and_then(|item| item.span.as_ref());
    let span = item.or_else(|| layer.declared_by.as_ref()?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}

const MOST_NAMES: usize = 12;

/// The tools of the palette with their tokens, the budget, and the tools left out.
fn palette(prompt: &Prompt, view: &RenderView, report: &mut Report) {
    let left_out: Vec<_> = left_out(prompt).filter(|decision| decision.slot == Slot::Palette).collect();
    if prompt.tools.is_empty() && left_out.is_empty() {
        return;
    }
    let right = match prompt.budget {
        Some(budget) => budget.to_string(),
        None => count(prompt.tools.len(), "tool"),
    };
    report.section("tools", &right);
    for tool in &prompt.tools {
        let tokens = count(view.tokenizer.count(&tool.text()), "token");
        // `directive_return` has no file.
        let (tier, tokens) = match (&tool.source, prompt.budget) {
            (Some(source), _) => (source.tier(), tokens),
            (None, Some(_)) => ("", format!("outside the budget  {tokens}")),
            (None, None) => ("", tokens),
        };
        report.spread(DIM, "  ", (of_tier(tier), &tool.name), (DIM, &tokens));
    }
    let outcomes: IndexSet<DecisionOutcome> = left_out.iter().map(|decision| decision.outcome).collect();
    for outcome in outcomes {
        let of_it: Vec<_> = left_out.iter().filter(|decision| decision.outcome == outcome).collect();
        let what = of_it.first().map_or("", |decision| decision.phrase());
        let names = of_it.iter().map(|decision| decision.name.as_str());
        let line = word(DIM, &format!("{} {what}:", thousands(of_it.len()))).listed(DIM, names, MOST_NAMES);
        report.line("  ", "    ", line);
    }
}

/// One entry per decision: name and outcome, with the reason below.
fn left_out_list(prompt: &Prompt, view: &RenderView, report: &mut Report) {
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
        return;
    }
    report.blank();
    report.row(word(PLAIN, &format!("{} left out", thousands(entries.len()))));
    for decision in entries {
        report.spread(DIM, "  ", (DIM, &decision.title()), (DIM, decision.outcome.phrase()));
        report.line("    ", "    ", words(DIM, &decision.why).at(decision.decided_at()));
    }
}

fn left_out(prompt: &Prompt) -> impl Iterator<Item = &Decision> {
    prompt.decisions.iter().filter(|decision| !decision.outcome.is_in_use())
}

#[cfg(test)]
mod tests;
