//! How items hang together: the extends chain of one directive, and the graph of all of them.
//!
//! [`view`] writes what `chain <directive>` shows, from a prompt. Questions about all items go another way:
//!
//! ```text
//! tiers → index (every item, every link) → answer (the part that a question is about) → scope → write
//! ```
//!
//! What applies to a folder in which an agent works is a graph of its own: see [`folder`].

mod answer;
mod dot;
mod drawing;
pub mod folder;
pub mod graph;
mod index;
mod json;
mod label;
mod lineage;
mod member;
mod mermaid;
mod scope;
pub(crate) mod shape;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
pub mod view;

use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Diagnostic;
use crate::text::visible::VisibleWriter;
use crate::theme::Theme;

use graph::Graph;

pub use answer::{Answer, Question, answer, check_pruned};
pub use scope::{EdgeWord, Scope};

/// The forms in which a graph can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// A tree, for people.
    #[default]
    Tree,
    /// One object with everything.
    Json,
    /// For Graphviz.
    Dot,
    /// For Mermaid, which many pages of text draw.
    Mermaid,
}

/// The characters of which a tree is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Charset {
    /// `|-`
    Ascii,
    /// `├─`
    #[default]
    Utf8,
}

/// How to write a graph.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// Of which characters a tree is drawn.
    pub charset: Charset,
    /// Colours (tree).
    pub theme: Theme,
    /// Columns (tree).
    pub width: usize,
    /// Whether characters that act on a terminal are shown in another form (JSON; the others never hold any).
    pub visible: bool,
}

impl View {
    /// The columns that a tree can use well.
    const WIDTHS: (usize, usize) = (40, 200);

    /// With a width that a tree can use well.
    fn readable(self) -> Self {
        Self { width: self.width.clamp(Self::WIDTHS.0, Self::WIDTHS.1), ..self }
    }
}

/// Writes a graph of items under these rules, and where the form has a place for it what was found on the way; in many
/// small writes: give it a buffer.
pub fn write(
    graph: &Graph,
    protocol: &str,
    diagnostics: &[Diagnostic],
    view: &View,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let document = || json::document(graph, protocol, diagnostics);
    match view.format {
        Format::Tree => tree::write(graph, &view.readable(), out),
        Format::Json if view.visible => json::write(&document(), &mut VisibleWriter::json(out)),
        Format::Json => json::write(&document(), out),
        Format::Dot => dot::write(graph, out),
        Format::Mermaid => mermaid::write(graph, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for &format in Format::VARIANTS {
            assert_eq!(format.into_str().parse(), Ok(format));
        }
        for &charset in Charset::VARIANTS {
            assert_eq!(charset.into_str().parse(), Ok(charset));
        }
    }
}
