use std::ops::RangeInclusive;

use regex::{Regex, RegexBuilder};

use super::{MessageLine, lines};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Message, Prompt, Role};

/// The maximum size of a compiled pattern in bytes.
const LARGEST_PATTERN: usize = 1 << 20;

#[derive(Debug, Clone, Copy, Default)]
pub struct LineQuery<'a> {
    pub lines: &'a [String],
    pub grep: Option<&'a str>,
    pub role: Option<Role>,
}

#[derive(Debug)]
pub struct LineSelection {
    /// With `--line` and `--grep`, only messages that have a matching line.
    pub picked: Vec<SelectedLines>,
    pub is_part: bool,
}

#[derive(Debug)]
pub struct SelectedLines {
    pub message: usize,
    pub count: usize,
    /// Ascending and disjoint.
    pub lines: Vec<RangeInclusive<usize>>,
}

/// `3-5` of `user`, or of every message.
struct TypedRange {
    role: Option<Role>,
    lines: RangeInclusive<usize>,
}

impl LineSelection {
    /// The lines of `--line` that match `--grep`.
    ///
    /// # Errors
    ///
    /// An invalid range or pattern, or a range that no message has.
    pub fn new(prompt: &Prompt, asked: LineQuery<'_>) -> Result<Self, Diagnostic> {
        let ranges = asked.lines.iter().map(|typed| range(typed)).collect::<Result<Vec<_>, _>>()?;
        let pattern = asked.grep.map(pattern).transpose()?;
        let mut picked = Vec::new();
        for (index, message) in prompt.messages.iter().enumerate() {
            if asked.role.is_some_and(|role| !is_meant(prompt, role, message)) {
                continue;
            }
            let count = line_count(message.text());
            let named = match ranges.as_slice() {
                [] => vec![1..=count],
                ranges => {
                    let of_it =
                        ranges.iter().filter(|range| range.role.is_none_or(|role| is_meant(prompt, role, message)));
                    joined(of_it.map(|range| *range.lines.start()..=(*range.lines.end()).min(count)).collect())
                }
            };
            picked.push(SelectedLines { message: index, count, lines: named });
        }
        picked.iter_mut().for_each(|of_it| of_it.lines.retain(|range| !range.is_empty()));
        if !ranges.is_empty() && picked.iter().all(|of_it| of_it.lines.is_empty()) {
            return Err(beyond(prompt, &picked, asked.lines));
        }
        if let Some(pattern) = pattern {
            for of_it in &mut picked {
                let matching = of_it.of(prompt).filter(|line| pattern.is_match(line.text));
                of_it.lines = joined(matching.map(|line| line.number..=line.number).collect());
            }
        }
        let is_part = asked.grep.is_some() || !ranges.is_empty();
        picked.retain(|of_it| !is_part || !of_it.lines.is_empty());
        Ok(Self { picked, is_part })
    }

    pub fn found(prompt: &Prompt, lines: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut picked: Vec<SelectedLines> = Vec::new();
        for (message, line) in lines {
            match picked.last_mut().filter(|last| last.message == message) {
                Some(last) => last.lines.push(line..=line),
                None => {
                    let count = line_count(prompt.messages[message].text());
                    picked.push(SelectedLines { message, count, lines: vec![line..=line] });
                }
            }
        }
        picked.iter_mut().for_each(|of_it| of_it.lines = joined(std::mem::take(&mut of_it.lines)));
        Self { picked, is_part: true }
    }
}

impl SelectedLines {
    pub fn of<'a>(&'a self, prompt: &'a Prompt) -> impl Iterator<Item = MessageLine<'a>> {
        let mut ranges = self.lines.iter().peekable();
        lines(&prompt.messages[self.message]).filter(move |line| {
            while ranges.next_if(|range| *range.end() < line.number).is_some() {}
            ranges.peek().is_some_and(|range| range.contains(&line.number))
        })
    }

