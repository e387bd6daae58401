use super::super::cursor::Cursor;

pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Skips white space and comments; whether a newline was among them.
pub(super) fn skip_trivia(cursor: &mut Cursor<'_>) -> bool {
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
