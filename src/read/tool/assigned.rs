use std::ops::Range;

use crate::read::value::Value;
use crate::text::Cursor;

pub(super) const SCHEMA: &str = "CONFIG_SCHEMA";
pub(super) const DESCRIPTION: &str = "__tool_description__";

/// The error says why it is not a literal; the cursor stays at the cause.
pub(super) type Literal<T> = Result<T, &'static str>;

/// Why a file cannot be read, and the byte offset of the cause.
pub(super) type ToolFault = (&'static str, usize);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Assigned {
    /// The byte range runs from the first word of the assignment to the character that ends it.
    Literal(Value, Range<usize>),
    /// An expression that cannot be read without running it: what it contains, and at which byte.
    Other(&'static str, usize),
}

#[derive(Debug, Default)]
pub(super) struct Assignments {
    pub schema: Option<Assigned>,
    pub description: Option<Assigned>,
}

impl Assignments {
    pub fn wants(name: &str) -> bool {
        name == SCHEMA || name == DESCRIPTION
    }

    /// Whether the text names a variable for which no assignment was found.
    pub fn misses_one_in(&self, text: &str) -> bool {
        self.schema.is_none() && text.contains(SCHEMA) || self.description.is_none() && text.contains(DESCRIPTION)
    }

    /// The last literal wins, as in the released package.
    pub fn record(&mut self, name: &str, assigned: Assigned) {
        let slot = if name == SCHEMA { &mut self.schema } else { &mut self.description };
        if matches!(assigned, Assigned::Literal(..)) || !matches!(slot, Some(Assigned::Literal(..))) {
            *slot = Some(assigned);
        }
    }
}

/// The end of a declaration: after the character that terminates it.
pub(super) fn ended(mut next: Cursor<'_>) -> usize {
    next.bump();
    next.at()
}
