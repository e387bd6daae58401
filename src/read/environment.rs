//! The environment for `{env:…}`: `--env` overrides `--env-file`, which overrides the environment of this process.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::Disk;
use crate::read::{files, limits};
use crate::text::{Cursor, Source};

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
    let mut variables = Vec::new();
    let mut cursor = Cursor::new(source.text(), 0);
    while !cursor.is_done() {
        let start = cursor.at();
        let line = cursor.eat_while(|c| c != '\n');
        let end = cursor.at();
        cursor.eat("\n");
        if line.trim().is_empty() || line.trim().starts_with('#') {
            continue;
        }
        let wrong = |what: &str, help: &str| Diagnostic::at(Problem::invalid(what, help), source.span(start..end));
        let Some((written, _)) = line.split_once('=') else {
            return Err(wrong("this line of the environment file has no `=`", "write NAME=VALUE, or start it with #"));
        };
        let name = name(written).ok_or_else(|| {
            wrong("invalid variable name before `=`", "use letters, digits and underscores, without spaces")
        })?;
        cursor.move_to(start + written.len() + 1);
        let value = value(&mut cursor).map_err(|what| wrong(what, "close the quote"))?;
        if variables.len() == limits::INPUTS {
            return Err(limits::over(source, limits::INPUTS, "variables in a file", start));
        }
        variables.push((name.to_string(), value));
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

/// Reads a value and the rest of its last line.
fn value(cursor: &mut Cursor<'_>) -> Result<String, &'static str> {
    cursor.eat_while(|c| matches!(c, ' ' | '\t'));
    let value = if cursor.eat("'") {
        cursor.past("'").ok_or("unclosed single quote")?.to_string()
    } else if cursor.eat("\"") {
        double_quoted(cursor).ok_or("unclosed double quote")?
    } else {
        let line = cursor.rest().split('\n').next().unwrap_or_default();
        let comment = if line.starts_with('#') { Some(0) } else { line.find(" #").or_else(|| line.find("\t#")) };
        line[..comment.unwrap_or(line.len())].trim().to_string()
    };
    cursor.skip_past("\n");
    Ok(value)
}

fn double_quoted(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut out = String::new();
    loop {
        out.push(match cursor.bump()? {
            '"' => return Some(out),
            '\\' => match cursor.bump()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            },
            c => c,
        });
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
