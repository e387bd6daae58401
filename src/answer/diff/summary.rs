//! Numbers, names and sentences that the text, Markdown and HTML views share.

use super::{Cache, CachePlace, Change, Difference, FieldChange, LayerPair, Pair, Side, ToolPair};
use crate::text::numbers::{self, count, count_if_known, thousands};
use crate::write::layout::per_cent;

/// `1,204`, `?`.
pub fn number(number: Option<usize>) -> String {
    number.map_or("?".to_string(), thousands)
}

/// `+72`, `-1,204`, `0`; `?` if one of the numbers is unknown, as below.
pub fn signed(numbers: Pair<impl Into<Option<usize>>>) -> String {
    let Some(numbers) = numbers.map(Into::into).both() else { return "?".to_string() };
    let sign = match numbers.left.cmp(&numbers.right) {
        std::cmp::Ordering::Less => "+",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => "-",
    };
    format!("{sign}{}", thousands(numbers.left.abs_diff(numbers.right)))
}

/// `+72 tokens`.
pub fn signed_tokens(tokens: Pair<impl Into<Option<usize>>>) -> String {
    let tokens = tokens.map(Into::into);
    let is_one = tokens.both().is_some_and(|tokens| tokens.left.abs_diff(tokens.right) == 1);
    format!("{} {}", signed(tokens), if is_one { "token" } else { "tokens" })
}

/// `194 → 266 tokens`; `194 tokens` if both are equal.
pub fn sizes(tokens: Pair<impl Into<Option<usize>>>) -> String {
    let Pair { left, right } = tokens.map(Into::into);
    let after = count_if_known(right, "token");
    if left == right { after } else { format!("{} → {after}", number(left)) }
}

/// `194 → 266 tokens  +72`; `194 tokens` if both are equal.
pub fn tokens(tokens: Pair<impl Into<Option<usize>>>) -> String {
    let tokens = tokens.map(Into::into);
    match tokens.left == tokens.right {
        true => sizes(tokens),
        false => format!("{}  {}", sizes(tokens), signed(tokens)),
    }
}

/// `194 → 266 tokens (+72, +37.1%)`; `194 tokens, unchanged` if both are equal. Without the share if there are more
/// tokens than these.
pub fn total(tokens: Pair<usize>, has_unknown: bool) -> String {
    match growth(tokens, has_unknown) {
        _ if tokens.left == tokens.right => format!("{}, unchanged", sizes(tokens)),
        Some(growth) => format!("{} ({}, {growth})", sizes(tokens), signed(tokens)),
        None => format!("{} ({})", sizes(tokens), signed(tokens)),
    }
}

/// `+37.1%`; `None` if nothing changed or there are more tokens than these.
pub fn growth(tokens: Pair<usize>, has_unknown: bool) -> Option<String> {
    numbers::growth(tokens.left, tokens.right).filter(|_| !has_unknown)
}

/// The [`total`] of messages and tools; `+266 tokens` if only one side has a prompt.
pub fn cost(difference: &Difference) -> String {
    let all = all_tokens(difference);
    if difference.is_on_both() { total(all, difference.has_unknown()) } else { signed_tokens(all) }
}

/// The tokens of the messages, and of the tools if both sides record them.
pub fn all_tokens(difference: &Difference) -> Pair<usize> {
    difference.tokens.zip(difference.tool_tokens.unwrap_or_default()).map(|(messages, tools)| messages + tools)
}

/// What differs, in a sentence. `name` formats names.
pub fn verdict(difference: &Difference, name: impl Fn(&str) -> String) -> String {
    let Difference { left, right, decisions, .. } = difference;
    if difference.is_same() {
        return match decisions.len() {
            0 => sameness(difference).to_string(),
            1 => format!("{}; 1 decision differs", sameness(difference)),
            more => format!("{}; {} differ", sameness(difference), count(more, "decision")),
        };
    }
    if left.is_absent() != right.is_absent() {
        let (word, absent) = if left.is_absent() { ("added", left) } else { ("removed", right) };
        return format!("the prompt was {word}: {} does not exist", name(&absent.title));
    }
    if difference.hidden {
        return "the prompts differ only in hidden values".to_string();
    }
    let some = |number: usize, unit| (number > 0).then(|| count(number, unit));
    let of = |number: usize, all: usize, unit| {
        (number > 0).then(|| format!("{} of {}", thousands(number), count(all, unit)))
    };
    let all_tools = difference.tools.as_deref().unwrap_or_default().len();
    let parts = [
        of(difference.changed_layers().count(), difference.layers.len(), difference.unit()),
        difference.between.then(|| "text between layers".to_string()),
        of(difference.changed_tools().count(), all_tools, "tool"),
        difference.tool_order.then(|| "the tool order".to_string()),
        some(difference.fields.len(), "field"),
        difference.chain.as_ref().map(|_| "the chain".to_string()),
        some(decisions.len(), "decision"),
    ];
    let what = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    match left.messages == right.messages {
        true => format!("the messages are the same; other differences: {what}"),
        false => format!("the prompts differ: {what}"),
    }
}

