//! What the states of files mean as decisions about a prompt.

use std::collections::HashMap;

use crate::prompt::{Decision, DecisionOutcome, FileOutcome, FileReason, FileState, Layer, Slot};

/// A decision for each layer, and one for each file that is left out, after the last layer of its place. `outcomes` are
/// in the order of their paths.
pub fn decisions(layers: &[Layer], outcomes: &[(Slot, FileOutcome)]) -> Vec<Decision> {
    let mut files: HashMap<usize, &FileOutcome> = HashMap::new();
    files.extend(outcomes.iter().filter_map(|(_, file)| Some((file.layer?, file))));
    let of_layer = |(index, layer): (usize, &Layer)| match files.get(&index).and_then(|file| decision(layer.slot, file))
    {
        Some(decision) => decision,
        None => Decision {
            layer: Some(index),
            ..Decision::new(&layer.name, layer.slot, DecisionOutcome::Included, "every prompt has it")
        },
    };
    let mut all: Vec<(usize, Decision)> = layers.iter().enumerate().map(|it| (it.0, of_layer(it))).collect();
    let last: HashMap<Slot, usize> = layers.iter().enumerate().map(|(index, layer)| (layer.slot, index)).collect();
    let left_out = outcomes.iter().filter(|(_, file)| file.layer.is_none());
    all.extend(
        left_out
            .filter_map(|(slot, file)| Some((last.get(slot).copied().unwrap_or(layers.len()), decision(*slot, file)?))),
    );
    // A stable sort: files stay in the order of their paths.
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, decision)| decision).collect()
}

/// The decision about a file; `None` for settings and for files that the agent does not look at.
fn decision(slot: Slot, file: &FileOutcome) -> Option<Decision> {
    let FileOutcome { path, state, why, by, layer } = file;
    let reason = why.map(FileReason::phrase);
    let (outcome, why) = match (state, why) {
        (FileState::Applied, _) | (_, Some(FileReason::NotRead)) => return None,
        (FileState::Loaded, _) => (DecisionOutcome::Included, "it applies here".to_string()),
        (FileState::Cut(at), _) => (DecisionOutcome::Included, format!("it is cut after {at} bytes")),
        (FileState::Listed, Some(FileReason::Budget)) => {
            (DecisionOutcome::Included, "its name is listed; the budget for descriptions is used up".to_string())
        }
        (FileState::OnDemand, _) if layer.is_some() => (DecisionOutcome::Included, "it joins here".to_string()),
        (FileState::Listed, _) => (DecisionOutcome::Included, "it is listed".to_string()),
        (FileState::OnDemand, _) => {
            (DecisionOutcome::ConditionFalse, "it joins when the agent reads a file that it applies to".to_string())
        }
        (FileState::LeftOut, Some(FileReason::Shadowed)) if let Some(by) = by => {
            (DecisionOutcome::Shadowed, format!("{} takes its place", by.by))
        }
        (FileState::LeftOut, Some(FileReason::Invalid)) if let Some(by) = by => {
            let why = match by.span {
                Some(_) => format!("{} keeps the agent from starting", by.by),
                None => "the agent does not start".to_string(),
            };
            (DecisionOutcome::Invalid, why)
        }
        (FileState::LeftOut, why) => {
            (why.map_or(DecisionOutcome::Missing, outcome), reason.unwrap_or("it is left out").to_string())
        }
    };
    Some(Decision { by: by.clone(), layer: *layer, ..Decision::new(path, slot, outcome, why) })
}

fn outcome(why: FileReason) -> DecisionOutcome {
    match why {
        FileReason::Shadowed => DecisionOutcome::Shadowed,
        FileReason::Duplicate => DecisionOutcome::Duplicate,
        FileReason::Empty => DecisionOutcome::Empty,
        FileReason::Budget | FileReason::TooLarge => DecisionOutcome::OverBudget,
        FileReason::Missing | FileReason::NotRead => DecisionOutcome::Missing,
        FileReason::Invalid => DecisionOutcome::Invalid,
        FileReason::NoMatch => DecisionOutcome::ConditionFalse,
        FileReason::Excluded
        | FileReason::Untrusted
        | FileReason::NotApproved
        | FileReason::TooDeep
        | FileReason::Outside
        | FileReason::Hidden => DecisionOutcome::Suppressed,
    }
}
