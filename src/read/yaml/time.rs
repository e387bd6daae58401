//! Timestamps as Python's `datetime` prints them.

use jiff::civil::Date;

use crate::read::value::Time;
use crate::text::Cursor;

/// A timestamp as written; its numbers need not be a valid date and time.
pub(super) struct Timestamp {
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

fn number(cursor: &mut Cursor<'_>, least: usize, most: usize) -> Option<u32> {
    cursor.number(least, most)?.parse().ok()
}

fn blanks(cursor: &mut Cursor<'_>) -> bool {
    !cursor.eat_while(|c| matches!(c, ' ' | '\t')).is_empty()
}

impl Timestamp {
    /// Reads `2024-01-02`, `2024-1-2 3:04:05.6 -07:30` and similar forms.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cursor = Cursor::new(text, 0);
        let year = number(&mut cursor, 4, 4)?;
        let (month, month_digits) = Self::month_or_day(&mut cursor)?;
        let (day, day_digits) = Self::month_or_day(&mut cursor)?;
        let clock = if cursor.is_done() { None } else { Some(Clock::parse(&mut cursor)?) };
        let implicit = clock.is_some() || (month_digits == 2 && day_digits == 2);
        cursor.is_done().then_some(Self { year, month, day, clock, implicit })
    }

    fn month_or_day(cursor: &mut Cursor<'_>) -> Option<(u32, usize)> {
        let digits = cursor.after("-")?.number(1, 2)?;
        Some((digits.parse().ok()?, digits.len()))
    }

    /// The error says why there is no such day or time.
    pub fn time(&self) -> Result<Time, &'static str> {
        let Self { year, month, day, .. } = *self;
        // Four and two digits fit these types.
        if year == 0 || Date::new(year as i16, month as i8, day as i8).is_err() {
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
                return Err("a time zone offset must be less than a day");
            }
            let sign = if offset < 0 { '-' } else { '+' };
            text += &format!("{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60);
            repr += &format!(", tzinfo=datetime.{}", zone_repr(offset));
        }
        Ok(Time { text, repr: repr + ")" })
    }
}

impl Clock {
    fn parse(cursor: &mut Cursor<'_>) -> Option<Self> {
        if !cursor.eat("T") && !cursor.eat("t") && !blanks(cursor) {
            return None;
        }
        let hour = number(cursor, 1, 2)?;
        let minute = number(cursor.after(":")?, 2, 2)?;
        let second = number(cursor.after(":")?, 2, 2)?;
        let mut micros = 0;
        if cursor.eat(".") {
            let digits = cursor.eat_while(|c| c.is_ascii_digit());
            micros = format!("{digits:0<6}")[..6].parse().ok()?;
        }
        let offset = if !blanks(cursor) && cursor.is_done() {
            None
        } else if cursor.eat("Z") {
            Some(0)
        } else {
            let west = cursor.eat("-");
            if !west {
                cursor.after("+")?;
            }
            let hours = number(cursor, 1, 2)?;
            let minutes = if cursor.eat(":") { number(cursor, 2, 2)? } else { 0 };
            let offset = (hours * 60 + minutes) as i32; // at most 99 * 60 + 99
            Some(if west { -offset } else { offset })
        };
        Some(Self { hour, minute, second, micros, offset })
    }
}

const MINUTES_OF_DAY: i32 = 24 * 60;

/// A negative `timedelta` has negative days and positive seconds.
fn zone_repr(offset: i32) -> String {
    let seconds = offset.rem_euclid(MINUTES_OF_DAY) * 60;
    match offset {
        0 => "timezone.utc".to_string(),
        1.. => format!("timezone(datetime.timedelta(seconds={seconds}))"),
        _ => format!("timezone(datetime.timedelta(days=-1, seconds={seconds}))"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Time {
        Timestamp::parse(text).unwrap().time().unwrap()
    }

    #[test]
    fn dates_and_times_print_as_in_python() {
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
    fn invalid_timestamps_stay_text() {
        for text in ["", "2026", "2026-01", "2026-01-02 ", "2026-01-02T3:4:5", "2026-01-02 03:04:05 ", "2026-001-02"] {
            assert!(Timestamp::parse(text).is_none(), "{text:?}");
        }
        assert!(!Timestamp::parse("2026-1-2").unwrap().implicit);
        assert!(Timestamp::parse("2026-1-2 03:04:05").unwrap().implicit);
    }

    #[test]
    fn days_and_times_must_exist() {
        for text in ["2026-02-29", "0000-01-01", "2026-13-01", "2026-01-01 24:00:00", "2026-01-01 00:00:00+24:00"] {
            assert!(Timestamp::parse(text).unwrap().time().is_err(), "{text}");
        }
        assert_eq!(time("2024-02-29").text, "2024-02-29");
    }
}
