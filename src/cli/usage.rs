//! Help texts, and syntax errors on the command line.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};

use super::arguments::{Arguments, Color};
use super::run::StderrReport;
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
        StderrReport::new(true, Color::Never).write(&[diagnostic(error, arguments)]);
    } else {
        // Standard error may be closed.
        let _ = error.print();
    }
    Exit::Failure
}

/// The error for the same arguments with control characters escaped, so that it can be printed safely.
fn escaped(arguments: &[OsString]) -> Option<clap::Error> {
    let escaped: Vec<_> =
        arguments.iter().map(|argument| visible_line(&argument.to_string_lossy()).into_owned()).collect();
    let is_same = escaped.iter().zip(arguments).all(|(escaped, argument)| argument.as_os_str() == escaped.as_str());
    if is_same { None } else { Arguments::try_parse_from(escaped).err() }
}

/// The parser's message and tips on one line, without its label and usage line.
fn diagnostic(error: &clap::Error, arguments: &[OsString]) -> Diagnostic {
    let commands = Arguments::command();
    let command = arguments.iter().skip(1).find_map(|word| commands.find_subcommand(word));
    let name = command.map(|command| format!(" {}", command.get_name())).unwrap_or_default();
    let see_help = format!("see `rye-render{name} --help`");
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Diagnostic::invalid("a command is missing", &see_help);
    }
    let text = error.render().to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    let mut lines = sentence.strip_prefix("error: ").unwrap_or(sentence).lines().map(str::trim);
    let mut what = lines.next().unwrap_or_default().to_string();
    let values = |line: &str| Some(line.strip_prefix("[possible values: ")?.strip_suffix(']')?.to_string());
    let mut separator = " ";
    for line in lines {
        match values(line) {
            Some(values) => what.push_str(&format!("; use one of: {values}")),
            None => what.push_str(&format!("{separator}{line}")),
        }
        separator = ", ";
    }
    let tips: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ")).collect();
    let tips = tips.join("; ");
    Diagnostic::invalid(what, if tips.is_empty() { &see_help } else { &tips })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnosed(line: &str) -> (String, Option<String>) {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let error = Arguments::try_parse_from(&arguments).unwrap_err();
        let diagnostic = diagnostic(&error, &arguments);
        (diagnostic.message(), diagnostic.help())
    }

    #[test]
    fn the_parser_message_is_kept_without_label_and_usage() {
        for (line, what, help) in [
            (
                "rye-render render x --formt json",
                "unexpected argument '--formt' found",
                "a similar argument exists: '--format'",
            ),
            (
                "rye-render lint --fail-on nope",
                "invalid value 'nope' for '--fail-on <LEVEL>'; use one of: off, note, warning, error",
                "a similar value exists: 'note'",
            ),
            (
                "rye-render lock --format json",
                "the following required arguments were not provided: --check",
                "see `rye-render lock --help`",
            ),
            ("rye-render", "a command is missing", "see `rye-render --help`"),
        ] {
            assert_eq!(diagnosed(line), (what.to_string(), Some(help.to_string())));
        }
    }
}
