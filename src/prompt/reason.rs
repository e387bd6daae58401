use super::{Decision, DecisionOutcome, Slot};

impl Decision {
    pub fn phrase(&self) -> &'static str {
        match (self.slot, self.outcome) {
            (Slot::Palette, DecisionOutcome::Empty) => "without a readable schema",
            (_, outcome) => outcome.phrase(),
        }
    }

    /// `condition false: directive is "init", which does not contain "deploy"`
    pub fn reason(&self) -> String {
        match self.outcome {
            // These sentences name the outcome themselves.
            DecisionOutcome::Included
            | DecisionOutcome::Routed
            | DecisionOutcome::Suppressed
            | DecisionOutcome::NotRun => self.why.clone(),
            _ => format!("{}: {}", self.phrase(), self.why),
        }
    }
}

pub fn wins_over(winner: &str, others: &str) -> String {
    match winner {
        "project" | "user" => format!("the {winner}'s copy overrides the one in {others}"),
        _ => format!("the copy in {winner} overrides the one in {others}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_the_outcome_once() {
        let reason = |slot, outcome, why: &str| Decision::new("", slot, outcome, why).reason();
        assert_eq!(
            reason(Slot::SystemChain, DecisionOutcome::Suppressed, "suppressed by app/base"),
            "suppressed by app/base"
        );
        assert_eq!(
            reason(Slot::Palette, DecisionOutcome::OverBudget, "1,960 of 2,000 tokens used, needs 120"),
            "over budget: 1,960 of 2,000 tokens used, needs 120"
        );
        assert_eq!(
            reason(Slot::Palette, DecisionOutcome::Empty, "it declares none"),
            "without a readable schema: it declares none"
        );
        assert_eq!(
            reason(Slot::SystemChain, DecisionOutcome::Shadowed, &wins_over("project", "user")),
            "shadowed: the project's copy overrides the one in user"
        );
        assert_eq!(wins_over("system:std", "builtin"), "the copy in system:std overrides the one in builtin");
    }
}
