mod groups;

use std::collections::HashMap;

use super::alphabet::{ANYTHING, Alphabet};
use super::class::{read_class, write_char};
use super::escape::{Escape, read_escape};
use super::flags::Flags;
use super::frame::{Frame, GroupKind, ItemKind, QuantifiedPiece, Width};
use super::weight::{TABLE, folded, weight};
use crate::text::Cursor;

#[derive(Debug)]
pub(super) struct Translated {
    pub(super) regex: String,
    pub(super) step: StepCost,
    pub(super) pieces: usize,
    pub(super) weight: usize,
    /// The number of characters whose other case is looked up before compiling.
    pub(super) folded: usize,
    /// The cost of separately compiled parts, in units of `weight`: each side of a word boundary.
    pub(super) beside: usize,
}

/// How much text may be examined between two backtracking steps; the library counts only steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StepCost {
    Free,
    Length,
    /// The square of the length: a repetition looks ahead in each round. (A negative lookahead takes a step per round.)
    Square,
}

/// Checks a pattern against Python's grammar and rewrites it for texts of this alphabet.
pub(super) fn translate(pattern: &str, alphabet: Alphabet<'_>) -> Result<Translated, &'static str> {
    let mut translator = Translator {
        cursor: Cursor::new(pattern, 0),
        alphabet,
        flags: Flags::default(),
        out: String::new(),
        step: StepCost::Free,
        open: vec![Frame::new(GroupKind::Plain, 0, Flags::default(), 0)],
        widths: vec![None],
        names: HashMap::new(),
        last_condition: 0,
        folded: 0,
        beside: 0,
    };
    while let Some(c) = translator.cursor.bump() {
        translator.read(c)?;
    }
    translator.finish()
}

struct Translator<'p> {
    cursor: Cursor<'p>,
    alphabet: Alphabet<'p>,
    flags: Flags,
    out: String,
    step: StepCost,
    /// The open groups, starting with the whole pattern; never empty.
    open: Vec<Frame>,
    /// The width of each group by number, `None` while it is open; group 0 is the whole pattern.
    widths: Vec<Option<Width>>,
    names: HashMap<&'p str, usize>,
    /// The highest group that a condition refers to; it may come later.
    last_condition: usize,
    folded: usize,
    beside: usize,
}

impl<'p> Translator<'p> {
    fn read(&mut self, c: char) -> Result<(), &'static str> {
        match c {
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' if self.flags.verbose => {}
            '#' if self.flags.verbose => {
                self.cursor.eat_while(|c| c != '\n');
            }
            '.' => self.push(if self.flags.dot_all { ANYTHING } else { r"[^\n]" }, Width::ONE, ItemKind::Atom),
            '^' => self.push(if self.flags.multi_line { "(?m:^)" } else { r"\A" }, Width::default(), ItemKind::Anchor),
            '$' => self.push_end(),
            '[' => {
                let class = read_class(&mut self.cursor, self.flags, self.alphabet)?;
                self.push(&class, Width::ONE, ItemKind::Atom);
            }
            '\\' => self.read_escape()?,
            '*' => self.repeat(0, Width::MANY)?,
            '+' => self.repeat(1, Width::MANY)?,
            '?' => self.repeat(0, 1)?,
            '{' => self.read_counts()?,
            '|' => self.next_alternative()?,
            '(' => self.open_group()?,
            ')' => self.close_group()?,
            c => self.push_char(u32::from(c)),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Translated, &'static str> {
        if self.open.len() > 1 {
            return Err("a group is never closed");
        }
        if self.last_condition >= self.widths.len() {
            return Err("unknown group");
        }
        if self.out.is_empty() {
            self.out.push_str("(?:)");
        }
        let Width { pieces, weight, .. } = self.frame().total();
        let Self { out: regex, step, folded, beside, .. } = self;
        Ok(Translated { regex, step, pieces, weight, folded, beside })
    }

    fn frame(&mut self) -> &mut Frame {
        // The whole pattern is never closed: an extra `)` is an error.
        self.open.last_mut().expect("the whole pattern is a frame")
    }

    fn needs(&mut self, step: StepCost) {
        self.step = self.step.max(step);
    }

    fn push(&mut self, regex: &str, width: Width, kind: ItemKind) {
        let start = self.out.len();
        let width = if width.pieces == 1 { Width { weight: weight(regex), ..width } } else { width };
        self.folded += folded(regex);
        self.out.push_str(regex);
        self.frame().push(QuantifiedPiece { start, width, kind, looks_ahead: false });
    }

    fn push_char(&mut self, c: u32) {
        let regex = write_char(c, self.flags, self.alphabet);
        self.push(&regex, Width::ONE, ItemKind::Atom);
    }

    /// `$`: at the end, or before a final newline.
    fn push_end(&mut self) {
        let last = self.open.len() == 1 && matches!(self.cursor.peek(), None | Some('|'));
        let regex = if self.flags.multi_line {
            "(?m:$)"
        } else if last {
            // Nothing follows, so matching the newline is safe and needs no backtracking.
            r"\n?\z"
        } else {
            self.needs(StepCost::Length);
            r"(?=\n?\z)"
        };
        self.push(regex, Width::default(), ItemKind::Anchor);
    }

