//! Python's `fnmatch.fnmatchcase`: `*`, `?`, `[…]`, `[!…]`, all of which also match dots and slashes.

/// Longer patterns and texts match only themselves, which bounds the cost.
const LONGEST: usize = 4096;

pub fn matches(text: &str, pattern: &str) -> bool {
    if text.len() > LONGEST || pattern.len() > LONGEST {
        return text == pattern;
    }
    // Outside a set, each character matches at least itself.
    if text == pattern && !pattern.contains('[') {
        return true;
    }
    let (text, pattern): (Vec<char>, Vec<FnmatchPiece>) = (text.chars().collect(), pieces(pattern));
    let (mut at, mut piece) = (0, 0);
    // Where to resume if a piece after the last star fails: the star takes another character.
    let mut retry = None;
    loop {
        match pattern.get(piece) {
            Some(FnmatchPiece::Star) => {
                piece += 1;
                retry = Some((at, piece));
                continue;
            }
            Some(single) if text.get(at).is_some_and(|&c| single.takes(c)) => {
                at += 1;
                piece += 1;
                continue;
            }
            None if at == text.len() => return true,
            _ => {}
        }
        match retry {
            Some((from, after)) if from < text.len() => {
                at = from + 1;
                piece = after;
                retry = Some((at, after));
            }
            _ => return false,
        }
    }
}

enum FnmatchPiece {
    Star,
    Any,
    Char(char),
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl FnmatchPiece {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Star | Self::Any => true,
            Self::Char(own) => *own == c,
            Self::Set { negated, ranges } => ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated,
        }
    }
}

fn pieces(pattern: &str) -> Vec<FnmatchPiece> {
    let pattern: Vec<char> = pattern.chars().collect();
    let mut pieces = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while let Some(&c) = pattern.get(at) {
        at += 1;
        pieces.push(match c {
            '*' => FnmatchPiece::Star,
            '?' => FnmatchPiece::Any,
            '[' => match set_end(&pattern, at) {
                Some(end) => {
                    let set = set(&pattern[at..end]);
                    at = end + 1;
                    set
                }
                None => FnmatchPiece::Char('['),
            },
            c => FnmatchPiece::Char(c),
        });
    }
    pieces
}

/// The end of the set at `at`; a `]` at the start of a set is part of it.
fn set_end(pattern: &[char], at: usize) -> Option<usize> {
    let mut first = at;
    for opening in ['!', ']'] {
        first += usize::from(pattern.get(first) == Some(&opening));
    }
    Some(first + pattern.get(first..)?.iter().position(|&c| c == ']')?)
}

/// As in Python 3.9 and later: a reversed range is dropped, including both ends.
fn set(inner: &[char]) -> FnmatchPiece {
    // A single character, or both ends of a range.
    let mut members: Vec<(char, Option<char>)> = Vec::new();
    let mut rest = inner;
    if let ['!', after @ ..] = inner {
        members.push(('!', None));
        rest = after;
    }
    while let [low, after @ ..] = rest {
        rest = match after {
            ['-', high, after @ ..] => {
                members.extend((low <= high).then_some((*low, Some(*high))));
                after
            }
            after => {
                members.push((*low, None));
                after
            }
        };
    }
    // Python negates a set after it has dropped ranges, so a `!` behind them may come first.
    let negated = members.first().is_some_and(|(first, _)| *first == '!');
    if negated && let ('!', Some(high)) = members.remove(0) {
        members.extend([('-', None), (high, None)]);
    }
    let ranges = members.into_iter().map(|(low, high)| (low, high.unwrap_or(low))).collect();
    FnmatchPiece::Set { negated, ranges }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_follow_python() {
        for (text, pattern, expected) in [
            ("rye.execute.tool.rye.bash", "rye.execute.*", true),
            ("rye.execute.tool.a/b", "rye.*.a*b", true),
            ("rye", "rye.*", false),
            ("a\nb", "a?b", true),
            ("A", "a", false),
            ("", "*", true),
            ("", "?", false),
            ("b", "[abc]", true),
            ("d", "[!abc]", true),
            ("]", "[]]", true),
            ("x", "[!]]", true),
            ("[a", "[a", true),
            ("-", "[a-]", true),
            ("c", "[a-e]", true),
            ("é", "[a-ÿ]", true),
            ("b", "[b-a]", false),
            ("z", "[!b-a]", true),
            ("^", "[^]", true),
            ("a", "[^a]", true),
            ("b", "[^a]", false),
            ("\\", "[\\]", true),
            ("abcabc", "*a*c", true),
            ("abcab", "*a*c", false),
        ] {
            assert_eq!(matches(text, pattern), expected, "{text:?} {pattern:?}");
        }
    }

    #[test]
    fn long_patterns_match_only_themselves() {
        let long = "a".repeat(LONGEST + 1);
        assert!(matches(&long, &long));
        assert!(!matches(&long, "*"));
    }

    proptest! {
        #[test]
        fn a_text_matches_itself_and_every_prefix_with_a_star(text in "[a-c./]{0,12}", cut in 0usize..13) {
            prop_assert!(matches(&text, &text));
            let prefix = text[..cut.min(text.len())].to_string() + "*";
            prop_assert!(matches(&text, &prefix));
        }

        #[test]
        fn no_pattern_causes_a_panic(text in "[a-c!\\]\\[^*?-]{0,12}", pattern in "[a-c!\\]\\[^*?-]{0,12}") {
            matches(&text, &pattern);
        }
    }
}
