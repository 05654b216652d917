//! Audits the invoices, the search index, the documents and the newspaper pages.

use super::{AuditReport, WriteHistory};
use crate::soak::observed::Observed;
use std::collections::{BTreeMap, BTreeSet};

/// Checks that the numbers of the invoices of each year have no gaps and no duplicates, and that
/// each paid plan has one invoice.
pub(super) fn audit_invoices(observed: &Observed, report: &mut AuditReport) {
    report.invoices = observed.invoices.len();
    let mut years: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut invoiced: BTreeMap<&str, usize> = BTreeMap::new();
    for invoice in &observed.invoices {
        *invoiced.entry(&invoice.email).or_default() += 1;
        match invoice.number.rsplit_once('-').and_then(|(year, nth)| Some((year, nth.parse().ok()?))) {
            Some((year, nth)) => years.entry(year).or_default().push(nth),
            None => report.violations.push(format!("the invoice number {} can't be read", invoice.number)),
        }
    }
    for (year, mut numbers) in years {
        numbers.sort_unstable();
        if !numbers.iter().copied().eq(1..=numbers.len() as u64) {
            report.violations.push(format!("the invoices of {year} have gaps or duplicates: {numbers:?}"));
        }
    }
    let paid = observed.records.keys().filter_map(|key| key.strip_prefix("plan/"));
    for email in paid.filter(|email| invoiced.get(email) != Some(&1)) {
        let count = invoiced.get(email).copied().unwrap_or_default();
        report.violations.push(format!("{email} has paid once, but has {count} invoices"));
    }
}

/// Checks that search finds each public tender once, and no other one.
pub(super) fn audit_index(observed: &Observed, report: &mut AuditReport) {
    for (marker, count) in &observed.found {
        let record = observed.records.get(&format!("tender/{marker}")).and_then(|values| values.first());
        let status = record.and_then(|value| value["status"].as_str()).unwrap_or_default();
        let expected = usize::from(!matches!(status, "" | "draft" | "withdrawn"));
        if *count != expected {
            report
                .violations
                .push(format!("search finds tender {marker} with status `{status}` {count} times"));
        }
    }
}

/// Checks the bytes of the attached documents.
pub(super) fn audit_documents(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    for (uploaded, downloaded) in &observed.downloads {
        report.documents += 1;
        if uploaded != downloaded {
            report.violations.push(format!("the document {uploaded} is downloaded as {downloaded}"));
        }
    }
    for (hash, _) in history.with_prefix("document/") {
        let Some(record) =
            observed.records.get(&format!("document/{hash}")).and_then(|values| values.first())
        else {
            continue;
        };
        let tender = record["tender"].as_str().unwrap_or_default();
        let stored = observed.records.get(&format!("tender/{tender}")).and_then(|values| values.first());
        let is_public =
            stored.is_some_and(|value| value["status"] != "withdrawn" && value["status"] != "draft");
        if is_public && !observed.downloads.contains_key(hash) {
            report.violations.push(format!("the document {hash} of tender {tender} can't be downloaded"));
        }
    }
}

/// Checks that each newspaper page was read once. All pages of a run have the same notices. A page
/// whose worker was killed three times is set aside; an operator would have it read again.
pub(super) fn audit_pages(observed: &Observed, report: &mut AuditReport) {
    let pages = || observed.pages.values().flatten();
    report.pages = pages().count();
    report.set_aside_pages = pages().filter(|(state, _)| state == "set-aside").count();
    let read: Vec<i64> = pages().filter(|(state, _)| state == "read").map(|(_, notices)| *notices).collect();
    let counts: BTreeSet<i64> = read.iter().copied().collect();
    if counts.len() > 1 {
        report.violations.push(format!("copies of one page have different numbers of notices: {counts:?}"));
    }
    let of_pages: i64 = read.iter().sum();
    // A part of the notices of a page that was set aside may be stored.
    let most = of_pages + counts.last().copied().unwrap_or_default() * report.set_aside_pages as i64;
    if !(of_pages..=most).contains(&observed.notices) {
        report
            .violations
            .push(format!("the pages have {of_pages} notices, but {} are stored", observed.notices));
    }
    for (hash, pages) in &observed.pages {
        if pages.len() != 1 {
            report.violations.push(format!("the file {hash} with one page has {} pages", pages.len()));
        }
        for (state, _) in pages.iter().filter(|(state, _)| state != "read" && state != "set-aside") {
            report.violations.push(format!("the page of the file {hash} is {state}"));
        }
    }
}
