//! XML with positions, as strict as the parser of Python's `ElementTree` and read into the tree that it gives
//! (Directives, "Reading a directive").
//!
//! Beyond it: no entity is ever expanded but the five that XML predefines, and depth and size are limited.

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
