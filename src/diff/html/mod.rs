//! A difference as a page: what is compared, what it costs, and each layer with the lines that differ.

mod around;
mod cache;
mod card;
mod content;
mod lines;
mod words;

use std::io;

use self::content::Content;
use super::{Difference, View};
use crate::page::Page;

pub use around::Row;
pub use card::{Card, Cards};
pub use lines::Room;
pub use words::{grown, grown_by, reused, sign, tokens, word};

/// Templates that pages with lines that differ include.
pub const PARTS: &[(&str, &str)] = &[
    ("bar.html", include_str!("bar.html")),
    ("card.html", include_str!("card.html")),
    ("row.html", include_str!("row.html")),
    ("rows.html", include_str!("rows.html")),
];

/// The style of lines that differ.
pub const STYLE: &str = include_str!("page.css");

/// The keys of pages with lines that differ.
pub const SCRIPT: &str = include_str!("page.js");

const PAGE: Page = Page { template: include_str!("page.html"), parts: PARTS, styles: &[STYLE], script: SCRIPT };

/// Writes the page.
pub fn write(difference: &Difference, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&Content::new(difference, view), out)
}

#[cfg(test)]
pub mod sample;
#[cfg(test)]
mod tests;
