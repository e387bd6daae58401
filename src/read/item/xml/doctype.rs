use super::fault::XmlFault;
use super::name;
use super::text::BLANKS;
use crate::text::Cursor;

/// Checks the document type declaration at `at` and returns its end. Nothing in it takes effect: entities are never
/// expanded, and declarations that would change the tree are refused.
pub(super) fn check(document: &str, at: usize) -> Result<usize, XmlFault> {
    let cursor = &mut Cursor::new(document, at);
    expect(cursor, "<!DOCTYPE", "<!DOCTYPE")?;
    let spaced = skip_blanks(cursor);
    if cursor.rest().starts_with('>') {
        let at = cursor.at();
        return Err(XmlFault::new("a document type declaration without a name", at..at + 1));
    }
    if !spaced {
        return Err(unexpected(cursor, "a blank"));
    }
    match name::qualified(cursor.rest()) {
        0 => return Err(unexpected(cursor, "a name")),
        length => cursor.take(length),
    };
    let spaced = skip_blanks(cursor);
    if spaced && cursor.eat("SYSTEM") {
        blanks(cursor)?;
        literal(cursor)?;
    } else if spaced && cursor.eat("PUBLIC") {
        blanks(cursor)?;
        literal(cursor)?;
        blanks(cursor)?;
        literal(cursor)?;
    }
    skip_blanks(cursor);
    if cursor.eat("[") {
        declarations(cursor)?;
        skip_blanks(cursor);
    }
    expect(cursor, ">", "`>`")?;
    Ok(cursor.at())
}

fn unexpected(cursor: &Cursor<'_>, expected: &str) -> XmlFault {
    XmlFault::unexpected(cursor.whole(), cursor.at(), expected)
}

fn expect(cursor: &mut Cursor<'_>, text: &str, what: &str) -> Result<(), XmlFault> {
    if cursor.eat(text) { Ok(()) } else { Err(unexpected(cursor, what)) }
}

fn skip_blanks(cursor: &mut Cursor<'_>) -> bool {
    !cursor.eat_while(|c| BLANKS.contains(&c)).is_empty()
}

fn blanks(cursor: &mut Cursor<'_>) -> Result<(), XmlFault> {
    if skip_blanks(cursor) { Ok(()) } else { Err(unexpected(cursor, "a blank")) }
}

fn literal(cursor: &mut Cursor<'_>) -> Result<(), XmlFault> {
    let start = cursor.at();
    match cursor.peek() {
        Some('"') => past(cursor, "\"", start, 1),
        Some('\'') => past(cursor, "'", start, 1),
        _ => Err(unexpected(cursor, "a quote")),
    }
}

/// Skips `skipped` bytes, then everything through the next `end`; without one, the construct at `start` is unclosed.
fn past(cursor: &mut Cursor<'_>, end: &str, start: usize, skipped: usize) -> Result<(), XmlFault> {
    cursor.take(skipped);
    let never_closed = || XmlFault::new(format!("never closed with `{end}`"), start..start + 1);
    if cursor.skip_past(end) { Ok(()) } else { Err(never_closed()) }
}

fn declarations(cursor: &mut Cursor<'_>) -> Result<(), XmlFault> {
    loop {
        skip_blanks(cursor);
        let start = cursor.at();
        if cursor.eat("]") {
            return Ok(());
        } else if cursor.eat("<!--") {
            past(cursor, "--", start, 0)?;
            expect(cursor, ">", "the `>` of a comment")?;
        } else if cursor.eat("<?") {
            if name::unqualified(cursor.rest()) == 0 {
                return Err(unexpected(cursor, "a name"));
            }
            past(cursor, "?>", start, 0)?;
        } else if cursor.eat("<!ENTITY") || cursor.eat("<!ELEMENT") || cursor.eat("<!NOTATION") {
            blanks(cursor)?;
            declaration(cursor, start)?;
        } else if cursor.eat("<!ATTLIST") {
            return Err(XmlFault::new(
                "<!ATTLIST> is not supported: write the attributes themselves",
                start..cursor.at(),
            ));
        } else {
            return Err(unexpected(cursor, "a declaration or `]`"));
        }
    }
}

/// A declaration up to the first `>` outside quotes.
fn declaration(cursor: &mut Cursor<'_>, start: usize) -> Result<(), XmlFault> {
    loop {
        cursor.eat_while(|c| !matches!(c, '"' | '\'' | '>' | '<'));
        match cursor.peek() {
            Some('"' | '\'') => literal(cursor)?,
            Some('>') => {
                cursor.bump();
                return Ok(());
            }
            _ => return Err(XmlFault::new("a declaration is never closed with `>`", start..start + 1)),
        }
    }
}
