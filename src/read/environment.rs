//! The environment for `{env:…}`: `--env` overrides `--env-file`, which overrides the environment of this process.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::Disk;
use crate::read::{files, limits};
use crate::text::Source;

pub type Environment = HashMap<String, String>;

/// Combines the sources. Variables of `process` that are not UTF-8 are skipped.
pub fn gather(
    process: impl Iterator<Item = (OsString, OsString)>,
    files: &[PathBuf],
    flags: &[(String, String)],
    disk: &Disk,
) -> Result<Environment, Diagnostic> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let mut environment: Environment = process.filter_map(text).collect();
    for path in files {
        environment.extend(parse(&files::read(path, limits::FILE_BYTES, disk)?)?);
    }
    environment.extend(flags.iter().cloned());
    Ok(environment)
}

/// Parses the `NAME=VALUE` lines of an environment file.
///
/// Blank lines, comments and a leading `export` are skipped. Text in single quotes is literal. In double quotes, `\n`,
/// `\r` and `\t` are decoded, and any other character after a backslash is literal. Both may span several lines. An
/// unquoted value is trimmed and ends at ` #` or the end of the line. Nothing is expanded: `$` is ordinary, unlike in
/// the crate `dotenvy`.
fn parse(source: &Arc<Source>) -> Result<Vec<(String, String)>, Diagnostic> {
    let text = source.text();
    let mut variables = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = text[at..end].trim();
        if line.is_empty() || line.starts_with('#') {
            at = end + 1;
            continue;
        }
        let wrong = |what: &str, help: &str| {
            let problem = Problem::InvalidArgument { what: what.to_string(), help: Some(help.to_string()) };
            Diagnostic::at(problem, source.span(at..end))
        };
        let Some(equals) = text[at..end].find('=').map(|length| at + length) else {
            return Err(wrong("this line of the environment file has no `=`", "write NAME=VALUE, or start it with #"));
        };
        let name = name(&text[at..equals]).ok_or_else(|| {
            wrong("invalid variable name before `=`", "use letters, digits and underscores, without spaces")
        })?;
        let (value, next) = value(text, equals + 1).map_err(|what| wrong(what, "close the quote"))?;
        if variables.len() == limits::INPUTS {
            return Err(limits::over(source, limits::INPUTS, "variables in a file", at));
        }
        variables.push((name.to_string(), value));
        at = next;
    }
    Ok(variables)
}

fn name(written: &str) -> Option<&str> {
    let name = written.trim();
    let name = match name.strip_prefix("export") {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => name,
    };
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

/// The value at `start`, and the offset of the next line.
fn value(text: &str, start: usize) -> Result<(String, usize), &'static str> {
    let rest = &text[start..];
    let start = start + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    let line_after = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
    let mut out = String::new();
    match text[start..].chars().next() {
        Some('\'') => {
            let length = text[start + 1..].find('\'').ok_or("unclosed single quote")?;
            out.push_str(&text[start + 1..start + 1 + length]);
            Ok((out, line_after(start + 1 + length)))
        }
        Some('"') => {
            let mut chars = text[start + 1..].char_indices();
            while let Some((at, c)) = chars.next() {
                match c {
                    '"' => return Ok((out, line_after(start + 1 + at))),
                    '\\' => match chars.next() {
                        Some((_, 'n')) => out.push('\n'),
                        Some((_, 'r')) => out.push('\r'),
                        Some((_, 't')) => out.push('\t'),
                        Some((_, other)) => out.push(other),
                        None => break,
                    },
                    c => out.push(c),
                }
            }
            Err("unclosed double quote")
        }
        _ => {
            let next = line_after(start);
            let line = &text[start..next];
            let comment = if line.starts_with('#') { Some(0) } else { line.find(" #").or_else(|| line.find("\t#")) };
            out.push_str(line[..comment.unwrap_or(line.len())].trim());
            Ok((out, next))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Location;

    fn parsed(text: &str) -> Result<Vec<(String, String)>, Diagnostic> {
        parse(&Source::read("".into(), ".env", text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn common_line_formats_are_parsed() {
        let text = "# comment\n\nA=1\nexport B = two words # not this\nC='a $x \\n # b'\nD=\"l1\\nl\\\"2\\\\\"\n\
                    E=\nF=a#b\nG=\"two\nlines\" # rest\nexported=x\nH=#none\nI=x=y";
        let expected = [
            ("A", "1"),
            ("B", "two words"),
            ("C", "a $x \\n # b"),
            ("D", "l1\nl\"2\\"),
            ("E", ""),
            ("F", "a#b"),
            ("G", "two\nlines"),
            ("exported", "x"),
            ("H", ""),
            ("I", "x=y"),
        ];
        assert_eq!(parsed(text).unwrap(), expected.map(|(name, value)| (name.to_string(), value.to_string())));
    }

    #[test]
    fn an_empty_value_does_not_include_the_next_line() {
        assert_eq!(parsed("A=\nB=2\n").unwrap().len(), 2);
    }

    #[test]
    fn an_error_about_an_invalid_line_has_its_position() {
        for (text, line) in [("A=1\nnothing\n", 2), ("=x", 1), ("\nA B=x", 2), ("A='x\n", 1), ("A=\"x\\", 1)] {
            let diagnostic = parsed(text).unwrap_err();
            assert_eq!(diagnostic.code(), "invalid_argument");
            let Some(Location::Span(span)) = diagnostic.at else { panic!("{text:?}") };
            assert_eq!(span.line(), line, "{text:?}");
        }
    }

    #[test]
    fn flags_win() {
        let process = [("A", "process"), ("B", "process")].map(|(name, value)| (name.into(), value.into()));
        let flags = [("B", "one"), ("B", "two")].map(|(name, value)| (name.to_string(), value.to_string()));
        let environment = gather(process.into_iter(), &[], &flags, &Disk::default()).unwrap();
        assert_eq!((environment["A"].as_str(), environment["B"].as_str()), ("process", "two"));
        assert_eq!(environment.get("C"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "[A-Z=\"'#\\\\ \nü]{0,40}") {
            let _ = parsed(&text);
        }

        #[test]
        fn a_quoted_value_is_unchanged(value in "[^\r]{0,40}") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let variables = parsed(&format!("A=\"{quoted}\"\n")).unwrap();
            proptest::prop_assert_eq!(variables, [("A".to_string(), value)]);
        }
    }
}
