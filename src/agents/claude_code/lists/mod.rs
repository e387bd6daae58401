//! The message with the lists: skills and commands, subagents, and the output style.

mod description;
mod joins;
mod own_text;
mod pieces;
mod places;
mod skill;
mod skills;
mod styles;
mod subagents;
#[cfg(test)]
mod tests;

use super::folders::DecidingFolders;
use super::settings::OwnedSettings;
use crate::agents::visit::Visit;

use pieces::Pieces;
use places::Search;
use styles::Style;
use subagents::SubagentLine;

pub(super) use joins::Joins;
pub(super) use own_text::parts;

/// Writes the message, if a file has a part in it, and returns what may join later.
pub(super) fn write<'a>(visit: &mut Visit<'_>, folders: &'a DecidingFolders, settings: &OwnedSettings) -> Joins<'a> {
    let mut search = Search::new(folders);
    let style = styles::find(visit, &mut search, settings);
    let subagents = subagents::find(visit, &mut search);
    let skills = skills::find(visit, &mut search);
    search.mark_unread(visit);
    let (listed, added) = skills.lines(visit);
    let mut pieces = Pieces::default();
    let is_style_first = visit.since("2.1.307");
    pieces.own("environment");
    pieces.add(style.as_ref().filter(|_| is_style_first).map(Style::text));
    pieces.own("tools");
    pieces.add(style.as_ref().filter(|_| !is_style_first).map(Style::text));
    pieces.own("agents");
    for line in subagents {
        match line {
            SubagentLine::Own(name) => pieces.own(&format!("agent:{name}")),
            SubagentLine::File(piece) => pieces.add([piece]),
        }
    }
    pieces.own("agents_note");
    pieces.own("skills");
    pieces.add(listed);
    pieces.own("skills_builtin");
    if !added.is_empty() {
        pieces.add(added);
        pieces.own("skills_builtin");
    }
    if let Some(style) = &style {
        pieces.add([style.reminder()]);
        pieces.own("output_style_reminder");
    }
    pieces.own("date");
    pieces.write(visit);
    Joins::new(search, skills)
}
