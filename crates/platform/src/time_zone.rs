//! The shop's time zone, for what depends on the weekday or the hour at its place.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weekday {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl Weekday {
    const ALL: [Self; 7] =
        [Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];
}

impl FromStr for Weekday {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = |day: &Self| format!("{day:?}").eq_ignore_ascii_case(text);
        let found = Self::ALL.into_iter().find(named);
        found.ok_or_else(|| format!("{text:?} is none of mon, tue, wed, thu, fri, sat, sun"))
    }
}

/// A weekday, and the minutes since its midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    pub weekday: Weekday,
    pub minute: u16,
}

/// A day of the calendar, written `2026-12-24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalendarDay(jiff::civil::Date);

impl CalendarDay {
    /// The same day of the next year; the last of February after a 29th.
    pub fn in_a_year(self) -> Self {
        let next = self.0.checked_add(jiff::Span::new().years(1));
        Self(next.unwrap_or(jiff::civil::Date::MAX))
    }
}

impl FromStr for CalendarDay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no day such as 2026-12-24");
        let is_plain =
            text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let day = is_plain.then(|| text.parse().ok()).flatten();
        day.map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for CalendarDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for CalendarDay {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CalendarDay {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A time zone by its IANA name, such as `Asia/Dhaka`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeZone(jiff::tz::TimeZone);

impl Default for TimeZone {
    fn default() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }
}

impl TimeZone {
    pub fn local(&self, time: Timestamp) -> LocalTime {
        let instant = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
        let local = instant.to_zoned(self.0.clone());
        let weekday = Weekday::ALL[usize::from(local.weekday().to_monday_zero_offset() as u8)];
        let minute = u16::from(local.hour() as u8) * 60 + u16::from(local.minute() as u8);
        LocalTime { weekday, minute }
    }
}

impl TimeZone {
    /// How many minutes its clocks are ahead of UTC at this time.
    pub fn minutes_ahead(&self, time: Timestamp) -> i16 {
        let instant = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
        let seconds = self.0.to_offset(instant).seconds();
        i16::try_from(seconds / 60).unwrap_or_default()
    }

    /// When a day begins there, which is given by its midnight in UTC.
    pub fn start_of(&self, day: Timestamp) -> Timestamp {
        let utc = jiff::Timestamp::from_millisecond(day.0).unwrap_or_default();
        let date = utc.to_zoned(jiff::tz::TimeZone::UTC).date();
        let start = date.to_zoned(self.0.clone());
        start.map_or(day, |start| Timestamp(start.timestamp().as_millisecond()))
    }

    /// The day that it is here at this time.
    pub fn day(&self, time: Timestamp) -> CalendarDay {
        let instant = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
        CalendarDay(instant.to_zoned(self.0.clone()).date())
    }

    /// This full hour of a day, or the next one that there is.
    pub fn at_hour(&self, CalendarDay(day): CalendarDay, hour: i8) -> Timestamp {
        let zoned = day.at(hour, 0, 0, 0).to_zoned(self.0.clone());
        zoned.map_or(Timestamp(i64::MAX), |zoned| Timestamp(zoned.timestamp().as_millisecond()))
    }

    /// Noon of the day that is so many days later; those on the weekdays to skip do not count.
    pub fn days_after(&self, time: Timestamp, days: u16, skip: &[Weekday]) -> Timestamp {
        let instant = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
        let mut day = instant.to_zoned(self.0.clone()).date();
        let mut left = days;
        while left > 0 {
            let Ok(next) = day.tomorrow() else { break };
            day = next;
            let weekday = Weekday::ALL[usize::from(day.weekday().to_monday_zero_offset() as u8)];
            if !skip.contains(&weekday) || skip.len() >= Weekday::ALL.len() {
                left -= 1;
            }
        }
        let noon = day.at(12, 0, 0, 0).to_zoned(self.0.clone());
        noon.map_or(time, |noon| Timestamp(noon.timestamp().as_millisecond()))
    }
}

impl FromStr for TimeZone {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = jiff::tz::TimeZone::get(name);
        found.map(Self).map_err(|_| format!("{name:?} is no time zone such as Asia/Dhaka"))
    }
}

