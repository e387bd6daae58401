//! Details of problems that need more than a field, and phrases that several sentences use.

use crate::text::numbers::count;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TierFault {
    WithoutAi,
    IsAi,
    Unreadable(String),
}

impl TierFault {
    /// The fault, and what to do.
    pub(super) fn words(&self) -> (&str, &str) {
        match self {
            Self::WithoutAi => ("it has no .ai folder", "name a folder that has one"),
            Self::IsAi => ("it is the .ai folder itself", "name the folder that holds .ai"),
            Self::Unreadable(reason) => (reason, "check that it exists and that you have permission to read it"),
        }
    }
}

/// A step of an extends chain, leaf first.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainLink {
    pub id: String,
    pub tier: String,
    /// `path:line` of the attribute or hook that names the next step.
    pub place: String,
}

impl ChainLink {
    /// The end of a chain that is circular or broken.
    pub fn end(id: &str) -> Self {
        Self { id: id.to_string(), tier: String::new(), place: String::new() }
    }
}

/// Why a file has no usable `xml` (or `yaml`) block. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoXmlBlock {
    Absent,
    /// The file has no fence and is named like a file for people, such as a README.
    ForPeople,
    /// A line almost opens a block; the fault is a clause: `it is indented`.
    Almost {
        line: usize,
        fault: &'static str,
    },
    NeverClosed {
        line: usize,
    },
    /// The fence is inside a longer one, which begins on line `by`.
    Hidden {
        line: usize,
        by: usize,
    },
    /// A byte order mark precedes a fence on the first line.
    ByteOrderMark,
}

impl NoXmlBlock {
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Absent => {
                "no xml block: a directive needs a line ```xml, a <directive> element, and a line ```".into()
            }
            Self::ForPeople => "no xml block: every file in this folder is read as a directive".into(),
            Self::Almost { line, fault } => format!("no xml block: line {line} does not open one, because {fault}"),
            Self::NeverClosed { line } => format!("the xml block on line {line} is never closed"),
            Self::Hidden { line, by } => {
                format!("the xml block on line {line} is hidden by the longer fence on line {by}")
            }
            Self::ByteOrderMark => "no xml block: a byte order mark precedes the fence on the first line".into(),
        }
    }

    pub(super) fn help(&self) -> &'static str {
        match self {
            Self::Absent => "add the block, or check that its backticks begin the line",
            Self::ForPeople => {
                "if it is not a directive, exclude it from `lint` with `exclude` in the settings or --exclude"
            }
            Self::Almost { .. } => "write ```xml alone on the line, without indentation; a line ``` closes the block",
            Self::NeverClosed { .. } => "close it with a line of three backticks",
            Self::Hidden { .. } => {
                "remove the outer fence or its info string; even a closed one hides all later blocks"
            }
            Self::ByteOrderMark => "save the file as UTF-8 without a byte order mark",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputProblems {
    pub missing: Vec<String>,
    /// Undeclared inputs, each with the nearest declared name.
    pub unknown: Vec<(String, Option<String>)>,
    /// The declared inputs, as `name` or `name (required)`.
    pub valid: Vec<String>,
}

impl InputProblems {
    pub(super) fn sentence(&self) -> String {
        let unknown: Vec<_> = self.unknown.iter().map(|(name, _)| name).collect();
        let missing = (!self.missing.is_empty()).then(|| format!("missing required input: {}", list(&self.missing)));
        let unknown = (!unknown.is_empty()).then(|| format!("unknown input: {}", list(&unknown)));
        missing.into_iter().chain(unknown).collect::<Vec<_>>().join("; ")
    }

    pub(super) fn help(&self) -> String {
        let nearest = |(name, nearest): &(String, Option<String>)| {
            nearest.as_ref().map(|nearest| format!("`{name}`: did you mean `{nearest}`?"))
        };
        let mut help: Vec<String> = self.unknown.iter().filter_map(nearest).collect();
        let the = if help.is_empty() { "the" } else { "The" };
        help.push(format!("{the} directive takes: {}", list(&self.valid)));
        let missing = "; give a value with --input NAME=VALUE, or show {input:NAME} with --placeholders";
        help.join(" ") + if self.missing.is_empty() { "" } else { missing }
    }
}

/// Joined by commas; `none` for an empty list.
pub(super) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => "none".to_string(),
        _ => items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "),
    }
}

/// `a extends itself through b, c, d and 2 more`.
pub(super) fn cycle(chain: &[ChainLink]) -> String {
    const MOST_NAMED: usize = 3;
    let Some((last, before)) = chain.split_last() else { return "a directive extends itself".to_string() };
    let between = before.iter().skip_while(|link| link.id != last.id).skip(1);
    let ids: Vec<&str> = between.map(|link| link.id.as_str()).collect();
    let through = if ids.is_empty() { "" } else { " through " };
    let named = ids[..ids.len().min(MOST_NAMED)].join(", ");
    let more = match ids.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} extends itself{through}{named}{more}", last.id)
}

/// One line per directive, each with the place that names the next.
pub(super) fn chain_lines(chain: &[ChainLink]) -> Vec<String> {
    let width = chain.iter().map(|link| link.id.chars().count()).max().unwrap_or(0);
    let line = |(index, ChainLink { id, tier, place }): (usize, &ChainLink)| {
        let arrow = if index == 0 { "  " } else { "→ " };
        let is_repeated = index + 1 == chain.len() && chain[..index].iter().any(|earlier| earlier.id == *id);
        let place = match place.as_str() {
            "" if is_repeated => "(again)".to_string(),
            "" => "(not found)".to_string(),
            place => format!("{tier} {place}"),
        };
        format!("  {arrow}{id:width$}  {place}")
    };
    chain.iter().enumerate().map(line).collect()
}

/// `shortens 2 descriptions and leaves out 1 skill`, without what did not happen.
pub(super) fn shortened_or_dropped(shortened: usize, dropped: usize) -> String {
    let parts = [("shortens", shortened, "description"), ("leaves out", dropped, "skill")];
    let parts = parts.into_iter().filter(|(_, number, _)| *number > 0);
    parts.map(|(verb, number, unit)| format!("{verb} {}", count(number, unit))).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_cut_says_what_happened() {
        assert_eq!(shortened_or_dropped(2, 1), "shortens 2 descriptions and leaves out 1 skill");
        assert_eq!(shortened_or_dropped(1, 0), "shortens 1 description");
        assert_eq!(shortened_or_dropped(0, 3), "leaves out 3 skills");
    }
}