pub fn sameness(difference: &Difference) -> &'static str {
    match difference.left.messages == difference.right.messages {
        true => "the prompts are the same",
        false => "the prompts are the same, apart from ignored differences",
    }
}

/// What is not compared, or not in full, one sentence each.
pub fn remarks(difference: &Difference) -> Vec<String> {
    let coarse = "the comparison was cut short: matching lines may be shown as changed";
    not_compared(difference).into_iter().chain(difference.is_coarse.then(|| coarse.to_string())).collect()
}

pub fn not_compared(difference: &Difference) -> Option<String> {
    let what = difference.not_compared.join(", ");
    (!what.is_empty()).then(|| format!("not compared: {what}"))
}

/// A sentence as a paragraph of a page: `Not compared: tools.`
pub fn capitalized(sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect::<String>() + "."
}

/// `system · project/deploy/rules`; a whole message is already named after its role.
pub fn layer_name(difference: &Difference, pair: &LayerPair) -> String {
    let name = |(side, at): (&Side, Option<usize>)| {
        let layer = side.layers.get(at?)?;
        Some(match side.messages.get(layer.message) {
            Some(message) if side.has_layers => format!("{} · {}", message.role.into_str(), layer.title),
            _ => layer.title.clone(),
        })
    };
    difference.sides().zip(pair.index()).map(name).newest().unwrap_or_default()
}

/// `limits.turns`, `permissions`.
pub fn field_name(field: &FieldChange) -> String {
    match field.name.as_str() {
        "" => field.group.into_str().to_string(),
        name => format!("{}.{name}", field.group.into_str()),
    }
}

/// `condition false`; `not considered` on a side without the decision.
pub fn outcome(outcome: Option<&str>) -> String {
    outcome.map_or("not considered".to_string(), |it| it.replace('_', " "))
}

pub fn phrase(change: Change) -> &'static str {
    match change {
        Change::TextUnchanged => "text unchanged",
        change => change.into_str(),
    }
}

/// What differs around the text of a layer, in a few words each.
pub fn tags(difference: &Difference, pair: &LayerPair) -> Vec<&'static str> {
    let layers = difference.layers_of(pair);
    let tiers = layers.map(|layer| Some(&layer?.place()?.tier));
    let tags = [
        (pair.moved, "moved"),
        (pair.renamed, "renamed"),
        (pair.taken_from, if tiers.left == tiers.right { "different file" } else { "different tier" }),
        (pair.requested_by, "requested elsewhere"),
        (pair.wrapped, if layers.right.is_some_and(|it| it.wrap) { "now wrapped" } else { "no longer wrapped" }),
    ];
    tags.into_iter().filter(|(applies, _)| *applies).map(|(_, tag)| tag).collect()
}

/// What differs around the description and the schema of a tool, in a few words each.
pub fn tool_tags(pair: &ToolPair) -> Vec<&'static str> {
    let budget = if pair.index.left.is_none() { "now within the budget" } else { "over budget" };
    let tags = [(pair.renamed, "renamed"), (pair.over_budget, budget), (pair.item, "different item")];
    tags.into_iter().filter(|(applies, _)| *applies).map(|(_, tag)| tag).collect()
}

/// What differs in a tool.
pub fn tool_change(pair: &ToolPair) -> String {
    match (pair.change(), pair.over_budget) {
        (Change::Added, true) => return "added: now within the budget".to_string(),
        (Change::Removed, true) => return "dropped by the budget".to_string(),
        (change @ (Change::Added | Change::Removed), false) => return change.into_str().to_string(),
        _ => {}
    }
    let parts = [
        (pair.renamed, "name"),
        (!pair.description.is_empty(), "description"),
        (!pair.schema.is_empty(), "schema"),
        (pair.item, "item"),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|(differs, _)| *differs).map(|(_, part)| part).collect();
    format!("{} changed", parts.join(" and "))
}

/// How much of a cached prompt can be reused, as a sentence. `name` formats names.
pub fn cache(difference: &Difference, name: impl Fn(&str) -> String) -> String {
    cache_sentence(&difference.cache, broken_by(difference, name))
}

/// The sentence of [`cache`], given what breaks the cache.
pub fn cache_sentence(cache: &Cache, broken_by: Option<String>) -> String {
    let by = broken_by.map(|by| format!(", broken by {by}")).unwrap_or_default();
    let reuse = reuse(cache).map(|reuse| format!("; {reuse}")).unwrap_or_default();
    let messages = if cache.without_tools { format!(" ({MESSAGES_ONLY})") } else { String::new() };
    format!("{}{by}{reuse}{messages}", prefix(cache))
}

/// The remark if one side does not record its tools.
const MESSAGES_ONLY: &str = "messages only: one side does not record its tools";

