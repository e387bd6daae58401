//! What was recorded of an agent's own text.

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Problem};

/// The own text of one release, as it was sent in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    pub agent: String,
    pub version: String,
    /// The day; `None` for a request that is not kept.
    pub date: Option<String>,
    /// The working folder of the agent.
    pub folder: String,
    /// In the order of the request.
    pub texts: Vec<OwnText>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnText {
    /// `FIRST..LAST` for several texts whose borders are unknown.
    pub id: String,
    pub text: String,
}

impl OwnText {
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into() }
    }
}

impl Recording {
    pub fn new(agent: &str, version: &str, folder: &str) -> Self {
        let [agent, version, folder] = [agent, version, folder].map(str::to_string);
        Self { agent, version, date: None, folder, texts: Vec::new() }
    }

    /// With the texts of an earlier recording that this one lacks. One that has others stays as it is, since the order of
    /// all texts is not known then.
    pub fn completed(mut self, earlier: &Self) -> Self {
        let mut new = self.texts.clone();
        let mut all = Vec::new();
        for OwnText { id, text } in &earlier.texts {
            all.push(match new.iter().position(|text| text.id == *id) {
                Some(at) => new.remove(at),
                None => OwnText::new(id, moved(text, &earlier.folder, &self.folder)),
            });
        }
        if new.is_empty() {
            self.texts = all;
        }
        self
    }

    /// When and where the texts were recorded.
    pub fn note(&self) -> Option<Diagnostic> {
        let Self { agent, version, date, folder, .. } = self;
        let (date, folder) = (date.clone()?, folder.clone());
        let release = format!("{agent} {version}");
        Some(Diagnostic::new(Problem::OwnTextRecorded { release, date, folder }))
    }

    /// In how many messages of its own a text was sent.
    pub fn count(&self, id: &str) -> usize {
        self.texts.iter().filter(|text| text.id == id).count()
    }

    /// The text of an id, or of a run of them, in a folder. The search starts at `next`, which then is the place behind
    /// the text.
    pub fn text(&self, id: &str, folder: &str, next: &mut usize) -> Option<String> {
        let (first, last) = ends(id);
        let starts = (*next..self.texts.len()).chain(0..*next).filter(|at| ends(&self.texts[*at].id).0 == first);
        let mut runs = starts.filter_map(|start| {
            let length = self.texts[start..].iter().position(|text| ends(&text.id).1 == last)?;
            Some(start..start + length + 1)
        });
        let run = runs.next()?;
        *next = run.end;
        let text: String = self.texts[run].iter().map(|text| text.text.as_str()).collect();
        Some(moved(&text, &self.folder, folder))
    }
}

/// The first and the last id of what `id` names.
pub fn ends(id: &str) -> (&str, &str) {
    id.split_once("..").unwrap_or((id, id))
}

/// The text with another folder in the place of the one that it names.
fn moved(text: &str, from: &str, to: &str) -> String {
    if from == to || from.len() < 2 {
        return text.to_string();
    }
    let in_path = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "._-~/".contains(c));
    let mut moved = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(from) {
        // A sentence may end behind a path.
        let after = text[at + from.len()..].trim_start_matches('.').chars().next();
        if !in_path(text[..at].chars().next_back()) && !in_path(after) {
            moved.push_str(&text[done..at]);
            moved.push_str(to);
            done = at + from.len();
        }
    }
    moved + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(texts: &[(&str, &str)]) -> Recording {
        let texts = texts.iter().map(|(id, text)| OwnText::new(*id, *text)).collect();
        Recording { texts, ..Recording::new("a", "1.0.0", "/code/app") }
    }

    #[test]
    fn neighbours_make_a_run() {
        let recording = recording(&[("a..c", "A"), ("d", "D"), ("e..g", "E"), ("x", "1"), ("x", "2")]);
        let text = |id: &str| recording.text(id, "/code/app", &mut 0);
        assert_eq!(text("a..g").unwrap(), "ADE");
        assert_eq!(text("d").unwrap(), "D");
        assert_eq!((text("b"), text("a..b"), text("g..a")), (None, None, None), "borders are unknown");
        let mut next = 0;
        let again: Vec<_> = (0..3).filter_map(|_| recording.text("x", "/code/app", &mut next)).collect();
        assert_eq!((again, recording.count("x")), (["1", "2", "1"].map(str::to_string).to_vec(), 2));
    }

    #[test]
    fn a_part_of_the_texts_completes_an_earlier_recording() {
        let earlier = recording(&[("a", "A in /code/app"), ("x", "1"), ("x", "2"), ("z", "Z")]);
        let part = Recording { folder: "/b".to_string(), ..recording(&[("x", "3"), ("z", "Z")]) };
        let whole = part.completed(&earlier);
        let expected = recording(&[("a", "A in /b"), ("x", "3"), ("x", "2"), ("z", "Z")]);
        assert_eq!((whole.folder.as_str(), whole.texts), ("/b", expected.texts));
        let other = recording(&[("y", "Y"), ("z", "Z")]);
        assert_eq!(other.clone().completed(&earlier), other);
    }

    #[test]
    fn the_folder_is_that_of_the_view() {
        let text = "in /code/app.\n<cwd>/code/app</cwd> /code/app/x /code/apps a/code/app";
        let recording = recording(&[("a", text)]);
        let moved = "in /b.\n<cwd>/b</cwd> /code/app/x /code/apps a/code/app";
        assert_eq!(recording.text("a", "/b", &mut 0).unwrap(), moved);
    }
}
