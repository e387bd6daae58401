use std::ops::Range;

/// The start of every comment for this program.
pub(super) const MARK: &str = "rye-render:";

/// The start of comments that were probably meant for this program.
pub(super) const PROGRAM: &str = "rye-render";

/// `allow` and the words that other programs use for it.
const VERBS: [&str; 10] =
    ["allow", "allowed", "allows", "disable", "ignore", "noqa", "off", "permit", "skip", "suppress"];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct AllowComment {
    /// Ranges in the text.
    pub rules: Vec<Range<usize>>,
    /// Empty if there is no reason.
    pub reason: Range<usize>,
}

impl AllowComment {
    /// Reads `rye-render: allow CODE[, CODE…] reason`.
    pub fn read(text: &str) -> Option<Self> {
        let begun = text.trim_start().strip_prefix(MARK)?.trim_start().strip_prefix("allow")?;
        let mut rest = begun.trim_start();
        if rest.len() == begun.len() && !rest.is_empty() {
            return None;
        }
        let mut rules = Vec::new();
        loop {
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            if length == 0 {
                break;
            }
            let start = text.len() - rest.len();
            rules.push(start..start + length);
            let after = &rest[length..];
            match after.trim_start().strip_prefix(',') {
                Some(more) => rest = more.trim_start(),
                None => {
                    rest = after;
                    break;
                }
            }
        }
        let start = text.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || ":-–—".contains(c)).len();
        Some(Self { rules, reason: start..start.max(text.trim_end().len()) })
    }
}

/// The rule in a comment that resembles an allowance: `rye-render: ignore RR019`.
pub(super) fn similar(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix(PROGRAM)?;
    let mut words = rest.strip_prefix(':').unwrap_or(rest).split(|c: char| c.is_whitespace() || ",:=[]()".contains(c));
    let mut next = || words.find(|word| !word.is_empty());
    let verb = next()?;
    VERBS.contains(&&*verb.to_ascii_lowercase()).then(next)?
}

pub(super) fn content(rules: &[&str], reason: &str) -> String {
    format!("{MARK} allow {} {reason}", rules.join(", "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(Vec<&str>, &str)> {
        let said = AllowComment::read(text)?;
        Some((said.rules.into_iter().map(|rule| &text[rule]).collect(), &text[said.reason]))
    }

    #[test]
    fn rules_come_before_the_reason() {
        assert_eq!(read("rye-render: allow RR105 it is known"), Some((vec!["RR105"], "it is known")));
        assert_eq!(read(" rye-render:allow RR105,item_missing — é "), Some((vec!["RR105", "item_missing"], "é")));
        assert_eq!(read("rye-render: allow RR105 , RR106: two"), Some((vec!["RR105", "RR106"], "two")));
        assert_eq!(read("rye-render: allow RR105"), Some((vec!["RR105"], "")));
        assert_eq!(read("rye-render: allow"), Some((vec![], "")));
        assert_eq!(read("rye-render: allowed RR105 x"), None);
        assert_eq!(read("see rye-render: allow RR105 x"), None);
    }

    proptest! {
        #[test]
        fn written_text_reads_back(
            rules in prop::collection::vec("[A-Z]{2}[0-9]{3}|[a-z_]{1,9}", 1..4),
            reason in "[a-zé][a-z é.]{0,20}[a-z]",
        ) {
            let names: Vec<&str> = rules.iter().map(String::as_str).collect();
            let text = content(&names, &reason);
            prop_assert_eq!(read(&text), Some((names, reason.as_str())));
        }

        #[test]
        fn no_text_causes_a_panic(text in "(rye-render:)? ?(allow)?[ ,A-Za-z0-9é:–-]{0,20}") {
            let _ = read(&text);
        }
    }
}
