//! The lines of subagents.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::pieces::FilePiece;
use super::places::{ListFile, ListKind, Place, PlaceOwner, SLOT, Search};
use crate::agents::claude_code::front_matter::{PARENTHESES, SplitText};
use crate::agents::ecmascript::sort_by_name;
use crate::agents::visit::Visit;
use crate::prompt::{Declared, FileReason, FileState, LayerKind};
use crate::text::{Traced, constant_pattern};

pub(super) const OWN: [&str; 5] = ["claude", "Explore", "general-purpose", "Plan", "statusline-setup"];
const ALL_TOOLS: &str = "*";

pub(super) enum SubagentLine {
    /// A subagent of the package.
    Own(&'static str),
    File(FilePiece),
}

/// All lines in their order; files without one get their states.
pub(super) fn find(visit: &mut Visit<'_>, search: &mut Search<'_>) -> Vec<SubagentLine> {
    let mut pieces: HashMap<String, FilePiece> = HashMap::new();
    for place in in_order(search.places(visit, ListKind::Subagents)) {
        let mut files = search.files(visit, &place);
        // In one place the last file counts.
        files.sort_by(|a, b| b.path.encode_utf16().cmp(a.path.encode_utf16()));
        for file in files {
            let Some(piece) = read(visit, &place, file) else { continue };
            match pieces.get(&piece.name) {
                Some(winner) => {
                    let by = Declared { by: winner.path.clone(), span: winner.text.span() };
                    visit.left_out(SLOT, &piece.path, FileReason::Shadowed, Some(by));
                }
                None => drop(pieces.insert(piece.name.clone(), piece)),
            }
        }
    }
    let own = OWN.into_iter().filter(|name| !pieces.contains_key(*name));
    let mut lines: Vec<(String, SubagentLine)> = own.map(|name| (name.to_string(), SubagentLine::Own(name))).collect();
    lines.extend(pieces.into_iter().map(|(name, piece)| (name, SubagentLine::File(piece))));
    // Names that compare as equal have a fixed order, too.
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    sort_by_name(&mut lines, |(name, _)| name);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The places whose files win come first: the project's, the further ones from the last on, the user's.
fn in_order(places: Vec<Place>) -> Vec<Place> {
    let (added, mut places): (Vec<_>, Vec<_>) =
        places.into_iter().partition(|place| matches!(place.owner, PlaceOwner::Added(_)));
    places.rotate_left(1);
    let user = places.pop();
    places.extend(added.into_iter().rev().chain(user));
    places
}

fn read(visit: &mut Visit<'_>, place: &Place, file: ListFile) -> Option<FilePiece> {
    let front = SplitText::read(&place.read(visit, &file.path)?);
    let text = |key: &str| front.text(key).filter(|text| !text.is_empty());
    let [name, description] = ["name", "description"].map(|key| text(key).ok_or(key));
    let (name, description) = match (name, description) {
        (Ok(name), Ok(description)) => (name, description),
        (Err(key), _) | (_, Err(key)) => {
            let reason = format!("has no `{key}` that is text");
            visit.invalid(SLOT, &file.path, reason, Some(front.block.clone()));
            return None;
        }
    };
    static BREAK: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"\\n"));
    let mut line = Traced::protocol("- ");
    line.push(&name).push_protocol(": ").push(&description.replace_all(&BREAK, |_| "\n"));
    line.push_protocol(" (Tools: ").push(&tools(&front)).push_protocol(")\n");
    let state = Some((FileState::Listed, None));
    Some(FilePiece { path: file.path, kind: LayerKind::Skill, name: name.text().to_string(), text: line, state })
}

/// What the line says of the tools.
fn tools(front: &SplitText) -> Traced {
    let texts = |key| front.texts(key, PARENTHESES).unwrap_or_default();
    let (mut tools, refused) = (texts("tools"), texts("disallowedTools"));
    let has_all = tools.is_empty() || tools.iter().any(|tool| tool.text() == ALL_TOOLS);
    if !has_all {
        let refused: HashSet<&str> = refused.iter().map(Traced::text).collect();
        tools.retain(|tool| !refused.contains(tool.text()));
        return Traced::join(&tools, ", ");
    }
    let mut text = Traced::protocol("All tools");
    if !refused.is_empty() {
        text.push_protocol(" except ").push(&Traced::join(&refused, ", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    #[test]
    fn the_tools_of_a_subagent() {
        for (keys, expected) in [
            ("", "All tools"),
            ("tools: Read, Grep", "Read, Grep"),
            ("tools: [Read, 'Bash(a, b)']", "Read, Bash(a, b)"),
            ("tools: '*'", "All tools"),
            ("tools: []", "All tools"),
            ("disallowedTools: Bash, Edit", "All tools except Bash, Edit"),
            ("tools: Read, Bash\ndisallowedTools: [Bash]", "Read"),
        ] {
            let text = format!("---\n{keys}\n---\n");
            let source = Source::read_raw(None, "cwd".into(), "/a.md", text.as_bytes());
            assert_eq!(tools(&SplitText::read(&source.whole())).text(), expected, "{keys}");
        }
    }
}
