//! The parser's events with their positions in the text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use saphyr_parser::{Event as Parsed, Marker, Parser, ScalarStyle, ScanError, Span as Marked, StrInput, Tag};

use super::document::{Dialect, Refusal};
use super::written;

#[derive(Debug)]
pub(super) enum YamlEvent<'a> {
    Document(usize),
    /// `text` has quotes, escapes and folding resolved.
    Scalar {
        text: Cow<'a, str>,
        plain: bool,
        range: Range<usize>,
        properties: Properties,
    },
    /// An empty value; `asked` if a `?` introduces it.
    Empty {
        at: usize,
        asked: bool,
    },
    Alias {
        anchor: usize,
        range: Range<usize>,
    },
    List {
        start: usize,
        properties: Properties,
    },
    Map {
        start: usize,
        properties: Properties,
    },
    /// The list or map ends at this offset.
    Close {
        end: usize,
    },
    End,
}

#[derive(Debug)]
pub(super) struct Properties {
    /// From 1 on; 0 without an anchor.
    pub anchor: usize,
    /// The full name, such as `tag:yaml.org,2002:int`.
    pub tag: Option<String>,
}

impl Properties {
    fn of(anchor: usize, tag: Option<Cow<Tag>>) -> Self {
        Self { anchor, tag: tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)) }
    }

    fn is_empty(&self) -> bool {
        self.anchor == 0 && self.tag.is_none()
    }
}

pub(super) struct YamlEvents<'a> {
    text: &'a str,
    dialect: Dialect,
    parser: Parser<'a, StrInput<'a>>,
    /// The offset of each character, since the parser counts characters; `None` for ASCII.
    starts: Option<Vec<usize>>,
    /// The anchor names so far: PyYAML accepts each only once.
    anchors: HashSet<&'a str>,
    /// The end of the last node; the text before it has been checked.
    read: usize,
    brackets: usize,
}

impl<'a> YamlEvents<'a> {
    /// For PyYAML, the text must be printable.
    pub fn of(text: &'a str, dialect: Dialect) -> Result<Self, Refusal> {
        if dialect == Dialect::PyYaml {
            written::check_printable(text)?;
        }
        written::check_start(text)?;
        // The parser would read spaces on a last line without a line feed as a line of a block scalar.
        let trimmed = text.trim_end_matches(' ');
        let parser = Parser::new_from_str(if trimmed.ends_with('\n') { trimmed } else { text });
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Ok(Self { text, dialect, parser, starts, anchors: HashSet::new(), read: 0, brackets: 0 })
    }

