use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use rayon::prelude::*;

use super::{ContextFile, FolderContext, Folders, ReaderSet};
use crate::lint::fences::Fences;
use crate::lint::project::Project;
use crate::read::limits::GUIDELINE_BYTES;
use crate::text::{Source, Span};

/// The maximum number of findings per file for each guideline rule; the last finding says how many are omitted.
pub const MOST_REPORTED: usize = 200;

pub fn omitted_note(all: usize, index: usize) -> String {
    match all.checked_sub(MOST_REPORTED) {
        Some(more @ 1..) if index + 1 == MOST_REPORTED => format!("; {more} more in this file"),
        _ => String::new(),
    }
}

/// A line of an instruction file, or a list item with its continuation lines.
#[derive(Debug, Clone)]
pub struct Guideline {
    /// Without a list marker.
    pub at: Span,
    /// Lower case, without punctuation around words.
    pub words: String,
    /// `words` without negations, prefixed with `+`, or with `-` if negated.
    pub meant: String,
}

#[derive(Debug, Clone, Copy)]
pub struct FileGuidelines<'f> {
    pub place: GuidelinePlace<'f>,
    /// Those who read the file when started in its folder.
    pub readers: ReaderSet,
    pub guidelines: &'f [Guideline],
}

#[derive(Debug, Clone, Copy)]
pub enum GuidelinePlace<'f> {
    /// They apply to all folders.
    Outside(ReaderSet),
    In(&'f FolderContext, &'f ContextFile),
}

impl Guideline {
    /// The `meant` of a guideline that contradicts this one.
    pub fn opposite(&self) -> String {
        match self.meant.strip_prefix('-') {
            Some(words) => format!("+{words}"),
            None => format!("-{}", &self.meant[1..]),
        }
    }

    pub fn count(&self) -> usize {
        self.words.split_whitespace().count()
    }

    pub fn count_meant(&self) -> usize {
        self.meant[1..].split_whitespace().count()
    }
}

impl Folders {
    /// The guidelines of all files that agents read, parents before the folders below them.
    pub fn guidelines(&self, project: &Project<'_>) -> impl Iterator<Item = FileGuidelines<'_>> {
        // Not in `get_or_init`: a thread that waits for others takes up another rule meanwhile, which may ask for the same.
        if self.guidelines.get().is_none() {
            let outside = self.outside.iter().map(|(source, _)| Some(source));
            let inside = self.files().map(|(_, file)| project.files[file.index].source.as_ref());
            let all: Vec<Option<&Arc<Source>>> = outside.chain(inside).collect();
            let read = all.into_par_iter().map(|source| source.map(read).unwrap_or_default()).collect();
            // Another thread may have been faster, with the same result.
            drop(self.guidelines.set(read));
        }
        let read = self.guidelines.get().into_iter().flatten();
        let outside = self.outside.iter().map(|(_, readers)| (GuidelinePlace::Outside(*readers), *readers));
        let inside = self.files().map(|(folder, file)| (GuidelinePlace::In(folder, file), folder.readers(file)));
        let read = outside.chain(inside).zip(read);
        read.map(|((place, readers), guidelines)| FileGuidelines { place, readers, guidelines })
    }

    fn files(&self) -> impl Iterator<Item = (&FolderContext, &ContextFile)> {
        self.context.iter().flat_map(|folder| folder.files.iter().map(move |file| (folder, file)))
    }

    /// Those who read two files together, the second of which is in the same folder or above.
    pub fn readers_of_both(&self, file: &FileGuidelines<'_>, other: GuidelinePlace<'_>) -> ReaderSet {
        match (file.place, other) {
            (GuidelinePlace::In(folder, own), GuidelinePlace::In(above, other)) => {
                folder.readers_of_both(own, (above, other), &self.readers)
            }
            (_, GuidelinePlace::Outside(readers)) => file.readers.and(readers),
            (GuidelinePlace::Outside(_), GuidelinePlace::In(..)) => ReaderSet::default(),
        }
    }
}

/// Values that apply to the current folder of a walk, by key. Entering a folder drops those that do
/// not apply there, so that a walk takes time linear in the size of the files.
pub struct ApplicableGuidelines<'f, T> {
    open: Vec<(&'f FolderContext, Vec<&'f str>)>,
    known: HashMap<&'f str, Vec<T>>,
}

impl<T> Default for ApplicableGuidelines<'_, T> {
    fn default() -> Self {
        Self { open: Vec::new(), known: HashMap::new() }
    }
}

