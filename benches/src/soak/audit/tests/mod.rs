//! Tests of the audit with a small run.

mod digests;
mod sms;
mod teams;

use super::{
    audit,
    tamperings::{TAMPERINGS, unnoticed_tamperings},
};
use crate::soak::{
    chaos::{Attack, AttackRecord},
    layout::Victim,
    ledger::{LedgerContent, Micros, Write, WriteKind, WriteOutcome},
    mail_items::ReadMail,
    observed::{Delivery, LoggedChange, Observed, ReceivedMail, StoredInvoice},
    sink::TakenMail,
    words::marker_of_title,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const OWNER: &str = "a@soak.example";
const SECOND: Micros = 1_000_000;

fn accepted(id: u64, kind: WriteKind, key: &str, value: Value) -> Write {
    let at = i64::try_from(id).unwrap() * SECOND;
    Write {
        id,
        kind,
        key: key.into(),
        value: Some(value).filter(|value| !value.is_null()),
        sent_at: at,
        answered_at: Some(at + 1),
        outcome: WriteOutcome::Accepted,
    }
}

fn unknown(id: u64, kind: WriteKind, key: &str, value: Value) -> Write {
    Write { answered_at: None, outcome: WriteOutcome::Unknown, ..accepted(id, kind, key, value) }
}

fn mail(at: Micros, id: &str, text: &str) -> ReceivedMail {
    let content = format!("Message-ID: <{id}>\r\nSubject: s\r\n\r\n{text}");
    let read = ReadMail::parse(&TakenMail { at, to: OWNER.into(), content: content.clone() }).unwrap();
    ReceivedMail { at, to: OWNER.into(), content, read }
}

fn delivery(id: &str) -> Delivery {
    Delivery {
        id: id.into(),
        channel: "email".into(),
        state: "sent".into(),
        message_id: Some(id.into()),
        ..Delivery::default()
    }
}

fn tender() -> Value {
    json!({"title": "qxtone zzbrova", "description": "text", "status": "published"})
}

fn alert() -> Value {
    json!({"keywords": ["zzbrova"], "owner": OWNER, "channels": [], "frequency": "immediate", "time": "09:00"})
}

fn card(title: &str, alert: &str) -> String {
    format!("----------------\r\n{title}\r\nWhy you get this: your alert “{alert}” looks for it\r\n")
}

/// A run with one user, one alert, and one tender that matches the alert.
fn run() -> (LedgerContent, Observed) {
    let writes = vec![
        accepted(1, WriteKind::Register, "user/a@soak.example", json!({"role": "supplier"})),
        accepted(2, WriteKind::Subscribe, "plan/a@soak.example", json!("enterprise")),
        accepted(3, WriteKind::CreateAlert, "alert/qxaone", alert()),
        accepted(4, WriteKind::CreateTender, "tender/qxtone", tender()),
        accepted(5, WriteKind::SignIn, "session/1", json!(true)),
        accepted(6, WriteKind::SignOut, "session/1", Value::Null),
    ];
    let card = card("qxtone zzbrova", "qxaone");
    let mut observed = Observed {
        changes: vec![
            LoggedChange::Alert { name: "qxaone".into(), keywords: vec!["zzbrova".into()] },
            LoggedChange::Tender {
                marker: "qxtone".into(),
                title: "qxtone zzbrova".into(),
                is_published: true,
            },
        ],
        matches: vec![("qxaone".into(), "qxtone".into())],
        deliveries: vec![delivery("1@portal"), delivery("2@portal")],
        mails: vec![
            mail(1, "1@portal", "https://p/verify-email?token=t\r\n"),
            mail(5 * SECOND, "2@portal", &card),
        ],
        invoices: vec![StoredInvoice { number: "2026-000001".into(), email: OWNER.into() }],
        found: BTreeMap::from([("qxtone".into(), 1)]),
        ..Observed::default()
    };
    for (key, value) in [
        ("user/a@soak.example", json!({"role": "supplier"})),
        ("plan/a@soak.example", json!("enterprise")),
        ("alert/qxaone", alert()),
        ("tender/qxtone", tender()),
    ] {
        observed.records.insert(key.into(), vec![value]);
    }
    (LedgerContent { writes, violations: Vec::new() }, observed)
}

/// A run in which each part of the portal was used.
fn whole_run() -> (LedgerContent, Observed) {
    let (mut ledger, mut observed) = run();
    digests::add_daily_alert(&mut ledger, &mut observed);
    sms::add_sms(&mut ledger, &mut observed);
    teams::add_team(&mut ledger, &mut observed);
    (ledger, observed)
}

/// Adds an accepted alert.
fn add_alert(ledger: &mut LedgerContent, observed: &mut Observed, at: u64, name: &str, content: Value) {
    let key = format!("alert/{name}");
    let keywords = content["keywords"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().into());
    observed.changes.push(LoggedChange::Alert { name: name.into(), keywords: keywords.collect() });
    ledger.writes.push(accepted(at, WriteKind::CreateAlert, &key, content.clone()));
    observed.records.insert(key, vec![content]);
}

/// Adds a published tender that an alert has found.
fn add_tender(ledger: &mut LedgerContent, observed: &mut Observed, at: u64, title: &str, alert: &str) {
    let marker = marker_of_title(title).unwrap().to_owned();
    let key = format!("tender/{marker}");
    let content = json!({"title": title, "description": "text", "status": "published"});
    ledger.writes.push(accepted(at, WriteKind::CreateTender, &key, content.clone()));
    observed.records.insert(key, vec![content]);
    let title = title.to_owned();
    observed.changes.push(LoggedChange::Tender { marker: marker.clone(), title, is_published: true });
    observed.matches.push((alert.into(), marker.clone()));
    observed.found.insert(marker, 1);
}

fn violations(ledger: &LedgerContent, observed: &Observed) -> Vec<String> {
    audit(ledger, observed).violations
}

#[test]
fn run_without_losses_is_clean() {
    let (ledger, observed) = whole_run();
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
}

#[test]
fn each_simulated_defect_is_noticed() {
    let (ledger, observed) = whole_run();
    assert_eq!(unnoticed_tamperings(&ledger, &observed), (Vec::new(), TAMPERINGS.len()));
}

#[test]
fn unknown_write_may_be_there_or_not_but_not_half() {
    let (mut ledger, mut observed) = run();
    let changed = json!({"title": "qxtone zzbrova", "description": "second text", "status": "published"});
    ledger.writes.push(unknown(7, WriteKind::CorrectTender, "tender/qxtone", changed.clone()));
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
    observed.records.insert("tender/qxtone".into(), vec![changed.clone()]);
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
    let report = audit(&ledger, &observed);
    let counts = &report.writes[&WriteKind::CorrectTender];
    assert_eq!((counts.unknown_present, counts.unknown_absent), (1, 0));
    let mut half = changed;
    half["status"] = json!("draft");
    observed.records.insert("tender/qxtone".into(), vec![half]);
    assert_eq!(violations(&ledger, &observed).len(), 2, "content, and the index");
}

#[test]
fn session_that_stays_open_after_sign_out_is_noticed() {
    let (ledger, mut observed) = run();
    observed.records.insert("session/1".into(), vec![json!(true)]);
    assert_eq!(violations(&ledger, &observed).len(), 1);
}

#[test]
fn second_copy_of_a_mail_is_permitted_only_after_a_kill() {
    let (ledger, mut observed) = run();
    let mut second = observed.mails[1].clone();
    second.at += SECOND;
    observed.mails.push(second);
    assert_eq!(violations(&ledger, &observed).len(), 1);
    observed.attacks = vec![AttackRecord::at_once(2, Victim::MailServer, Attack::Kill)];
    let report = audit(&ledger, &observed);
    assert_eq!((report.violations, report.repeated_mails), (Vec::new(), 1));
    observed.mails[2].content.push_str("more");
    assert_eq!(violations(&ledger, &observed).len(), 1, "the copies differ");
}

#[test]
fn match_without_a_reason_is_noticed() {
    let (mut ledger, mut observed) = run();
    // The alert now looks for another word, in the ledger as well as in the log.
    let mut other = alert();
    other["keywords"] = json!(["zzcelmi"]);
    ledger.writes[2].value = Some(other.clone());
    observed.records.insert("alert/qxaone".into(), vec![other]);
    observed.changes[0] = LoggedChange::Alert { name: "qxaone".into(), keywords: vec!["zzcelmi".into()] };
    assert_eq!(violations(&ledger, &observed).len(), 2, "neither the log nor the requests explain the match");
}

#[test]
fn alert_that_is_edited_during_the_publication_may_match_or_not() {
    let (mut ledger, mut observed) = run();
    ledger.writes[2].answered_at = Some(10 * SECOND);
    let report = audit(&ledger, &observed);
    assert_eq!((report.violations.len(), report.overlapping_pairs), (0, 1));
    // The log decides: the alert comes after the tender.
    observed.changes.reverse();
    assert_eq!(violations(&ledger, &observed).len(), 1);
}
