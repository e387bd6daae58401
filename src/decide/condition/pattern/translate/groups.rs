//! Groups of a pattern: captures, lookarounds, conditions, flags.

use super::{StepCost, Translator};
use crate::decide::condition::pattern::frame::{Frame, GroupKind, ItemKind, QuantifiedPiece, Width};
use crate::text::python;

const NAME_UNCLOSED: &str = "a group name is never closed";

const OPENINGS: [(&str, GroupKind); 6] = [
    ("(?:", GroupKind::Plain),
    ("(?>", GroupKind::Plain),
    ("(?=", GroupKind::Ahead),
    ("(?!", GroupKind::NotAhead),
    ("(?<=", GroupKind::Behind),
    ("(?<!", GroupKind::Behind),
];

impl<'p> Translator<'p> {
    pub(super) fn open_group(&mut self) -> Result<(), &'static str> {
        if !self.cursor.eat("?") {
            self.open_capture();
            return Ok(());
        }
        if self.cursor.eat("P<") {
            let name = check_name(self.cursor.past(">").ok_or(NAME_UNCLOSED)?)?;
            if self.names.insert(name, self.widths.len()).is_some() {
                return Err("two groups have the same name");
            }
            self.open_capture();
        } else if self.cursor.eat("P=") {
            let name = check_name(self.cursor.past(")").ok_or(NAME_UNCLOSED)?)?;
            let number = *self.names.get(name).ok_or("unknown group name")?;
            self.push_reference(number)?;
        } else if self.cursor.eat("#") {
            self.cursor.past(")").ok_or("a comment is never closed")?;
        } else if self.cursor.eat("(") {
            self.open_condition()?;
        } else if let Some((opening, group)) = OPENINGS.into_iter().find(|(it, _)| self.cursor.eat(&it["(?".len()..])) {
            if opening != "(?:" {
                self.needs(StepCost::Length);
            }
            self.open_with(opening, group);
        } else {
            self.read_flags()?;
        }
        Ok(())
    }

    fn open_with(&mut self, opening: &str, group: GroupKind) {
        let start = self.out.len();
        self.out.push_str(opening);
        self.open.push(Frame::new(group, start, self.flags, self.widths.len()));
    }

    fn open_capture(&mut self) {
        let number = self.widths.len();
        self.open_with("(", GroupKind::Capture(number));
        self.widths.push(None);
    }

    /// `(?(1)`, `(?(name)`
    fn open_condition(&mut self) -> Result<(), &'static str> {
        let name = self.cursor.past(")").ok_or(NAME_UNCLOSED)?;
        let number = if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            name.parse().map_err(|_| "unknown group")?
        } else {
            *self.names.get(check_name(name)?).ok_or("unknown group name")?
        };
        if number == 0 {
            return Err("a condition refers to group 0");
        }
        self.check_behind(number)?;
        if matches!(self.widths.get(number), Some(None)) {
            return Err("a condition inside a group that refers to that group is not supported");
        }
        self.last_condition = self.last_condition.max(number);
        self.needs(StepCost::Length);
        // Both branches are in groups: the library treats an empty condition as an assertion.
        self.open_with(&format!("(?({number})(?:"), GroupKind::Condition);
        Ok(())
    }

    fn read_flags(&mut self) -> Result<(), &'static str> {
        let (flags, is_of_group) = self.flags.read(&mut self.cursor)?;
        if is_of_group {
            self.open_with("(?:", GroupKind::Plain);
        } else if self.open.len() > 1 || !self.out.is_empty() {
            return Err("flags for the whole pattern must be at its start");
        }
        self.flags = flags;
        Ok(())
    }

    pub(super) fn close_group(&mut self) -> Result<(), &'static str> {
        if self.open.len() == 1 {
            return Err("a `)` closes no group");
        }
        let Some(frame) = self.open.pop() else { return Ok(()) };
        self.flags = frame.outer;
        let mut width = frame.total();
        let mut kind = ItemKind::Atom;
        self.out.push(')');
        match frame.group {
            GroupKind::Capture(number) => self.widths[number] = Some(width),
            GroupKind::Ahead | GroupKind::NotAhead | GroupKind::Behind => {
                if frame.group == GroupKind::Behind && width.least != width.most {
                    return Err("a lookbehind has no fixed width");
                }
                width = Width { pieces: width.pieces, weight: width.weight, ..Width::default() };
            }
            GroupKind::Condition => {
                kind = ItemKind::Loose;
                self.out.push(')');
                if frame.alternatives == 0 {
                    self.out.insert_str(self.out.len() - 1, "|(?:)");
                    width = width.or(Width::default());
                }
                let branches = self.out[frame.start..].split_once(')').map(|(_, branches)| branches);
                if branches == Some("(?:)|(?:))") {
                    self.out.truncate(frame.start);
                    self.out.push_str("(?:)");
                }
            }
            GroupKind::Plain => {}
        }
        let looks_ahead = frame.looks_ahead || frame.group == GroupKind::Ahead;
        self.frame().push(QuantifiedPiece { start: frame.start, width, kind, looks_ahead });
        Ok(())
    }
}

/// A group name is a Python identifier.
fn check_name(name: &str) -> Result<&str, &'static str> {
    let first = name.chars().next().ok_or("a group name is empty")?;
    if first.is_numeric() || !name.chars().all(python::is_word) {
        return Err("a group name is not a valid identifier");
    }
    Ok(name)
}
