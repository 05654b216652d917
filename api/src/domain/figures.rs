//! The figures of the portal by day in Colombo: their series, totals and changes.

use jiff::{ToSpan, civil::Date};
use serde::Serialize;
use std::collections::HashMap;
use strum::{EnumIter, EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// The number of days of a series.
pub const SERIES_DAYS: i64 = 90;
/// The number of days whose values a series and its change depend on.
pub const NEEDED_DAYS: i64 = 2 * SERIES_DAYS;
/// The number of days over which churn is computed, and after which a last value is compared.
pub const MONTH_DAYS: i64 = 28;

/// A figure by day, in Colombo time.
///
/// - `pages`: newspaper pages that were read. A page that is read again counts again.
/// - `notices`: newspaper notices that became part of a tender: new tenders, further publications
///   and corrigenda. Notices that wait for review are not included.
/// - `review-time`: the time that reviewers worked on the notices they decided about. The time of a
///   decision begins when the reviewer claimed the notice or made the previous decision, whichever
///   is later, and counts for at most 10 minutes. Decisions of programs are not included.
/// - `matches`: pairs of an alert and a tender that matched for the first time.
/// - `emails`, `sms`, `whatsapp`, `webhooks`: messages that left the portal by the channel.
/// - `bounces`: mails that were returned as undeliverable, and complaints about mails.
/// - `empty-searches`: searches of the listing with a text that found nothing. A search is counted
///   within a minute.
/// - `new-users`: new accounts, without demonstration accounts.
/// - `subscribers`: subscriptions in force at the end of the day, without those of demonstration
///   accounts and test payments. A team is one subscription. Of the current day, those in force now.
/// - `ended-subscriptions`: subscriptions that ended and were not replaced by another one of the
///   same user by the end of the day.
/// - `churn`: the subscriptions that ended within 28 days, in per cent of the subscriptions in force
///   before the 28 days.
/// - `revenue`: invoiced payments in LKR with VAT, less payments that the provider reported as
///   reversed. Test payments are not included. A refund that an administrator makes with the
///   provider is not known to the portal.
/// - `review-age`, `pages-age`, `publications-age`, `messages-age`, `mails-age`: the longest time
///   that the oldest item of a queue was waiting on the day. Of the current day, the time that it
///   waits now, if that is longer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema, EnumIter, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Figure {
    /// Read newspaper pages.
    Pages,
    /// Published notices.
    Notices,
    /// The working time of reviewers.
    ReviewTime,
    /// Matches of alerts.
    Matches,
    /// Sent mails.
    Emails,
    /// Sent text messages.
    Sms,
    /// Sent WhatsApp messages.
    Whatsapp,
    /// Sent webhook calls.
    Webhooks,
    /// Bounces and complaints.
    Bounces,
    /// Searches that found nothing.
    EmptySearches,
    /// New accounts.
    NewUsers,
    /// Subscriptions in force.
    Subscribers,
    /// Ended subscriptions.
    EndedSubscriptions,
    /// Ended subscriptions in per cent.
    Churn,
    /// Received payments.
    Revenue,
    /// The age of the oldest notice in review.
    ReviewAge,
    /// The age of the oldest newspaper page that waits to be read.
    PagesAge,
    /// The age of the oldest tender that waits for a check.
    PublicationsAge,
    /// The age of the oldest open message of the contact form.
    MessagesAge,
    /// The age of the oldest message that waits to be sent.
    MailsAge,
}

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FigureUnit)]
pub enum Unit {
    /// A number.
    Count,
    /// Seconds.
    Seconds,
    /// Per cent.
    Percent,
    /// Sri Lankan rupees.
    Rupees,
}

/// How the days of a series become one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FigureTotal)]
pub enum Total {
    /// The sum of the days.
    Sum,
    /// The value of the last day.
    Last,
}

impl Figure {
    /// The unit of the values.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::ReviewTime => Unit::Seconds,
            Self::Churn => Unit::Percent,
            Self::Revenue => Unit::Rupees,
            _ if self.is_sampled() => Unit::Seconds,
            _ => Unit::Count,
        }
    }

    /// How the days of a series become one value.
    #[must_use]
    pub const fn total(self) -> Total {
        match self {
            Self::Subscribers | Self::Churn => Total::Last,
            _ if self.is_sampled() => Total::Last,
            _ => Total::Sum,
        }
    }

    /// The number of days between the value and the earlier value to compare it with. `None`: the
    /// values of two days say little about a change.
    #[must_use]
    pub const fn compared_after(self) -> Option<i64> {
        match self.total() {
            Total::Sum => Some(SERIES_DAYS),
            Total::Last if self.is_sampled() => None,
            Total::Last => Some(MONTH_DAYS),
        }
    }

    /// Whether the value of a day is observed while the day passes. Then a day on which the portal
    /// did not run has no value.
    #[must_use]
    pub const fn is_sampled(self) -> bool {
        matches!(
            self,
            Self::ReviewAge | Self::PagesAge | Self::PublicationsAge | Self::MessagesAge | Self::MailsAge
        )
    }
}

