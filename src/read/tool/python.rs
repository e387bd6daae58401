//! Finds the assignments of a Python module without parsing it.

mod bindings;
mod imports;
mod literal;
mod return_sentence;
mod string;

use std::sync::Arc;

use super::{Assigned, Assignments, SCHEMA, ToolFault, ended};
use crate::read::store::Modules;
use crate::text::Cursor;
use crate::text::Source;
use bindings::Bindings;
use imports::{Imports, Names};
use literal::PythonLiteralReader;
pub use return_sentence::{ReturnSentence, return_sentence};
use string::skip_string;

/// Compound statements, whose line may contain further statements that are not at module level.
const COMPOUND: [&str; 12] =
    ["if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class", "async"];

/// The literals that the module itself assigns to the relevant names, annotated or not; not inside a block, function or
/// class.
pub(super) fn assignments(text: &str) -> Result<Assignments, ToolFault> {
    read(text, |_, at| PythonLiteralReader::new(text, at))
}

/// Like [`assignments`], with names in literals resolved through the module and its imports from `modules`.
pub(super) fn executed_assignments(source: &Arc<Source>, modules: Modules<'_>) -> Result<Assignments, ToolFault> {
    let imports = Imports::new(modules);
    let Some(bindings) = Bindings::new(Arc::clone(source)) else { return assignments(source.text()) };
    read(source.text(), |statement, at| {
        PythonLiteralReader::with_names(source.text(), at, Names::of_module(&imports, &bindings, statement))
    })
}

/// `reader` makes the reader for a value, from the byte offsets of its statement and of the value itself.
fn read<'a>(text: &'a str, reader: impl Fn(usize, usize) -> PythonLiteralReader<'a>) -> Result<Assignments, ToolFault> {
    let mut found = Assignments::default();
    if !text.contains(SCHEMA) {
        return Ok(found);
    }
    statements(text, |cursor, statement| {
        let Statement { indent, word, at } = statement;
        if !indent.is_empty() || !Assignments::wants(word) || !skip_to_value(cursor)? {
            return Ok(());
        }
        let mut reader = reader(at, cursor.at());
        match reader.value() {
            Ok((value, range)) => {
                cursor.move_to(range.end);
                found.record(word, Assigned::Literal(value, at..ended(Cursor::new(text, reader.at()))));
            }
            Err(reason) => found.record(word, Assigned::Other(reason, reader.at())),
        }
        Ok(())
    })?;
    Ok(found)
}

struct Statement<'a> {
    /// The indentation of its line.
    indent: &'a str,
    /// Empty if the statement does not begin with a word.
    word: &'a str,
    at: usize,
}

/// Visits every simple statement and every header of a compound one, with a cursor after the first word, which may be
/// moved within the statement.
fn statements<'a>(
    text: &'a str,
    mut visit: impl FnMut(&mut Cursor<'a>, Statement<'a>) -> Result<(), ToolFault>,
) -> Result<(), ToolFault> {
    let mut cursor = Cursor::new(text, 0);
    while !cursor.is_done() {
        let indent = cursor.eat_while(is_space).trim_start_matches('\u{c}');
        loop {
            let at = cursor.at();
            let word = cursor.word('_');
            if !word.is_empty() {
                visit(&mut cursor, Statement { indent, word, at })?;
            }
            let may_share_line = !COMPOUND.contains(&word);
            if skip_statement(&mut cursor, may_share_line)? == StatementEnd::Line {
                break;
            }
            cursor.eat_while(is_space);
        }
    }
    Ok(())
}

/// Skips past the `=` of `= value` or `: type = value`; returns whether there is one.
fn skip_to_value(cursor: &mut Cursor<'_>) -> Result<bool, ToolFault> {
    skip_spaces(cursor);
    if cursor.eat(":") && !skip_to_equals(cursor)? {
        return Ok(false);
    }
    Ok(!cursor.rest().starts_with("==") && cursor.eat("="))
}

#[derive(PartialEq)]
enum StatementEnd {
    Semicolon,
    Line,
}

fn skip_statement(cursor: &mut Cursor<'_>, at_semicolon: bool) -> Result<StatementEnd, ToolFault> {
    let mut open = Vec::new();
    while let Some(c) = cursor.peek() {
        match c {
            '\n' if open.is_empty() => {
                cursor.bump();
                return Ok(StatementEnd::Line);
            }
            ';' if open.is_empty() && at_semicolon => {
                cursor.bump();
                return Ok(StatementEnd::Semicolon);
            }
            c => skip_token(cursor, c, &mut open)?,
        }
    }
    if let Some(&(_, at)) = open.first() { Err(("a bracket is never closed", at)) } else { Ok(StatementEnd::Line) }
}