    /// After the last event, always returns [`YamlEvent::End`].
    pub fn next(&mut self) -> Result<YamlEvent<'a>, Refusal> {
        loop {
            let Some(parsed) = self.parser.next_event() else { return Ok(YamlEvent::End) };
            let (parsed, marked) = parsed.map_err(|error| self.unparsed(&error))?;
            return match parsed {
                Parsed::Nothing | Parsed::StreamStart | Parsed::DocumentEnd => continue,
                Parsed::StreamEnd => self.pass(self.text.len()).map(|()| YamlEvent::End),
                Parsed::DocumentStart(_) => Ok(YamlEvent::Document(self.byte(marked.start))),
                Parsed::Alias(anchor) => self.alias(anchor, marked),
                Parsed::Scalar(text, style, anchor, tag) => {
                    self.scalar(text, style, Properties::of(anchor, tag), marked)
                }
                Parsed::SequenceStart(anchor, tag) => {
                    let properties = Properties::of(anchor, tag);
                    Ok(YamlEvent::List { start: self.open(&properties, marked)?, properties })
                }
                Parsed::MappingStart(anchor, tag) => {
                    let properties = Properties::of(anchor, tag);
                    Ok(YamlEvent::Map { start: self.open(&properties, marked)?, properties })
                }
                Parsed::SequenceEnd | Parsed::MappingEnd => self.close(marked),
            };
        }
    }

    fn byte(&self, mark: Marker) -> usize {
        match &self.starts {
            Some(starts) => starts.get(mark.index()).copied().unwrap_or(self.text.len()),
            None => mark.index().min(self.text.len()),
        }
    }

    fn unparsed(&self, error: &ScanError) -> Refusal {
        let at = self.byte(*error.marker());
        let end = self.text[at..].chars().next().filter(|&c| c != '\n').map_or(at, |c| at + c.len_utf8());
        match error.info() {
            "recursion limit exceeded" => Refusal::limit(at..end, "brackets nested deeper than 255 levels"),
            reason => Refusal::new(at..end, reason),
        }
    }

    /// Checks the text between the last node and `until`.
    fn pass(&mut self, until: usize) -> Result<(), Refusal> {
        if self.read < until {
            match self.dialect {
                Dialect::PyYaml => written::check_tabs(self.text, self.read..until)?,
                Dialect::Core => written::check_indentation(self.text, self.read..until)?,
            }
            self.read = until;
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, marked: Marked) -> Result<YamlEvent<'a>, Refusal> {
        let range = self.byte(marked.start)..self.byte(marked.end);
        self.pass(range.start)?;
        self.read = range.end;
        Ok(YamlEvent::Alias { anchor, range })
    }

    /// Where the node itself begins, after its properties.
    fn start(&mut self, properties: &Properties, marked: Marked) -> Result<usize, Refusal> {
        let start = self.byte(marked.start);
        if properties.is_empty() {
            return Ok(start);
        }
        // After an empty value, the properties of the next one may follow.
        let end = self.byte(marked.end).max(start);
        let (anchor, end) = written::properties(&self.text[..end], start);
        if let Some(range) = anchor.filter(|_| self.dialect == Dialect::PyYaml) {
            let name = &self.text[range.start + 1..range.end];
            if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
                return Err(Refusal::new(range, "the name of an anchor may contain only letters, digits, `-` and `_`"));
            }
            if !self.anchors.insert(name) {
                return Err(Refusal::new(range, format!("a second anchor `{name}`")));
            }
        }
        Ok(end)
    }

    fn scalar(
        &mut self,
        mut text: Cow<'a, str>,
        style: ScalarStyle,
        properties: Properties,
        marked: Marked,
    ) -> Result<YamlEvent<'a>, Refusal> {
        let start = self.start(&properties, marked)?;
        let end = self.byte(marked.end);
        let range = match style {
            // The parser may mark an empty value far beyond its position.
            ScalarStyle::Plain if text.is_empty() && properties.is_empty() => {
                let asked = self.text.get(self.read..start).is_some_and(|between| between.contains('?'));
                return Ok(YamlEvent::Empty { at: self.read, asked });
            }
            ScalarStyle::Plain if text.is_empty() => end..end,
            ScalarStyle::Plain => {
                match self.dialect {
                    Dialect::PyYaml => written::check_plain(self.text, start..end, self.brackets > 0)?,
                    Dialect::Core => written::check_lines(self.text, start..end)?,
                }
                start..end
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let range = start..written::quoted_end(self.text, start);
                if self.dialect == Dialect::Core {
                    written::check_lines(self.text, range.clone())?;
                }
                range
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let start = if properties.is_empty() { written::block_start(self.text, self.read) } else { start };
                let lines = written::line_end(self.text, start)..end;
                self.pass(lines.start)?;
                if self.dialect == Dialect::Core {
                    // The parser does not check the line that ends the scalar, which must not begin with a tab.
                    let behind = lines.end.max(lines.start) + 1;
                    written::check_lines(self.text, lines.start..self.text.floor_char_boundary(behind))?;
                }
                if lines.end == self.text.len() && !self.text.ends_with('\n') && text.ends_with('\n') {
                    // The parser adds a line feed to a last line without one.
                    text.to_mut().pop();
                }
                start..written::block_end(self.text, lines, &text)?
            }
        };
        self.pass(range.start)?;
        self.read = self.read.max(range.end);
        Ok(YamlEvent::Scalar { text, plain: style == ScalarStyle::Plain, range, properties })
    }

    fn open(&mut self, properties: &Properties, marked: Marked) -> Result<usize, Refusal> {
        let start = self.start(properties, marked)?;
        self.pass(start)?;
        // Only the marks of brackets have an extent.
        if self.byte(marked.end) > start && matches!(self.text.as_bytes().get(start), Some(b'[' | b'{')) {
            self.brackets += 1;
            self.read = start + 1;
        }
        Ok(start)
    }

    fn close(&mut self, marked: Marked) -> Result<YamlEvent<'a>, Refusal> {
        // A block ends with its last node, but the parser marks its end at the next token.
        let at = self.byte(marked.start);
        if !marked.is_empty() && matches!(self.text.as_bytes().get(at), Some(b']' | b'}')) {
            self.pass(at)?;
            self.brackets = self.brackets.saturating_sub(1);
            self.read = at + 1;
        }
        Ok(YamlEvent::Close { end: self.read })
    }
}