/// A queue of the portal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema, EnumIter, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[schema(as = QueueName)]
pub enum Queue {
    /// Notices in review.
    Review,
    /// Newspaper pages that wait to be read. Their age begins when a page may be read.
    Pages,
    /// Tenders of new publishers that wait for a check.
    Publications,
    /// Open messages of the contact form.
    Messages,
    /// Messages to users that wait to be sent, on all channels.
    Mails,
}

impl Queue {
    /// The figure of the age of the oldest item.
    #[must_use]
    pub const fn age(self) -> Figure {
        match self {
            Self::Review => Figure::ReviewAge,
            Self::Pages => Figure::PagesAge,
            Self::Publications => Figure::PublicationsAge,
            Self::Messages => Figure::MessagesAge,
            Self::Mails => Figure::MailsAge,
        }
    }
}

/// The present state of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueState {
    /// The queue.
    pub queue: Queue,
    /// The number of items.
    pub waiting: i64,
    /// Since when the oldest item is waiting. `None`: the queue is empty.
    pub oldest_since: Option<jiff::Timestamp>,
}

impl QueueState {
    /// How long the oldest item has been waiting, in seconds.
    #[must_use]
    pub fn age(&self, now: jiff::Timestamp) -> i64 {
        self.oldest_since.map_or(0, |since| now.duration_since(since).as_secs().max(0))
    }
}

/// A text that was searched and found nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptySearch {
    /// The text in lower case.
    pub text: String,
    /// The number of searches.
    pub searches: i64,
}

/// The values of figures by day, as stored: numbers, seconds or whole cents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DailyValues {
    values: HashMap<(Figure, Date), i64>,
    /// The first and the last day whose values are known.
    known: Option<(Date, Date)>,
}

impl DailyValues {
    /// Creates an empty set of which the days from `known.0` to `known.1` are known.
    #[must_use]
    pub fn new(known: Option<(Date, Date)>) -> Self {
        Self { values: HashMap::new(), known }
    }

    /// Sets a value.
    pub fn set(&mut self, figure: Figure, day: Date, value: i64) {
        self.values.insert((figure, day), value);
    }

    /// Raises a value to `value`.
    pub fn raise(&mut self, figure: Figure, day: Date, value: i64) {
        let stored = self.values.entry((figure, day)).or_insert(value);
        *stored = value.max(*stored);
    }

    /// The value of a day. `None`: it is not known.
    fn stored(&self, figure: Figure, day: Date) -> Option<i64> {
        let is_known = self.known.is_some_and(|(first, last)| first <= day && day <= last);
        let zero = (is_known && !figure.is_sampled()).then_some(0);
        self.values.get(&(figure, day)).copied().or(zero)
    }

    /// The value of a day in the unit of the figure.
    #[expect(clippy::cast_precision_loss, reason = "the values are far below 2^53")]
    fn value(&self, figure: Figure, day: Date) -> Option<f64> {
        match figure {
            Figure::Churn => self.churn(day),
            Figure::Revenue => self.stored(figure, day).map(|cents| cents as f64 / 100.0),
            _ => self.stored(figure, day).map(|value| value as f64),
        }
    }

    /// The churn over the days up to `day`, in per cent with one decimal place.
    #[expect(clippy::cast_precision_loss, reason = "the values are far below 2^53")]
    fn churn(&self, day: Date) -> Option<f64> {
        let start = self.stored(Figure::Subscribers, before(day, MONTH_DAYS)?).filter(|start| *start > 0)?;
        let ended: i64 = days_until(day, MONTH_DAYS)
            .map(|day| self.stored(Figure::EndedSubscriptions, day))
            .sum::<Option<i64>>()?;
        Some((ended as f64 / start as f64 * 1000.0).round() / 10.0)
    }

