//! The lists of the administrators' desk, on a real portal with many rows: its own process and a
//! private Postgres. Each list is read over HTTP, page by page, with the cursor of the page before.

pub(crate) mod client;
mod store;

use crate::{
    mails::{
        Collecting, MailsPlan, portal::Portal, portal::run as run_command, smtp::MailServer, store::Store,
    },
    server::Server,
    workload::lines,
};
use anyhow::{Context, Result, ensure};
use client::Client;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{fmt::Write as _, path::PathBuf, time::Duration};

/// The administrator who reads the lists.
const ADMINISTRATOR: &str = "desk@portal.example";

/// The lists: a name, the path with its filters, and the parameter of the cursor. An empty parameter
/// means that there is only one page.
const LISTS: [(&str, &str, &str); 28] = [
    ("review queue", "/operate/review", "after"),
    ("review queue, one reason", "/operate/review?reason=relation", "after"),
    ("newspaper pages", "/operate/pages", "after"),
    ("newspaper pages, waiting", "/operate/pages?state=waiting", "after"),
    ("newspaper pages, one newspaper", "/operate/pages?publication=lanka%207", "after"),
    ("publications", "/operate/publications", "after"),
    ("users", "/operate/users", "after"),
    ("users, search with many results", "/operate/users?search=perera", "after"),
    ("users, search with one result", "/operate/users?search=user77%40", "after"),
    ("users, search without a result", "/operate/users?search=nobody", "after"),
    ("users, reviewers", "/operate/users?role=reviewer", "after"),
    ("users, locked", "/operate/users?isLocked=true", "after"),
    ("messages, open", "/operate/messages?isAnswered=false", "after"),
    ("messages, answered", "/operate/messages?isAnswered=true", "after"),
    ("messages, search", "/operate/messages?isAnswered=true&search=closing%2077", "after"),
    ("undelivered mail", "/operate/mail/dead", "after"),
    ("undelivered mail, one reason", "/operate/mail/dead?reason=full", "after"),
    ("suppressed addresses", "/operate/mail/suppressed", "before"),
    ("payment events, open", "/operate/payments/events?isSettled=false", "before"),
    ("payment events, settled", "/operate/payments/events?isSettled=true", "before"),
    ("subscriptions", "/operate/payments/subscriptions", "after"),
    ("subscriptions, search", "/operate/payments/subscriptions?search=user77%40", "after"),
    ("tokens", "/operate/tokens", "after"),
    ("audit log", "/operate/audit", "before"),
    ("audit log, rare action", "/operate/audit?action=change-plan", "before"),
    ("audit log, one subject", "/operate/audit?subject=subject-77", "before"),
    ("what waits", "/operate/tasks", ""),
    ("figures", "/operate/figures", ""),
];

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct ListsPlan {
    /// The portal's executable.
    pub api: PathBuf,
    /// The file of the tenders that the notices state in turn.
    pub tenders: PathBuf,
    /// The number of notices. The numbers of pages, blocks and notices in review depend on it.
    pub notices: u32,
    /// The number of users. The numbers of subscriptions, messages and mails depend on it.
    pub users: u32,
    /// The minimum and the maximum number of requests for each list.
    pub requests: (usize, usize),
    /// The timeout of each wait for the portal.
    pub timeout: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
    /// Additional command-line arguments of the portal.
    pub settings: Vec<String>,
}

/// The response times of a list in milliseconds.
#[derive(Debug, Clone, Serialize)]
pub struct ListMeasurement {
    /// The name of the list.
    list: &'static str,
    /// The number of entries on the read pages.
    entries: usize,
    /// The number of read pages.
    pages: usize,
    /// Whether the last page was read.
    is_whole: bool,
    requests: usize,
    p50_ms: f64,
    p95_ms: f64,
    max_ms: f64,
    /// The mean time of the last tenth of the pages, for comparison with the first ones.
    deep_ms: f64,
}

/// Runs the measurement.
pub fn run(plan: &ListsPlan, server: &Server) -> Result<Vec<ListMeasurement>> {
    let records =
        lines(&plan.tenders)?.map(|line| line.map(|(_, line)| line)).collect::<Result<Vec<String>>>()?;
    ensure!(!records.is_empty(), "{} contains no tender", plan.tenders.display());
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start()?;
    let store = Store::create(server)?;
    run_command(&plan.api, store.url(), &["migrate"])?;
    store::fill(store.url(), &records, plan.notices, plan.users)?;
    let password = create_administrator(plan, store.url())?;
    let settings = MailsPlan {
        api: plan.api.clone(),
        users: 0,
        alerts: 0,
        notices: 0,
        seed: 0,
        at_once: 1,
        collecting: Collecting::Waited,
        timeout: plan.timeout,
        log: plan.log.clone(),
        settings: plan.settings.clone(),
    };
    let portal = Portal::start(&settings, store.url(), folder.path(), mail.url())?;
    let client = Client::sign_in(portal.base(), ADMINISTRATOR, &password)?;
    LISTS.iter().map(|list| measure(&client, *list, plan.requests)).collect()
}

