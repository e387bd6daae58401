//! Timestamps as Python's `datetime` prints them.

use crate::value::Time;

/// A timestamp as written; its numbers need not be a valid date and time.
pub(super) struct Stamp {
    year: u32,
    month: u32,
    day: u32,
    clock: Option<Clock>,
    /// Whether an untagged scalar of this form is a timestamp: a date alone needs two digits for month and day.
    pub implicit: bool,
}

struct Clock {
    hour: u32,
    minute: u32,
    second: u32,
    micros: u32,
    /// Minutes east of Greenwich.
    offset: Option<i32>,
}

/// Reads a scalar byte by byte; every accepted byte is ASCII.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    /// Up to `most` digits; `None` for fewer than `least`.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
    }

    fn blanks(&mut self) -> usize {
        let count = self.0.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.0 = &self.0[count..];
        count
    }
}

impl Stamp {
    /// Reads `2024-01-02`, `2024-1-2 3:04:05.6 -07:30` and similar forms.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cursor = Cursor(text.as_bytes());
        let year = cursor.number(4, 4)?;
        let (month, month_digits) = Self::month_or_day(&mut cursor)?;
        let (day, day_digits) = Self::month_or_day(&mut cursor)?;
        let clock = if cursor.0.is_empty() { None } else { Some(Clock::parse(&mut cursor)?) };
        let implicit = clock.is_some() || (month_digits == 2 && day_digits == 2);
        cursor.0.is_empty().then_some(Self { year, month, day, clock, implicit })
    }

    fn month_or_day(cursor: &mut Cursor) -> Option<(u32, usize)> {
        if !cursor.eat(b'-') {
            return None;
        }
        let before = cursor.0.len();
        let number = cursor.number(1, 2)?;
        Some((number, before - cursor.0.len()))
    }

    /// The error is the reason why there is no such day or time.
    pub fn time(&self) -> Result<Time, &'static str> {
        let Self { year, month, day, .. } = *self;
        if year == 0 || !(1..=12).contains(&month) || day == 0 || day > days_of(year, month) {
            return Err("there is no such day");
        }
        let date = format!("{year:04}-{month:02}-{day:02}");
        let Some(clock) = &self.clock else {
            return Ok(Time { text: date, repr: format!("datetime.date({year}, {month}, {day})") });
        };
        let Clock { hour, minute, second, micros, offset } = *clock;
        if hour > 23 || minute > 59 || second > 59 {
            return Err("there is no such time of day");
        }
        let mut text = format!("{date} {hour:02}:{minute:02}:{second:02}");
        let mut repr = format!("datetime.datetime({year}, {month}, {day}, {hour}, {minute}");
        if second > 0 || micros > 0 {
            repr += &format!(", {second}");
        }
        if micros > 0 {
            text += &format!(".{micros:06}");
            repr += &format!(", {micros}");
        }
        if let Some(offset) = offset {
            if offset.abs() >= MINUTES_OF_DAY {
                return Err("a time zone is less than a day away");
            }
            let sign = if offset < 0 { '-' } else { '+' };
            text += &format!("{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60);
            repr += &format!(", tzinfo=datetime.{}", zone_repr(offset));
        }
        Ok(Time { text, repr: repr + ")" })
    }
}

impl Clock {
    fn parse(cursor: &mut Cursor) -> Option<Self> {
        if !cursor.eat(b'T') && !cursor.eat(b't') && cursor.blanks() == 0 {
            return None;
        }
        let hour = cursor.number(1, 2)?;
        let minute = cursor.eat(b':').then(|| cursor.number(2, 2))??;
        let second = cursor.eat(b':').then(|| cursor.number(2, 2))??;
        let mut micros = 0;
        if cursor.eat(b'.') {
            let digits = cursor.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let counted = cursor.0[..digits].iter().chain(std::iter::repeat(&b'0')).take(6);
            micros = counted.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
            cursor.0 = &cursor.0[digits..];
        }
        let blanks = cursor.blanks();
        if cursor.0.is_empty() && blanks == 0 {
            return Some(Self { hour, minute, second, micros, offset: None });
        }
        if cursor.eat(b'Z') {
            return Some(Self { hour, minute, second, micros, offset: Some(0) });
        }
        let west = cursor.eat(b'-');
        if !west && !cursor.eat(b'+') {
            return None;
        }
        let mut offset = cursor.number(1, 2)? * 60;
        if cursor.eat(b':') {
            offset += cursor.number(2, 2)?;
        }
        let offset = offset as i32; // at most 99 * 60 + 99
        Some(Self { hour, minute, second, micros, offset: Some(if west { -offset } else { offset }) })
    }
}

const MINUTES_OF_DAY: i32 = 24 * 60;

/// A `timedelta` counts days down and seconds up.
fn zone_repr(offset: i32) -> String {
    let seconds = offset.rem_euclid(MINUTES_OF_DAY) * 60;
    match offset {
        0 => "timezone.utc".to_string(),
        1.. => format!("timezone(datetime.timedelta(seconds={seconds}))"),
        _ => format!("timezone(datetime.timedelta(days=-1, seconds={seconds}))"),
    }
}

fn days_of(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Time {
        Stamp::parse(text).unwrap().time().unwrap()
    }

    #[test]
    fn dates_and_moments_print_as_python() {
        for (written, text, repr) in [
            ("2026-01-02", "2026-01-02", "datetime.date(2026, 1, 2)"),
            ("2026-1-2 3:04:05", "2026-01-02 03:04:05", "datetime.datetime(2026, 1, 2, 3, 4, 5)"),
            ("2026-01-02t03:04:00", "2026-01-02 03:04:00", "datetime.datetime(2026, 1, 2, 3, 4)"),
            (
                "2026-01-02T03:04:00.05 Z",
                "2026-01-02 03:04:00.050000+00:00",
                "datetime.datetime(2026, 1, 2, 3, 4, 0, 50000, tzinfo=datetime.timezone.utc)",
            ),
            (
                "2026-01-02 03:04:05 -5",
                "2026-01-02 03:04:05-05:00",
                "datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))",
            ),
            (
                "2026-01-02 03:04:05.1234567+01:30",
                "2026-01-02 03:04:05.123456+01:30",
                "datetime.datetime(2026, 1, 2, 3, 4, 5, 123456, tzinfo=datetime.timezone(datetime.timedelta(seconds=5400)))",
            ),
        ] {
            assert_eq!(time(written), Time { text: text.into(), repr: repr.into() }, "{written}");
        }
    }

    #[test]
    fn what_is_no_timestamp_stays_text() {
        for text in ["", "2026", "2026-01", "2026-01-02 ", "2026-01-02T3:4:5", "2026-01-02 03:04:05 ", "2026-001-02"] {
            assert!(Stamp::parse(text).is_none(), "{text:?}");
        }
        assert!(!Stamp::parse("2026-1-2").unwrap().implicit);
        assert!(Stamp::parse("2026-1-2 03:04:05").unwrap().implicit);
    }

    #[test]
    fn days_and_times_must_exist() {
        for text in ["2026-02-29", "0000-01-01", "2026-13-01", "2026-01-01 24:00:00", "2026-01-01 00:00:00+24:00"] {
            assert!(Stamp::parse(text).unwrap().time().is_err(), "{text}");
        }
        assert_eq!(time("2024-02-29").text, "2024-02-29");
    }
}
