//! What was left out and why, and the tool palette.

use std::io;

use indexmap::IndexSet;

use crate::answer::render::RenderView;
use crate::prompt::{Decision, DecisionOutcome, Prompt, Slot};
use crate::text::numbers::{count, thousands};
use crate::write::layout::{Flow, Spread, Word, heading, listed, with_place, words};

const MOST_NAMES: usize = 12;

/// The tools of the palette with their tokens, the budget, and the tools left out.
pub fn palette(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
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
pub fn list(prompt: &Prompt, view: &RenderView, out: &mut dyn io::Write) -> io::Result<()> {
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
