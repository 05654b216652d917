//! Tests of the audit of teams.

use super::{OWNER, SECOND, accepted, add_alert, add_tender, card, delivery, mail, run, violations};
use crate::soak::{
    ledger::{LedgerContent, WriteKind, WriteOutcome},
    observed::{Observed, ReceivedMail},
};
use serde_json::{Value, json};

const FORMER: &str = "former@soak.example";
const MEMBER: &str = "member@soak.example";

fn alert_of(owner: &str) -> Value {
    json!({"keywords": ["zycarin"], "owner": owner, "channels": [], "frequency": "immediate", "time": "09:00"})
}

/// Adds a team. Its owner has invited two users. One of them has left the team again, and then the alert of
/// this user has found a tender.
pub(super) fn add_team(ledger: &mut LedgerContent, observed: &mut Observed) {
    for (at, email) in [(40, FORMER), (43, MEMBER)] {
        let invitation = format!("invitation/{OWNER}/{email}");
        let member = format!("member/{email}");
        ledger.writes.push(accepted(at, WriteKind::Invite, &invitation, json!(true)));
        ledger.writes.push(accepted(at + 1, WriteKind::Join, &member, json!(OWNER)));
        ledger.writes.push(accepted(at + 1, WriteKind::Join, &invitation, Value::Null));
        let id = format!("{email}-invitation");
        let text = "https://p/join?token=t\r\n";
        observed.mails.push(mail_to(email, mail(40 * SECOND, &id, text)));
        observed.deliveries.push(delivery(&id));
    }
    observed.records.insert(format!("member/{MEMBER}"), vec![json!(OWNER)]);
    add_alert(ledger, observed, 46, "qxateam", alert_of(FORMER));
    ledger.writes.push(accepted(47, WriteKind::Part, &format!("member/{FORMER}"), Value::Null));
    ledger.writes.push(accepted(47, WriteKind::PassAlert, "alert/qxateam", alert_of(OWNER)));
    observed.records.insert("alert/qxateam".into(), vec![alert_of(OWNER)]);
    add_tender(ledger, observed, 48, "qxtteam zycarin", "qxateam");
    observed.mails.push(mail(49 * SECOND, "team@portal", &card("qxtteam zycarin", "qxateam")));
    observed.deliveries.push(delivery("team@portal"));
}

fn mail_to(email: &str, mut mail: ReceivedMail) -> ReceivedMail {
    mail.to = email.into();
    mail
}

fn run_with_team() -> (LedgerContent, Observed) {
    let (mut ledger, mut observed) = run();
    add_team(&mut ledger, &mut observed);
    (ledger, observed)
}

#[test]
fn alert_of_a_former_member_mails_only_the_owner_of_the_team() {
    let (mut ledger, mut observed) = run_with_team();
    observed.mails.last_mut().unwrap().to = FORMER.into();
    assert_eq!(violations(&ledger, &observed).len(), 1, "the tender is later");
    // The tender was published while the member left.
    let tender = ledger.writes.iter_mut().find(|write| write.key == "tender/qxtteam").unwrap();
    tender.sent_at = 47 * SECOND;
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
    // The owner of the team can't get the mail before the member leaves.
    let mail = observed.mails.last_mut().unwrap();
    (mail.to, mail.at) = (OWNER.into(), 46 * SECOND);
    assert_eq!(violations(&ledger, &observed).len(), 1);
}

#[test]
fn alert_may_belong_to_either_user_after_an_unknown_leave() {
    let (mut ledger, mut observed) = run_with_team();
    for write in ledger.writes.iter_mut().filter(|write| write.sent_at == 47 * SECOND) {
        (write.outcome, write.answered_at) = (WriteOutcome::Unknown, None);
    }
    for (owner, membership) in [(OWNER, vec![]), (FORMER, vec![json!(OWNER)])] {
        observed.records.insert("alert/qxateam".into(), vec![alert_of(owner)]);
        observed.records.insert(format!("member/{FORMER}"), membership);
        observed.mails.last_mut().unwrap().to = owner.into();
        assert_eq!(violations(&ledger, &observed), Vec::<String>::new(), "{owner}");
    }
}

#[test]
fn fifth_member_is_noticed() {
    let (mut ledger, mut observed) = run_with_team();
    for nth in 0..4 {
        let key = format!("member/{nth}@soak.example");
        ledger.writes.push(accepted(60 + nth, WriteKind::Join, &key, json!(OWNER)));
        observed.records.insert(key, vec![json!(OWNER)]);
    }
    assert_eq!(violations(&ledger, &observed), [format!("the team of {OWNER} has 5 members")]);
}

#[test]
fn registration_and_not_a_later_change_demands_the_link_of_an_account() {
    let (mut ledger, mut observed) = run();
    let key = format!("user/{OWNER}");
    ledger.writes.push(accepted(70, WriteKind::ChangeRole, &key, json!({"role": "buyer"})));
    observed.records.insert(key, vec![json!({"role": "buyer"})]);
    let register = ledger.writes.iter_mut().find(|write| write.kind == WriteKind::Register).unwrap();
    (register.outcome, register.answered_at) = (WriteOutcome::Unknown, None);
    observed.mails.remove(0);
    observed.deliveries.remove(0);
    assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
}
