use std::borrow::Cow;
use std::ffi::OsString;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{CompletionCandidateValue, WordList};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Offer {
    Values,
    /// The shell completes paths itself.
    Files,
    Folders,
}

/// The answer to a shell.
#[derive(Debug)]
pub struct Reply {
    pub kind: Offer,
    /// In order.
    pub candidates: Vec<CompletionCandidateValue>,
}

/// In characters. A description shares a line with its value, so it must be short.
const MAX_DESCRIPTION: usize = 60;

impl Reply {
    /// The lines for the script: the offer, then a value per line with its description after a tab. `kept` is the part
    /// of the word that the shell does not replace.
    ///
    /// Values with control characters are left out: they cannot be typed.
    pub fn lines(&self, shell: Shell, kept: &str) -> String {
        let mut lines = format!("{}\n", self.kind.into_str());
        for CompletionCandidateValue { value, about } in &self.candidates {
            if value.is_empty() || value.contains(is_unsafe) {
                continue;
            }
            let value = value.strip_prefix(kept).unwrap_or(value);
            match shell {
                Shell::Bash => lines.push_str(&quoted(value)),
                _ => lines.push_str(&format!("{value}\t{}", short(about))),
            }
            lines.push('\n');
        }
        lines
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(shell: Shell, kept: &str, values: &[&str]) -> String {
        let candidates =
            values.iter().map(|value| CompletionCandidateValue::new(*value, "what\u{1b}[31m it is\nmore")).collect();
        Reply { kind: Offer::Values, candidates }.lines(shell, kept)
    }

    #[test]
    fn each_candidate_is_a_line() {
        assert_eq!(lines(Shell::Zsh, "", &["a", "b="]), "values\na\twhat[31m it is\nb=\twhat[31m it is\n");
        assert_eq!(lines(Shell::Bash, "before=", &["before=deploy", "x"]), "values\ndeploy\nx\n");
        let files = Reply { kind: Offer::Files, candidates: Vec::new() };
        assert_eq!(files.lines(Shell::Fish, ""), "files\n");
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
}
