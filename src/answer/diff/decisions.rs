use super::order::Matches;
use super::{Considered, Pair, Side};
use crate::prompt::DecisionOutcome;

/// The indices of the decisions whose outcome differs. An item that is included on one side and not considered on the
/// other appears as a layer, a tool or a directive of the chain instead.
pub fn changes(left: &Side, right: &Side) -> Vec<Pair<Option<usize>>> {
    let (Some(old), Some(new)) = (&left.decisions, &right.decisions) else { return Vec::new() };
    let mut matches = Matches::new(old.len(), new.len());
    fn place(decision: &Considered) -> (&str, &str) {
        (&decision.slot, &decision.name)
    }
    matches.add_by(|l| Some((place(&old[l]), &old[l].outcome)), |r| Some((place(&new[r]), &new[r].outcome)));
    matches.add_by(|l| Some(place(&old[l])), |r| Some(place(&new[r])));
    let in_order = matches.in_order(|_, _| true);
    let differs = |index: &Pair<Option<usize>>| match (index.left.map(|l| &old[l]), index.right.map(|r| &new[r])) {
        (Some(l), Some(r)) => l.outcome != r.outcome,
        (Some(alone), None) | (None, Some(alone)) => alone.outcome != DecisionOutcome::Included.into_str(),
        (None, None) => false,
    };
    matches.merged(&in_order, |_, at| at).into_iter().filter(differs).collect()
}
