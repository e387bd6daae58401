//! The date at the end of a prompt (`sf`, "Date").

use jiff::tz::{Dst, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};
use serde::Deserialize;

use crate::diagnostic::Problem;
use crate::text::nearest::{did_you_mean, nearest};

/// The zones with a name in American English: zone, standard name, summer name.
const ZONES: &str = include_str!("zones.tsv");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateStyle {
    /// `Saturday, March 7, 2026 at 08:55:05 AM CST`
    #[default]
    Clock,
    /// `2026-03-07`
    Date,
}

pub fn shown(now: &Zoned, style: DateStyle) -> String {
    match style {
        DateStyle::Date => format!("{:04}-{:02}-{:02}", now.year(), now.month(), now.day()),
        DateStyle::Clock => format!("{} {}", now.strftime("%A, %B %-d, %-Y at %I:%M:%S %p"), zone(now)),
    }
}

pub fn present() -> String {
    Timestamp::now().to_string()
}

/// The time of `--now`, or the current time, in the zone of `--tz`.
///
/// The zone can also be a value of `TZ` or a target of `/etc/localtime`; the default is UTC. Only the bundled database
/// is used.
pub fn parse(now: Option<&str>, tz: Option<&str>) -> Result<Zoned, Problem> {
    let zone = tz.map_or(Ok(TimeZone::UTC), named)?;
    let now = match now {
        None => Timestamp::now(),
        Some(text) => text.parse().map_err(|_| {
            let help = "write it as `2026-03-07T14:55:05Z` or `2026-03-07T08:55:05-06:00` (RFC 3339)";
            Problem::invalid(format!("`{text}` is not a valid time"), help)
        })?,
    };
    Ok(now.to_zoned(zone))
}

fn named(written: &str) -> Result<TimeZone, Problem> {
    let name = written.strip_prefix(':').unwrap_or(written);
    let name = name.rsplit_once("zoneinfo/").map_or(name, |(_, name)| name);
    if name.is_empty() {
        return Ok(TimeZone::UTC);
    }
    let database = TimeZoneDatabase::bundled();
    database.get(name).map_err(|_| {
        let known: Vec<String> = database.available().map(|name| name.to_string()).collect();
        let help = did_you_mean(
            nearest(name, known.iter().map(String::as_str)),
            "give the name of a zone, such as `America/Chicago` or `UTC`",
        );
        Problem::invalid(format!("unknown time zone `{written}`"), help)
    })
}

fn zone(now: &Zoned) -> String {
    let info = now.time_zone().to_offset_info(now.timestamp());
    let names = now.time_zone().iana_name().and_then(names);
    match names {
        // Ireland's standard time is its summer time, so the offset decides.
        Some((name @ "GMT", _)) if info.offset() == Offset::UTC => name.to_string(),
        Some(("GMT", _)) | None => offset(info.offset()),
        Some((name, summer)) if info.dst() == Dst::Yes && name == summer => once_summer(name),
        Some((_, summer)) if info.dst() == Dst::Yes => summer.to_string(),
        Some((name, _)) => name.to_string(),
    }
}

/// The former summer name of a zone that has abolished daylight saving: `CDT` in Mexico in 2021.
fn once_summer(name: &str) -> String {
    name.strip_suffix("ST").map_or(name.to_string(), |zone| format!("{zone}DT"))
}

fn names(zone: &str) -> Option<(&'static str, &'static str)> {
    ZONES.lines().find_map(|line| line.strip_prefix(zone)?.strip_prefix('\t')?.split_once('\t'))
}

