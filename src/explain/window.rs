//! How full a context window gets.

use super::plan::Plan;

#[derive(Debug, PartialEq, Eq)]
pub struct Window<'a> {
    /// Its size in tokens.
    pub size: u64,
    pub used: u64,
    /// Each message and the palette, with its tokens.
    pub parts: Vec<(&'a str, u64)>,
}

impl<'a> Window<'a> {
    pub fn new(size: u64, plan: &Plan<'a>) -> Self {
        let sent = plan.sections.iter().filter(|section| section.is_sent());
        let parts = sent.map(|section| (section.name, section.tokens as u64)).collect();
        Self { size, used: plan.tokens as u64, parts }
    }

    pub fn free(&self) -> u64 {
        self.size.saturating_sub(self.used)
    }

    pub fn over(&self) -> u64 {
        self.used.saturating_sub(self.size)
    }
}
