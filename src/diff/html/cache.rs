//! What a provider that has cached the left prompt can use again, in words and as a picture.

use serde::Serialize;

use crate::diff::{CachePlace, Change, Difference, Tool, View};
use crate::layout::{count, per_cent};
use crate::page::text::line;
use crate::tokens::thousands;

/// The picture is so wide.
const WIDTH: usize = 10_000;

/// The report.
#[derive(Serialize)]
pub struct Report {
    /// What stays reusable, as a heading: `21% of the prefix stays cached`.
    heading: String,
    /// What breaks it, and its anchor.
    breaker: Option<Breaker>,
    /// More about it.
    sentences: Vec<String>,
    blocks: Vec<Block>,
}

#[derive(Serialize)]
struct Breaker {
    target: Option<String>,
    name: String,
    place: String,
}

/// A part of the right prompt in the picture.
#[derive(Serialize)]
struct Block {
    target: String,
    title: String,
    x: usize,
    width: usize,
    is_kept: bool,
    /// Whether it differs.
    differs: bool,
}

impl Report {
    /// What it says about a difference; nothing where one side has no prompt.
    pub fn new(difference: &Difference, view: &View) -> Option<Self> {
        if difference.left.is_absent() || difference.right.is_absent() {
            return None;
        }
        let cache = &difference.cache;
        let (shared, all) = (cache.shared_bytes, cache.right_bytes);
        let heading = match (cache.is_reusable, shared == all && shared == cache.left_bytes) {
            (false, _) if cache.breaks_at.is_none() => "The prefix is whole".to_string(),
            (false, _) => "Nothing of the cached prefix can be used again".to_string(),
            (true, true) => "All of the cached prefix can be used again".to_string(),
            (true, false) => format!(
                "{} of the prompt is a cached prefix that can be used again",
                per_cent(shared as u64, all as u64)
            ),
        };
        let mut sentences = vec![format!(
            "That is {}, {} of {}.",
            count(cache.shared_tokens, "token"),
            thousands(shared),
            count(all, "byte")
        )];
        if !cache.is_reusable && cache.breaks_at.is_some() {
            sentences.push(format!("A provider caches no less than {}.", count(view.cache_min, "token")));
        }
        if cache.without_tools {
            sentences.push("Tools are not counted: one side does not tell them.".to_string());
        }
        Some(Self { heading, breaker: breaker(difference), sentences, blocks: blocks(difference) })
    }
}

/// The tool or layer in which the first byte stands that differs.
fn breaker(difference: &Difference) -> Option<Breaker> {
    match difference.cache.breaks_at.as_ref()? {
        CachePlace::Tool(name) => {
            let index = difference.tools.iter().flatten().position(|pair| {
                let of = |tools: &Option<Vec<Tool>>, at: Option<usize>| Some(tools.as_ref()?.get(at?)?.name == *name);
                let [left, right] = [(&difference.left, pair.index.left), (&difference.right, pair.index.right)];
                of(&right.0.tools, right.1).or_else(|| of(&left.0.tools, left.1)) == Some(true)
            });
            let target = index.map(|index| format!("T{index}"));
            Some(Breaker { target, name: line(name), place: "among the tools".to_string() })
        }
        CachePlace::Message { message, at, pair } => {
            let messages = [&difference.right.messages, &difference.left.messages];
            let role = messages.iter().find_map(|messages| messages.get(*message)).map_or("", |it| it.role.into_str());
            let layer = pair.and_then(|index| {
                let pair = difference.layers.get(index)?;
                let right = pair.right.and_then(|at| difference.right.layers.get(at));
                let layer = right.or_else(|| pair.left.and_then(|at| difference.left.layers.get(at)))?;
                Some((format!("L{index}"), line(&layer.title)))
            });
            let (target, name) = match layer {
                Some((target, name)) => (Some(target), name),
                None => (None, "what stands between two layers".to_string()),
            };
            Some(Breaker { target, name, place: format!("{role} message, byte {}", thousands(*at)) })
        }
    }
}

/// The right prompt in the order in which providers cache, its shares in bytes. What is partly kept is two blocks.
fn blocks(difference: &Difference) -> Vec<Block> {
    let (cache, right) = (&difference.cache, &difference.right);
    let edge = |byte: usize| (byte.min(cache.right_bytes) * WIDTH).checked_div(cache.right_bytes).unwrap_or_default();
    let messages: usize = right.messages.iter().map(|message| message.text.len()).sum();
    let tools = cache.right_bytes.saturating_sub(messages);
    let mut parts = Vec::new();
    if tools > 0 {
        let differs = difference.tool_order || difference.tools.iter().flatten().any(|tool| !tool.is_same());
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
        parts.push((range, format!("L{index}"), line(&layer.title), pair.change() != Change::Same));
    }
    let mut blocks = Vec::new();
    for (range, target, name, differs) in parts {
        let kept = if cache.is_reusable || cache.breaks_at.is_none() { cache.shared_bytes } else { 0 };
        let middle = kept.clamp(range.start, range.end);
        for (range, is_kept) in [(range.start..middle, true), (middle..range.end, false)] {
            let (x, end) = (edge(range.start), edge(range.end));
            let said = if is_kept { "can be used again" } else { "has to be read anew" };
            if end > x {
                let title = format!("{name}: {} {said}", count(range.len(), "byte"));
                blocks.push(Block { target: target.clone(), title, x, width: end - x, is_kept, differs });
            }
        }
    }
    blocks
}