/// Skips an annotation up to its `=`; false if the statement ends first.
fn skip_to_equals(cursor: &mut Cursor<'_>) -> Result<bool, ToolFault> {
    let mut open = Vec::new();
    while let Some(c) = cursor.peek() {
        match c {
            '=' if open.is_empty() => return Ok(true),
            '\n' | ';' if open.is_empty() => return Ok(false),
            c => skip_token(cursor, c, &mut open)?,
        }
    }
    Ok(false)
}

/// The closing bracket, and the offset of the opening one.
type PythonBracket = (char, usize);

/// Skips a character, or the string, comment or line continuation that begins with it.
fn skip_token(cursor: &mut Cursor<'_>, c: char, open: &mut Vec<PythonBracket>) -> Result<(), ToolFault> {
    let at = cursor.at();
    match c {
        '"' | '\'' => return skip_string(cursor).map_err(|reason| (reason, at)),
        '#' => {
            cursor.eat_while(|c| c != '\n');
            return Ok(());
        }
        '\\' => {
            cursor.bump();
            cursor.eat("\n");
            return Ok(());
        }
        '(' => open.push((')', at)),
        '[' => open.push((']', at)),
        '{' => open.push(('}', at)),
        ')' | ']' | '}' if open.pop().is_none_or(|(closing, _)| closing != c) => {
            return Err(("a closing bracket without an opening one", at));
        }
        _ => {}
    }
    cursor.bump();
    Ok(())
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{c}')
}

fn skip_spaces(cursor: &mut Cursor<'_>) {
    loop {
        cursor.eat_while(is_space);
        if !cursor.eat("\\\n") {
            break;
        }
    }
}

/// Skips spaces and, in brackets, newlines and comments.
fn skip_blank(cursor: &mut Cursor<'_>, in_brackets: bool) {
    loop {
        skip_spaces(cursor);
        match cursor.peek() {
            Some('\n') if in_brackets => {
                cursor.bump();
            }
            Some('#') if in_brackets => {
                cursor.eat_while(|c| c != '\n');
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::to_python_json;

    fn schema(text: &str) -> String {
        match assignments(text).map(|found| found.schema) {
            Ok(Some(Assigned::Literal(value, _))) => to_python_json(&value),
            Ok(Some(Assigned::Other(reason, at))) => format!("{reason} at {at}"),
            Ok(None) => "none".to_string(),
            Err((reason, at)) => format!("{reason} at {at}"),
        }
    }

    #[test]
    fn only_module_level_assignments_are_read() {
        for (text, expected) in [
            ("CONFIG_SCHEMA = {'a': 1}", r#"{"a": 1}"#),
            ("import os; CONFIG_SCHEMA={'a': 1}; x = 1", r#"{"a": 1}"#),
            ("CONFIG_SCHEMA: dict[str, 'x = 1'] = {'a': 1} # why", r#"{"a": 1}"#),
            ("CONFIG_SCHEMA = \\\n  {'a': 1}\n", r#"{"a": 1}"#),
            ("x = '''\nCONFIG_SCHEMA = {}\n'''\nCONFIG_SCHEMA = {'a': 1}", r#"{"a": 1}"#),
            ("f(\nCONFIG_SCHEMA = {}\n)", "none"),
            ("def f():\n    CONFIG_SCHEMA = {'a': 1}", "none"),
            ("if x: y = 1; CONFIG_SCHEMA = {'a': 1}", "none"),
            ("# CONFIG_SCHEMA = {}\nr'\\' CONFIG_SCHEMA'", "none"),
            ("CONFIG_SCHEMA: dict\nCONFIG_SCHEMA == {}\nCONFIG_SCHEMA['a'] = {}", "none"),
            ("MY_CONFIG_SCHEMA = {'a': 1}\nx.CONFIG_SCHEMA = {'a': 1}", "none"),
            ("CONFIG_SCHEMA = {'a': 1}\nCONFIG_SCHEMA = {'b': 2}", r#"{"b": 2}"#),
            ("CONFIG_SCHEMA = {'a': 1}\nCONFIG_SCHEMA = f()", r#"{"a": 1}"#),
            ("CONFIG_SCHEMA = build()", "a name or a call at 16"),
            ("CONFIG_SCHEMA = {'a': 1} | x", "an expression at 25"),
            ("CONFIG_SCHEMA = y = {'a': 1}", "a name or a call at 16"),
            ("x = (\nCONFIG_SCHEMA = {}", "a bracket is never closed at 4"),
            ("x = 'CONFIG_SCHEMA\n", "a string is never closed at 4"),
            ("CONFIG_SCHEMA = {}}", "a closing bracket without an opening one at 18"),
        ] {
            assert_eq!(schema(text), expected, "{text}");
        }
    }
}
