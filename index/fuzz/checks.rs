//! Properties that hold for any bytes. The fuzz targets and the test that replays their corpora
//! share them.

use index::{
    percolate::{Percolator, naive_matcher},
    query::UserQuery,
};
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::Tender,
    vocabulary::{MatchType, Rates, TenderStatus},
};
use uuid::Uuid;

/// Parsing a typed text never fails. The display form of the query parses to the same query.
pub(crate) fn user_query(data: &[u8]) {
    let query = UserQuery::read(&String::from_utf8_lossy(data));
    let shown = query.to_string();
    // A longer text would be truncated.
    if shown.chars().count() <= 512 {
        assert_eq!(UserQuery::read(&shown), query, "{shown}");
    }
}

/// The percolator and the reference implementation find the same alerts with the same reasons,
/// regardless of the alerts stored or replaced before.
///
/// The bytes are lines. The first is a title, the second a text, and each further one an alert. The
/// first character of an alert selects the match type and whether it replaces another alert.
/// Text after a tab is an exclude keyword.
pub(crate) fn alerts(data: &[u8]) {
    let data = String::from_utf8_lossy(data);
    let mut lines = data.split('\n');
    let mut text = || lines.next().unwrap_or_default().to_owned();
    let tender = Tender {
        title: text(),
        full_text_markdown: text(),
        status: TenderStatus::Published,
        ..Tender::default()
    };
    let percolator = Percolator::new();
    let mut alerts = Vec::new();
    for (number, line) in lines.take(64).enumerate() {
        let Some(first) = line.chars().next() else { continue };
        let (term, exclude) =
            line[first.len_utf8()..].split_once('\t').unwrap_or((&line[first.len_utf8()..], ""));
        let how = first as usize;
        let mut query = AlertQuery::default();
        query
            .keywords
            .push(Keyword { term: term.to_owned(), match_type: MatchType::ALL[how % MatchType::ALL.len()] });
        query.advanced_filters.exclude_keywords.push(exclude.to_owned());
        let id = Uuid::from_u128(number as u128 + 1);
        if how & 4 != 0 {
            let mut other = query.clone();
            other.keywords[0].term.push_str(" x");
            let _ = percolator.put(id, &other);
            let _ = percolator.percolate(&tender, moment(), &Rates::default());
        }
        if percolator.put(id, &query).is_ok() {
            alerts.push((id, query));
        } else {
            percolator.remove(id);
        }
    }
    let found = percolator.percolate(&tender, moment(), &Rates::default()).hits;
    let found: Vec<_> = found.iter().map(|hit| (hit.alert, percolator.match_reason(hit))).collect();
    let expected = alerts.iter().filter_map(|(id, query)| {
        Some((*id, Some(naive_matcher::matches(query, &tender, moment(), &Rates::default())?)))
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
}

fn moment() -> tender_model::vocabulary::Moment {
    "2026-11-20T09:00:00+05:30".parse().unwrap_or_else(|_| unreachable!())
}
