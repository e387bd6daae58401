//! What is compared and what it comes to; and, at the end, what that means for a cache.

use std::io;

use super::phrases::{all_tokens, cache, cost};
use super::sentence;
use crate::diff::{Change, Difference, Side, SideKind, View};
use crate::layout::{Flow, Spread, Word, count, words};
use crate::tokens::thousands;

/// What is said where comparing took too long.
const COARSE: &str = "comparing took too long: some lines are shown as changed that another comparison would match";

/// What is said where nothing else differs.
pub const HIDDEN: &str = "the prompts differ in values alone, which are hidden here";

/// Of a prompt that is the same, one line.
pub fn same(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let Difference { left, right, .. } = difference;
    let mut line = vec![Word::new(&left.title, view.theme.strong()), Word::new("and", view.theme.dim())];
    let title = Word::new(&right.title, view.theme.strong());
    // The top of a repository, as in `HEAD:`, has a colon already.
    line.push(if right.title.ends_with(':') { title } else { title.colon() });
    line.extend(words(&format!("{},", sameness(difference)), owo_colors::Style::new()));
    line.push(Word::new(&count(all_tokens(difference).right, "token"), view.theme.dim()));
    if let Some(untold) = untold(difference) {
        line.extend(words(&format!("({untold})"), view.theme.dim()));
    }
    flow(&line, view, out)
}

/// What is compared, the verdict, and what must be known to read the rest.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let Difference { left, right, .. } = difference;
    let dim = view.theme.dim();
    Spread { lead: "", fill: ' ', style: dim, width: view.width }.write(
        &Word::new(&format!("{} → {}", left.title, right.title), view.theme.strong()),
        &Word::new(&cost(difference), dim),
        out,
    )?;
    flow(&words(&verdict(difference, str::to_string), owo_colors::Style::new()).collect::<Vec<_>>(), view, out)?;
    for side in [left, right] {
        if let Some(what) = made_from(side) {
            let mut line = vec![Word::new(&side.title, dim), Word::new("is", dim)];
            line.extend(words(what, dim));
            super::indented(&line, view, out)?;
        }
    }
    remarks(difference).iter().try_for_each(|remark| sentence(remark, view, out))
}

/// What is said of a prompt that is the same.
pub fn sameness(difference: &Difference) -> &'static str {
    match difference.left.messages == difference.right.messages {
        true => "the prompts are the same",
        false => "the prompts are the same, apart from what is not counted",
    }
}

/// What is not compared, or not in full, in a sentence each.
pub fn remarks(difference: &Difference) -> Vec<String> {
    untold(difference).into_iter().chain(difference.is_coarse.then(|| COARSE.to_string())).collect()
}

/// What differs, counted, in a sentence that shows names in that way.
pub fn verdict(difference: &Difference, shown: impl Fn(&str) -> String) -> String {
    let Difference { left, right, .. } = difference;
    match (left.is_absent(), right.is_absent()) {
        (true, false) => return format!("the prompt is added: {} is not there", shown(&left.title)),
        (false, true) => return format!("the prompt is removed: {} is not there", shown(&right.title)),
        _ => {}
    }
    let mut parts = Vec::new();
    let layers = difference.layers.iter().filter(|pair| pair.change() != Change::Same).count();
    if layers > 0 {
        parts.push(of(layers, difference.layers.len(), difference.unit()));
    }
    if difference.between {
        parts.push("what stands between layers".to_string());
    }
    let tools = difference.tools.as_deref().unwrap_or_default();
    let differ = tools.iter().filter(|tool| !tool.is_same()).count();
    if differ > 0 {
        parts.push(of(differ, tools.len(), "tool"));
    }
    if difference.tool_order {
        parts.push("the order of the tools".to_string());
    }
    if !difference.fields.is_empty() {
        parts.push(count(difference.fields.len(), "field"));
    }
    if difference.chain.is_some() {
        parts.push("the chain".to_string());
    }
    if !difference.decisions.is_empty() {
        parts.push(count(difference.decisions.len(), "decision"));
    }
    if difference.hidden {
        return HIDDEN.to_string();
    }
    let what = parts.join(", ");
    match left.messages == right.messages {
        true => format!("the messages are the same; what differs: {what}"),
        false => format!("the prompts differ: {what}"),
    }
}

fn of(part: usize, whole: usize, unit: &str) -> String {
    format!("{} of {}", thousands(part), count(whole, unit))
}

/// What a side was made from, where that is not a prompt that was rendered here.
fn made_from(side: &Side) -> Option<&'static str> {
    match side.kind {
        SideKind::Sent(kind) => Some(kind.phrase()),
        SideKind::Saved => Some("a saved prompt"),
        SideKind::Rendered | SideKind::Absent => None,
    }
}

/// What is not compared.
fn untold(difference: &Difference) -> Option<String> {
    let what = difference.untold.join(", ");
    (!what.is_empty()).then(|| format!("not compared: {what}"))
}

/// What the difference means for a cache.
pub fn end(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    if difference.left.is_absent() || difference.right.is_absent() {
        return Ok(());
    }
    writeln!(out)?;
    let line = format!("cache: {}", cache(difference, view.cache_min, str::to_string));
    flow(&words(&line, owo_colors::Style::new()).collect::<Vec<_>>(), view, out)
}

fn flow(words: &[Word], view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    Flow { lead: "", lead_style: view.theme.dim(), hang: "  ", between: " ", width: view.width }.write(words, out)
}
