//! The page of a rule, for a terminal and for `docs/rules/`. Both say what stands in its [`Rule`], and nothing else.

mod markdown;
#[cfg(test)]
mod tests;
mod text;

use super::rule::{Example, FixKind, Level, Rule, Status};

pub use markdown::{index, markdown};
pub use text::{list, text};

/// What `--fix` does about a rule, in words.
fn fix(rule: &Rule) -> &'static str {
    match rule.fix {
        FixKind::None => "no",
        FixKind::SamePrompt => "yes, the prompt stays the same",
        FixKind::ChangesPrompt => "yes, which changes the prompt",
    }
}

fn level(rule: &Rule) -> &'static str {
    match rule.level {
        Level::Off => "off unless selected",
        level => level.into_str(),
    }
}

fn since(rule: &Rule) -> &'static str {
    match rule.status {
        Status::Stable { since } => since,
    }
}

/// Half a sentence as a whole one.
fn sentence(text: &str) -> String {
    with_full_stop(&capitalised(text))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    first + chars.as_str()
}

fn with_full_stop(text: &str) -> String {
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{text}{end}")
}

/// The files of an example: the name of each, with its tier where that is not the project, and its text without the
/// line end of its last line.
fn files(example: Example) -> impl Iterator<Item = (String, &'static str)> {
    let text = example.0.strip_prefix(Example::ALONE).unwrap_or(example.0);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let parts = text.strip_prefix("=== ").unwrap_or(text).split("\n=== ");
    parts.map(|part| {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        let name = match name.split_once(':') {
            Some((tier @ ("user" | "system"), path)) => format!("{tier} {path}"),
            _ => name.to_string(),
        };
        (name, text)
    })
}

/// What the good example has that the bad one has not, and the other way round.
struct Changed {
    /// The files that are new or hold something else.
    files: Vec<(String, &'static str)>,
    /// The names of those that are the same.
    same: Vec<String>,
    /// The names of those that are gone.
    gone: Vec<String>,
}

fn changed(rule: &Rule) -> Changed {
    let [bad, good] = [rule.bad, rule.good].map(|example| files(example).collect::<Vec<_>>());
    let is_gone = |(name, _): &(String, &str)| good.iter().all(|(other, _)| other != name);
    let gone = bad.iter().filter(|file| is_gone(file)).map(|(name, _)| name.clone()).collect();
    let (same, files): (Vec<_>, Vec<_>) = good.into_iter().partition(|file| bad.contains(file));
    Changed { files, same: same.into_iter().map(|(name, _)| name).collect(), gone }
}
