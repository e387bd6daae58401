//! The borders between the agent's own texts in the message with the lists.

use super::subagents::OWN;
use crate::agents::recording::OwnText;

/// The texts in their order. Others begin where a file's may follow, and are not divided.
const FIRST: [&str; 3] = ["environment", "tools", "agents"];
const LAST: [&str; 4] = ["agents_note", "skills", "skills_builtin", "date"];

/// Divides a text before each entry of a list, and after each list.
pub(in crate::agents::claude_code) fn parts(id: &str, text: &str) -> Vec<OwnText> {
    let Some((first, last)) = id.split_once("..") else { return vec![OwnText::new(id, text)] };
    let agents = OWN.iter().map(|name| format!("agent:{name}"));
    let ids: Vec<String> =
        FIRST.into_iter().map(str::to_string).chain(agents).chain(LAST.into_iter().map(str::to_string)).collect();
    let place = |id: &str| ids.iter().position(|known| known == id);
    let (Some(start), Some(end)) = (place(first), place(last)) else { return vec![OwnText::new(id, text)] };
    let mut parts = Vec::new();
    // Where the last part begins, and what it begins with.
    let (mut at, mut from) = (0, first);
    for next in (start + 1)..=end {
        let Some(border) = border(&ids[next], &text[at..]).filter(|border| *border > 0) else { continue };
        parts.push(OwnText::new(run(from, &ids[next - 1]), &text[at..at + border]));
        (at, from) = (at + border, &ids[next]);
    }
    parts.push(OwnText::new(run(from, last), &text[at..]));
    parts
}

fn run(first: &str, last: &str) -> String {
    if first == last { first.to_string() } else { format!("{first}..{last}") }
}

/// Where the text of an id begins in a text.
fn border(id: &str, text: &str) -> Option<usize> {
    let entry = |entry: &str| match text.starts_with(entry) {
        true => Some(0),
        false => text.find(&format!("\n{entry}")).map(|at| at + 1),
    };
    match id {
        // Behind the entry of the last agent, which is a line.
        "agents_note" if text.starts_with("- ") => text.find('\n').map(|at| at + 1),
        "skills_builtin" => entry("- "),
        "date" => {
            let last = text.rfind("\n- ").map(|at| at + 1).or(text.starts_with("- ").then_some(0))?;
            text[last..].find("\n\n").map(|at| last + at + 2)
        }
        _ => entry(&format!("- {}: ", id.strip_prefix("agent:")?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Here.\n\nAgents:\n- claude: A.\n- Explore: B.\n- general-purpose: C.\n- Plan: D.\n\
                        - statusline-setup: E.\n\nNote.\n\nSkills:\n\n- one: 1\nmore\n- two: 2\n\nToday.\n\nTools.";

    fn shown(id: &str, text: &str) -> Vec<(String, String)> {
        let parts = parts(id, text);
        assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text);
        parts.into_iter().map(|part| (part.id, part.text)).collect()
    }

    #[test]
    fn the_lists_divide_the_text() {
        let expected = [
            ("environment..agents", "Here.\n\nAgents:\n"),
            ("agent:claude", "- claude: A.\n"),
            ("agent:Explore", "- Explore: B.\n"),
            ("agent:general-purpose", "- general-purpose: C.\n"),
            ("agent:Plan", "- Plan: D.\n"),
            ("agent:statusline-setup", "- statusline-setup: E.\n"),
            ("agents_note..skills", "\nNote.\n\nSkills:\n\n"),
            ("skills_builtin", "- one: 1\nmore\n- two: 2\n\n"),
            ("date", "Today.\n\nTools."),
        ];
        assert_eq!(shown("environment..date", TEXT), expected.map(|(id, text)| (id.to_string(), text.to_string())));
        let at = TEXT.find("- one").unwrap();
        let ids: Vec<_> = shown("skills_builtin..date", &TEXT[at..]).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["skills_builtin", "date"]);
    }

    #[test]
    fn a_text_without_borders_stays_whole() {
        assert_eq!(shown("environment..date", "Nothing.").len(), 1);
        assert_eq!(shown("system", TEXT).len(), 1);
        assert_eq!(shown("a..b", TEXT).len(), 1);
    }
}