/// `GMT+5:30`
fn offset(offset: Offset) -> String {
    let sign = if offset.is_negative() { '-' } else { '+' };
    let seconds = offset.seconds().unsigned_abs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (minutes, seconds) {
        (0, 0) => format!("GMT{sign}{hours}"),
        (minutes, 0) => format!("GMT{sign}{hours}:{minutes:02}"),
        (minutes, seconds) => format!("GMT{sign}{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock(now: &str, tz: &str) -> String {
        shown(&parse(Some(now), Some(tz)).unwrap(), DateStyle::Clock)
    }

    #[test]
    fn a_date_is_shown_in_full() {
        assert_eq!(clock("2026-03-07T14:55:05Z", "America/Chicago"), "Saturday, March 7, 2026 at 08:55:05 AM CST");
        assert_eq!(clock("2026-07-04T20:05:09.999Z", "America/New_York"), "Saturday, July 4, 2026 at 04:05:09 PM EDT");
        assert_eq!(clock("2026-12-31T00:00:00Z", "UTC"), "Thursday, December 31, 2026 at 12:00:00 AM UTC");
        assert_eq!(clock("2026-12-31T12:00:00Z", "UTC"), "Thursday, December 31, 2026 at 12:00:00 PM UTC");
        let now = parse(Some("2026-03-07T23:30:00-06:00"), Some("Asia/Tokyo")).unwrap();
        assert_eq!(shown(&now, DateStyle::Date), "2026-03-08");
    }

    #[test]
    fn zones_have_american_english_names() {
        for (tz, winter, summer) in [
            ("America/Los_Angeles", "PST", "PDT"),
            ("America/Denver", "MST", "MDT"),
            ("America/Phoenix", "MST", "MST"),
            ("America/Anchorage", "AKST", "AKDT"),
            ("America/Halifax", "AST", "ADT"),
            ("America/Adak", "HAST", "HADT"),
            ("America/Indiana/Indianapolis", "EST", "EDT"),
            ("Pacific/Honolulu", "HST", "HST"),
            ("Etc/UTC", "UTC", "UTC"),
            ("Etc/GMT", "UTC", "UTC"),
            ("GMT", "UTC", "UTC"),
            ("Europe/London", "GMT", "GMT+1"),
            ("Europe/Dublin", "GMT", "GMT+1"),
            ("Atlantic/Reykjavik", "GMT", "GMT"),
            ("Africa/Abidjan", "GMT", "GMT"),
            ("Antarctica/Troll", "GMT", "GMT+2"),
            ("Europe/Lisbon", "GMT+0", "GMT+1"),
            ("Atlantic/Azores", "GMT-1", "GMT+0"),
            ("Europe/Berlin", "GMT+1", "GMT+2"),
            ("Asia/Kolkata", "GMT+5:30", "GMT+5:30"),
            ("America/Sao_Paulo", "GMT-3", "GMT-3"),
            ("America/Havana", "GMT-5", "GMT-4"),
            ("America/St_Johns", "GMT-3:30", "GMT-2:30"),
            ("Australia/Sydney", "GMT+11", "GMT+10"),
        ] {
            let name = |now: &str| clock(now, tz).rsplit(' ').next().unwrap().to_string();
            assert_eq!([name("2026-01-15T12:00:00Z"), name("2026-07-15T12:00:00Z")], [winter, summer], "{tz}");
        }
    }

    #[test]
    fn every_zone_in_the_table_is_found_and_known() {
        let lines: Vec<_> = ZONES.lines().collect();
        assert!(lines.is_sorted() && lines.len() > 130);
        for line in lines {
            let fields: Vec<_> = line.split('\t').collect();
            assert_eq!(names(fields[0]), Some((fields[1], fields[2])), "{line}");
            assert_eq!(named(fields[0]).unwrap().iana_name(), Some(fields[0]));
        }
        for missing in ["", "A", "America", "America/Chicag", "America/Chicagoo", "Europe/Berlin", "Zzz"] {
            assert_eq!(names(missing), None, "{missing}");
        }
    }

    #[test]
    fn abolished_daylight_saving_applies_to_earlier_dates() {
        for (now, expected) in
            [("2021-07-09T12:00:00Z", "CDT"), ("2021-12-09T12:00:00Z", "CST"), ("2026-07-09T12:00:00Z", "CST")]
        {
            assert!(clock(now, "America/Mexico_City").ends_with(expected), "{now}");
        }
    }

    #[test]
    fn a_zone_may_be_a_system_setting() {
        for written in ["America/Chicago", ":America/Chicago", "/usr/share/zoneinfo/America/Chicago", "america/chicago"]
        {
            assert_eq!(named(written).unwrap().iana_name(), Some("America/Chicago"), "{written}");
        }
        assert_eq!(named("").unwrap(), TimeZone::UTC);
        assert_eq!(clock("2026-01-01T00:00:00Z", ""), "Thursday, January 1, 2026 at 12:00:00 AM UTC");
    }

    #[test]
    fn an_invalid_time_or_zone_is_refused() {
        let refused = |now, tz| match parse(now, tz) {
            Err(Problem::InvalidArgument { what, help }) => (what, help),
            other => panic!("{other:?}"),
        };
        let rfc = "write it as `2026-03-07T14:55:05Z` or `2026-03-07T08:55:05-06:00` (RFC 3339)".to_string();
        for text in ["tomorrow", "2026-03-07", "2026-03-07T14:55:05", "2026-02-30T00:00:00Z", ""] {
            assert_eq!(refused(Some(text), None), (format!("`{text}` is not a valid time"), rfc.clone()));
        }
        let (what, help) = refused(None, Some("America/Chigaco"));
        assert_eq!(what, "unknown time zone `America/Chigaco`");
        assert_eq!(help, "did you mean `America/Chicago`?");
        let (_, help) = refused(None, Some("nowhere at all"));
        assert_eq!(help, "give the name of a zone, such as `America/Chicago` or `UTC`");
    }

    proptest! {
        #[test]
        fn any_text_is_a_time_or_refused(now in any::<String>(), tz in any::<String>()) {
            let _ = parse(Some(&now), None);
            let _ = parse(None, Some(&tz));
            prop_assert_eq!(names(&tz), ZONES.lines().find_map(|line| {
                let (zone, names) = line.split_once('\t')?;
                if zone == tz { names.split_once('\t') } else { None }
            }));
        }
    }
}
