use std::ffi::{OsStr, OsString};

/// The words of an unfinished command line.
#[derive(Debug, PartialEq, Eq)]
pub struct WordList {
    /// The program's name first.
    pub words: Vec<OsString>,
    /// The index of the word to complete.
    pub current: usize,
    /// The start of that word, if the shell treats it as a separate word and does not replace it.
    pub kept: String,
}

impl WordList {
    /// `index` refers to the word to complete, which may be missing if it is empty.
    pub fn new(index: &OsStr, words: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let current: usize = index.to_str()?.parse().ok()?;
        let mut words: Vec<_> = words.into_iter().collect();
        match words.len() {
            length if length == current => words.push(OsString::new()),
            length if length < current => return None,
            _ => {}
        }
        (current > 0).then_some(Self { words, current, kept: String::new() })
    }

    /// Joins words that bash splits at `=`, `:` and `@`. `line` is the command line up to the cursor.
    ///
    /// Words without a space between them in the line are one word.
    pub fn joined(self, line: &str) -> Self {
        let mut joined = Self { words: Vec::new(), current: self.current, kept: String::new() };
        let mut rest = line;
        for (index, word) in self.words.into_iter().enumerate() {
            let after_blanks = rest.trim_start();
            let is_part = index > 0 && !rest.is_empty() && after_blanks.len() == rest.len();
            let text = word.to_string_lossy().into_owned();
            // The line ends at the cursor, within the word to complete.
            let here = if index == self.current { after_blanks } else { &text };
            rest = after_blanks.strip_prefix(here).unwrap_or_default();
            if index > self.current {
                joined.words.push(word);
                continue;
            }
            let kept = match joined.words.last_mut().filter(|_| is_part) {
                Some(last) => {
                    let kept = last.to_string_lossy().into_owned();
                    last.push(here);
                    kept
                }
                None => {
                    joined.words.push(here.into());
                    String::new()
                }
            };
            if index == self.current {
                // An empty word begins after a separator.
                let splits = !here.is_empty() && here.chars().all(|c| matches!(c, '=' | ':' | '@'));
                joined.kept = if splits { kept + here } else { kept };
                joined.current = joined.words.len() - 1;
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(index: &str, words: &[&str]) -> Option<WordList> {
        WordList::new(OsStr::new(index), words.iter().map(OsString::from))
    }

    fn joined(line: &str, parts: &[&str]) -> (Vec<String>, usize, String) {
        let index = (parts.len() - 1).to_string();
        let WordList { words, current, kept } = words(&index, parts).unwrap().joined(line);
        (words.iter().map(|word| word.to_string_lossy().into_owned()).collect(), current, kept)
    }

    fn all(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_empty_last_word_may_be_missing() {
        assert_eq!(words("2", &["r", "render"]).unwrap().words.len(), 3);
        assert_eq!(words("3", &["r", "render"]), None);
        assert_eq!(words("0", &["r"]), None);
        assert_eq!(words("x", &["r"]), None);
    }

    #[test]
    fn words_that_bash_splits_are_joined() {
        let (words, current, kept) = joined("r --protocol=ry", &["r", "--protocol", "=", "ry"]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "--protocol=ry"]), 1, "--protocol="));
        let (words, current, kept) = joined("r -i a=b --protocol=", &["r", "-i", "a", "=", "b", "--protocol", "="]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "-i", "a=b", "--protocol="]), 3, "--protocol="));
        let (words, current, kept) = joined("r diff HEAD:de", &["r", "diff", "HEAD", ":", "de"]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "diff", "HEAD:de"]), 2, "HEAD:"));
        let (words, current, kept) = joined("r diff :de", &["r", "diff", ":", "de"]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "diff", ":de"]), 2, ":"));
    }

    #[test]
    fn separate_words_stay_separate() {
        let (words, current, kept) = joined("r diff  a ", &["r", "diff", "a", ""]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "diff", "a", ""]), 3, ""));
        let (words, current, kept) = joined("r ren", &["r", "ren"]);
        assert_eq!((words, current, kept.as_str()), (all(&["r", "ren"]), 1, ""));
    }

    #[test]
    fn words_that_are_not_in_the_line_stay_separate() {
        let (words, current, kept) = joined("r x", &["r", "render", "a", "b"]);
        assert_eq!((words.len(), current, kept.as_str()), (4, 3, ""));
    }

    proptest! {
        #[test]
        fn no_line_causes_a_panic(line in "[ a=:@é]{0,12}", parts in prop::collection::vec("[a=:@é ]{0,4}", 0..6), index in "[0-7]") {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            if let Some(words) = words(&index, &parts) {
                let joined = words.joined(&line);
                prop_assert!(joined.current < joined.words.len());
            }
        }
    }

    #[test]
    fn the_cursor_may_be_within_a_word() {
        let WordList { words, current, .. } = words("1", &["r", "render", "x"]).unwrap().joined("r ren");
        assert_eq!((words, current), (vec!["r".into(), "ren".into(), "x".into()], 1));
    }
}
