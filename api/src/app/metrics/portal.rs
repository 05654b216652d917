//! Metrics of searches, matching, messages, newspaper pages and notices.

use super::families::{Counters, Histograms, Labels, counters_of, registered};
use crate::domain::channel::Channel;
use prometheus_client::{
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use tender_model::{page_reading::BlockOutcome, publish_receipt::Outcome};

/// The upper bounds of the histogram of searches, in seconds.
const SEARCH_BUCKETS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
/// The upper bounds of the histogram of percolations, in seconds.
const PERCOLATION_BUCKETS: [f64; 10] = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5];
/// The upper bounds of the histogram of candidates.
const CANDIDATE_BUCKETS: [f64; 8] = [0.0, 1.0, 10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0];
/// The upper bounds of the histogram of readings, in seconds.
const READING_BUCKETS: [f64; 10] = [1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0];

/// What a search of the index computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SearchKind {
    /// A page of tenders.
    Listing,
    /// The counts of the filters.
    Facets,
    /// The statistics of all tenders.
    Statistics,
    /// What the home page shows.
    Highlights,
    /// Suggestions while the user types.
    Suggestions,
    /// Tenders that resemble a tender.
    Similar,
    /// The rows of a report.
    Report,
    /// An Atom feed.
    Feed,
}

/// How an attempt to send a message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AttemptOutcome {
    /// The message was accepted.
    Sent,
    /// The message was refused for good.
    Refused,
    /// The attempt failed, and there will be another one.
    Deferred,
    /// The last attempt failed.
    GivenUp,
    /// The channel accepted no message at all. The attempt does not count.
    Unavailable,
}

/// What a report of a mail server says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MailReportOutcome {
    /// It is no report, or changes nothing.
    Ignored,
    /// It was recorded.
    Noted,
    /// The address was suppressed.
    Suppressed,
}

/// Who read a newspaper page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PageReader {
    /// A worker that leased the page.
    Worker,
    /// A program that read the page from a file of its own, and reported the result.
    Reporter,
}

/// Metrics of searches, matching, messages, newspaper pages and notices.
pub struct PortalMetrics {
    searches: Histograms<Labels<1>>,
    percolations: Histogram,
    candidates: Histogram,
    attempts: Counters<2>,
    mail_reports: Counters<1>,
    pages_read: Counters<1>,
    page_failures: Counter,
    page_readings: Histogram,
    page_blocks: Counters<1>,
    notices: Counters<1>,
}

impl PortalMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let searches: Histograms<Labels<1>> = Family::new_with_constructor(|| Histogram::new(SEARCH_BUCKETS));
        for kind in SearchKind::iter() {
            drop(searches.get_or_create(&[("kind", kind.into())]));
        }
        let attempts: Counters<2> = Family::default();
        for channel in Channel::all() {
            for outcome in AttemptOutcome::iter() {
                drop(attempts.get_or_create(&attempt_labels(channel, outcome)));
            }
        }
        Self {
            searches: registered(
                registry,
                "search_duration_seconds",
                "Seconds of a search of the index, by what it computes",
                searches,
            ),
            percolations: registered(
                registry,
                "percolation_duration_seconds",
                "Seconds to find the alerts that match one tender",
                Histogram::new(PERCOLATION_BUCKETS),
            ),
            candidates: registered(
                registry,
                "percolation_candidates",
                "Patterns of alerts that may occur in one tender",
                Histogram::new(CANDIDATE_BUCKETS),
            ),
            attempts: registered(
                registry,
                "message_attempts",
                "Attempts to send a message, by channel and outcome",
                attempts,
            ),
            mail_reports: counters_of(
                registry,
                "mail_reports",
                "Bounces and complaints that arrived over HTTP, by what became of them",
                "outcome",
                MailReportOutcome::iter().map(Into::into),
            ),
            pages_read: counters_of(
                registry,
                "newspaper_pages_read",
                "Newspaper pages whose results were stored",
                "reader",
                PageReader::iter().map(Into::into),
            ),
            page_failures: registered(
                registry,
                "newspaper_page_failures",
                "Attempts to read a page that a worker reported as failed",
                Counter::default(),
            ),
            page_readings: registered(
                registry,
                "newspaper_page_reading_seconds",
                "Seconds from the begin of a lease until the result of its page is stored",
                Histogram::new(READING_BUCKETS),
            ),
            page_blocks: counters_of(
                registry,
                "newspaper_page_blocks",
                "Blocks of the pages that were read, by outcome",
                "outcome",
                BlockOutcome::ALL.iter().map(|outcome| outcome.as_str()),
            ),
            notices: counters_of(
                registry,
                "notices",
                "Notices that were received, by what became of them",
                "outcome",
                NOTICE_OUTCOMES.iter().map(|outcome| outcome_name(*outcome)),
            ),
        }
    }

    /// Records a search.
    pub fn record_search(&self, kind: SearchKind, duration: Duration) {
        self.searches.get_or_create(&[("kind", kind.into())]).observe(duration.as_secs_f64());
    }

    /// Records the percolation of one tender.
    pub fn record_percolation(&self, duration: Duration, candidates: usize) {
        self.percolations.observe(duration.as_secs_f64());
        self.candidates.observe(candidates as f64);
    }

    /// Counts an attempt to send a message.
    pub fn record_attempt(&self, channel: Channel, outcome: AttemptOutcome) {
        self.attempts.get_or_create(&attempt_labels(channel, outcome)).inc();
    }

    /// Counts a report of a mail server.
    pub fn record_mail_report(&self, outcome: MailReportOutcome) {
        self.mail_reports.get_or_create(&[("outcome", outcome.into())]).inc();
    }

    /// Records a page that was read. `duration` is known for a page of a worker.
    pub fn record_page(
        &self,
        reader: PageReader,
        duration: Option<Duration>,
        blocks: impl Iterator<Item = BlockOutcome>,
    ) {
        self.pages_read.get_or_create(&[("reader", reader.into())]).inc();
        if let Some(duration) = duration {
            self.page_readings.observe(duration.as_secs_f64());
        }
        for outcome in blocks {
            self.page_blocks.get_or_create(&[("outcome", outcome.as_str())]).inc();
        }
    }

    /// Counts a failed attempt to read a page.
    pub fn record_page_failure(&self) {
        self.page_failures.inc();
    }

    /// Counts a notice.
    pub fn record_notice(&self, outcome: Outcome) {
        self.notices.get_or_create(&[("outcome", outcome_name(outcome))]).inc();
    }
}

fn attempt_labels(channel: Channel, outcome: AttemptOutcome) -> Labels<2> {
    [("channel", channel.as_str()), ("outcome", outcome.into())]
}

/// What can become of a notice.
const NOTICE_OUTCOMES: [Outcome; 6] = [
    Outcome::Created,
    Outcome::Updated,
    Outcome::Unchanged,
    Outcome::Merged,
    Outcome::Corrected,
    Outcome::Review,
];

const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Created => "created",
        Outcome::Updated => "updated",
        Outcome::Unchanged => "unchanged",
        Outcome::Merged => "merged",
        Outcome::Corrected => "corrected",
        Outcome::Review => "review",
    }
}
