//! What the arguments cannot mean, and the help texts.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Parser;
use clap::error::ErrorKind;

use super::Ended;
use super::arguments::{Arguments, Color};
use super::report::Report;
use crate::chain;
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff;
use crate::render::Format;
use crate::text::visible::visible_line;

/// Prints help and version on standard output, anything else as an error.
pub(super) fn run(error: &clap::Error, arguments: &[OsString]) -> Ended {
    let seen = seen(arguments);
    let error = seen.as_ref().unwrap_or(error);
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that went away has seen what it wanted.
            let _ = error.print();
            let _ = io::stdout().flush();
            Ended::Well
        }
        _ if is_machine(arguments) => {
            Report::new(true, Color::Never).write(&[diagnostic(error)]);
            Ended::Failed
        }
        _ => {
            // There is nobody left to tell when standard error is closed.
            let _ = error.print();
            Ended::Failed
        }
    }
}

/// The error in which what would act on a terminal is made visible, if the arguments hold such characters: the one that
/// the same arguments have when they are typed as they are shown.
fn seen(arguments: &[OsString]) -> Option<clap::Error> {
    let seen: Vec<_> =
        arguments.iter().map(|argument| visible_line(&argument.to_string_lossy()).into_owned()).collect();
    let same = seen.iter().zip(arguments).all(|(seen, argument)| argument.as_os_str() == seen.as_str());
    if same { None } else { Arguments::try_parse_from(seen).err() }
}

/// Whether the arguments ask for a format that programs read, as far as they can be understood.
fn is_machine(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    let mut format = None;
    while let Some(word) = words.next() {
        match word.strip_prefix("--format") {
            Some("") => format = words.next(),
            Some(rest) => format = rest.strip_prefix('='),
            None => {}
        }
    }
    let is_machine = |word: &str| {
        word.parse().is_ok_and(Format::is_machine)
            || word.parse().is_ok_and(chain::Format::is_machine)
            || word.parse().is_ok_and(diff::Format::is_machine)
    };
    format.is_some_and(is_machine)
}

/// The sentence of the parser and its tips, without usage line and label.
fn diagnostic(error: &clap::Error) -> Diagnostic {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let (what, help) = ("a command is missing".to_string(), Some("see `rye-render --help`".to_string()));
        return Diagnostic::new(Problem::InvalidArgument { what, help });
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let sentence = paragraphs.next().unwrap_or_default();
    let what = sentence.strip_prefix("error: ").unwrap_or(sentence).trim_end().to_string();
    let tips: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ")).collect();
    let help = if tips.is_empty() { "see `rye-render --help`".to_string() } else { tips.join("; ") };
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_format_is_found_in_what_cannot_be_parsed() {
        assert!(is_machine(&words("rye-render render --nope --format json")));
        assert!(is_machine(&words("rye-render render --format=openai --nope")));
        assert!(!is_machine(&words("rye-render render --format text")));
        assert!(!is_machine(&words("rye-render render --format json --format")));
        assert!(!is_machine(&words("rye-render render -- --format json")));
        assert!(!is_machine(&words("rye-render render --format-x json")));
    }

    #[test]
    fn the_sentence_stands_alone() {
        let error = Arguments::try_parse_from(words("rye-render render x --formt json")).unwrap_err();
        let diagnostic = diagnostic(&error);
        assert_eq!(diagnostic.message(), "unexpected argument '--formt' found");
        assert_eq!(diagnostic.help().as_deref(), Some("a similar argument exists: '--format'"));
    }

    #[test]
    fn a_missing_command_is_said_in_a_sentence() {
        let error = Arguments::try_parse_from(words("rye-render")).unwrap_err();
        assert_eq!(diagnostic(&error).message(), "a command is missing");
    }
}
