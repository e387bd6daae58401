//! Fills a prompt with text: values for placeholders, the text of every layer, the tools.

pub mod assemble;
pub mod directive_prompt;
pub(crate) mod inputs;
pub mod interpolate;
pub mod palette;
