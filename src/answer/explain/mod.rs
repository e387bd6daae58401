//! Questions about one prompt, such as why something is in it or not. An answer is computed from the prompt and written
//! as text, Markdown, HTML or JSON.

pub mod blame;
pub mod from;
mod hooks;
mod html;
mod inclusion;
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

use crate::answer::render::{WriteError, write_events};
use crate::fill::palette::CapabilityTree;
use crate::prompt::{Prompt, Role, Setting};
use crate::text::tokens::Tokenizer;
use crate::write::screen::{Escaping, Screen};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ExplainFormat {
    #[default]
    Text,
    Json,
    Events,
    Markdown,
    Html,
}

impl ExplainFormat {
    /// Whether the output is published, so that values of inputs and environment are hidden.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Markdown | Self::Html)
    }
}

#[derive(Debug)]
pub enum Explanation {
    /// The plan as a table, if no question was asked.
    Plan,
    /// `--blame`: the origins of lines.
    Blame(blame::LineSelection),
    /// `--from`: where lines of a file appear.
    From(from::Occurrences),
    /// `--why`: how something got into the prompt, or why it did not.
    Why(why::WhyPaths),
    /// `--show inputs`
    Inputs,
    /// `--show settings`
    Settings,
    /// `--show hooks`
    Hooks,
    /// `--show capabilities`
    Capabilities(Option<CapabilityTree>),
    /// `--sent`: where the request that was sent departs from the prompt.
    Sent(Box<sent::Departures>),
}

#[derive(Debug, Clone, Copy, Default)]
pub struct ExplainView {
    pub format: ExplainFormat,
    pub role: Option<Role>,
    pub tokenizer: Tokenizer,
    /// The size of the context window in tokens; `None` if not requested.
    pub window: Option<usize>,
    pub screen: Screen,
}

/// Makes many small writes, so `out` should be buffered.
pub fn write(
    prompt: &Prompt,
    answer: &Explanation,
    view: &ExplainView,
    out: &mut dyn io::Write,
) -> Result<(), WriteError> {
    let escaping = match view.format {
        ExplainFormat::Text => Escaping::Itself,
        ExplainFormat::Json | ExplainFormat::Events => Escaping::Json,
        ExplainFormat::Markdown | ExplainFormat::Html => Escaping::Text,
    };
    view.screen.write_escaped(escaping, out, |out| {
        match view.format {
            ExplainFormat::Text => text::write(prompt, answer, view, out)?,
            ExplainFormat::Json => json::write(prompt, answer, view, out)?,
            ExplainFormat::Events => write_events(prompt, out)?,
            ExplainFormat::Markdown => markdown::write(prompt, view, out)?,
            ExplainFormat::Html => html::write(prompt, view, out)?,
        }
        Ok(())
    })
}

fn used_settings(prompt: &Prompt) -> impl Iterator<Item = &Setting> {
    prompt.settings.iter().filter(|setting| setting.is_used)
}
