//! Calendars as files (RFC 5545).

use super::{CalendarEntry, texts::CalendarTexts};
use crate::domain::deadlines::DeadlineKind;
use chrono::Duration;
use icalendar::{Alarm, Calendar, Component, Event, EventLike, EventStatus, Property};
use jiff::{SignedDuration, Timestamp, ToSpan};
use tender_model::vocabulary::Language;

/// The value of the `Content-Type` header.
pub const MEDIA_TYPE: &str = "text/calendar";
/// The maximum number of characters of a text.
const MAX_TEXT: usize = 500;
/// How often a program reads the calendar again.
const REFRESH: &str = "PT1H";

/// Writes the entries as a calendar. The same entries give the same file.
pub fn write(entries: &[CalendarEntry], language: Language, base_url: &str) -> String {
    let texts = CalendarTexts::of(language);
    let mut calendar = Calendar::empty();
    for (name, value) in [
        ("VERSION", "2.0"),
        ("PRODID", "-//Serendib Tenders//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
    ] {
        calendar.append_property(Property::new(name, value));
    }
    calendar.name(&texts.name);
    calendar.append_property(
        Property::new("REFRESH-INTERVAL", REFRESH).add_parameter("VALUE", "DURATION").done(),
    );
    calendar.append_property(Property::new("X-PUBLISHED-TTL", REFRESH));
    for entry in entries {
        calendar.push(event(entry, texts, base_url));
    }
    calendar.to_string()
}

fn event(entry: &CalendarEntry, texts: &CalendarTexts, base_url: &str) -> Event {
    let step = texts.kind(entry.kind);
    let summary = plain(&format!("{step}: {}", entry.title));
    let link = format!("{base_url}/tenders/{}", entry.tender_id);
    let state = match entry.bid {
        Some((_, stage)) => texts.on_board.with(&[("stage", &texts.stage(stage))]),
        None => texts.saved.clone(),
    };
    let mut lines = vec![plain(&entry.organization), state];
    if entry.is_doubtful {
        lines.push(texts.doubtful.clone());
    }
    lines.push(link.clone());
    lines.retain(|line| !line.is_empty());
    let uid = format!("{}-{}@serendib-tenders", entry.tender_id, entry.kind.as_str());
    let revised = utc(entry.revised_at);
    let mut event = Event::new();
    event
        .uid(&uid)
        .add_property("DTSTAMP", revised.as_str())
        .add_property("LAST-MODIFIED", revised.as_str())
        .sequence(u32::try_from(entry.revision).unwrap_or(u32::MAX))
        .summary(&summary)
        .description(&lines.join("\n"))
        .url(&link)
        .add_property("TRANSP", "TRANSPARENT");
    if let Some(place) = &entry.place {
        event.location(&plain(place));
    }
    for property in times(entry) {
        event.append_property(property);
    }
    if entry.is_cancelled {
        event.status(EventStatus::Cancelled);
        return event.done();
    }
    for (nth, before) in alarms(entry.kind).iter().enumerate() {
        let mut alarm = Alarm::display(&summary, -*before);
        alarm.uid(&format!("{nth}-{uid}")).add_property("DTSTAMP", revised.as_str());
        event.alarm(alarm);
    }
    event.done()
}

/// The properties of the time. An entry without an hour takes the whole day.
fn times(entry: &CalendarEntry) -> [Property; 2] {
    if entry.has_hour {
        let start = entry.at.timestamp();
        let end = start.saturating_add(SignedDuration::from_mins(15)).unwrap_or(start);
        return [Property::new("DTSTART", utc(start)), Property::new("DTEND", utc(end))];
    }
    let day = entry.at.day();
    let next = day.saturating_add(1.days());
    [("DTSTART", day), ("DTEND", next)].map(|(name, day)| {
        Property::new(name, day.strftime("%Y%m%d").to_string()).add_parameter("VALUE", "DATE").done()
    })
}

/// How long before a step a program reminds of it.
fn alarms(kind: DeadlineKind) -> Vec<Duration> {
    match kind {
        DeadlineKind::Closing => vec![Duration::days(2), Duration::hours(3)],
        DeadlineKind::SaleEnds | DeadlineKind::PreBid | DeadlineKind::Clarification => {
            vec![Duration::days(1)]
        }
        DeadlineKind::Opening | DeadlineKind::BondExpiry => Vec::new(),
    }
}

/// A time in UTC, as in `20261201T083000Z`.
fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// One line of bounded length without control characters.
fn plain(text: &str) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    line.trim().chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::bid::BidStage;
    use ical::parser::ical::component::{IcalCalendar, IcalEvent};
    use uuid::Uuid;

    fn entry(kind: DeadlineKind, at: &str, title: &str) -> CalendarEntry {
        CalendarEntry {
            tender_id: Uuid::from_u128(7),
            title: title.into(),
            organization: "Department of Buildings, Matara".into(),
            kind,
            at: at.parse().unwrap(),
            has_hour: !at.contains("T00:00:00") && !at.contains("T23:59:59"),
            is_doubtful: false,
            place: Some("Room 5; first floor".into()),
            is_cancelled: false,
            bid: Some((Uuid::from_u128(8), BidStage::Preparing)),
            revision: 3,
            revised_at: "2026-11-20T06:30:00Z".parse().unwrap(),
        }
    }

    /// Reads a calendar with a parser that is not the one of the library that writes it.
    fn parse(text: &str) -> IcalCalendar {
        let mut calendars: Vec<_> = ical::IcalParser::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
        assert_eq!(calendars.len(), 1);
        calendars.remove(0)
    }

    fn value(event: &IcalEvent, name: &str) -> Option<String> {
        let found = event.properties.iter().find(|property| property.name == name)?;
        Some(found.value.clone().unwrap_or_default())
    }

    #[test]
    fn another_parser_reads_the_calendar() {
        let long = format!("ගොඩනැගිලි, පාලම්; \\ සහ {} කපොලු\nඉදිකිරීම", "දිගු ".repeat(60));
        let entries = [
            entry(DeadlineKind::Closing, "2026-12-24T14:00:00+05:30", &long),
            entry(DeadlineKind::SaleEnds, "2026-12-13T23:59:59+05:30", "Roof repairs"),
        ];
        let text = write(&entries, Language::English, "https://portal.test");
        assert!(text.lines().all(|line| line.len() <= 75), "{text}");
        assert!(text.ends_with("END:VCALENDAR\r\n") && !text.replace("\r\n", "").contains(['\r', '\n']));
        let calendar = parse(&text);
        let [closing, sale] = calendar.events.as_slice() else { panic!("{text}") };
        assert_eq!(value(closing, "DTSTART").as_deref(), Some("20261224T083000Z"));
        assert_eq!(value(closing, "SEQUENCE").as_deref(), Some("3"));
        assert_eq!(value(closing, "DTSTAMP").as_deref(), Some("20261120T063000Z"));
        let summary = value(closing, "SUMMARY").unwrap();
        assert!(summary.starts_with("Bids close: ගොඩනැගිලි\\, පාලම්\\; \\\\ සහ "), "{summary}");
        assert_eq!(value(closing, "LOCATION").as_deref(), Some("Room 5\\; first floor"));
        let triggers: Vec<_> = closing
            .alarms
            .iter()
            .map(|alarm| {
                alarm.properties.iter().find(|one| one.name == "TRIGGER").unwrap().value.clone().unwrap()
            })
            .collect();
        assert_eq!(triggers.len(), 2, "{triggers:?}");
        assert_eq!(value(sale, "DTSTART").as_deref(), Some("20261213"));
        assert_eq!(value(sale, "DTEND").as_deref(), Some("20261214"));
        assert_ne!(value(sale, "UID"), value(closing, "UID"));
        assert!(
            value(sale, "DESCRIPTION")
                .unwrap()
                .contains("On your board: Preparing\\nhttps://portal.test/tenders/")
        );
        assert_eq!(
            write(&entries, Language::English, "https://portal.test"),
            text,
            "the file is the same again"
        );
    }

    #[test]
    fn a_cancelled_tender_stays_as_a_cancelled_event_without_alarms() {
        let mut cancelled = entry(DeadlineKind::Closing, "2026-12-24T14:00:00+05:30", "Roof repairs");
        cancelled.is_cancelled = true;
        let calendar = parse(&write(&[cancelled], Language::Sinhala, "https://portal.test"));
        assert_eq!(value(&calendar.events[0], "STATUS").as_deref(), Some("CANCELLED"));
        assert!(calendar.events[0].alarms.is_empty());
    }

    #[test]
    fn an_empty_calendar_is_a_calendar() {
        assert!(parse(&write(&[], Language::Tamil, "https://portal.test")).events.is_empty());
    }
}
