//! The annotated view: every layer in a box with its origin, and what was left out.
//!
//! The prompt's own text is never changed: it follows a margin of two columns, and its lines are never wrapped. Text
//! without a margin belongs to the view. Nothing depends on colour.

mod layer;
mod left_out;

pub(crate) use layer::no_file;

use std::io;

use super::RenderView;
use crate::prompt::{DecisionOutcome, Message, Prompt, no_message};
use crate::text::numbers::count;
use crate::write::layout::{Flow, Word, heading, what_if, words};

const WIDTHS: (usize, usize) = (40, 200);

/// With `view.role`, only that message and what was left out of it.
pub fn write(prompt: &Prompt, view: &RenderView, mut out: impl io::Write) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    let view = &RenderView { width: view.width.clamp(WIDTHS.0, WIDTHS.1), ..*view };
    header(prompt, view, out)?;
    messages(prompt, view, out)?;
    if view.role.is_none() {
        left_out::palette(prompt, view, out)?;
    }
    left_out::list(prompt, view, out)
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
                layer::between(view, part.text, out)?;
                continue;
            };
            while let Some((_, layer)) = empty.next_if(|(before, _)| *before < index) {
                layer::layer(view, layer, None, out)?;
            }
            layer::layer(view, layer, Some(&part), out)?;
        }
        empty.try_for_each(|(_, layer)| layer::layer(view, layer, None, out))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
