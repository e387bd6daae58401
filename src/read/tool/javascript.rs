//! Finds the assignments of a JavaScript or TypeScript module without parsing it.

mod literal;
mod string;
mod types;

pub(crate) use string::escape;

use super::{Assigned, Assignments, SCHEMA, ToolFault, ended};
use crate::text::Cursor;
use literal::JavaScriptLiteralReader;
use types::skip_type;

/// The literals that the module itself assigns to the relevant names: `const NAME = …`, with or without `export` and a
/// type, `exports.NAME = …`, `module.exports.NAME = …`; not inside a block or function. The previous token decides
/// whether a `/` divides or begins a regular expression, and that guess may be wrong. So an unclosed bracket or
/// template is an error only if the file names a schema or description that was not found.
pub(super) fn assignments(text: &str) -> Result<Assignments, ToolFault> {
    let mut scanner = Scanner {
        text,
        cursor: Cursor::new(text, 0),
        open: Vec::new(),
        open_template: None,
        last: [Token::Start; 4],
        starts: [0; 4],
        start: 0,
    };
    let mut found = Assignments::default();
    if text.contains(SCHEMA) {
        if text.starts_with("#!") {
            scanner.cursor.eat_while(|c| !is_newline(c));
        }
        scanner.scan(&mut found);
    }
    match scanner.unclosed() {
        Some(fault) if found.misses_one_in(text) => Err(fault),
        _ => Ok(found),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'a> {
    Start,
    Word(&'a str),
    /// A string, number, template or regular expression.
    Value,
    /// A bracket that ends a value: an index, a call, an object.
    ValueEnd,
    /// A bracket that ends a statement or its head.
    StatementEnd,
    Arrow,
    Mark(char),
}

struct OpenBracket {
    at: usize,
    /// The token that its closing bracket becomes.
    ends: Token<'static>,
    template: bool,
}

/// Keywords before a value, so that a following `/` begins a regular expression, and a `{` an object.
fn precedes_value(word: &str) -> bool {
    matches!(
        word,
        "return"
            | "typeof"
            | "case"
            | "in"
            | "of"
            | "new"
            | "delete"
            | "void"
            | "throw"
            | "instanceof"
            | "yield"
            | "await"
            | "default"
    )
}

struct Scanner<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    open: Vec<OpenBracket>,
    /// Offset of the template part that the file ends in.
    open_template: Option<usize>,
    /// The last tokens, newest first.
    last: [Token<'a>; 4],
    starts: [usize; 4],
    start: usize,
}

impl<'a> Scanner<'a> {
    fn scan(&mut self, found: &mut Assignments) {
        loop {
            skip_trivia(&mut self.cursor);
            let Some(c) = self.cursor.peek() else { break };
            self.start = self.cursor.at();
            match c {
                '"' | '\'' => {
                    skip_quoted(&mut self.cursor, c);
                    self.push(Token::Value);
                }
                '`' => {
                    self.cursor.bump();
                    self.template();
                }
                '/' if self.value_comes_next() => {
                    skip_regex(&mut self.cursor);
                    self.push(Token::Value);
                }
                '(' | '[' | '{' => self.open(c),
                ')' | ']' | '}' => self.close(),
                '0'..='9' => {
                    self.cursor.eat_while(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
                    self.push(Token::Value);
                }
                _ if self.cursor.eat("=>") => self.push(Token::Arrow),
                // Prefix or postfix: either way, what may follow is unchanged.
                _ if self.cursor.eat("++") || self.cursor.eat("--") => {}
                c => match self.cursor.word('$') {
                    "" => {
                        self.cursor.bump();
                        self.push(Token::Mark(c));
                    }
                    word => {
                        let declared =
                            if self.open.is_empty() && Assignments::wants(word) { self.declared() } else { None };
                        self.push(Token::Word(word));
                        if let Some(start) = declared {
                            self.assignment(word, start, found);
                        }
                    }
                },
            }
        }
    }

    fn unclosed(&self) -> Option<ToolFault> {
        let template = self.open_template.map(|at| ("a template is never closed", at));
        template.or_else(|| Some(("a bracket is never closed", self.open.first()?.at)))
    }

    fn push(&mut self, token: Token<'a>) {
        self.last.rotate_right(1);
        self.last[0] = token;
        self.starts.rotate_right(1);
        self.starts[0] = self.start;
    }

    /// The start of the declaration, if the previous tokens declare the next word as a name of the module.
    fn declared(&self) -> Option<usize> {
        match self.last {
            [Token::Word("const" | "let" | "var"), Token::Word("export"), ..] => Some(self.starts[1]),
            [Token::Word("const" | "let" | "var"), ..] => Some(self.starts[0]),
            [Token::Mark('.'), Token::Word("exports"), Token::Mark('.'), before] => {
                (before == Token::Word("module")).then_some(self.starts[3])
            }
            [Token::Mark('.'), Token::Word("exports"), ..] => Some(self.starts[1]),
            _ => None,
        }
    }

    /// Reads `= value` or `: type = value`; skips nothing if there is neither.
    fn assignment(&mut self, name: &str, start: usize, found: &mut Assignments) {
        skip_trivia(&mut self.cursor);
        if self.cursor.eat(":") {
            let typed = skip_type(&mut self.cursor);
            skip_trivia(&mut self.cursor);
            if typed.is_err() {
                return;
            }
        }
        if self.cursor.rest().starts_with("==") || self.cursor.rest().starts_with("=>") || !self.cursor.eat("=") {
            return;
        }
        self.push(Token::Mark('='));
        let mut reader = JavaScriptLiteralReader::new(self.text, self.cursor.at());
        match reader.value() {
            Ok(value) => {
                self.cursor.move_to(reader.at());
                self.push(Token::Value);
                let mut next = Cursor::new(self.text, reader.at());
                skip_trivia(&mut next);
                found.record(name, Assigned::Literal(value, start..ended(next)));
            }
            Err(reason) => found.record(name, Assigned::Other(reason, reader.at())),
        }
    }

    fn value_comes_next(&self) -> bool {
        match self.last[0] {
            Token::Start | Token::StatementEnd | Token::Arrow | Token::Mark(_) => true,
            Token::Word(word) => precedes_value(word) || matches!(word, "else" | "do"),
            Token::Value | Token::ValueEnd => false,
        }
    }

    fn open(&mut self, bracket: char) {
        self.cursor.bump();
        let ends_statement = match (bracket, self.last[0]) {
            ('(', Token::Word(word)) => matches!(word, "if" | "while" | "for" | "with"),
            ('{', Token::Word(word)) => !precedes_value(word),
            ('{', Token::Mark(mark)) => mark == ';',
            // A block after `)`, `}`, `=>`, or at the very start.
            ('{', _) => true,
            _ => false,
        };
        let ends = if ends_statement { Token::StatementEnd } else { Token::ValueEnd };
        self.open.push(OpenBracket { at: self.start, ends, template: false });
        self.push(Token::Mark(bracket));
    }

    fn close(&mut self) {
        self.cursor.bump();
        match self.open.pop() {
            Some(OpenBracket { template: true, .. }) => self.template(),
            Some(OpenBracket { ends, .. }) => self.push(ends),
            None => self.push(Token::StatementEnd),
        }
    }

    /// Skips to the end of a template, or to its next `${`.
    fn template(&mut self) {
        loop {
            let at = self.cursor.at();
            match self.cursor.bump() {
                Some('\\') => {
                    self.cursor.bump();
                }
                Some('`') => break,
                Some('$') if self.cursor.eat("{") => {
                    self.open.push(OpenBracket { at, ends: Token::Value, template: true });
                    self.push(Token::Mark('{'));
                    return;
                }
                Some(_) => {}
                None => {
                    self.open_template = Some(self.start);
                    break;
                }
            }
        }
        self.push(Token::Value);
    }
}

fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Skips white space and comments; returns whether they contain a newline.
fn skip_trivia(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at();
    loop {
        cursor.eat_while(|c| c.is_whitespace() || c == '\u{feff}');
        if cursor.eat("//") {
            cursor.eat_while(|c| !is_newline(c));
        } else if cursor.eat("/*") {
            cursor.skip_past("*/");
        } else {
            return cursor.since(start).contains(is_newline);
        }
    }
}

/// An unclosed string ends with its line.
fn skip_quoted(cursor: &mut Cursor<'_>, quote: char) {
    cursor.bump();
    while let Some(c) = cursor.bump() {
        match c {
            '\\' => {
                cursor.bump();
            }
            c if c == quote || c == '\n' => break,
            _ => {}
        }
    }
}

/// A character class may contain a `/`; an unclosed expression ends with its line.
fn skip_regex(cursor: &mut Cursor<'_>) {
    cursor.bump();
    let mut class = false;
    while let Some(c) = cursor.bump() {
        match c {
            '\\' => {
                cursor.bump();
            }
            '[' => class = true,
            ']' => class = false,
            '/' if !class => break,
            '\n' => break,
            _ => {}
        }
    }
    cursor.eat_while(char::is_alphanumeric);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::value::to_python_json;

    fn schema(text: &str) -> String {
        match assignments(text).map(|found| found.schema) {
            Ok(Some(Assigned::Literal(value, _))) => to_python_json(&value),
            Ok(None) => "none".to_string(),
            Ok(Some(Assigned::Other(reason, at))) | Err((reason, at)) => format!("{reason} at {at}"),
        }
    }

    #[test]
    fn a_declaration_begins_with_its_first_word() {
        for (text, expected) in [
            ("a()\nexport const CONFIG_SCHEMA: X = {a: 1};", "export const CONFIG_SCHEMA: X = {a: 1};"),
            ("{}\nvar CONFIG_SCHEMA = {a: 1}", "var CONFIG_SCHEMA = {a: 1}"),
            ("f();\nmodule.exports.CONFIG_SCHEMA = {a: 1}", "module.exports.CONFIG_SCHEMA = {a: 1}"),
            ("f();\nexports.CONFIG_SCHEMA = {a: 1} as X // c\ng()", "exports.CONFIG_SCHEMA = {a: 1} as X // c\ng"),
        ] {
            match assignments(text).unwrap().schema {
                Some(Assigned::Literal(_, range)) => assert_eq!(&text[range], expected),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn unclosed_brackets_are_errors_if_they_hide_an_assignment() {
        let one = r#"{"a": 1}"#;
        for (text, expected) in [
            ("f(\nconst CONFIG_SCHEMA = {a: 1}", "a bracket is never closed at 1"),
            ("const t = `${\nconst CONFIG_SCHEMA = {a: 1}", "a bracket is never closed at 11"),
            ("const CONFIG_SCHEMA = {a: 1}; {\nexports.__tool_description__ = 'x'", "a bracket is never closed at 30"),
            ("const CONFIG_SCHEMA = {a: 1};`\nexports.__tool_description__ = `x`", "a template is never closed at 64"),
            ("const CONFIG_SCHEMA = {a: 1}; {", one),
            ("exports.__tool_description__ = 'x'; const CONFIG_SCHEMA = {a: 1}; `", one),
            ("const CONFIG_SCHEMA = {a: 1}; { exports.__tool_description__ = 'x' }", one),
        ] {
            assert_eq!(schema(text), expected, "{text}");
        }
    }

    #[test]
    fn only_module_level_assignments_are_read() {
        let one = r#"{"a": 1}"#;
        for (text, expected) in [
            ("const CONFIG_SCHEMA = {a: 1}", one),
            ("export const CONFIG_SCHEMA = {a: 1};", one),
            ("module.exports.CONFIG_SCHEMA = {a: 1}", one),
            ("exports . CONFIG_SCHEMA = {a: 1}\nfoo()", one),
            ("let CONFIG_SCHEMA: Record<string, {x: 1}> = {a: 1} as const;", one),
            ("export const CONFIG_SCHEMA = {a: 1} satisfies Schema<'x'>\nexport default 1", one),
            ("const x = /[/'\"`]/g, y = a / b / c; const CONFIG_SCHEMA = {a: 1}", one),
            ("if (x) /'/.test(y)\nconst CONFIG_SCHEMA = {a: 1}", one),
            ("const f = () => { return /{/ }\nconst CONFIG_SCHEMA = {a: 1}", one),
            ("const t = `a ${b + `}` + {c}.c} '`; var CONFIG_SCHEMA = {a: 1}", one),
            ("#!/usr/bin/env node '\nconst CONFIG_SCHEMA = {a: 1}", one),
            ("const x = i++ / 2; // '\nconst CONFIG_SCHEMA = {a: 1}", one),
            ("/* const CONFIG_SCHEMA = {} */ const s = 'const CONFIG_SCHEMA = {}'", "none"),
            ("function f() { const CONFIG_SCHEMA = {a: 1} }", "none"),
            ("foo.exports.CONFIG_SCHEMA = {a: 1}", "none"),
            ("CONFIG_SCHEMA = {a: 1}; x.CONFIG_SCHEMA = {}", "none"),
            ("const CONFIG_SCHEMA: X; exports.CONFIG_SCHEMA == {}", "none"),
            ("const MY_CONFIG_SCHEMA = {}, CONFIG_SCHEMA$ = {}", "none"),
            ("const CONFIG_SCHEMA = Object.freeze({a: 1})", "a name or a call at 22"),
            ("const CONFIG_SCHEMA = {a: 1}\n.b", "an expression at 29"),
            ("const CONFIG_SCHEMA = {a: 1}[0]", "an expression at 28"),
            ("const CONFIG_SCHEMA = {a: /x/}", "a regular expression at 26"),
        ] {
            assert_eq!(schema(text), expected, "{text}");
        }
    }
}