/// `the prefix ends at byte 1,204 of 5,870 (21%)`, of the right prompt. Without numbers if more is in the prefix than is
/// known.
fn prefix(cache: &Cache) -> String {
    if cache.has_unknown {
        return if cache.breaks_at.is_some() { "the prefix ends behind unknown text" } else { "the prefix is intact" }
            .to_string();
    }
    let share = per_cent(cache.shared_bytes as u64, cache.bytes.right as u64).replace('<', "less than ");
    match cache.breaks_at {
        Some(_) => format!("the {} ({share})", prefix_end(cache)),
        None => format!("the prefix is intact, {}", count(cache.shared_bytes, "byte")),
    }
}

fn prefix_end(cache: &Cache) -> String {
    format!("prefix ends at byte {} of {}", thousands(cache.shared_bytes), thousands(cache.bytes.right))
}

/// How many tokens can be reused; `None` if the whole left prompt is shared but too short to be cached.
fn reuse(cache: &Cache) -> Option<String> {
    let tokens = count(cache.shared_tokens, "token");
    match cache.is_reusable {
        Some(true) if cache.has_unknown => Some(format!("at least {tokens} can be reused")),
        Some(true) => Some(format!("{tokens} can be reused")),
        _ if cache.breaks_at.is_none() => None,
        Some(false) => {
            let least = thousands(cache.min_tokens);
            Some(format!("too short to reuse: {tokens}; caching needs at least {least}"))
        }
        None => Some("how much can be reused depends on the agent's own text".to_string()),
    }
}

/// How much of a cached prompt can be reused, for a table: `1,204 of 5,870 bytes, too short`.
pub fn reuse_in_short(cache: &Cache, is_shortest: bool) -> String {
    let prefix = match (&cache.breaks_at, is_shortest) {
        (None, _) => return "all of it".to_string(),
        (Some(_), _) if cache.is_reusable.is_none() => return "unknown".to_string(),
        (Some(_), _) if cache.has_unknown => return format!("at least {}", count(cache.shared_tokens, "token")),
        (Some(_), true) => format!("{} of {}", thousands(cache.shared_bytes), count(cache.bytes.right, "byte")),
        (Some(_), false) => prefix_end(cache),
    };
    if cache.is_reusable == Some(false) { format!("{prefix}, too short") } else { prefix }
}

/// Where the shared prefix ends. `name` formats names.
fn broken_by(difference: &Difference, name: impl Fn(&str) -> String) -> Option<String> {
    Some(match difference.cache.breaks_at.as_ref()? {
        CachePlace::Tool { name: tool } => format!("tool {}", name(tool)),
        CachePlace::Message { message, pair, .. } => {
            let role = |side: &Side| side.messages.get(*message).map(|message| message.role.into_str());
            match (pair.and_then(|index| difference.layers.get(index)), difference.sides().map(role).newest()) {
                (Some(pair), _) => name(&layer_name(difference, pair)),
                (None, Some(role)) => format!("text between layers of the {role} message"),
                (None, None) => "the number of messages".to_string(),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::diff::testing::{added, changed, odd, removed, same, with_sent};
    use crate::answer::diff::text::tests::view;
    use crate::answer::diff::{DiffFormat, DiffView, write};
    use crate::write::page::testing::text_of;
    use crate::write::screen::Screen;

    #[test]
    fn numbers_have_signs() {
        let pair = |(left, right)| Pair { left, right };
        assert_eq!([(194, 266), (5000, 0), (7, 7)].map(|both| signed(pair(both))), ["+72", "-5,000", "0"]);
        assert_eq!(
            [(194, 266), (1, 2), (2, 1), (3, 3)].map(|both| tokens(pair(both))),
            ["194 → 266 tokens  +72", "1 → 2 tokens  +1", "2 → 1 token  -1", "3 tokens"]
        );
        assert_eq!(
            [(194, 266), (3, 3), (0, 5)].map(|both| total(pair(both), false)),
            ["194 → 266 tokens (+72, +37.1%)", "3 tokens, unchanged", "0 → 5 tokens (+5)"]
        );
    }

    /// The output of a format in lower case, with whitespace collapsed and without code marks.
    fn shown(difference: &Difference, format: DiffFormat) -> String {
        let mut out = Vec::new();
        write(difference, &DiffView { format, screen: Screen::plain(200), ..view(80) }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let text = if format == DiffFormat::Html { text_of(&text) } else { text };
        text.to_lowercase().replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn text_markdown_and_html_say_the_same() {
        for difference in [same(), changed(), added(), removed(), odd(), with_sent()] {
            let mut sentences = vec![verdict(&difference, str::to_string)];
            sentences.extend(remarks(&difference));
            if difference.is_on_both() && !difference.is_same() {
                sentences.extend([cost(&difference), prefix(&difference.cache)]);
                sentences.extend(reuse(&difference.cache));
            }
            for format in [DiffFormat::Text, DiffFormat::Markdown, DiffFormat::Html] {
                let text = shown(&difference, format);
                for sentence in &sentences {
                    let expected = sentence.to_lowercase();
                    assert!(text.contains(&expected), "{}: {expected}\n{text}", format.into_str());
                }
            }
        }
    }
}
