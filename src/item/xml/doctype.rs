use super::fault::Fault;
use super::name;
use super::tag::skip_blanks;

/// Checks the document type declaration at `at` and returns its end.
///
/// Nothing in it takes effect: entities are never expanded, and declarations that would change the tree are refused.
pub(super) fn check(document: &str, at: usize) -> Result<usize, Fault> {
    let mut cursor = Cursor { document, at };
    cursor.expect("<!DOCTYPE", "<!DOCTYPE")?;
    cursor.blanks("a blank")?;
    cursor.name()?;
    let spaced = cursor.skip_blanks();
    if spaced && cursor.take("SYSTEM") {
        cursor.blanks("a blank")?;
        cursor.literal()?;
    } else if spaced && cursor.take("PUBLIC") {
        cursor.blanks("a blank")?;
        cursor.literal()?;
        cursor.blanks("a blank")?;
        cursor.literal()?;
    }
    cursor.skip_blanks();
    if cursor.take("[") {
        cursor.declarations()?;
        cursor.skip_blanks();
    }
    cursor.expect(">", "`>`")?;
    Ok(cursor.at)
}

struct Cursor<'a> {
    document: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.document[self.at..]
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn expect(&mut self, text: &str, what: &str) -> Result<(), Fault> {
        if self.take(text) { Ok(()) } else { Err(Fault::unexpected(self.document, self.at, what)) }
    }

    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        self.at = skip_blanks(self.document, start);
        self.at > start
    }

    fn blanks(&mut self, what: &str) -> Result<(), Fault> {
        if self.skip_blanks() { Ok(()) } else { Err(Fault::unexpected(self.document, self.at, what)) }
    }

    fn name(&mut self) -> Result<(), Fault> {
        match name::qualified(self.rest()) {
            0 => Err(Fault::unexpected(self.document, self.at, "a name")),
            length => {
                self.at += length;
                Ok(())
            }
        }
    }

    fn literal(&mut self) -> Result<(), Fault> {
        let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return Err(Fault::unexpected(self.document, self.at, "a quote"));
        };
        let start = self.at;
        self.at += 1;
        self.past(&quote.to_string(), start)
    }

    /// Skips past the next `end`; without one, the construct at `start` is unclosed.
    fn past(&mut self, end: &str, start: usize) -> Result<(), Fault> {
        match self.rest().find(end) {
            Some(length) => {
                self.at += length + end.len();
                Ok(())
            }
            None => Err(Fault::new(format!("never closed with `{end}`"), start..start + 1)),
        }
    }

    /// The internal subset up to its `]`.
    fn declarations(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_blanks();
            let start = self.at;
            if self.take("]") {
                return Ok(());
            } else if self.take("<!--") {
                self.past("--", start)?;
                self.expect(">", "the `>` of a comment")?;
            } else if self.take("<?") {
                if name::unqualified(self.rest()) == 0 {
                    return Err(Fault::unexpected(self.document, self.at, "a name"));
                }
                self.past("?>", start)?;
            } else if self.take("<!ENTITY") || self.take("<!ELEMENT") || self.take("<!NOTATION") {
                self.blanks("a blank")?;
                self.declaration(start)?;
            } else if self.take("<!ATTLIST") {
                return Err(Fault::new("<!ATTLIST> is not read here: write the attributes themselves", start..self.at));
            } else {
                return Err(Fault::unexpected(self.document, start, "a declaration or `]`"));
            }
        }
    }

    /// A declaration up to the first `>` outside quotes.
    fn declaration(&mut self, start: usize) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let found = rest.find(['"', '\'', '>', '<']);
            match found.and_then(|length| Some((length, rest[length..].chars().next()?))) {
                Some((length, '>')) => {
                    self.at += length + 1;
                    return Ok(());
                }
                Some((length, '"' | '\'')) => {
                    self.at += length;
                    self.literal()?;
                }
                _ => return Err(Fault::new("a declaration is never ended with `>`", start..start + 1)),
            }
        }
    }
}
