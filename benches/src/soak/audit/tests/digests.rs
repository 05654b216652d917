//! Tests of the audit of daily mails.

use super::{OWNER, SECOND, add_alert, add_tender, card, delivery, mail, run, violations};
use crate::soak::{
    digest_time,
    ledger::{LedgerContent, Micros},
    observed::{Observed, ReceivedMail},
};
use serde_json::json;

/// When the mail of the alert is due.
const DUE: Micros = 60 * SECOND;

/// Adds a daily alert with a tender and the mail about it.
pub(super) fn add_daily_alert(ledger: &mut LedgerContent, observed: &mut Observed) {
    let content = json!({"keywords": ["zyadrem"], "owner": OWNER, "channels": [], "frequency": "daily",
        "time": digest_time::time_of_day(DUE)});
    add_alert(ledger, observed, 10, "qxadaily", content);
    add_tender(ledger, observed, 11, "qxtdaily zyadrem", "qxadaily");
    observed.mails.push(digest(DUE + 1, "daily@portal", "qxtdaily zyadrem"));
    observed.deliveries.push(delivery("daily@portal"));
}

fn digest(at: Micros, id: &str, title: &str) -> ReceivedMail {
    let intro = "One new tender matches your alert “qxadaily” since the last mail.";
    mail(at, id, &format!("{intro}\r\n{}", card(title, "qxadaily")))
}

/// A run whose daily alert has a second tender, which comes in a mail of its own.
fn run_with_second_mail(at: Micros) -> (LedgerContent, Observed) {
    let (mut ledger, mut observed) = run();
    add_daily_alert(&mut ledger, &mut observed);
    add_tender(&mut ledger, &mut observed, 20, "qxtsecond zyadrem", "qxadaily");
    observed.mails.push(digest(at, "second@portal", "qxtsecond zyadrem"));
    observed.deliveries.push(delivery("second@portal"));
    (ledger, observed)
}

#[test]
fn second_daily_mail_is_permitted_only_after_it_was_made_due() {
    let (ledger, mut observed) = run_with_second_mail(DUE + 10 * SECOND);
    assert_eq!(violations(&ledger, &observed), ["alert qxadaily was due 1 times, but is in 2 daily mails"]);
    observed.forced_digests = vec![DUE + 9 * SECOND];
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
    observed.forced_digests = vec![DUE + 11 * SECOND];
    assert_eq!(violations(&ledger, &observed), ["a daily mail of alert qxadaily was sent before its time"]);
}

#[test]
fn tender_of_an_immediate_alert_in_a_daily_mail_is_noticed() {
    let (ledger, mut observed) = run();
    observed.mails[1].read.text.push_str("since the last mail");
    assert_eq!(
        violations(&ledger, &observed),
        ["a new tender of alert qxaone came in a daily mail: 2@portal"]
    );
}