    /// The series of a figure that ends on a day.
    #[must_use]
    pub fn series(&self, figure: Figure, to: Date) -> FigureSeries {
        let values: Vec<Option<f64>> =
            days_until(to, SERIES_DAYS).map(|day| self.value(figure, day)).collect();
        let (value, earlier) = match figure.total() {
            Total::Sum => {
                let earlier = before(to, SERIES_DAYS).and_then(|to| {
                    days_until(to, SERIES_DAYS).map(|day| self.value(figure, day)).sum::<Option<f64>>()
                });
                let known: Vec<f64> = values.iter().flatten().copied().collect();
                ((!known.is_empty()).then(|| known.iter().sum()), earlier)
            }
            Total::Last => {
                let days = figure.compared_after();
                let earlier = days.and_then(|days| self.value(figure, before(to, days)?));
                (values.last().copied().flatten(), earlier)
            }
        };
        FigureSeries { figure, value, before: earlier, values }
    }
}

/// The day `days` before a day.
#[must_use]
pub fn before(day: Date, days: i64) -> Option<Date> {
    day.checked_sub(days.days()).ok()
}

/// The last `count` days up to a day, in order.
fn days_until(day: Date, count: i64) -> impl Iterator<Item = Date> {
    (0..count).rev().filter_map(move |nth| before(day, nth))
}

/// The series of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSeries {
    /// The figure.
    pub figure: Figure,
    /// The total of the series. `None`: no day is known.
    pub value: Option<f64>,
    /// The earlier total to compare with. `None`: it is not known, or a comparison makes no sense.
    pub before: Option<f64>,
    /// The value of each day, earliest first. `None`: it is not known.
    pub values: Vec<Option<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use strum::IntoEnumIterator;

    const TO: Date = date(2026, 11, 20);

    fn known(days: i64) -> DailyValues {
        DailyValues::new(Some((before(TO, days - 1).unwrap(), TO)))
    }

    #[test]
    fn a_sum_is_compared_with_the_ninety_days_before() {
        let mut values = known(NEEDED_DAYS);
        values.set(Figure::Pages, TO, 3);
        values.set(Figure::Pages, before(TO, 89).unwrap(), 4);
        values.set(Figure::Pages, before(TO, 90).unwrap(), 5);
        values.set(Figure::Pages, before(TO, 180).unwrap(), 100);
        let series = values.series(Figure::Pages, TO);
        assert_eq!((series.value, series.before, series.values.len()), (Some(7.0), Some(5.0), 90));
        assert_eq!(
            (series.values[0], series.values[1], series.values[89]),
            (Some(4.0), Some(0.0), Some(3.0))
        );
    }

    #[test]
    fn unknown_days_have_no_value_and_are_not_compared() {
        let series = known(100).series(Figure::Matches, TO);
        assert_eq!((series.value, series.before), (Some(0.0), None));
        let series = known(10).series(Figure::Matches, TO);
        assert_eq!((series.value, series.values[79], series.values[80]), (Some(0.0), None, Some(0.0)));
        let nothing = DailyValues::default().series(Figure::Revenue, TO);
        assert_eq!((nothing.value, nothing.before), (None, None));
        // A queue that was not observed may have been long.
        let mut sampled = known(NEEDED_DAYS);
        sampled.raise(Figure::ReviewAge, TO, 60);
        sampled.raise(Figure::ReviewAge, TO, 40);
        let series = sampled.series(Figure::ReviewAge, TO);
        assert_eq!((series.value, series.before, series.values[88]), (Some(60.0), None, None));
    }

    #[test]
    fn churn_is_the_share_of_the_subscribers_of_four_weeks_ago() {
        let mut values = known(NEEDED_DAYS);
        values.set(Figure::Subscribers, before(TO, 28).unwrap(), 40);
        values.set(Figure::Subscribers, before(TO, 56).unwrap(), 100);
        values.set(Figure::EndedSubscriptions, TO, 1);
        values.set(Figure::EndedSubscriptions, before(TO, 27).unwrap(), 2);
        values.set(Figure::EndedSubscriptions, before(TO, 28).unwrap(), 7);
        let series = values.series(Figure::Churn, TO);
        assert_eq!((series.value, series.before), (Some(7.5), Some(7.0)));
        assert_eq!(series.values[88], None, "nobody subscribed 28 days before");
    }

    #[test]
    fn money_is_in_rupees_and_each_queue_has_an_age() {
        let mut values = known(NEEDED_DAYS);
        values.set(Figure::Revenue, TO, 123_450);
        assert_eq!(values.series(Figure::Revenue, TO).value, Some(1234.5));
        for queue in Queue::iter() {
            assert!(queue.age().is_sampled() && queue.age().unit() == Unit::Seconds);
        }
        assert_eq!(Figure::iter().filter(|figure| figure.is_sampled()).count(), Queue::iter().count());
    }
}
