//! How full a context window gets.

use serde::Serialize;

use super::plan::Plan;
use crate::text::numbers::thousands;
use crate::write::layout;

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
    pub fn new(size: usize, plan: &'a Plan<'_>) -> Self {
        let share = |tokens: usize| if size == 0 { 0.0 } else { tokens as f64 / size as f64 };
        let sent = plan.sections.iter().filter(|section| section.is_sent());
        let parts = sent.map(|it| WindowPart { name: &it.name, tokens: it.size.tokens, share: share(it.size.tokens) });
        let (free, over) = (size.saturating_sub(plan.size.tokens), plan.size.tokens.saturating_sub(size));
        Self { size, used: plan.size.tokens, free, over, parts: parts.collect() }
    }

    /// `12% full`, `120% full: over by 200 tokens`
    pub fn verdict(&self) -> String {
        let full = format!("{} full", layout::share(self.used, self.size));
        match self.over {
            0 => full,
            over => format!("{full}: over by {} tokens", thousands(over)),
        }
    }
}
