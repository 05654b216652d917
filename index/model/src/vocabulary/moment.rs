//! Points in time in Colombo's offset, and calendar days in Colombo.

use jiff::{
    Timestamp, civil,
    tz::{Offset, TimeZone},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{borrow::Cow, fmt, str::FromStr};
use utoipa::{PartialSchema, ToSchema};

/// The offset of Asia/Colombo, +05:30. It has been fixed since April 2006, and all tenders are
/// newer.
#[must_use]
pub fn colombo() -> Offset {
    Offset::UTC.saturating_add(jiff::SignedDuration::from_mins(330))
}

/// A calendar day in Colombo.
pub type Day = civil::Date;

/// An instant, written as RFC 3339 in Colombo's offset with whole seconds:
/// `2026-11-29T15:30:00+05:30`.
///
/// Any offset is accepted; fractions of a second are dropped. For dates without a time, see
/// [`closing_moment`] and [`opening_moment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(Timestamp);

impl Moment {
    /// The moment of a timestamp, rounded down to whole seconds.
    #[must_use]
    pub fn new(timestamp: Timestamp) -> Self {
        Self(
            Timestamp::from_second(timestamp.as_nanosecond().div_euclid(1_000_000_000) as i64)
                .unwrap_or(timestamp),
        )
    }

    /// The moment of a civil date and time in Colombo. `None` if the instant is outside the range
    /// of [`Timestamp`].
    #[must_use]
    pub fn in_colombo(datetime: civil::DateTime) -> Option<Self> {
        colombo().to_timestamp(datetime).ok().map(Self::new)
    }

    /// The first second of a day in Colombo.
    #[must_use]
    pub fn start_of(day: Day) -> Option<Self> {
        Self::in_colombo(day.at(0, 0, 0, 0))
    }

    /// The last second of a day in Colombo.
    #[must_use]
    pub fn end_of(day: Day) -> Option<Self> {
        Self::in_colombo(day.at(23, 59, 59, 0))
    }

    /// The instant.
    #[must_use]
    pub const fn timestamp(self) -> Timestamp {
        self.0
    }

    /// Seconds since 1970 in UTC.
    #[must_use]
    pub fn second(self) -> i64 {
        self.0.as_second()
    }

    /// The calendar day in Colombo.
    #[must_use]
    pub fn day(self) -> Day {
        colombo().to_datetime(self.0).date()
    }

    /// The civil date and time in Colombo.
    #[must_use]
    pub fn civil(self) -> civil::DateTime {
        colombo().to_datetime(self.0)
    }

    /// The number of calendar days in Colombo from `self` to `later`. Negative if `later` is on an
    /// earlier day.
    #[must_use]
    pub fn days_until(self, later: Self) -> i64 {
        i64::from((later.day() - self.day()).get_days())
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Self {
        Self::new(timestamp)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_zoned(TimeZone::fixed(colombo())).strftime("%Y-%m-%dT%H:%M:%S%:z"))
    }
}

impl FromStr for Moment {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        text.parse::<Timestamp>().map(Self::new)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for Moment {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("RFC 3339, in Asia/Colombo's offset"))
            .into()
    }
}

impl ToSchema for Moment {}

/// Reads a moment, or a date that stands for the *end* of that day. Null and blank text give
/// `None`. Use this function with `#[serde(deserialize_with)]` for closing dates.
///
/// # Errors
/// Fails if a text that is not blank is neither RFC 3339 nor `YYYY-MM-DD`.
pub fn closing_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
    moment_or_day(deserializer, Moment::end_of)
}

/// Reads a moment, or a date that stands for the *start* of that day. Null and blank text give
/// `None`.
///
/// # Errors
/// Fails if a text that is not blank is neither RFC 3339 nor `YYYY-MM-DD`.
pub fn opening_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Moment>, D::Error> {
    moment_or_day(deserializer, Moment::start_of)
}

fn moment_or_day<'de, D: Deserializer<'de>>(
    deserializer: D,
    of_day: impl Fn(Day) -> Option<Moment>,
) -> Result<Option<Moment>, D::Error> {
    let Some(text) = Option::<Cow<'_, str>>::deserialize(deserializer)? else { return Ok(None) };
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let bare_date = if text.len() == 10 { text.parse::<Day>().ok().and_then(of_day) } else { None };
    match bare_date {
        Some(moment) => Ok(Some(moment)),
        None => text.parse().map(Some).map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_offset_is_read_and_colombo_time_is_written() {
        let moment: Moment = "2024-05-13T18:40:00.5Z".parse().unwrap();
        assert_eq!(moment.to_string(), "2024-05-14T00:10:00+05:30");
        assert_eq!(moment.day(), civil::date(2024, 5, 14));
    }

    #[test]
    fn days_are_counted_by_the_calendar_in_colombo() {
        let evening: Moment = "2024-05-13T23:59:59+05:30".parse().unwrap();
        let next: Moment = "2024-05-14T00:00:00+05:30".parse().unwrap();
        assert_eq!(evening.days_until(next), 1);
        assert_eq!(next.days_until(evening), -1);
    }

    #[test]
    fn a_bare_closing_date_lasts_to_the_end_of_its_day() {
        let mut json = serde_json::Deserializer::from_str("\"2024-05-14\"");
        let moment = closing_moment(&mut json).unwrap().unwrap();
        assert_eq!(moment.to_string(), "2024-05-14T23:59:59+05:30");
    }
}
