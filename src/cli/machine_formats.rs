//! The formats that programs read. With these, an error is one JSON object on standard error (output contract, "Exit
//! status").

/// The formats for programs, per command. All others are for people.
const MACHINE_FORMATS: &[(&str, &[&str])] = &[
    ("agents", &["json", "jsonl"]),
    ("record", &["json"]),
    ("render", &["json", "jsonl", "anthropic", "openai", "gemini", "events"]),
    ("explain", &["json", "events"]),
    ("diff", &["json"]),
    ("lint", &["json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"]),
    ("list", &["json", "jsonl", "names"]),
    ("lock", &["json"]),
    ("chain", &["json", "dot", "mermaid"]),
];

/// Whether programs read this format of a command.
pub(super) fn is_for_programs(command: &str, format: &str) -> bool {
    MACHINE_FORMATS.iter().any(|(name, formats)| *name == command && formats.contains(&format))
}

/// Like [`is_for_programs`] for words that could not be parsed. If no known command is among them, the formats of all
/// commands are checked.
pub(super) fn is_typed<'w>(words: impl Iterator<Item = &'w str> + Clone) -> bool {
    let command = words.clone().find(|word| MACHINE_FORMATS.iter().any(|(name, _)| name == word));
    let mut words = words.take_while(|word| *word != "--");
    let mut format = None;
    while let Some(word) = words.next() {
        match word.strip_prefix("--format") {
            Some("") => format = words.next(),
            Some(rest) => format = rest.strip_prefix('='),
            None => {}
        }
    }
    let is_machine = |format| match command {
        Some(command) => is_for_programs(command, format),
        None => MACHINE_FORMATS.iter().any(|(name, _)| is_for_programs(name, format)),
    };
    format.is_some_and(is_machine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_found_in_a_line_that_cannot_be_parsed() {
        let is_machine = |line: &str| is_typed(line.split_whitespace());
        assert!(is_machine("rye-render render --nope --format json"));
        assert!(is_machine("rye-render render --format=openai --nope"));
        assert!(is_machine("rye-render lint --format sarif --nope"));
        assert!(is_machine("rye-render lnit --format sarif"));
        assert!(!is_machine("rye-render render --format text"));
        assert!(!is_machine("rye-render render --format sarif"));
        assert!(!is_machine("rye-render render --format json --format"));
        assert!(!is_machine("rye-render render -- --format json"));
        assert!(!is_machine("rye-render render --format-x json"));
    }
}
