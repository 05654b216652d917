//! The path from an accepted notice to the last mail, on a real portal: its own process, a private
//! Postgres, and a mail server that accepts everything at once.

mod notices;
pub(crate) mod portal;
pub(crate) mod smtp;
pub(crate) mod store;
mod usage;

use crate::{server::Server, workload::Workload};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use index::percolate::Percolator;
use notices::{Published, Sent};
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
use store::{Book, Store};
use usage::Usage;

/// The interval of progress queries.
const POLL: Duration = Duration::from_millis(20);

/// How to treat the time in which an alert's items are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Collecting {
    /// Wait, as in production.
    Waited,
    /// End it once everything has matched: the same mails, without the waiting.
    Ended,
    /// Disable it: each transaction's matches are due at once, which makes more mails.
    Off,
}

impl fmt::Display for Collecting {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| to.write_str(value.get_name()))
    }
}

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct Plan {
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
    /// The timeout from the first notice to the last mail.
    pub patience: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
    /// More settings of the portal, as on the command line.
    pub settings: Vec<String>,
}

/// The results. Moments are in seconds after the response to the last notice; earlier ones are
/// negative.
#[derive(Debug, Serialize)]
pub struct Measured {
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
    /// The index is complete.
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

/// Runs the measurement. Fails if a match or mail is missing, duplicated or different from what was
/// sealed.
pub fn run(plan: &Plan, workload: &Workload, server: &Server) -> Result<Measured> {
    let chosen = notices::choose(workload, plan)?;
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start()?;
    let mut store = Store::fresh(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    store.fill(plan.users, &chosen.alerts)?;
    let token = portal::run(&plan.api, store.url(), &["admin", "token", "create", "benchmark"])?;
    let portal = Portal::start(plan, store.url(), folder.path(), mail.url())?;
    let head = store.head()?;
    until(
        "the portal to come level",
        plan.patience,
        || Ok(store.is_matched()? && portal.indexed()? >= head),
    )?;

    let before = (portal.usage()?, store.usage()?);
    let sent = notices::publish(portal.base(), token.trim(), &chosen.parcels, plan.at_once)?;
    until("the matcher", plan.patience, || store.is_matched())?;
    let (matched, head) = (Instant::now(), store.head()?);
    if plan.collecting == Collecting::Ended {
        store.end_collecting()?;
    }
    let ended = Instant::now();
    let mut indexed = None;
    until("the index and the last mail", plan.patience, || {
        if indexed.is_none() && portal.indexed()? >= head {
            indexed = Some(Instant::now());
        }
        Ok(indexed.is_some() && store.is_all_sent()?)
    })?;
    let indexed = indexed.unwrap_or(ended);
    let after = (portal.usage()?, store.usage()?);
    let (mails, book) = (mail.taken(), store.book()?);
    check(&mails, &book, &sent, &chosen, workload)?;
    report(plan, &sent, &Stations { matched, ended, indexed }, &mails, &book, (before, after))
}

/// The times of externally visible steps.
struct Stations {
    matched: Instant,
    /// The end of the collection time, if it was ended.
    ended: Instant,
    indexed: Instant,
}

/// Checks that each expected match exists and was mailed once, as sealed.
fn check(mails: &[Mail], book: &Book, sent: &Sent, chosen: &Published, workload: &Workload) -> Result<()> {
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for mail in mails {
        *by_id.entry(&mail.message_id).or_default() += 1;
    }
    let twice = by_id.values().filter(|count| **count > 1).count();
    ensure!(twice == 0, "{twice} messages came more than once");
    for (id, bytes) in &book.messages {
        ensure!(by_id.contains_key(id.as_str()), "message {id} is told as sent and never came");
        let taken = mails.iter().find(|mail| mail.message_id == *id).map(|mail| mail.bytes);
        ensure!(taken == Some(*bytes), "message {id} was sealed with {bytes} bytes, and came with {taken:?}");
    }
    ensure!(mails.len() == book.messages.len(), "{} mails for {} messages", mails.len(), book.messages.len());
    ensure!(book.items == book.matches.len(), "{} items for {} matches", book.items, book.matches.len());
    let expected = expected(sent, chosen, workload)?;
    ensure!(
        book.matches == expected,
        "{} matches, and by the percolator alone {}; missing {}, too many {}",
        book.matches.len(),
        expected.len(),
        expected.difference(&book.matches).count(),
        book.matches.difference(&expected).count()
    );
    Ok(())
}

/// Returns the expected pairs of alert and tender.
fn expected(sent: &Sent, chosen: &Published, workload: &Workload) -> Result<BTreeSet<(String, String)>> {
    let percolator = Percolator::new();
    for (id, alert) in &chosen.alerts {
        percolator.put(*id, &alert.query)?;
    }
    #[expect(clippy::disallowed_methods, reason = "the portal that is measured has the machine's clock")]
    let now = index::vocabulary::Moment::new(jiff::Timestamp::now());
    let mut expected = BTreeSet::new();
    for (tender, made) in chosen.tenders.iter().zip(&sent.made) {
        let Some(made) = made else { continue };
        let found = percolator.percolate(tender, now, &workload.rates);
        expected.extend(found.hits.iter().map(|hit| (hit.alert.to_string(), made.to_string())));
    }
    Ok(expected)
}

fn report(
    plan: &Plan,
    sent: &Sent,
    stations: &Stations,
    mails: &[Mail],
    book: &Book,
    (before, after): ((Usage, Usage), (Usage, Usage)),
) -> Result<Measured> {
    let zero = sent.last;
    let since = |at: Instant| {
        rounded(
            at.saturating_duration_since(zero).as_secs_f64()
                - zero.saturating_duration_since(at).as_secs_f64(),
        )
    };
    // The database uses the wall clock.
    let wall = store::wall_clock() - zero.elapsed().as_secs_f64();
    let first_mail = mails.iter().map(|mail| mail.at).min().context("no mail came")?;
    let last_mail = mails.iter().map(|mail| mail.at).max().context("no mail came")?;
    let matched = since(stations.matched);
    let last = since(last_mail);
    let without = match plan.collecting {
        Collecting::Off => last,
        Collecting::Ended => {
            matched + rounded(last_mail.saturating_duration_since(stations.ended).as_secs_f64())
        }
        Collecting::Waited => matched + (last - (book.last_due - wall)).max(0.0),
    };
    let sending_since = match plan.collecting {
        Collecting::Ended => since(stations.ended),
        Collecting::Off | Collecting::Waited => since(first_mail),
    };
    let bytes: usize = mails.iter().map(|mail| mail.bytes).sum();
    let matching = since(stations.matched) - since(sent.first);
    Ok(Measured {
        collecting: plan.collecting.to_string(),
        users: plan.users,
        alerts: plan.alerts,
        notices: sent.outcomes.clone(),
        matches: book.matches.len(),
        mails: mails.len(),
        items: book.items,
        mail_mean_bytes: bytes / mails.len().max(1),
        first_accepted_s: since(sent.first),
        matched_s: matched,
        indexed_s: since(stations.indexed),
        first_sealed_s: rounded(book.first_sealed - wall),
        last_sealed_s: rounded(book.last_sealed - wall),
        first_mail_s: since(first_mail),
        last_mail_s: last,
        without_collecting_s: rounded(without),
        matches_a_second: rounded(book.matches.len() as f64 / matching.max(1e-3)),
        mails_a_second: rounded(mails.len() as f64 / (last - sending_since).max(1e-3)),
        portal: after.0.since(before.0),
        database: after.1.since(before.1),
    })
}

/// Polls a condition.
pub(crate) fn until(what: &str, patience: Duration, mut is_it: impl FnMut() -> Result<bool>) -> Result<()> {
    let started = Instant::now();
    while !is_it()? {
        ensure!(started.elapsed() < patience, "waited {} s for {what}", patience.as_secs());
        thread::sleep(POLL);
    }
    Ok(())
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
