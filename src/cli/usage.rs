//! Help texts, and errors of the command line's syntax.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Parser;
use clap::error::ErrorKind;

use super::arguments::{Arguments, Color};
use super::report::StderrReport;
use super::resolve::wrong;
use super::{Exit, machine_formats};
use crate::diagnostic::Diagnostic;
use crate::text::visible::visible_line;

/// Prints help and version on standard output, anything else as an error.
pub(super) fn run(error: &clap::Error, arguments: &[OsString]) -> Exit {
    let escaped = escaped(arguments);
    let error = escaped.as_ref().unwrap_or(error);
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed pipe is not an error.
        let _ = error.print();
        let _ = io::stdout().flush();
        return Exit::Success;
    }
    if machine_formats::is_typed(arguments.iter().filter_map(|word| word.to_str())) {
        StderrReport::new(true, Color::Never).write(&[diagnostic(error)]);
    } else {
        // Standard error may be closed.
        let _ = error.print();
    }
    Exit::Failure
}

/// The error for the same arguments with control characters escaped, so that printing it cannot act on a terminal.
fn escaped(arguments: &[OsString]) -> Option<clap::Error> {
    let escaped: Vec<_> =
        arguments.iter().map(|argument| visible_line(&argument.to_string_lossy()).into_owned()).collect();
    let is_same = escaped.iter().zip(arguments).all(|(escaped, argument)| argument.as_os_str() == escaped.as_str());
    if is_same { None } else { Arguments::try_parse_from(escaped).err() }
}

/// The parser's sentence and tips, without its label and usage line.
fn diagnostic(error: &clap::Error) -> Diagnostic {
    let see_help = "see `rye-render --help`";
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return wrong("a command is missing", see_help);
    }
    let text = error.render().to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    let what = sentence.strip_prefix("error: ").unwrap_or(sentence).trim_end();
    let tips: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ")).collect();
    let tips = tips.join("; ");
    wrong(what, if tips.is_empty() { see_help } else { &tips })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_s_sentence_is_kept_without_its_frame() {
        let error = Arguments::try_parse_from(["rye-render", "render", "x", "--formt", "json"]).unwrap_err();
        let diagnostic = diagnostic(&error);
        assert_eq!(diagnostic.message(), "unexpected argument '--formt' found");
        assert_eq!(diagnostic.help().as_deref(), Some("a similar argument exists: '--format'"));
    }

    #[test]
    fn a_missing_command_is_one_sentence() {
        let error = Arguments::try_parse_from(["rye-render"]).unwrap_err();
        assert_eq!(diagnostic(&error).message(), "a command is missing");
    }
}