    fn read_escape(&mut self) -> Result<(), &'static str> {
        match read_escape(&mut self.cursor, false)? {
            Escape::Char(c) => self.push_char(c),
            Escape::Category(letter) => {
                let exact = Flags { ignore_case: false, ..self.flags };
                self.push(self.alphabet.category(letter, exact), Width::ONE, ItemKind::Atom);
            }
            Escape::Anchor('A') => self.push(r"\A", Width::default(), ItemKind::Anchor),
            Escape::Anchor('Z') => self.push(r"\z", Width::default(), ItemKind::Anchor),
            Escape::Anchor(letter) => {
                let boundary = self.alphabet.boundary(letter == 'B', self.flags);
                if boundary.starts_with('(') {
                    self.needs(StepCost::Length);
                    // Four classes of letters, each compiled separately.
                    self.beside += 4 * TABLE;
                }
                self.push(&boundary, Width::default(), ItemKind::Anchor);
            }
            Escape::Group(number) => self.push_reference(number)?,
        }
        Ok(())
    }

    fn push_reference(&mut self, number: usize) -> Result<(), &'static str> {
        let width = self.widths.get(number).ok_or("unknown group")?.ok_or("a group refers to itself")?;
        self.check_behind(number)?;
        self.needs(StepCost::Length);
        let regex = if self.flags.ignore_case { format!("(?i:\\{number})") } else { format!("(?:\\{number})") };
        self.push(&regex, Width { pieces: 1, ..width }, ItemKind::Atom);
        Ok(())
    }

    /// A lookbehind cannot refer to a group inside it.
    fn check_behind(&self, number: usize) -> Result<(), &'static str> {
        let behind = self.open.iter().find(|frame| frame.group == GroupKind::Behind);
        match behind {
            Some(frame) if number >= frame.groups_before => Err("a lookbehind refers to a group inside it"),
            _ => Ok(()),
        }
    }

    /// `{2}`, `{2,}`, `{,3}`, `{2,3}`; anything else that starts this way is literal text.
    fn read_counts(&mut self) -> Result<(), &'static str> {
        let mut ahead = self.cursor.clone();
        let digits = |cursor: &mut Cursor<'p>| cursor.eat_while(|c| c.is_ascii_digit());
        let least = digits(&mut ahead);
        let most = if ahead.eat(",") { digits(&mut ahead) } else { least };
        if self.cursor.peek() == Some('}') || !ahead.eat("}") {
            self.push_char(u32::from('{'));
            return Ok(());
        }
        self.cursor = ahead;
        let count = |digits: &str, missing| match digits {
            "" => Ok(missing),
            _ => digits.parse().ok().filter(|&count| count < Width::MANY).ok_or("a repetition is too large"),
        };
        let (least, most) = (count(least, 0)?, count(most, Width::MANY)?);
        if most < least { Err("the maximum of a repetition is below its minimum") } else { self.repeat(least, most) }
    }

    fn repeat(&mut self, least: usize, most: usize) -> Result<(), &'static str> {
        let item = match self.frame().item {
            None | Some(QuantifiedPiece { kind: ItemKind::Anchor, .. }) => return Err("there is nothing to repeat"),
            Some(QuantifiedPiece { kind: ItemKind::Repeated, .. }) => return Err("a repetition is repeated"),
            Some(item) => item,
        };
        let lazy = self.cursor.eat("?");
        let possessive = !lazy && self.cursor.eat("+");
        if possessive {
            self.needs(StepCost::Length);
        }
        if item.looks_ahead && most > 1 {
            self.needs(StepCost::Square);
        }
        if item.width.most == 0 {
            self.repeat_nothing(item.start, least, lazy, possessive);
        } else {
            if possessive {
                // Python never backtracks into a round, not even from the next one.
                self.wrap(item.start, "(?>");
            } else if item.kind == ItemKind::Loose {
                self.wrap(item.start, "(?:");
            }
            self.out.push_str(&match (least, most) {
                (0, Width::MANY) => "*".to_string(),
                (1, Width::MANY) => "+".to_string(),
                (0, 1) => "?".to_string(),
                (least, Width::MANY) => format!("{{{least},}}"),
                (least, most) => format!("{{{least},{most}}}"),
            });
            if lazy {
                self.out.push('?');
            } else if possessive {
                self.wrap(item.start, "(?>");
            }
        }
        self.frame().item =
            Some(QuantifiedPiece { width: item.width.times(least, most), kind: ItemKind::Repeated, ..item });
        Ok(())
    }

    /// Repeating an empty match changes nothing, and the library refuses to.
    fn repeat_nothing(&mut self, start: usize, least: usize, lazy: bool, possessive: bool) {
        match (least, lazy, possessive) {
            (1.., ..) => return,
            (_, true, _) => self.out.insert(start, '|'),
            _ => self.out.push('|'),
        }
        self.wrap(start, if possessive { "(?>" } else { "(?:" });
    }

    fn wrap(&mut self, start: usize, opening: &str) {
        self.out.insert_str(start, opening);
        self.out.push(')');
    }

    fn next_alternative(&mut self) -> Result<(), &'static str> {
        let frame = self.frame();
        frame.next_alternative();
        let condition = frame.group == GroupKind::Condition;
        if condition && frame.alternatives > 1 {
            return Err("a condition has more than two branches");
        }
        self.out.push_str(if condition { ")|(?:" } else { "|" });
        Ok(())
    }
}
