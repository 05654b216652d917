//! The path from an accepted notice to the last mail, on a real portal: its own process, a private
//! Postgres, and a mail server that accepts everything at once.

mod notices;
pub(crate) mod portal;
pub(crate) mod smtp;
pub(crate) mod store;
pub(crate) mod usage;

use crate::{server::Server, workload::Workload};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use index::percolate::Percolator;
use notices::{PublishResults, Selection};
use portal::Portal;
use serde::Serialize;
use smtp::{Mail, MailServer};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};
use store::{DatabaseResults, Store};
use usage::Usage;

/// The interval of progress queries.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How to treat the time in which the items of an alert are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Collecting {
    /// Wait for the whole collection time, as in production.
    Waited,
    /// End the collection when everything is matched. The mails are the same as with the wait.
    Ended,
    /// Disable collecting. The matches of each transaction are due at once, so there are more
    /// mails.
    Off,
}

impl fmt::Display for Collecting {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| to.write_str(value.get_name()))
    }
}

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct MailsPlan {
    /// The portal's executable.
    pub api: PathBuf,
    /// The number of users, each with its own address.
    pub users: usize,
    /// The number of alerts, assigned to the users in turn.
    pub alerts: usize,
    /// The number of notices.
    pub notices: usize,
    /// The seed that selects alerts and tenders.
    pub seed: u64,
    /// The number of notices sent in parallel.
    pub at_once: usize,
    /// How to treat the collection time.
    pub collecting: Collecting,
    /// The timeout of each wait: for the portal, for the matcher, and for the index and the last
    /// mail.
    pub timeout: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
    /// Additional command-line arguments of the portal.
    pub settings: Vec<String>,
}

/// The results. Times are in seconds after the response to the last notice. Earlier times are
/// negative.
#[derive(Debug, Serialize)]
pub struct MailMeasurement {
    collecting: String,
    users: usize,
    alerts: usize,
    /// The outcomes of the notices.
    notices: BTreeMap<String, usize>,
    matches: usize,
    mails: usize,
    items: usize,
    mail_mean_bytes: usize,
    first_accepted_s: f64,
    matched_s: f64,
    /// The time at which the index is complete.
    indexed_s: f64,
    first_sealed_s: f64,
    last_sealed_s: f64,
    first_mail_s: f64,
    last_mail_s: f64,
    /// From the last accepted notice to the last mail, without the time spent only on collecting.
    without_collecting_s: f64,
    matches_a_second: f64,
    mails_a_second: f64,
    portal: Usage,
    database: Usage,
}

