use std::collections::HashMap;

use super::lines::Comparer;
use super::{LayerPair, Side};
use crate::prompt::Role;

/// Whether the messages differ in a way that no layer shows: in separators, roles, or the message of a layer.
///
/// Layers that are added, removed or moved change the separators around them. The separator between two layers that are
/// neighbours on both sides is always compared.
pub fn differs(left: &Side, right: &Side, pairs: &[LayerPair], comparer: &Comparer) -> bool {
    if left.messages == right.messages {
        return false;
    }
    let old = gaps(left, pairs, |pair| pair.left);
    let new = gaps(right, pairs, |pair| pair.right);
    let is_rearranged = pairs.iter().any(|pair| pair.left.is_none() || pair.right.is_none() || pair.moved);
    if !is_rearranged && (old.len() != new.len() || old.iter().zip(&new).any(|(old, new)| old.between != new.between)) {
        return true;
    }
    let known: HashMap<_, _> = old.iter().map(|gap| (&gap.between, gap.text)).collect();
    new.iter().any(|gap| known.get(&gap.between).is_some_and(|old| !comparer.is_same(old, gap.text)))
}

/// The text between two layers, or at an end of a message.
struct Gap<'a> {
    between: Between,
    text: &'a str,
}

/// The role of the message, its number within the role if it has no layer, and the pairs before and after the gap.
type Between = (&'static str, usize, Option<usize>, Option<usize>);

fn gaps<'a>(side: &'a Side, pairs: &[LayerPair], index: impl Fn(&LayerPair) -> Option<usize>) -> Vec<Gap<'a>> {
    let mut by_message: Vec<Vec<(usize, usize)>> = vec![Vec::new(); side.messages.len()];
    for (pair, layer) in pairs.iter().enumerate().filter_map(|(pair, it)| Some((pair, index(it)?))) {
        if let Some(within) = side.layers.get(layer).and_then(|layer| by_message.get_mut(layer.message)) {
            within.push((pair, layer));
        }
    }
    let mut gaps = Vec::new();
    let mut numbers: HashMap<Role, usize> = HashMap::new();
    for (message, mut within) in side.messages.iter().zip(by_message) {
        within.sort_by_key(|&(_, layer)| (side.layers[layer].range.start, layer));
        let number = numbers.entry(message.role).or_default();
        let (mut at, mut in_front) = (0, None);
        let ends = within.into_iter().map(|(pair, layer)| (side.layers[layer].range.clone(), Some(pair)));
        for (range, pair) in ends.chain([(message.text.len()..message.text.len(), None)]) {
            let is_whole = in_front.is_none() && pair.is_none();
            let text = message.text.get(at..range.start).unwrap_or_default();
            let between = (message.role.into_str(), if is_whole { *number } else { 0 }, in_front, pair);
            gaps.push(Gap { between, text });
            (at, in_front) = (range.end, pair);
        }
        *number += 1;
    }
    gaps
}