    pub fn selected(&self) -> usize {
        self.lines.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    pub fn includes_last_line(&self) -> bool {
        self.lines.last().is_some_and(|range| *range.end() == self.count)
    }
}

/// A final newline does not begin a line.
pub fn line_count(text: &str) -> usize {
    text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

fn is_meant(prompt: &Prompt, role: Role, message: &Message) -> bool {
    prompt.messages_of(role).into_iter().any(|meant| std::ptr::eq(meant, message))
}

/// Sorts ranges and merges those that touch.
fn joined(mut ranges: Vec<RangeInclusive<usize>>) -> Vec<RangeInclusive<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| *range.start());
    let mut all: Vec<RangeInclusive<usize>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if *range.start() <= last.end() + 1 => {
                *last = *last.start()..=(*last.end()).max(*range.end());
            }
            _ => all.push(range),
        }
    }
    all
}

/// `N`, `N-M`, `system:N`, `user:N-M`.
fn range(typed: &str) -> Result<TypedRange, Diagnostic> {
    let refused = || {
        Diagnostic::invalid(
            format!("--line {typed}: not a line of a message"),
            "write 12, 12-20, system:12 or user:12-20; the first line is 1",
        )
    };
    let (role, numbers) = match typed.split_once(':') {
        Some(("system", numbers)) => (Some(Role::System), numbers),
        Some(("developer", numbers)) => (Some(Role::Developer), numbers),
        Some(("user", numbers)) => (Some(Role::User), numbers),
        Some(_) => return Err(refused()),
        None => (None, typed),
    };
    let lines = read_lines(numbers).ok_or_else(refused)?;
    Ok(TypedRange { role, lines })
}

/// `12`, `12-20`: 1-based.
pub(in crate::answer::explain) fn read_lines(typed: &str) -> Option<RangeInclusive<usize>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<usize>().ok().filter(|&number| digits && number > 0)
    };
    let (first, last) = typed.split_once('-').unwrap_or((typed, typed));
    let lines = number(first)?..=number(last)?;
    (!lines.is_empty()).then_some(lines)
}

fn pattern(typed: &str) -> Result<Regex, Diagnostic> {
    let built = RegexBuilder::new(typed).size_limit(LARGEST_PATTERN).dfa_size_limit(LARGEST_PATTERN).build();
    built.map_err(|error| {
        let (reason, place) = match &error {
            regex::Error::CompiledTooBig(_) => ("it is too large".to_string(), None),
            error => syntax(&error.to_string()),
        };
        let place = place.map_or(String::new(), |column| format!(", at character {column}"));
        Diagnostic::invalid(
            format!("--grep {typed}: not a valid regular expression: {reason}{place}"),
            "escape a literal character with \\: \\( \\[ \\* \\?",
        )
    })
}

/// The message and the 1-based column of an error from the pattern's parser, which draws a mark below the pattern.
fn syntax(error: &str) -> (String, Option<usize>) {
    let lines: Vec<&str> = error.lines().collect();
    let reason = lines.last().map_or(error, |last| last.strip_prefix("error: ").unwrap_or(last));
    let mark = lines.iter().find(|line| line.contains('^') && line.bytes().all(|byte| matches!(byte, b' ' | b'^')));
    // The parser indents the pattern by four.
    let column = mark.and_then(|line| line.find('^')).and_then(|at| (at + 1).checked_sub(4));
    (reason.to_string(), column)
}

fn beyond(prompt: &Prompt, picked: &[SelectedLines], typed: &[String]) -> Diagnostic {
    let lengths = picked.iter().map(|of_it| {
        let role = prompt.messages[of_it.message].role.into_str();
        format!("{role} has {}", crate::text::numbers::count(of_it.count, "line"))
    });
    let lengths: Vec<_> = lengths.collect();
    let help = match lengths.as_slice() {
        [] => "leave --line out to see every message".to_string(),
        lengths => lengths.join(", "),
    };
    Diagnostic::invalid(format!("--line {}: no such line", typed.join(" --line ")), help)
}
