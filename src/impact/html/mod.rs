//! The impact of a change as a page: its causes with the prompts that differ because of them, and what cannot be
//! rendered.

mod content;

use std::io;

use self::content::Content;
use super::Impact;
use crate::diff::View;
use crate::diff::html::{PARTS, SCRIPT, STYLE};
use crate::page::Page;

const PAGE: Page = Page {
    template: include_str!("page.html"),
    parts: PARTS,
    styles: &[STYLE, include_str!("page.css")],
    script: SCRIPT,
};

/// Writes the page.
pub fn write(impact: &Impact, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&Content::new(impact, view), out)
}

#[cfg(test)]
mod tests;