impl<'f, T> ApplicableGuidelines<'f, T> {
    pub fn enter(&mut self, place: GuidelinePlace<'f>) {
        let GuidelinePlace::In(folder, _) = place else { return };
        if self.open.last().is_some_and(|(open, _)| open.folder == folder.folder) {
            return;
        }
        while let Some((_, keys)) = self.open.pop_if(|(open, _)| !open.holds(&folder.folder)) {
            for key in keys {
                if let Some(all) = self.known.get_mut(key) {
                    all.pop();
                }
            }
        }
        self.open.push((folder, Vec::new()));
    }

    /// The first value that counts.
    pub fn first<U>(&self, key: &str, counts: impl Fn(&T) -> Option<U>) -> Option<U> {
        self.known.get(key)?.iter().find_map(counts)
    }

    /// Records a value for the folder entered last.
    pub fn keep(&mut self, key: &'f str, what: T) {
        self.known.entry(key).or_default().push(what);
        if let Some((_, keys)) = self.open.last_mut() {
            keys.push(key);
        }
    }
}

/// Skips headings, tables, code and comments.
fn read(source: &Arc<Source>) -> Vec<Guideline> {
    let mut found: Vec<Span> = Vec::new();
    let (mut fences, mut is_comment) = (Fences::default(), false);
    let mut item = None;
    let last_end = source.text().rfind("-->");
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        let indentation = line.len() - line.trim_start().len();
        if is_comment || !fences.is_open() && trimmed.starts_with("<!--") {
            is_comment = !trimmed.contains("-->");
            continue;
        }
        if fences.holds(line) || trimmed.is_empty() || is_no_guideline(trimmed) {
            item = None;
            continue;
        }
        let end;
        (end, is_comment) = match opened_comment(line).filter(|_| last_end >= Some(at)) {
            Some(open) => (start + line[..open].trim_end().len(), true),
            None => (start + without_comment(line).len(), false),
        };
        let begun = start + indentation;
        match marker(trimmed) {
            // The item contains only a comment.
            Some(length) if begun + length >= end => item = None,
            Some(length) => {
                item = Some(indentation);
                found.push(source.span(begun + length..end));
            }
            None if item.is_some_and(|item| indentation > item) => {
                if let Some(last) = found.pop() {
                    found.push(source.span(last.range().start..end));
                }
            }
            // Indented code, outside of a list.
            None if indentation >= 4 => item = None,
            None => {
                item = None;
                found.push(source.span(begun..end));
            }
        }
    }
    found.into_iter().filter(|span| span.range().len() <= GUIDELINE_BYTES).filter_map(guideline).collect()
}

/// Removes a comment, such as an allowance, from the end of a line.
fn without_comment(line: &str) -> &str {
    let line = line.trim_end();
    match line.find("<!--") {
        Some(open) if line.ends_with("-->") => line[..open].trim_end(),
        _ => line,
    }
}

/// The start of a comment that continues on the next line, unless it is in code.
fn opened_comment(line: &str) -> Option<usize> {
    let open = line.rfind("<!--")?;
    let is_code = line[..open].matches('`').count() % 2 == 1;
    (!is_code && !line[open..].contains("-->")).then_some(open)
}

/// Headings, tables, horizontal rules and imports.
fn is_no_guideline(line: &str) -> bool {
    line.starts_with(['#', '|', '@', '<']) || line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | ' '))
}

/// The length of a list marker, including a task checkbox.
fn marker(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+', '>', '•'])?,
        1..10 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    let text = rest.trim_start();
    let text = ["[ ]", "[x]", "[X]"].into_iter().find_map(|task| text.strip_prefix(task)).unwrap_or(text).trim_start();
    (rest.starts_with([' ', '\t']) && !text.is_empty()).then(|| line.len() - text.len())
}

fn guideline(at: Span) -> Option<Guideline> {
    // A line that ends with a colon only introduces the lines after it.
    if at.text().ends_with(':') {
        return None;
    }
    let words: Vec<String> = at.text().split_whitespace().map(word).filter(|word| !word.is_empty()).collect();
    let (mut is_negated, mut meant) = (false, Vec::new());
    for (word, next) in words.iter().zip(words.iter().skip(1).map(Some).chain(iter::once(None))) {
        let is_before_negation = next.is_some_and(|next| next == "not" || next == "never");
        match word.as_str() {
            "not" | "never" | "don't" | "dont" => is_negated = !is_negated,
            "do" | "does" if is_before_negation => {}
            "always" | "please" => {}
            "cannot" => {
                is_negated = !is_negated;
                meant.push("can");
            }
            word => match word.strip_suffix("n't").filter(|word| CONTRACTED.contains(word)) {
                Some(word) => {
                    is_negated = !is_negated;
                    meant.push(if word == "ca" { "can" } else { word });
                }
                None => meant.push(word),
            },
        }
    }
    let meant = format!("{}{}", if is_negated { '-' } else { '+' }, meant.join(" "));
    Some(Guideline { at, words: words.join(" "), meant })
}

