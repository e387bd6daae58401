//! How full a context window gets.

use serde::Serialize;

use super::plan::Plan;

/// A context window and the prompt's share of it, in tokens.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Window<'a> {
    /// The window's size in tokens.
    pub size: usize,
    /// The tokens of the prompt.
    pub used: usize,
    pub free: usize,
    /// The tokens by which the prompt exceeds the window.
    pub over: usize,
    /// The messages in order, then the palette.
    pub parts: Vec<WindowPart<'a>>,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WindowPart<'a> {
    /// As in the totals.
    pub name: &'a str,
    pub tokens: usize,
    /// The share of the window: 0.25 for a quarter.
    pub share: f64,
}

impl<'a> Window<'a> {
    pub fn new(size: usize, plan: &Plan<'a>) -> Self {
        let share = |tokens: usize| if size == 0 { 0.0 } else { tokens as f64 / size as f64 };
        let sent = plan.sections.iter().filter(|section| section.is_sent());
        let parts = sent.map(|it| WindowPart { name: it.name, tokens: it.tokens, share: share(it.tokens) });
        let (free, over) = (size.saturating_sub(plan.tokens), plan.tokens.saturating_sub(size));
        Self { size, used: plan.tokens, free, over, parts: parts.collect() }
    }
}
