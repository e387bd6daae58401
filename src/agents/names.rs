//! Which instruction files an agent reads in the folders on the way to the one that it is started in.

use std::ops::Range;

/// What a text does that ends the part of the prompt in which its file stands.
pub const ENDS_FRAME: &str = "ends the part of the prompt in which this file stands";

/// The names that count, for rules about folders that the agent is not started in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstructionNames {
    /// Paths from a folder. The files of one choice are read together; those of later choices are hidden.
    pub choices: Vec<Vec<String>>,
    pub reach: ChoiceReach,
    /// Whether `@PATH` in one of them brings another file along.
    pub has_imports: bool,
    /// Whether a byte order mark at the start of a file is sent.
    pub keeps_mark: bool,
    /// The texts that end the part of the prompt in which the files stand.
    pub frame_ends: &'static [&'static str],
}

/// Where a choice counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChoiceReach {
    /// Each folder has its own.
    #[default]
    Folder,
    /// All folders on the way have the same.
    Way,
}

impl InstructionNames {
    /// The first of some names that is there.
    pub fn first_of<N: Into<String>>(names: impl IntoIterator<Item = N>, reach: ChoiceReach) -> Self {
        let choices = names.into_iter().map(|name| vec![name.into()]).collect();
        Self { choices, reach, ..Self::default() }
    }

    /// Files that are read together, and others that are read if none of the first ones is there.
    pub fn with_imports(choices: &[&[&str]]) -> Self {
        let choices = choices.iter().map(|names| names.iter().map(|name| name.to_string()).collect()).collect();
        Self { choices, reach: ChoiceReach::Way, has_imports: true, ..Self::default() }
    }

    /// Where the part of the prompt in which a file stands would end: the first of each such text.
    pub fn ends_of_frame(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        self.frame_ends.iter().filter_map(move |end| text.find(end).map(|at| at..at + end.len()))
    }

    /// The choice that a path from a folder belongs to; 0 is the first one.
    pub fn choice(&self, name: &str) -> Option<usize> {
        self.choices.iter().position(|names| names.iter().any(|known| known == name))
    }

    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.choices.iter().flatten().map(String::as_str)
    }
}

/// Whether a file of this name is meant to replace the AGENTS.md next to it.
pub fn is_override(name: &str) -> bool {
    name.ends_with("AGENTS.override.md")
}

/// Whether a file of this name is often not meant for agents.
pub fn is_common(name: &str) -> bool {
    name.ends_with("CONTEXT.md")
}