/// Creates the administrator. Returns the generated password.
fn create_administrator(plan: &ListsPlan, database: &str) -> Result<String> {
    let names = ["--first-name", "Ada", "--last-name", "Perera"];
    let arguments = [["admin", "create", "--email", ADMINISTRATOR].as_slice(), &names].concat();
    let output = run_command(&plan.api, database, &arguments)?;
    let password = output.trim().rsplit(": ").next().context("no password was printed")?;
    Ok(password.to_owned())
}

/// Reads a list from its first to its last page, again and again until there are enough requests.
fn measure(
    client: &Client,
    (list, path, cursor): (&'static str, &str, &str),
    (least, most): (usize, usize),
) -> Result<ListMeasurement> {
    // The first request may plan queries and load pages of tables.
    client.get(path)?;
    let (mut times, mut by_page) = (Vec::new(), Vec::new());
    let (mut entries, mut pages, mut is_whole) = (0_usize, 0_usize, false);
    while times.len() < least {
        let mut next = Some(path.to_owned());
        let mut place = 0_usize;
        while let Some(page) = next.filter(|_| times.len() < most) {
            let (answer, time) = client.get(&page)?;
            let milliseconds = time.as_secs_f64() * 1000.0;
            times.push(milliseconds);
            by_page.push((place, milliseconds));
            place += 1;
            if place > pages {
                pages = place;
                entries += count_entries(&answer["data"]);
            }
            next = following(path, cursor, &answer["data"]);
            is_whole |= next.is_none();
        }
    }
    let deep = by_page.iter().filter(|(place, _)| *place >= pages - pages.div_ceil(10));
    let deep: Vec<f64> = deep.map(|(_, time)| *time).collect();
    let requests = times.len();
    times.sort_unstable_by(f64::total_cmp);
    let percentile = |percent: usize| rounded(times[(requests * percent / 100).min(requests - 1)]);
    Ok(ListMeasurement {
        list,
        entries,
        pages,
        is_whole,
        requests,
        p50_ms: percentile(50),
        p95_ms: percentile(95),
        max_ms: percentile(100),
        deep_ms: rounded(deep.iter().sum::<f64>() / deep.len().max(1) as f64),
    })
}

/// The number of entries of a response, which has one list besides its counters.
fn count_entries(data: &Value) -> usize {
    let fields = data.as_object().map(Map::values).into_iter().flatten();
    fields.filter_map(Value::as_array).map(Vec::len).next().unwrap_or_default()
}

/// The path of the next page. `None`: this page was the last one.
fn following(path: &str, cursor: &str, data: &Value) -> Option<String> {
    let next = match data.get("next")? {
        Value::Null => return None,
        Value::String(text) => encode(text),
        other => other.to_string(),
    };
    let separator = if path.contains('?') { '&' } else { '?' };
    Some(format!("{path}{separator}{cursor}={next}"))
}

/// Encodes a value of a query string.
pub(crate) fn encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

/// The results as a table in Markdown.
#[must_use]
pub fn table(measured: &[ListMeasurement]) -> String {
    let mut table = String::from(
        "| list | entries | pages | p50 | p95 | max | last tenth of the pages |\n|---|---|---|---|---|---|---|\n",
    );
    for row in measured {
        let more = if row.is_whole { "" } else { "more than " };
        let _ = writeln!(
            table,
            "| {} | {more}{} | {more}{} | {:.1} ms | {:.1} ms | {:.1} ms | {:.1} ms |",
            row.list, row.entries, row.pages, row.p50_ms, row.p95_ms, row.max_ms, row.deep_ms
        );
    }
    table
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn next_page_has_the_cursor_and_the_filters() {
        let next = |data| following("/list?state=read", "after", &data);
        assert_eq!(next(json!({"next": "a/b+c", "rows": []})).unwrap(), "/list?state=read&after=a%2Fb%2Bc");
        assert_eq!(next(json!({"next": 7})).unwrap(), "/list?state=read&after=7");
        assert_eq!(next(json!({"next": null})), None);
        assert_eq!(next(json!({})), None);
        assert_eq!(following("/list", "before", &json!({"next": 1})).unwrap(), "/list?before=1");
    }

    #[test]
    fn table_has_a_row_for_each_list() {
        let row = ListMeasurement {
            list: "users",
            entries: 50,
            pages: 1,
            is_whole: false,
            requests: 200,
            p50_ms: 1.25,
            p95_ms: 2.0,
            max_ms: 3.0,
            deep_ms: 1.0,
        };
        let table = table(&[row]);
        assert!(
            table.ends_with("| users | more than 50 | more than 1 | 1.2 ms | 2.0 ms | 3.0 ms | 1.0 ms |\n"),
            "{table}"
        );
        assert_eq!(count_entries(&json!({"total": 9, "rows": [1, 2], "next": null})), 2);
    }
}
