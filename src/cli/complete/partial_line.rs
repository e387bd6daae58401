use std::ffi::OsString;

use clap::{Arg, Command};

/// An unfinished command line, as far as it can be parsed. Nothing is validated.
#[derive(Debug, Default)]
pub struct PartialLine {
    /// The id of each argument, and its value unless it is a flag without one.
    values: Vec<(String, Option<String>)>,
}

impl PartialLine {
    /// Parses the words after the program's name, without the one at `current`, which is incomplete.
    pub fn read(command: &Command, words: &[OsString], current: usize) -> Self {
        let mut parser = LineParser { command, line: Self::default(), open: None, position: 1, is_escaped: false };
        for (index, word) in words.iter().enumerate().skip(1) {
            parser.word(&word.to_string_lossy(), index == current);
        }
        parser.line
    }

    /// The values of an argument in the order typed.
    pub fn values<'l>(&'l self, id: &'l str) -> impl DoubleEndedIterator<Item = &'l str> {
        self.values.iter().filter(move |(typed, _)| typed == id).filter_map(|(_, value)| value.as_deref())
    }

    /// The flags with these ids, as `--flag` or `--flag=value`.
    pub fn flags(&self, ids: &[&str]) -> Vec<String> {
        let matching = self.values.iter().filter(|(id, _)| ids.contains(&id.as_str()));
        let word = |(id, value): &(String, Option<String>)| match (id.replace('_', "-"), value) {
            (long, Some(value)) => format!("--{long}={value}"),
            (long, None) => format!("--{long}"),
        };
        matching.map(word).collect()
    }
}

struct LineParser<'c> {
    command: &'c Command,
    line: PartialLine,
    /// The flag that takes the next word, and how many more it may take.
    open: Option<(&'c Arg, usize)>,
    /// The index of the next positional argument.
    position: usize,
    is_escaped: bool,
}

impl<'c> LineParser<'c> {
    fn word(&mut self, word: &str, is_current: bool) {
        if let Some((flag, left)) = self.open.take()
            && (!word.starts_with('-') || flag.is_allow_hyphen_values_set() || word == "-")
        {
            self.open = (left > 1).then_some((flag, left - 1));
            self.put(flag, Some(word).filter(|_| !is_current));
        } else if self.is_escaped || word == "-" || !word.starts_with('-') {
            self.positional(word, is_current);
        } else if word == "--" {
            self.is_escaped = true;
        } else {
            self.flag(word, is_current);
        }
    }

    fn positional(&mut self, word: &str, is_current: bool) {
        if let Some(subcommand) = self.command.find_subcommand(word).filter(|_| !is_current && !self.is_escaped) {
            (self.command, self.position) = (subcommand, 1);
            return;
        }
        let is_next = |argument: &&Arg| argument.get_index() == Some(self.position);
        let Some(argument) = self.command.get_positionals().find(is_next) else { return };
        if most_values(argument) == 1 {
            self.position += 1;
        }
        self.put(argument, Some(word).filter(|_| !is_current));
    }

    /// `--flag`, `--flag=value`, `-f` or `-fvalue`.
    fn flag(&mut self, word: &str, is_current: bool) {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let (flag, value) = match name.strip_prefix("--") {
            Some(long) => (self.find(|argument| argument.get_long() == Some(long)), value),
            None => {
                let mut letters = word.chars();
                let letter = letters.nth(1);
                let rest = letters.as_str();
                let value = Some(rest.strip_prefix('=').unwrap_or(rest)).filter(|value| !value.is_empty());
                (self.find(|argument| argument.get_short().is_some() && argument.get_short() == letter), value)
            }
        };
        let Some(flag) = flag else { return };
        match (most_values(flag), value) {
            (0, _) => self.line.values.push((flag.get_id().to_string(), None)),
            (most, None) => self.open = Some((flag, most)),
            (_, value) => self.put(flag, value.filter(|_| !is_current)),
        }
    }

    fn find(&self, is_meant: impl Fn(&&Arg) -> bool) -> Option<&'c Arg> {
        self.command.get_arguments().find(is_meant)
    }

    fn put(&mut self, argument: &Arg, value: Option<&str>) {
        let id = || argument.get_id().to_string();
        self.line.values.extend(value.map(|value| (id(), Some(value.to_string()))));
    }
}

/// The maximum number of values for one use of an argument. Known once the command is built.
fn most_values(argument: &Arg) -> usize {
    argument.get_num_args().map_or(0, |range| range.max_values())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use proptest::prelude::*;

    use super::*;
    use crate::cli::arguments::Arguments;

    fn line(text: &str, current: usize) -> PartialLine {
        let mut command = Arguments::command();
        command.build();
        let words: Vec<_> = text.split(' ').map(OsString::from).collect();
        PartialLine::read(&command, &words, current)
    }

    fn values<'l>(line: &'l PartialLine, id: &'l str) -> Vec<&'l str> {
        line.values(id).collect()
    }

    #[test]
    fn flags_are_parsed_in_every_spelling() {
        let line = line("rye-render render -i a=1 --input=b=2 -ic=3 -i=d=4 deploy --project x --no-env", 99);
        assert_eq!(values(&line, "input"), ["a=1", "b=2", "c=3", "d=4"]);
        assert_eq!(values(&line, "directive"), ["deploy"]);
        assert_eq!(line.flags(&["project", "no_env"]), ["--project=x", "--no-env"]);
    }

    #[test]
    fn the_incomplete_word_is_skipped() {
        let line = line("rye-render render -i ta deploy --project x", 3);
        assert_eq!(values(&line, "input"), [""; 0]);
        assert_eq!((values(&line, "directive"), values(&line, "project")), (vec!["deploy"], vec!["x"]));
    }

    #[test]
    fn unknown_arguments_are_skipped() {
        let line = line("rye-render diff --nope HEAD:a b c --left-input x=1 --why", 99);
        assert_eq!((values(&line, "left"), values(&line, "right")), (vec!["HEAD:a"], vec!["b"]));
        assert_eq!(values(&line, "left_input"), ["x=1"]);
        let escaped = self::line("rye-render render -- -i", 99);
        assert_eq!(values(&escaped, "directive"), ["-i"]);
        assert_eq!(values(&self::line("rye-render chain --why a b c", 99), "why"), ["a", "b"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_line_causes_a_panic(
            words in prop::collection::vec("render|diff|lint|chain|--|-|-i|-é|--why|--input|--input=|-i=|--nope|a=b|é|", 0..8),
            current in 0usize..9,
        ) {
            line(&format!("rye-render {}", words.join(" ")), current);
        }
    }
}
