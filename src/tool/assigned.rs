use std::ops::Range;

use crate::value::Value;

/// The names that a tool declares itself with.
pub(super) const SCHEMA: &str = "CONFIG_SCHEMA";
/// See [`SCHEMA`].
pub(super) const DESCRIPTION: &str = "__tool_description__";

/// A literal, or why something is none. Readers leave their cursor where that shows.
pub(super) type Literal<T> = Result<T, &'static str>;

/// Why a file cannot be read, and at which byte that shows.
pub(super) type Fault = (&'static str, usize);

/// What a module assigns to a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Assigned {
    /// A literal, and the byte range of the assignment, from its first word to the character that ends it.
    Literal(Value, Range<usize>),
    /// Something that would have to be run: why, and at which byte.
    Other(&'static str, usize),
}

/// What a module assigns to the names that count.
#[derive(Debug, Default)]
pub(super) struct Assignments {
    /// To [`SCHEMA`].
    pub schema: Option<Assigned>,
    /// To [`DESCRIPTION`].
    pub description: Option<Assigned>,
}

impl Assignments {
    /// Whether an assignment to that name is looked for.
    pub fn wants(name: &str) -> bool {
        name == SCHEMA || name == DESCRIPTION
    }

    /// Whether one of the names stands in the text, and nothing that is assigned to it was found.
    pub fn misses_one_in(&self, text: &str) -> bool {
        self.schema.is_none() && text.contains(SCHEMA) || self.description.is_none() && text.contains(DESCRIPTION)
    }

    /// Records an assignment: the last literal counts, as in the released package.
    pub fn record(&mut self, name: &str, assigned: Assigned) {
        let slot = if name == SCHEMA { &mut self.schema } else { &mut self.description };
        if matches!(assigned, Assigned::Literal(..)) || !matches!(slot, Some(Assigned::Literal(..))) {
            *slot = Some(assigned);
        }
    }
}
