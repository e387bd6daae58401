//! The calls of `prefix_rule` in a file of rules. Of Starlark, calls with literals are read.

use std::ops::Range;

use crate::text::Cursor;

/// A call of `prefix_rule`.
#[derive(Debug, PartialEq)]
pub(super) struct PrefixRule {
    /// The alternatives of each word.
    pub words: Vec<Vec<String>>,
    pub is_allowed: bool,
    pub range: Range<usize>,
}

#[derive(Debug, PartialEq)]
enum Literal {
    Text(String),
    List(Vec<Literal>),
    /// A number, or a name such as `True`.
    Other,
}

/// The rules of a file; the error is where it is not understood.
pub(super) fn prefix_rules(text: &str) -> Result<Vec<PrefixRule>, usize> {
    let (mut reader, mut rules) = (Reader(Cursor::new(text, 0)), Vec::new());
    loop {
        reader.skip();
        while reader.take(";") {
            reader.skip();
        }
        if reader.0.is_done() {
            return Ok(rules);
        }
        let start = reader.0.at();
        let name = reader.word().to_string();
        let arguments = reader.arguments().ok_or(reader.0.at())?;
        if name == "prefix_rule" {
            let range = start..reader.0.at();
            rules.push(rule(arguments, range).ok_or(start)?);
        }
    }
}

fn rule(arguments: Vec<(String, Literal)>, range: Range<usize>) -> Option<PrefixRule> {
    let (mut words, mut is_allowed) = (None, true);
    for (index, (name, value)) in arguments.into_iter().enumerate() {
        match (name.as_str(), index, value) {
            ("pattern", ..) | ("", 0, _) if words.is_some() => return None,
            ("pattern", _, Literal::List(list)) | ("", 0, Literal::List(list)) => {
                words = Some(list.into_iter().map(word).collect::<Option<Vec<_>>>()?);
            }
            ("decision", _, Literal::Text(decision)) | ("", 1, Literal::Text(decision)) => {
                is_allowed = match decision.as_str() {
                    "allow" => true,
                    "prompt" | "forbidden" => false,
                    _ => return None,
                };
            }
            ("pattern" | "decision", ..) => return None,
            _ => {}
        }
    }
    words.filter(|words| !words.is_empty()).map(|words| PrefixRule { words, is_allowed, range })
}

fn word(literal: Literal) -> Option<Vec<String>> {
    match literal {
        Literal::Text(text) => Some(vec![text]),
        Literal::List(list) if !list.is_empty() => {
            list.into_iter().map(|it| if let Literal::Text(text) = it { Some(text) } else { None }).collect()
        }
        _ => None,
    }
}

struct Reader<'a>(Cursor<'a>);

impl<'a> Reader<'a> {
    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            self.0.eat_while(char::is_whitespace);
            if self.0.peek() != Some('#') {
                return;
            }
            self.0.eat_while(|c| c != '\n');
        }
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip();
        self.0.eat(text)
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        self.0.eat_while(|c| c.is_alphanumeric() || c == '_')
    }

    /// The arguments of a call, by name; the name of one without a name is empty.
    fn arguments(&mut self) -> Option<Vec<(String, Literal)>> {
        let mut arguments = Vec::new();
        if !self.take("(") {
            return None;
        }
        while !self.take(")") {
            let start = self.0.at();
            let name = self.word();
            let is_named = !name.is_empty() && self.take("=") && self.0.peek() != Some('=');
            if !is_named {
                self.0.move_to(start);
            }
            arguments.push((if is_named { name.to_string() } else { String::new() }, self.literal(0)?));
            if !self.take(",") && self.0.peek() != Some(')') {
                return None;
            }
        }
        Some(arguments)
    }

    fn literal(&mut self, depth: usize) -> Option<Literal> {
        const DEEPEST: usize = 50;
        self.skip();
        let close = match self.0.peek()? {
            '[' => "]",
            '(' => ")",
            '"' | '\'' => return self.string().map(Literal::Text),
            '-' | '0'..='9' => {
                self.0.bump();
                self.word();
                return Some(Literal::Other);
            }
            _ => return matches!(self.word(), "True" | "False" | "None").then_some(Literal::Other),
        };
        if depth == DEEPEST {
            return None;
        }
        self.0.bump();
        let mut list = Vec::new();
        while !self.take(close) {
            list.push(self.literal(depth + 1)?);
            if !self.take(",") && !self.0.rest().starts_with(close) {
                return None;
            }
        }
        Some(Literal::List(list))
    }

    /// A string in one or three quotes.
    fn string(&mut self) -> Option<String> {
        let quote = &self.0.rest()[..1];
        let tripled = quote.repeat(3);
        let is_long = self.0.rest().starts_with(&tripled);
        let end = if is_long { tripled.as_str() } else { quote };
        self.0.eat(end);
        let mut text = String::new();
        while !self.0.eat(end) {
            match self.0.bump()? {
                '\\' => text.push_str(&self.escape()?),
                '\n' if !is_long => return None,
                c => text.push(c),
            }
        }
        Some(text)
    }

    fn escape(&mut self) -> Option<String> {
        let digits = match self.0.bump()? {
            'n' => return Some("\n".to_string()),
            't' => return Some("\t".to_string()),
            'r' => return Some("\r".to_string()),
            '\n' => return Some(String::new()),
            c @ ('\\' | '"' | '\'') => return Some(c.to_string()),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => return None,
        };
        let code = u32::from_str_radix(self.0.rest().get(..digits)?, 16).ok()?;
        self.0.take(digits);
        char::from_u32(code).map(String::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_with_literals_are_read() {
        let text = "# what runs\nprefix_rule(pattern=['a', [\"b\", '\\u00e9',],], decision = 'prompt', match=[['a', 'b']],)\nprefix_rule(['x'])\nother(1, None)\n";
        let rules = prefix_rules(text).unwrap();
        assert_eq!(rules[0].words, [vec!["a".to_string()], vec!["b".to_string(), "é".to_string()]]);
        assert_eq!((rules[0].is_allowed, rules[1].is_allowed, rules.len()), (false, true, 2));
        assert_eq!(&text[rules[1].range.clone()], "prefix_rule(['x'])");
    }

    #[test]
    fn anything_else_is_refused_where_it_begins() {
        for text in
            ["prefix_rule(", "prefix_rule(pattern=[1])", "prefix_rule(pattern=[])", "x = 1", "prefix_rule(pattern=['a)"]
        {
            assert!(prefix_rules(text).is_err(), "{text:?}");
        }
        assert!(prefix_rules(&"f([".repeat(100_000)).is_err());
        assert!(prefix_rules(&format!("f({})", "[".repeat(100_000))).is_err());
    }
}
