use crate::read::item::{Directive, IgnoredIn, IgnoredPart};

use super::misplaced;

/// Tags of notes for people, which may be anywhere.
const NOTES: [&str; 11] = [
    "author",
    "changelog",
    "changes",
    "comment",
    "comments",
    "copyright",
    "history",
    "license",
    "note",
    "notes",
    "todo",
];

/// Tags of steps in directives of the documented system.
const STEPS: [&str; 9] =
    ["process", "step", "steps", "instruction", "instructions", "prompt", "body", "task", "success_criteria"];

pub fn check(part: &IgnoredPart) -> Option<String> {
    if !is_step(part) {
        return None;
    }
    let what = match (part.tag.as_str(), part.within) {
        ("", _) => "text".to_string(),
        (tag, IgnoredIn::Root) => format!("<{tag}>"),
        (tag, _) => format!("<{tag}> in <metadata>"),
    };
    Some(format!("{what} inside the xml block never reaches the model"))
}

pub(super) fn has_any(directive: &Directive) -> bool {
    directive.unread.iter().any(is_step)
}

fn is_step(part: &IgnoredPart) -> bool {
    if part.is_repeated || !part.has_content {
        return false;
    }
    let tag = part.tag.as_str();
    match part.within {
        IgnoredIn::Root => !NOTES.contains(&tag) && misplaced::of(part).is_none(),
        IgnoredIn::Metadata => STEPS.contains(&tag) || part.has_steps,
        IgnoredIn::Limits | IgnoredIn::Description | IgnoredIn::Output | IgnoredIn::Model => false,
    }
}
