//! The impact as a page: its causes with their prompts, and the directives that cannot be rendered.

mod content;

use std::io;

use self::content::content;
use super::Impact;
use crate::answer::diff::DiffView;
use crate::answer::diff::html::{PARTS, SCRIPT, STYLE};
use crate::write::page::Page;

const PAGE: Page = Page {
    template: include_str!("page.html"),
    parts: PARTS,
    styles: &[STYLE, include_str!("page.css")],
    script: SCRIPT,
};

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&content(impact, view), out)
}

#[cfg(test)]
mod tests;