impl TryFrom<String> for TimeZone {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<TimeZone> for String {
    fn from(zone: TimeZone) -> Self {
        zone.0.iana_name().unwrap_or("UTC").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_stored_by_its_name() {
        for name in ["Asia/Dhaka", "Europe/Berlin", "UTC"] {
            let zone: TimeZone = name.parse().unwrap();
            assert_eq!(TimeZone::try_from(String::from(zone.clone())), Ok(zone));
        }
        let ahead = |zone: &str, time: &str| {
            zone.parse::<TimeZone>().unwrap().minutes_ahead(Timestamp::parse(time).unwrap())
        };
        assert_eq!(ahead("Asia/Dhaka", "2026-11-20T22:15:00Z"), 360);
        assert_eq!(ahead("Europe/Berlin", "2026-07-01T22:00:00Z"), 120);
        let start = |zone: &str| {
            let zone: TimeZone = zone.parse().unwrap();
            zone.start_of(Timestamp::parse("2026-11-20T00:00:00Z").unwrap()).to_string()
        };
        assert_eq!(start("Asia/Dhaka"), "2026-11-19T18:00:00.000Z");
        assert_eq!(start("UTC"), "2026-11-20T00:00:00.000Z");
        assert_eq!(ahead("America/New_York", "2026-12-01T22:00:00Z"), -300);
    }

    #[test]
    fn days_are_those_of_the_zone() {
        let dhaka: TimeZone = "Asia/Dhaka".parse().unwrap();
        let evening = Timestamp::parse("2026-11-20T22:15:00Z").unwrap();
        let day: CalendarDay = "2026-11-21".parse().unwrap();
        assert_eq!(dhaka.day(evening), day);
        assert_eq!(TimeZone::default().day(evening).to_string(), "2026-11-20");
        assert_eq!(dhaka.at_hour(day, 9), Timestamp::parse("2026-11-21T03:00:00Z").unwrap());
        assert_eq!(day.in_a_year().to_string(), "2027-11-21");
        let leap: CalendarDay = "2028-02-29".parse().unwrap();
        assert_eq!(leap.in_a_year().to_string(), "2029-02-28");
        for wrong in
            ["", "2026-02-30", "24.12.2026", "2026-12-24T10:00:00Z", "tomorrow", "২০২৬-১২-২৪"]
        {
            assert!(wrong.parse::<CalendarDay>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_local_weekday_and_minute_follow_the_zone_and_its_summer_time() {
        let at = |zone: &str, time: &str| {
            let zone: TimeZone = zone.parse().unwrap();
            let LocalTime { weekday, minute } = zone.local(Timestamp::parse(time).unwrap());
            (weekday, minute / 60, minute % 60)
        };
        let friday = "2026-11-20T22:15:00Z";
        assert_eq!(at("UTC", friday), (Weekday::Fri, 22, 15));
        assert_eq!(at("Asia/Dhaka", friday), (Weekday::Sat, 4, 15));
        assert_eq!(at("Asia/Kathmandu", friday), (Weekday::Sat, 4, 0));
        assert_eq!(at("Europe/Berlin", "2026-07-01T22:00:00Z"), (Weekday::Thu, 0, 0));
        assert_eq!(at("Europe/Berlin", "2026-12-01T22:00:00Z"), (Weekday::Tue, 23, 0));
        assert!("Mars/Base".parse::<TimeZone>().is_err());
    }

    #[test]
    fn a_day_begins_at_the_midnight_of_the_zone() {
        let day = |zone: &str| {
            let time = Timestamp::parse("2026-11-20T22:15:00Z").unwrap();
            zone.parse::<TimeZone>().unwrap().day(time).to_string()
        };
        assert_eq!([day("UTC"), day("Asia/Dhaka")], ["2026-11-20", "2026-11-21"]);
        for wrong in ["", "2026-11", "2026-02-30", "20261119", "2026-11-19T00:00"] {
            assert!(wrong.parse::<CalendarDay>().is_err(), "{wrong}");
        }
    }
}