/// Runs the measurement. Fails if a match or mail is missing or duplicated, or if the length of a
/// mail differs from that of its sealed message.
pub fn run(plan: &MailsPlan, workload: &Workload, server: &Server) -> Result<MailMeasurement> {
    let selection = notices::select(workload, plan)?;
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start()?;
    let mut store = Store::create(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    store.fill(plan.users, &selection.alerts)?;
    let token = portal::run(&plan.api, store.url(), &["admin", "token", "create", "benchmark"])?;
    let portal = Portal::start(plan, store.url(), folder.path(), mail.url())?;
    let head = store.head()?;
    wait_until("the portal to process all changes", plan.timeout, || {
        Ok(store.is_matched()? && portal.index_position()? >= head)
    })?;

    let before = (portal.usage()?, store.usage()?);
    let sent = notices::publish(portal.base(), token.trim(), &selection.uploads, plan.at_once)?;
    wait_until("the matcher", plan.timeout, || store.is_matched())?;
    let (matched, head) = (Instant::now(), store.head()?);
    if plan.collecting == Collecting::Ended {
        store.end_collecting()?;
    }
    let ended = Instant::now();
    let mut indexed = None;
    wait_until("the index and the last mail", plan.timeout, || {
        if indexed.is_none() && portal.index_position()? >= head {
            indexed = Some(Instant::now());
        }
        Ok(indexed.is_some() && store.is_all_sent()?)
    })?;
    let indexed = indexed.unwrap_or(ended);
    let after = (portal.usage()?, store.usage()?);
    let (mails, results) = (mail.received(), store.results()?);
    check(&mails, &results, &sent, &selection, workload)?;
    report(plan, &sent, &StepTimes { matched, ended, indexed }, &mails, &results, (before, after))
}

/// The times of the steps that are visible from outside.
struct StepTimes {
    matched: Instant,
    /// The end of the collection time if it was ended, otherwise the time after matching.
    ended: Instant,
    indexed: Instant,
}

/// Checks that the matches are the expected ones, and that each message was received once and with
/// its sealed length.
fn check(
    mails: &[Mail],
    results: &DatabaseResults,
    sent: &PublishResults,
    selection: &Selection,
    workload: &Workload,
) -> Result<()> {
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for mail in mails {
        *by_id.entry(&mail.message_id).or_default() += 1;
    }
    let twice = by_id.values().filter(|count| **count > 1).count();
    ensure!(twice == 0, "{twice} messages were received more than once");
    for (id, bytes) in &results.messages {
        ensure!(by_id.contains_key(id.as_str()), "message {id} is recorded as sent, but was not received");
        let received = mails.iter().find(|mail| mail.message_id == *id).map(|mail| mail.bytes);
        ensure!(
            received == Some(*bytes),
            "message {id} was sealed with {bytes} bytes, but received with {received:?}"
        );
    }
    ensure!(
        mails.len() == results.messages.len(),
        "there are {} mails for {} messages",
        mails.len(),
        results.messages.len()
    );
    ensure!(
        results.items == results.matches.len(),
        "there are {} items for {} matches",
        results.items,
        results.matches.len()
    );
    let expected = expected_pairs(sent, selection, workload)?;
    ensure!(
        results.matches == expected,
        "there are {} matches, but the percolator alone finds {}; missing {}, unexpected {}",
        results.matches.len(),
        expected.len(),
        expected.difference(&results.matches).count(),
        results.matches.difference(&expected).count()
    );
    Ok(())
}

/// Returns the pairs of alert and tender that the percolator finds.
fn expected_pairs(
    sent: &PublishResults,
    selection: &Selection,
    workload: &Workload,
) -> Result<BTreeSet<(String, String)>> {
    let percolator = Percolator::new();
    for (id, alert) in &selection.alerts {
        percolator.put(*id, &alert.query)?;
    }
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = tender_model::vocabulary::Moment::new(jiff::Timestamp::now());
    let mut expected = BTreeSet::new();
    for (tender, id) in selection.tenders.iter().zip(&sent.tender_ids) {
        let Some(id) = id else { continue };
        let found = percolator.percolate(tender, now, &workload.rates);
        expected.extend(found.hits.iter().map(|hit| (hit.alert.to_string(), id.to_string())));
    }
    Ok(expected)
}

fn report(
    plan: &MailsPlan,
    sent: &PublishResults,
    times: &StepTimes,
    mails: &[Mail],
    results: &DatabaseResults,
    (before, after): ((Usage, Usage), (Usage, Usage)),
) -> Result<MailMeasurement> {
    let last_response = sent.last;
    let since = |at: Instant| {
        rounded(
            at.saturating_duration_since(last_response).as_secs_f64()
                - last_response.saturating_duration_since(at).as_secs_f64(),
        )
    };
    // The database uses the wall clock.
    let last_response_wall = store::wall_clock() - last_response.elapsed().as_secs_f64();
    let first_mail = mails.iter().map(|mail| mail.at).min().context("no mail was received")?;
    let last_mail = mails.iter().map(|mail| mail.at).max().context("no mail was received")?;
    let matched = since(times.matched);
    let last_mail_s = since(last_mail);
    let without_collecting = match plan.collecting {
        Collecting::Off => last_mail_s,
        Collecting::Ended => {
            matched + rounded(last_mail.saturating_duration_since(times.ended).as_secs_f64())
        }
        Collecting::Waited => matched + (last_mail_s - (results.last_due - last_response_wall)).max(0.0),
    };
    let sending_since = match plan.collecting {
        Collecting::Ended => since(times.ended),
        Collecting::Off | Collecting::Waited => since(first_mail),
    };
    let bytes: usize = mails.iter().map(|mail| mail.bytes).sum();
    let matching_s = since(times.matched) - since(sent.first);
    Ok(MailMeasurement {
        collecting: plan.collecting.to_string(),
        users: plan.users,
        alerts: plan.alerts,
        notices: sent.outcomes.clone(),
        matches: results.matches.len(),
        mails: mails.len(),
        items: results.items,
        mail_mean_bytes: bytes / mails.len().max(1),
        first_accepted_s: since(sent.first),
        matched_s: matched,
        indexed_s: since(times.indexed),
        first_sealed_s: rounded(results.first_sealed - last_response_wall),
        last_sealed_s: rounded(results.last_sealed - last_response_wall),
        first_mail_s: since(first_mail),
        last_mail_s,
        without_collecting_s: rounded(without_collecting),
        matches_a_second: rounded(results.matches.len() as f64 / matching_s.max(1e-3)),
        mails_a_second: rounded(mails.len() as f64 / (last_mail_s - sending_since).max(1e-3)),
        portal: after.0.since(before.0),
        database: after.1.since(before.1),
    })
}

/// Polls a condition until it is true, and fails after the timeout.
pub(crate) fn wait_until(
    what: &str,
    timeout: Duration,
    mut is_true: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let started = Instant::now();
    while !is_true()? {
        ensure!(started.elapsed() < timeout, "waited {} s for {what}", timeout.as_secs());
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
