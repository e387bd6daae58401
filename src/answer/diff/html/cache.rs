//! How much of a cached prompt can be reused, in words and as a picture.

use minijinja::{Value, context};

use crate::answer::diff::summary::{cache, capitalized};
use crate::answer::diff::{Change, Difference};
use crate::text::numbers::count;

const WIDTH: usize = 10_000;

/// `None` if one side has no prompt.
pub fn report(difference: &Difference, breaker: Option<&String>) -> Option<Value> {
    difference.is_on_both().then(|| {
        context! {
            sentence => capitalized(&cache(difference, str::to_string)),
            breaker,
            blocks => blocks(difference),
        }
    })
}

/// The newer prompt as providers cache it, to scale in bytes. A layer that is reused in part is two blocks.
fn blocks(difference: &Difference) -> Vec<Value> {
    let (cache, right) = (&difference.cache, &difference.right);
    let edge = |byte: usize| (byte.min(cache.bytes.right) * WIDTH).checked_div(cache.bytes.right).unwrap_or_default();
    let messages: usize = right.messages.iter().map(|message| message.text.len()).sum();
    let tools = cache.bytes.right.saturating_sub(messages);
    let mut parts = Vec::new();
    if tools > 0 {
        let differs = difference.tool_order || difference.changed_tools().next().is_some();
        parts.push((0..tools, "palette".to_string(), "tools".to_string(), differs));
    }
    let mut starts = vec![tools];
    for message in &right.messages {
        starts.push(starts[starts.len() - 1] + message.text.len());
    }
    for (index, pair) in difference.layers.iter().enumerate() {
        let Some(layer) = pair.right.and_then(|at| right.layers.get(at)) else { continue };
        let Some(start) = starts.get(layer.message) else { continue };
        let range = start + layer.range.start..start + layer.range.end;
        parts.push((range, format!("L{index}"), layer.title.clone(), pair.change() != Change::Same));
    }
    let mut blocks = Vec::new();
    for (range, target, name, differs) in parts {
        let kept = if cache.is_reusable || cache.breaks_at.is_none() { cache.shared_bytes } else { 0 };
        let middle = kept.clamp(range.start, range.end);
        for (range, is_kept) in [(range.start..middle, true), (middle..range.end, false)] {
            let (x, end) = (edge(range.start), edge(range.end));
            let cost = if is_kept { "can be reused" } else { "must be processed again" };
            if end > x {
                let title = format!("{name}: {} {cost}", count(range.len(), "byte"));
                blocks.push(context! { target => &target, title, x, width => end - x, is_kept, differs });
            }
        }
    }
    blocks
}
