//! The prompt of one turn, after extensions have changed it.

use super::{Assembly, Dropped};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Decision, DecisionOutcome, Prompt, Slot};

impl Assembly<'_> {
    /// Replaces the prompt with that of one turn; without extensions, the prompt itself is the only turn. `excluded`
    /// names the messages that the user excluded; `dropped`, by turn, those that extensions drop.
    pub(super) fn take(
        &self,
        turn: usize,
        excluded: Vec<String>,
        dropped: Vec<Dropped>,
        prompt: &mut Prompt,
    ) -> Result<(), Diagnostic> {
        let turns = prompt.variants.len().max(1);
        if !(1..=turns).contains(&turn) {
            return Err(no_such_turn(turn, turns, self.request.extensions.prompts.is_empty()));
        }
        let Some(variant) = prompt.variants.get(turn - 1) else { return Ok(()) };
        let active: Vec<String> = variant.tools.iter().map(|tool| tool.name.clone()).collect();
        (prompt.messages, prompt.layers) = (variant.messages.clone(), variant.layers.clone());
        (prompt.tools, prompt.sections) = (variant.tools.clone(), variant.sections.clone());
        let dropped = dropped.into_iter().nth(turn - 1).unwrap_or_default();
        let decisions = self.decisions(&prompt.layers, &active, excluded, dropped);
        let is_replaced = prompt.sections.is_empty();
        prompt.decisions = match is_replaced {
            false => decisions,
            true => {
                let system = self.decisions(self.system(&active).layers(), &active, Vec::new(), Vec::new());
                let system = system.into_iter().filter(is_of_system).map(replaced);
                system.chain(decisions.into_iter().filter(|decision| !is_of_system(decision))).collect()
            }
        };
        if active != self.active {
            prompt.decisions.iter_mut().filter(|decision| decision.slot == Slot::Palette).for_each(set);
        }
        Ok(())
    }
}

fn is_of_system(decision: &Decision) -> bool {
    let elsewhere = [Slot::SystemExtensions, Slot::Earlier, Slot::UserPrompt, Slot::Injected, Slot::Palette];
    !elsewhere.contains(&decision.slot)
}

fn replaced(decision: Decision) -> Decision {
    match decision.outcome {
        DecisionOutcome::Included => Decision {
            outcome: DecisionOutcome::Suppressed,
            why: "an extension replaces the system prompt".to_string(),
            by: None,
            layer: None,
            ..decision
        },
        _ => decision,
    }
}

fn set(decision: &mut Decision) {
    decision.why = match decision.outcome {
        DecisionOutcome::Included => "an extension names it among the active tools".to_string(),
        _ => "an extension leaves it out".to_string(),
    };
}

fn no_such_turn(turn: usize, turns: usize, is_without: bool) -> Diagnostic {
    let what = match (is_without, turns) {
        (true, _) => format!("there is no turn {turn}: without `prompts` in --extensions there is only one"),
        (false, 1) => format!("there is no turn {turn}: the extensions describe only one"),
        (false, turns) => format!("there is no turn {turn}: the extensions describe {turns}"),
    };
    let help = if turns == 1 { "use --turn 1".to_string() } else { format!("use a turn from 1 to {turns}") };
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}
