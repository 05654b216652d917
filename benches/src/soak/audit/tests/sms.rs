//! Tests of the audit of SMS.

use super::{OWNER, SECOND, accepted, add_alert, add_tender, card, delivery, mail, run, violations};
use crate::soak::{
    audit::audit,
    chaos::{Attack, AttackRecord},
    layout::Victim,
    ledger::{LedgerContent, WriteKind, WriteOutcome},
    observed::{Delivery, Observed},
    sms::ReceivedSms,
};
use serde_json::json;

const NUMBER: &str = "+94771234567";

/// Adds a confirmed telephone, and an alert with a tender, the mail and the SMS about it.
pub(super) fn add_sms(ledger: &mut LedgerContent, observed: &mut Observed) {
    let phone = |is_confirmed| json!({"number": NUMBER, "isConfirmed": is_confirmed});
    let key = format!("phone/{OWNER}");
    ledger.writes.push(accepted(30, WriteKind::SetPhone, &key, phone(false)));
    ledger.writes.push(accepted(31, WriteKind::ConfirmPhone, &key, phone(true)));
    observed.records.insert(key, vec![phone(true)]);
    let content = json!({"keywords": ["zybolux"], "owner": OWNER, "channels": ["sms"],
        "frequency": "immediate", "time": "09:00"});
    add_alert(ledger, observed, 32, "qxasms", content);
    add_tender(ledger, observed, 33, "qxtsms zybolux", "qxasms");
    observed.mails.push(mail(33 * SECOND, "sms@portal", &card("qxtsms zybolux", "qxasms")));
    observed.deliveries.push(delivery("sms@portal"));
    observed.deliveries.push(Delivery { sms_text: None, items: Vec::new(), ..sms_delivery() });
    observed.deliveries.push(sms_delivery());
    observed.sms.push(sms("123456 is your Serendib Tenders code. It is valid for ten minutes."));
    observed.sms.push(sms(&text()));
}

fn sms_delivery() -> Delivery {
    Delivery {
        id: "sms".into(),
        channel: "sms".into(),
        state: "sent".into(),
        items: vec![("qxasms".into(), "qxtsms".into())],
        address: format!("sms:{NUMBER}"),
        attempts: 1,
        sms_text: Some(text()),
        ..Delivery::default()
    }
}

fn text() -> String {
    "New tender: qxtsms zybolux http://localhost/tenders/1".into()
}

fn sms(text: &str) -> ReceivedSms {
    ReceivedSms { at: 34 * SECOND, to: NUMBER.into(), text: text.into(), is_answered: true }
}

fn run_with_sms() -> (LedgerContent, Observed) {
    let (mut ledger, mut observed) = run();
    add_sms(&mut ledger, &mut observed);
    (ledger, observed)
}

#[test]
fn second_copy_of_an_sms_needs_an_attempt_and_an_interruption() {
    let (ledger, mut observed) = run_with_sms();
    observed.sms.push(sms(&text()));
    assert_eq!(violations(&ledger, &observed).len(), 2, "neither an attempt nor an interruption");
    observed.deliveries.last_mut().unwrap().attempts = 2;
    assert_eq!(violations(&ledger, &observed).len(), 1, "no interruption");
    observed.sms[1].is_answered = false;
    let report = audit(&ledger, &observed);
    assert_eq!((report.violations, report.repeated_sms), (Vec::new(), 1));
    observed.sms[1].is_answered = true;
    observed.attacks = vec![AttackRecord::at_once(30 * SECOND, Victim::Api, Attack::Kill)];
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
}

#[test]
fn sms_to_another_number_is_noticed() {
    let (ledger, mut observed) = run_with_sms();
    let other = "+94770000000";
    observed.sms[1].to = other.into();
    observed.deliveries.last_mut().unwrap().address = format!("sms:{other}");
    assert_eq!(violations(&ledger, &observed), [format!("the SMS about alert qxasms went to {other}")]);
}

#[test]
fn each_number_gets_one_code() {
    let (mut ledger, mut observed) = run_with_sms();
    observed.sms.push(sms("123456 is your Serendib Tenders code."));
    assert_eq!(violations(&ledger, &observed).len(), 2, "neither an attempt nor an interruption");
    observed.sms.last_mut().unwrap().text = "654321 is your Serendib Tenders code.".into();
    observed.deliveries.push(Delivery { sms_text: None, items: Vec::new(), ..sms_delivery() });
    assert_eq!(violations(&ledger, &observed), [format!("{OWNER} got 2 codes")]);
    observed.sms.retain(|sms| sms.code().is_none());
    observed.deliveries.retain(|delivery| delivery.channel != "sms" || delivery.sms_text.is_some());
    assert_eq!(violations(&ledger, &observed), [format!("{OWNER} got 0 codes")]);
    let set = ledger.writes.iter_mut().find(|write| write.kind == WriteKind::SetPhone).unwrap();
    set.outcome = WriteOutcome::Unknown;
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
}
