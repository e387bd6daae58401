//! Reads literals in JavaScript without running it.

use crate::read::tool::javascript_escape;
use crate::text::Cursor;

/// A part of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The code in `${…}`.
    Hole(String),
}

/// A string or template, with its place in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub start: usize,
    pub pieces: Vec<Piece>,
}

impl Literal {
    /// The text, unless it has holes.
    pub fn text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

#[derive(Debug)]
enum Token {
    Literal(Literal),
    Other(usize, char),
}

/// The literals and the other characters of code, without comments. Ends at what it cannot read.
struct Tokens<'c> {
    cursor: Cursor<'c>,
    /// How many templates the code is in.
    depth: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let (start, code) = (self.cursor.at(), self.cursor.rest());
            if let Some((_, end)) = [("//", "\n"), ("/*", "*/")].into_iter().find(|(start, _)| self.cursor.eat(start)) {
                self.cursor.skip_past(end);
                continue;
            }
            let c = self.cursor.bump()?;
            if !matches!(c, '"' | '\'' | '`') {
                return Some(Token::Other(start, c));
            }
            let (pieces, length) = literal(code, c, self.depth)?;
            self.cursor.move_to(start + length);
            return Some(Token::Literal(Literal { start, pieces }));
        }
    }
}

/// All literals of the code.
pub(super) fn literals(code: &str) -> Vec<Literal> {
    let literal = |token| if let Token::Literal(literal) = token { Some(literal) } else { None };
    Tokens { cursor: Cursor::new(code, 0), depth: 0 }.filter_map(literal).collect()
}

/// The literal that directly follows a mark, if nothing is added to it.
pub(super) fn after(code: &str, mark: &str) -> Option<Literal> {
    code.match_indices(mark).find_map(|(at, _)| {
        let rest = code[at + mark.len()..].trim_start();
        let (pieces, length) = literal(rest, rest.chars().next()?, 0)?;
        let is_whole = rest[length..].trim_start().starts_with([',', ';', ')', '}', ']']);
        is_whole.then_some(Literal { start: at, pieces })
    })
}

/// The code between the first bracket after a mark and the bracket that closes it.
pub(super) fn enclosed<'c>(code: &'c str, mark: &str, opening: char) -> Option<&'c str> {
    enclosed_in(code, mark, opening, 0)
}

/// Templates in templates are read up to this depth.
const MOST_NESTED: usize = 20;

fn enclosed_in<'c>(code: &'c str, mark: &str, opening: char, depth: usize) -> Option<&'c str> {
    if depth > MOST_NESTED {
        return None;
    }
    let rest = &code[code.find(mark)? + mark.len()..];
    let (mut open, mut start) = (0usize, None);
    for token in (Tokens { cursor: Cursor::new(rest, 0), depth }) {
        let Token::Other(at, c) = token else { continue };
        if start.is_none() && c != opening {
            continue;
        }
        match c {
            '{' | '[' | '(' => {
                start = start.or(Some(at + 1));
                open += 1;
            }
            '}' | ']' | ')' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return Some(&rest[start?..at]);
        }
    }
    None
}

/// The pieces of the literal at the start of some code, and its length.
fn literal(code: &str, quote: char, depth: usize) -> Option<(Vec<Piece>, usize)> {
    let mut at = code.strip_prefix(['"', '\'', '`']).map(|rest| code.len() - rest.len())?;
    let (mut pieces, mut text) = (Vec::new(), String::new());
    loop {
        let rest = &code[at..];
        let c = rest.chars().next()?;
        at += match c {
            '\\' => {
                let mut cursor = Cursor::new(rest, 1);
                javascript_escape(&mut cursor, &mut text).ok()?;
                cursor.at()
            }
            '$' if quote == '`' && rest.starts_with("${") => {
                let hole = enclosed_in(rest, "$", '{', depth + 1)?;
                pieces.extend((!text.is_empty()).then(|| Piece::Text(std::mem::take(&mut text))));
                pieces.push(Piece::Hole(hole.trim().to_string()));
                "${}".len() + hole.len()
            }
            '\n' if quote != '`' => return None,
            c if c == quote => {
                pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
                return Some((pieces, at + c.len_utf8()));
            }
            c => {
                text.push(c);
                c.len_utf8()
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(code: &str) -> Vec<String> {
        literals(code).iter().map(|literal| literal.text().unwrap_or("(holes)").to_string()).collect()
    }

    #[test]
    fn literals_are_read_as_javascript_reads_them() {
        let code = r#"f("a\n\"b\"", 'it\'s', `c ${d({ e: "}" })} f`); // "no"
            /* 'no' */ g("\x41\u00e9\u{1f600}\ud83d\ude00\q", "a\
b")"#;
        assert_eq!(texts(code), ["a\n\"b\"", "it's", "(holes)", "Aé😀😀q", "ab"]);
        let [Piece::Text(before), Piece::Hole(hole), Piece::Text(after)] = &literals(code)[2].pieces[..] else {
            panic!("three pieces");
        };
        assert_eq!((before.as_str(), hole.as_str(), after.as_str()), ("c ", r#"d({ e: "}" })"#, " f"));
    }

    #[test]
    fn a_literal_after_a_mark_stands_alone() {
        let text = |code: &str| after(code, "x:").and_then(|literal| literal.text().map(str::to_string));
        assert_eq!(text(r#"{ x: y, x: "a" }"#).as_deref(), Some("a"));
        assert_eq!(text(r#"{ x: "a" + b }"#), None);
        assert_eq!(text(r#"{ x: "a"#), None);
    }

    #[test]
    fn brackets_in_literals_and_comments_do_not_count() {
        assert_eq!(enclosed(r#"f() { a("}"); /* } */ { b } } c"#, "f()", '{'), Some(r#" a("}"); /* } */ { b } "#));
        assert_eq!(enclosed("f() { a", "f()", '{'), None);
        assert_eq!(texts(&"`${".repeat(300_000)), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_code_is_read_or_refused(code in "([a-c{}\\[\\]()'\"`$\\\\ux0-9/*\n ]|\\$\\{|😀){0,40}") {
            literals(&code);
            enclosed(&code, "a", '{');
            after(&code, "b");
        }

        #[test]
        fn quoted_text_round_trips(text in any::<String>()) {
            let code = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(texts(&code), [text]);
        }
    }
}
