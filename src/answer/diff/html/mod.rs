//! A difference as a page: a summary, and each layer with the lines that differ.

mod card;
mod content;
mod lines;

use std::io;

use self::content::content;
use super::{DiffView, Difference};
use crate::write::page::Page;

pub use card::{Cards, change_and_tokens};
pub use content::{field, value_row};
pub use lines::PageRoom;

/// The templates that pages of differences include.
pub const PARTS: &[(&str, &str)] = &[
    ("bar.html", include_str!("bar.html")),
    ("card.html", include_str!("card.html")),
    ("places.html", include_str!("places.html")),
    ("row.html", include_str!("row.html")),
    ("rows.html", include_str!("rows.html")),
];

pub const STYLE: &str = include_str!("page.css");

pub const SCRIPT: &str = include_str!("page.js");

const PAGE: Page = Page { template: include_str!("page.html"), parts: PARTS, styles: &[STYLE], script: SCRIPT };

pub fn write(difference: &Difference, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&content(difference, view), out)
}

#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
