//! Renders the exact prompt that an agent system would send, with the origin of every byte.

pub mod assemble;
pub mod bundle;
pub mod cli;
pub mod condition;
pub mod config;
pub mod diagnostic;
pub mod digest;
pub mod directive_prompt;
pub mod inputs;
pub mod interpolate;
pub mod item;
pub mod layout;
pub mod nearest;
pub mod palette;
pub mod prompt;
pub mod protocol;
pub mod render;
pub mod request;
pub mod store;
pub mod text;
pub mod theme;
pub mod tokens;
pub mod tool;
pub mod value;
mod word;
pub mod yaml;
