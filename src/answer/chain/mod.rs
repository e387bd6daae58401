//! How items are connected: the extends chain of one directive, and the graph of all items.
//!
//! [`write_chain`] shows the chain of one prompt. Questions about all items take a different path:
//!
//! ```text
//! tiers → index (every item, every link) → answer (the part that a question is about) → scope → write
//! ```

mod answer;
mod diagram;
mod drawing;
pub mod folder;
pub mod graph;
mod index;
pub(crate) mod json;
mod member;
mod scope;
#[cfg(test)]
pub(crate) mod testing;
mod tree;

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Diagnostic;
use crate::write::screen::{Escaping, Screen};

pub use answer::{GraphAnswer, Question, answer, check_pruned};
pub use graph::Graph;
pub use member::write as write_chain;
pub use scope::{EdgeWord, GraphScope};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum GraphFormat {
    #[default]
    Tree,
    Json,
    Dot,
    Mermaid,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Charset {
    Ascii,
    #[default]
    Utf8,
}

#[derive(Debug, Clone, Copy)]
pub struct GraphView {
    pub format: GraphFormat,
    pub charset: Charset,
    pub screen: Screen,
}

impl GraphView {
    /// Only JSON can contain hidden characters; drawings have none.
    fn json(&self, document: &json::ChainDocument, out: &mut dyn io::Write) -> io::Result<()> {
        self.screen.write_escaped(Escaping::Json, out, |out| crate::prompt::json::line(document, out))
    }
}

/// Writes a graph, and the diagnostics if the format includes them. Pass a buffered writer: there are many small
/// writes.
pub fn write(
    graph: &Graph,
    protocol: &str,
    diagnostics: &[Diagnostic],
    view: &GraphView,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match view.format {
        GraphFormat::Tree => tree::write(graph, view, out),
        GraphFormat::Json => view.json(&json::ChainDocument::new(graph, protocol, diagnostics), out),
        GraphFormat::Dot => diagram::dot(graph, out),
        GraphFormat::Mermaid => diagram::mermaid(graph, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_parsed() {
        for &format in GraphFormat::VARIANTS {
            assert_eq!(format.into_str().parse(), Ok(format));
        }
        for &charset in Charset::VARIANTS {
            assert_eq!(charset.into_str().parse(), Ok(charset));
        }
    }
}
