use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

use clap_complete::engine::CompletionCandidate;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::text::visible::is_hidden;

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "lowercase", const_into_str)]
#[expect(clippy::enum_variant_names, reason = "PowerShell is a name")]
pub enum Shell {
    /// 3.2 and later.
    Bash,
    Zsh,
    /// 3.1 and later.
    Fish,
    PowerShell,
    Elvish,
}

impl Shell {
    /// The script with which the shell asks the program for completions.
    pub fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("../../../completions/rye-render.bash"),
            Self::Zsh => include_str!("../../../completions/_rye-render"),
            Self::Fish => include_str!("../../../completions/rye-render.fish"),
            Self::PowerShell => include_str!("../../../completions/rye-render.ps1"),
            Self::Elvish => include_str!("../../../completions/rye-render.elv"),
        }
    }

    /// Parses the script's arguments: the index of the word to complete, for bash the line so far, and the words.
    pub fn words(self, arguments: impl IntoIterator<Item = OsString>) -> Option<WordList> {
        let mut arguments = arguments.into_iter();
        let index = arguments.next()?;
        match self {
            Self::Bash => {
                let line = arguments.next()?.to_string_lossy().into_owned();
                Some(WordList::new(&index, arguments)?.joined(&line))
            }
            _ => WordList::new(&index, arguments),
        }
    }
}

/// What the shell should offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Offer {
    Values,
    /// The shell completes paths itself.
    Files,
    Folders,
}

/// A value with a description of a few words.
pub fn candidate(value: impl Into<OsString>, about: impl Into<String>) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(about.into().into()))
}

/// Stands for paths of a kind.
pub fn paths(kind: Offer) -> Vec<CompletionCandidate> {
    vec![CompletionCandidate::new("").id(Some(kind.into_str().to_string()))]
}

/// The kind of paths that a candidate stands for, if it does.
pub fn offer(candidate: &CompletionCandidate) -> Option<Offer> {
    candidate.get_id()?.parse().ok()
}

/// In characters. A description shares a line with its value, so it must be short.
const MAX_DESCRIPTION: usize = 60;

/// The lines for the script: the offer, then a value per line with its description after a tab. `kept` is the part of
/// the word that the shell does not replace.
///
/// Values with control characters are left out: they cannot be typed.
pub fn lines(shell: Shell, kind: Offer, candidates: &[CompletionCandidate], kept: &str) -> String {
    let mut lines = format!("{}\n", kind.into_str());
    for candidate in candidates {
        let Some(value) = candidate.get_value().to_str().filter(|it| !it.is_empty() && !it.contains(is_unsafe)) else {
            continue;
        };
        let value = value.strip_prefix(kept).unwrap_or(value);
        match shell {
            Shell::Bash => lines.push_str(&quoted(value)),
            _ => {
                let about = candidate.get_help().map(ToString::to_string).unwrap_or_default();
                lines.push_str(&format!("{value}\t{}", short(&about)));
            }
        }
        lines.push('\n');
    }
    lines
}

fn is_unsafe(c: char) -> bool {
    is_hidden(c) || c.is_control() || c == char::REPLACEMENT_CHARACTER
}

/// The first line of a description, truncated.
fn short(about: &str) -> String {
    let line = about.trim().lines().next().unwrap_or_default();
    let mut shown: String = line.chars().filter(|&c| !is_unsafe(c)).take(MAX_DESCRIPTION).collect();
    if line.chars().count() > MAX_DESCRIPTION {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// Quotes a value for bash. The other shells or their scripts quote values themselves.
fn quoted(value: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=:,+%@".contains(c);
    if value.chars().all(is_plain) {
        return Cow::Borrowed(value);
    }
    let escaped = value.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c]));
    Cow::Owned(escaped.collect())
}

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

    fn lines(shell: Shell, kept: &str, values: &[&str]) -> String {
        let about = "what\u{1b}[31m it is\nmore";
        let candidates: Vec<_> = values.iter().map(|value| candidate(*value, about)).collect();
        super::lines(shell, Offer::Values, &candidates, kept)
    }

    #[test]
    fn each_candidate_is_a_line() {
        assert_eq!(lines(Shell::Zsh, "", &["a", "b="]), "values\na\twhat it is\nb=\twhat it is\n");
        assert_eq!(lines(Shell::Bash, "before=", &["before=deploy", "x"]), "values\ndeploy\nx\n");
        assert_eq!(super::lines(Shell::Fish, Offer::Files, &[], ""), "files\n");
    }

    #[test]
    fn names_with_control_characters_are_left_out() {
        let hostile = ["a\nb", "a\tb", "\u{1b}[2J", "a\u{202e}b", "a\u{fffd}", "", "good"];
        assert_eq!(lines(Shell::Bash, "", &hostile), "values\ngood\n");
    }

    #[test]
    fn shell_syntax_is_quoted_for_bash() {
        assert_eq!(
            lines(Shell::Bash, "", &["a;b c", "$(x)", "é/a-b_c.d"]),
            "values\na\\;b\\ c\n\\$\\(x\\)\né/a-b_c.d\n"
        );
    }

    #[test]
    fn a_long_description_is_truncated() {
        assert_eq!(short(&"x".repeat(60)), "x".repeat(60));
        assert_eq!(short(&"x".repeat(61)), format!("{}…", "x".repeat(59)));
    }

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
