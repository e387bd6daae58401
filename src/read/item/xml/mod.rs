//! XML with positions, as strict as Python's `ElementTree` and with the same tree (Directives, "Reading a directive").
//! Unlike in Python, only the five predefined entities are expanded, and depth and size are limited.

mod doctype;
mod fault;
mod name;
mod namespaces;
mod reader;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod tree;

pub(super) use reader::parse;
pub(super) use tree::{Attribute, Element};
