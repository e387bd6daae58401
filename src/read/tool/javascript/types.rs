//! Skips TypeScript types.

use super::super::Literal;
use super::{skip_quoted, skip_trivia};
use crate::text::Cursor;

const MALFORMED: &str = "a type that cannot be parsed";

/// The maximum length of a bracketed part, in bytes: a `<` in a comparison may never be closed, and
/// a file may contain many.
const LONGEST: usize = 10_000;

/// Words that may precede a type.
const OPERATORS: [&str; 5] = ["keyof", "typeof", "readonly", "unique", "new"];

/// Skips any number of `as T` and `satisfies T` after a value.
pub(super) fn skip_casts(cursor: &mut Cursor<'_>) -> Literal<()> {
    loop {
        let end = cursor.at();
        let newline = skip_trivia(cursor);
        match cursor.word('$') {
            "as" | "satisfies" if !newline => skip_type(cursor)?,
            _ => {
                cursor.move_to(end);
                return Ok(());
            }
        }
    }
}

/// Skips names with arguments and indices, literals, brackets, functions, unions, intersections.
pub(super) fn skip_type(cursor: &mut Cursor<'_>) -> Literal<()> {
    loop {
        skip_trivia(cursor);
        while cursor.eat("|") || cursor.eat("&") {
            skip_trivia(cursor);
        }
        let parameters = operand(cursor)?;
        let end = cursor.at();
        skip_trivia(cursor);
        let more = cursor.eat("|") || cursor.eat("&") || (parameters && cursor.eat("=>"));
        if !more {
            cursor.move_to(end);
            return Ok(());
        }
    }
}

/// Skips a member of a union; returns whether it may be a function's parameters.
fn operand(cursor: &mut Cursor<'_>) -> Literal<bool> {
    let parameters = loop {
        match cursor.peek() {
            Some(c @ ('(' | '[' | '{')) => {
                skip_brackets(cursor)?;
                break c == '(';
            }
            // The type parameters of a function.
            Some('<') => skip_brackets(cursor)?,
            Some(quote @ ('"' | '\'')) => {
                skip_quoted(cursor, quote);
                break false;
            }
            Some('-' | '0'..='9') => {
                cursor.eat_while(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'));
                break false;
            }
            _ => match cursor.word('$') {
                "" => return Err(MALFORMED),
                word if OPERATORS.contains(&word) => {}
                _ => break false,
            },
        }
        skip_trivia(cursor);
    };
    loop {
        let end = cursor.at();
        let newline = skip_trivia(cursor);
        match cursor.peek() {
            Some('.') => {
                cursor.bump();
                skip_trivia(cursor);
                if cursor.word('$').is_empty() {
                    return Err(MALFORMED);
                }
            }
            Some('[' | '<') if !newline => skip_brackets(cursor)?,
            _ => {
                cursor.move_to(end);
                return Ok(parameters);
            }
        }
    }
}

fn skip_brackets(cursor: &mut Cursor<'_>) -> Literal<()> {
    let start = cursor.at();
    let mut depth = 0usize;
    while let Some(c) = cursor.peek().filter(|_| cursor.at() - start < LONGEST) {
        match c {
            quote @ ('"' | '\'') => skip_quoted(cursor, quote),
            _ if cursor.eat("=>") => {}
            '(' | '[' | '{' | '<' => {
                cursor.bump();
                depth += 1;
            }
            ')' | ']' | '}' | '>' => {
                cursor.bump();
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(());
                }
            }
            _ => {
                cursor.bump();
            }
        }
        skip_trivia(cursor);
    }
    Err(MALFORMED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_type_is_found() {
        for (text, rest) in [
            ("const;", ";"),
            ("Record<string, unknown> = {}", " = {}"),
            ("{ a: '}'; b: (x: A) => B } = 1", " = 1"),
            ("a.b.C<D<E>>[]['x'] | null & [1, 2], y", ", y"),
            ("| 'a' | \"b\"\nfoo", "\nfoo"),
            ("(x: A) => Promise<B> = 1", " = 1"),
            ("<T>(x: T) => T = 1", " = 1"),
            ("readonly string[]\n[1]", "\n[1]"),
            ("keyof typeof x /* ) */ = 1", " /* ) */ = 1"),
            ("-1 = 1", " = 1"),
        ] {
            let mut cursor = Cursor::new(text, 0);
            assert_eq!(skip_type(&mut cursor), Ok(()), "{text}");
            assert_eq!(cursor.rest(), rest, "{text}");
        }
        for text in ["", "<", "A<B", "A.", "{"] {
            assert_eq!(skip_type(&mut Cursor::new(text, 0)), Err(MALFORMED), "{text}");
        }
    }
}
