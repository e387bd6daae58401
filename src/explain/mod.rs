//! Questions about one prompt: why is this in it, and why is that not?
//!
//! An answer is a value made from the prompt; it has a form for people ([`text`], `markdown`, `html`) and one for
//! programs (`json`). Nothing here assembles anything.

mod asking;
pub mod blame;
pub mod from;
mod hooks;
mod html;
pub mod inputs;
pub mod json;
mod markdown;
pub mod metadata;
pub mod plan;
pub mod sent;
#[cfg(test)]
mod testing;
mod text;
mod turns;
pub mod why;
pub mod window;

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::palette::CapabilityTree;
use crate::prompt::{Prompt, Role};
use crate::render::{WriteError, events};
use crate::text::visible::VisibleWriter;
use crate::theme::Theme;
use crate::tokens::Tokenizer;

/// The forms in which an answer can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One object with everything.
    Json,
    /// The transcript events.
    Events,
    /// For a pull request.
    Markdown,
    /// A page on its own.
    Html,
}

impl Format {
    /// Whether it is published, so that values of inputs and environment are hidden in it.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Markdown | Self::Html)
    }
}

/// What was asked, and the answer.
#[derive(Debug)]
pub enum Answer {
    /// The plan as a table: nothing else was asked.
    Plan,
    /// `--blame`: the origin of lines.
    Blame(blame::Lines),
    /// `--from`: where a line of a file lands.
    From(from::Landings),
    /// `--why`: how something got in, or why it did not.
    Why(why::Reasons),
    /// `--show inputs`
    Inputs,
    /// `--show hooks`
    Hooks,
    /// `--show capabilities`
    Capabilities(Option<CapabilityTree>),
    /// `--sent`: where what was sent departs from the prompt.
    Sent(Box<sent::Departures>),
}

/// How to write an answer.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// Only this message (blame).
    pub role: Option<Role>,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
    /// The size of the context window in tokens, if it is asked how full it gets.
    pub window: Option<u64>,
    /// Whether characters that act on a terminal are shown as `<U+202E>`.
    pub visible: bool,
    /// Colours (text).
    pub theme: Theme,
    /// Columns (text).
    pub width: usize,
}

/// Writes an answer, in many small writes: give it a buffer.
pub fn write(prompt: &Prompt, answer: &Answer, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        // Its colours would not survive the writer, so it makes the prompt's own characters visible itself.
        Format::Text => Ok(text::write(prompt, answer, view, out)?),
        Format::Json | Format::Events if view.visible => exact(prompt, answer, view, &mut VisibleWriter::json(out)),
        _ if view.visible => exact(prompt, answer, view, &mut VisibleWriter::new(out)),
        _ => exact(prompt, answer, view, out),
    }
}

fn exact(prompt: &Prompt, answer: &Answer, view: &View, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        Format::Text => text::write(prompt, answer, view, out)?,
        Format::Json => json::write(prompt, answer, view, out)?,
        Format::Events => events::write(prompt, out)?,
        Format::Markdown => markdown::write(prompt, view, out)?,
        Format::Html => html::write(prompt, view, out)?,
    }
    Ok(())
}
