//! The calls of `prefix_rule` in a file of rules. Of Starlark, calls with literals are read.

use std::ops::Range;

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
    let (mut reader, mut rules) = (Reader { text, at: 0 }, Vec::new());
    loop {
        reader.skip();
        while reader.take(';') {
            reader.skip();
        }
        if reader.rest().is_empty() {
            return Ok(rules);
        }
        let start = reader.at;
        let name = reader.word().to_string();
        let arguments = reader.arguments().ok_or(reader.at)?;
        if name == "prefix_rule" {
            let range = start..reader.at;
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

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn take(&mut self, c: char) -> bool {
        self.skip();
        let is_there = self.rest().starts_with(c);
        self.at += if is_there { c.len_utf8() } else { 0 };
        is_there
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The arguments of a call, by name; the name of one without a name is empty.
    fn arguments(&mut self) -> Option<Vec<(String, Literal)>> {
        let mut arguments = Vec::new();
        if !self.take('(') {
            return None;
        }
        while !self.take(')') {
            let start = self.at;
            let name = self.word();
            let is_named = !name.is_empty() && self.take('=') && !self.rest().starts_with('=');
            if !is_named {
                self.at = start;
            }
            arguments.push((if is_named { name.to_string() } else { String::new() }, self.literal(0)?));
            if !self.take(',') && !self.rest().starts_with(')') {
                return None;
            }
        }
        Some(arguments)
    }

    fn literal(&mut self, depth: usize) -> Option<Literal> {
        const DEEPEST: usize = 50;
        self.skip();
        let close = match self.rest().chars().next()? {
            '[' => ']',
            '(' => ')',
            '"' | '\'' => return self.string().map(Literal::Text),
            '-' | '0'..='9' => {
                self.at += 1;
                self.word();
                return Some(Literal::Other);
            }
            _ => return matches!(self.word(), "True" | "False" | "None").then_some(Literal::Other),
        };
        if depth == DEEPEST {
            return None;
        }
        self.at += 1;
        let mut list = Vec::new();
        while !self.take(close) {
            list.push(self.literal(depth + 1)?);
            if !self.take(',') && !self.rest().starts_with(close) {
                return None;
            }
        }
        Some(Literal::List(list))
    }

    /// A string in one or three quotes.
    fn string(&mut self) -> Option<String> {
        let quote = &self.rest()[..1];
        let tripled = quote.repeat(3);
        let is_long = self.rest().starts_with(&tripled);
        let end = if is_long { tripled.as_str() } else { quote };
        self.at += end.len();
        let mut text = String::new();
        loop {
            if self.rest().starts_with(end) {
                self.at += end.len();
                return Some(text);
            }
            let c = self.next()?;
            match c {
                '\\' => text.push_str(&self.escape()?),
                '\n' if !is_long => return None,
                c => text.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn escape(&mut self) -> Option<String> {
        let digits = match self.next()? {
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
        let code = u32::from_str_radix(self.rest().get(..digits)?, 16).ok()?;
        self.at += digits;
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
