//! How full a context window gets.

use serde::Serialize;

use super::plan::{Plan, PlanSection};
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
    /// Whether the prompt holds text that is unknown, so that `used` is the least, and `free` the most.
    #[serde(rename = "unknown")]
    pub is_least: bool,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WindowPart<'a> {
    /// As in the totals.
    pub name: &'a str,
    /// Null if nothing of its text is known.
    pub tokens: Option<usize>,
    /// The share of the window: 0.25 for a quarter.
    pub share: Option<f64>,
}

impl<'a> Window<'a> {
    pub fn new(size: usize, plan: &'a Plan<'_>) -> Self {
        let share = |tokens: usize| if size == 0 { 0.0 } else { tokens as f64 / size as f64 };
        let sent = plan.sections.iter().filter(|section| section.is_sent());
        let part = |section: &'a PlanSection<'_>| {
            let tokens = section.size.known_tokens();
            WindowPart { name: &section.name, tokens, share: tokens.map(share) }
        };
        let (free, over) = (size.saturating_sub(plan.size.tokens), plan.size.tokens.saturating_sub(size));
        Self { size, used: plan.size.tokens, free, over, parts: sent.map(part).collect(), is_least: plan.size.is_least }
    }

    /// `12% full`, `at least 120% full: over by 200 tokens`
    pub fn verdict(&self) -> String {
        let least = if self.is_least { "at least " } else { "" };
        let full = format!("{least}{} full", layout::share(self.used, self.size));
        match self.over {
            0 => full,
            over => format!("{full}: over by {} tokens", thousands(over)),
        }
    }
}
