use crate::lint::rules::{Findings, Hook, LintFile, Project};

pub fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, pattern) in hook.condition.patterns().filter(|(_, pattern)| repeats_a_repetition(pattern)) {
        if let Some(at) = part.place("value") {
            found.at(at, format!("`{pattern}` nests repetitions, which may take forever"));
        }
    }
}

/// Whether a group that only repeats one character is itself repeated, and what follows it may fail.
fn repeats_a_repetition(pattern: &str) -> bool {
    let mut brackets = Brackets { pattern, next: pattern.find(']') };
    pattern.match_indices('(').any(|(open, _)| {
        let inside = &pattern[open + 1..];
        let inside = inside.strip_prefix("?:").unwrap_or(inside);
        let Some(rest) = one_character(inside, &mut brackets) else { return false };
        let Some(rest) = rest.strip_prefix(['+', '*']).and_then(|rest| rest.strip_prefix(')')) else { return false };
        let Some(rest) = rest.strip_prefix(['+', '*']) else { return false };
        !is_escaped(&pattern[..open]) && !rest.trim_start_matches(')').is_empty() && !rest.starts_with('+')
    })
}

/// Finds the closing brackets of a pattern from left to right, so that each is searched for once.
struct Brackets<'p> {
    pattern: &'p str,
    next: Option<usize>,
}

impl Brackets<'_> {
    /// The first at or after an offset.
    fn from(&mut self, at: usize) -> Option<usize> {
        if self.next.is_some_and(|next| next < at) {
            self.next = self.pattern[at..].find(']').map(|next| at + next);
        }
        self.next
    }
}

/// The rest of the pattern after one character, class or escape.
fn one_character<'p>(rest: &'p str, brackets: &mut Brackets<'p>) -> Option<&'p str> {
    let mut chars = rest.chars();
    match chars.next()? {
        '\\' => {
            chars.next()?;
            Some(chars.as_str())
        }
        '[' => {
            // A bracket may be the first character of a class.
            chars.next()?;
            let end = brackets.from(brackets.pattern.len() - chars.as_str().len())?;
            Some(&brackets.pattern[end + 1..])
        }
        '(' | ')' | '|' | '*' | '+' | '?' | '^' | '$' | '{' => None,
        _ => Some(chars.as_str()),
    }
}

fn is_escaped(before: &str) -> bool {
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_repetitions_that_may_fail_are_found() {
        for pattern in [r"^(a+)+$", r"(?:\w*)*!", r"([a-z]+)*x", r"((\d+)+)$", r"([]a]+)+b"] {
            assert!(repeats_a_repetition(pattern), "{pattern}");
        }
        for pattern in
            [r"(a+)+", r"((a+)+)", r"(a+)?$", r"(ab+)+$", r"(\w+/)*x", r"\(a+)+$", r"(a+){2}$", "(", "([", "(["]
        {
            assert!(!repeats_a_repetition(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_long_class_is_scanned_once() {
        for count in [100_000, 200_000] {
            let open = "([".repeat(count);
            assert!(!repeats_a_repetition(&open));
            assert!(!repeats_a_repetition(&format!("{open}]")));
            assert!(repeats_a_repetition(&format!("{open}a]+)+b")));
            assert!(!repeats_a_repetition(&"([a]".repeat(count)));
        }
    }
}
