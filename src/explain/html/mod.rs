//! The plan and the messages as a page: every layer with its origin, the way people show a prompt to each other.

mod content;
mod message;
mod plan;
mod words;

use std::io;

use self::content::Content;
use super::View;
use super::plan::Plan;
use crate::page::Page;
use crate::prompt::Prompt;

const PAGE: Page = Page {
    template: include_str!("page.html"),
    parts: &[],
    styles: &[include_str!("page.css")],
    script: include_str!("page.js"),
};

pub fn write(prompt: &Prompt, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let plan = Plan::new(prompt, view.tokenizer);
    PAGE.write(&Content::new(prompt, &plan, view), out)
}

#[cfg(test)]
mod tests;
