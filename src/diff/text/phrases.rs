//! What the text views say in the same words.

use crate::diff::{Cache, CachePlace, Difference, Layer, Pair, Side};
use crate::layout::{count, per_cent};
use crate::tokens::{growth, thousands};

/// `+72`, `-1,204`, `0`.
pub fn signed(numbers: Pair<usize>) -> String {
    let sign = match numbers.left.cmp(&numbers.right) {
        std::cmp::Ordering::Less => "+",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => "-",
    };
    format!("{sign}{}", thousands(numbers.left.abs_diff(numbers.right)))
}

/// `194 → 266 tokens  +72`; `194 tokens` where they are as many.
pub fn tokens(tokens: Pair<usize>) -> String {
    if tokens.left == tokens.right {
        return count(tokens.right, "token");
    }
    format!("{} → {}  {}", thousands(tokens.left), count(tokens.right, "token"), signed(tokens))
}

/// `+72 tokens`.
pub fn signed_tokens(tokens: Pair<usize>) -> String {
    let unit = if tokens.left.abs_diff(tokens.right) == 1 { "token" } else { "tokens" };
    format!("{} {unit}", signed(tokens))
}

/// What all of a difference costs: `194 → 266 tokens  +72 (+37.1%)`, `+266 tokens` where one side has no prompt.
pub fn cost(difference: &Difference) -> String {
    let all = all_tokens(difference);
    if difference.left.is_absent() || difference.right.is_absent() {
        return signed_tokens(all);
    }
    let growth = growth(all.left, all.right).map(|growth| format!(" ({growth})")).unwrap_or_default();
    format!("{}{growth}", tokens(all))
}

/// All tokens of both sides: of the messages, and of the tools where both tell.
pub fn all_tokens(difference: &Difference) -> Pair<usize> {
    let tools = difference.tool_tokens.unwrap_or_default();
    Pair { left: difference.tokens.left + tools.left, right: difference.tokens.right + tools.right }
}

/// `system · project/deploy/rules`; a whole message is called by its role already.
pub fn layer_name(side: &Side, layer: &Layer) -> String {
    match side.messages.get(layer.message) {
        Some(message) if side.has_layers => format!("{} · {}", message.role.into_str(), layer.title),
        _ => layer.title.clone(),
    }
}

/// The name of a pair of layers, as the right side has it where it has it.
pub fn pair_name(difference: &Difference, index: usize) -> Option<String> {
    let pair = difference.layers.get(index)?;
    let of = |side: &Side, at: Option<usize>| Some(layer_name(side, side.layers.get(at?)?));
    of(&difference.right, pair.right).or_else(|| of(&difference.left, pair.left))
}

/// `prefix ends at byte 1,204 of 5,870`: of the prompt that is sent now.
pub fn prefix_end(cache: &Cache) -> String {
    format!("prefix ends at byte {} of {}", thousands(cache.shared_bytes), thousands(cache.right_bytes))
}

/// What of a cached prompt can still be used, in a sentence that shows names in that way.
pub fn cache(difference: &Difference, cache_min: usize, shown: impl Fn(&str) -> String) -> String {
    let cache = &difference.cache;
    let tokens = count(cache.shared_tokens, "token");
    let share = per_cent(cache.shared_bytes as u64, cache.right_bytes as u64).replace('<', "less than ");
    let end = match broken_by(difference, shown) {
        Some(by) => format!("the {} ({share}), broken by {by}", prefix_end(cache)),
        None => format!("the prefix is whole, {}", count(cache.shared_bytes, "byte")),
    };
    let use_of_it = match (cache.is_reusable, cache.breaks_at.is_some()) {
        (true, _) => format!("; {tokens} can be reused"),
        // Nothing changes for what is not cached before either.
        (false, false) => String::new(),
        (false, true) => {
            format!("; nothing is reused: that is {tokens}, and {} are cached at least", thousands(cache_min))
        }
    };
    let messages = if cache.without_tools { " (messages alone, since one side does not tell its tools)" } else { "" };
    format!("{end}{use_of_it}{messages}")
}

/// What stands where the first byte differs.
fn broken_by(difference: &Difference, shown: impl Fn(&str) -> String) -> Option<String> {
    Some(match difference.cache.breaks_at.as_ref()? {
        CachePlace::Tool(name) => format!("tool {}", shown(name)),
        CachePlace::Message { message, pair, .. } => {
            let layer = pair.and_then(|index| pair_name(difference, index)).map(|name| shown(&name));
            let between = || match message_role(difference, *message) {
                Some(role) => format!("what stands between layers of the {role} message"),
                None => "the number of messages".to_string(),
            };
            layer.unwrap_or_else(between)
        }
    })
}

fn message_role(difference: &Difference, message: usize) -> Option<&'static str> {
    let of = |side: &Side| side.messages.get(message).map(|message| message.role.into_str());
    of(&difference.right).or_else(|| of(&difference.left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs() {
        let pair = |(left, right)| Pair { left, right };
        assert_eq!([(194, 266), (5000, 0), (7, 7)].map(|both| signed(pair(both))), ["+72", "-5,000", "0"]);
        assert_eq!(
            [(194, 266), (1, 2), (2, 1), (3, 3)].map(|both| tokens(pair(both))),
            ["194 → 266 tokens  +72", "1 → 2 tokens  +1", "2 → 1 token  -1", "3 tokens"]
        );
    }
}