const CONTRACTED: [&str; 6] = ["must", "should", "is", "are", "ca", "need"];

fn word(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~' | '$' | '<' | '>'));
    word.to_lowercase().replace('\u{2019}', "'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Vec<Guideline> {
        read(&Source::read("project".into(), "AGENTS.md", text.as_bytes().to_vec()).unwrap())
    }

    fn words(text: &str) -> Vec<String> {
        of(text).into_iter().map(|it| it.words).collect()
    }

    #[test]
    fn lines_and_items_are_guidelines() {
        let text = "# App\n\nUse *tabs*.\nRun `make`.\n\n1. One\n   and more,\n   and more.\n2) Two\n* [ ] Three\n\n    code\n";
        assert_eq!(words(text), ["use tabs", "run make", "one and more and more", "two", "three"]);
        let text = "Do this:\n```\n- no\n~~~\n```\n<!-- no\nno -->\n| a | b |\n---\n@other.md\n- yes\n";
        assert_eq!(words(text), ["yes"]);
        assert_eq!(words("````\n- no\n```\n- no\n````\n- yes\n~~~ sh\n- no\n~~~ sh\n- no\n"), ["yes"]);
        assert_eq!(words("- One <!-- let be -->\n- <!-- two -->\n* Three\n"), ["one", "three"]);
        let text =
            "- One <!-- let\n  be -->\n- Two\nThree <!--\n- no\n--> no\n- Four\n- `<!--` five\n- Six <!-- no end\n";
        assert_eq!(words(text), ["one", "two", "three", "four", "< five", "six < no end"]);
        let long = |bytes: usize| format!("- {}\n- Two\n", "a".repeat(bytes));
        assert_eq!(
            (words(&long(GUIDELINE_BYTES)).len(), words(&long(GUIDELINE_BYTES + 1))),
            (2, vec!["two".to_string()])
        );
        assert_eq!(words("> Be kind.\n- \n-x\n1.2 is old\n"), ["be kind", "x", "1.2 is old"]);
    }

    #[test]
    fn negations_are_separated_from_the_meaning() {
        let meant = |text: &str| of(text).remove(0).meant;
        for (one, other) in [
            ("Always run the tests.", "Never run the tests"),
            ("Use tabs", "- Do not use tabs."),
            ("Use tabs", "Don\u{2019}t use tabs!"),
            ("You must commit", "You mustn't commit"),
            ("You can push", "You cannot **push**"),
            ("Please use tabs", "use tabs never"),
        ] {
            let (one, other) = (of(one).remove(0), of(other).remove(0));
            assert_eq!((one.meant.as_str(), one.opposite()), (&*other.opposite(), other.meant.clone()));
            assert!(one.meant.starts_with('+') && other.meant.starts_with('-'));
        }
        assert_eq!(meant("Not that you never do"), "+that you do");
        assert_eq!(meant("Use spaces"), "+use spaces");
    }

    #[test]
    fn values_are_dropped_outside_of_their_folder() {
        let folder = |name: &str| FolderContext { folder: name.to_string(), files: Vec::new(), choices: Vec::new() };
        let file = ContextFile::default();
        let any = |value: &i32| Some(*value);
        let [root, a, below, beside] = ["", "a", "a/b", "ab"].map(folder);
        let mut applying = ApplicableGuidelines::default();
        applying.keep("all", 0);
        for (folder, key) in [(&root, "root"), (&a, "a"), (&below, "b")] {
            applying.enter(GuidelinePlace::In(folder, &file));
            applying.keep(key, 1);
            applying.keep("all", 2);
        }
        assert_eq!(
            (applying.first("a", any), applying.first("root", any), applying.first("all", any)),
            (Some(1), Some(1), Some(0))
        );
        applying.enter(GuidelinePlace::In(&beside, &file));
        assert_eq!(
            (applying.first("a", any), applying.first("b", any), applying.first("root", any)),
            (None, None, Some(1))
        );
    }

    proptest! {
        #[test]
        fn guidelines_of_any_text_are_well_formed(text in "([-*+>#|@ \t\n\r`~!\\[\\]x0-9.)a-zé:]|<!--|-->|not |do |\n- ){0,60}") {
            for guideline in of(&text) {
                prop_assert!(!guideline.at.text().is_empty());
                prop_assert_eq!(guideline.opposite().len(), guideline.meant.len());
            }
        }
    }
}
