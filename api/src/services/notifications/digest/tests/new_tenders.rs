//! Mails about new tenders: both parts, the limits of a mail, and harmful names.

use super::{ParsedMail, alert, clips, english, new_match, news_of, render, tender, with_envelope};
use crate::{
    domain::digest::DigestItem,
    services::notifications::digest::{Excerpts, compose},
};
use mail_parser::MessageParser;
use tender_model::vocabulary::Language;

#[test]
fn both_parts_show_tender_buyer_closing_and_reason() {
    let items = vec![new_match(tender(5, "Supply of <b>tyres</b> & tubes"))];
    let bytes = with_envelope(Language::English, |envelope| {
        compose(envelope, &news_of(items.clone()), &Excerpts::new(), &mut clips(), false).unwrap()
    });
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.subject(), Some("New tender: Supply of <b>tyres</b> & tubes (2 days left)"));
    assert_eq!(message.message_id(), Some("00000000000000000000000000000001@portal.example"));
    let raw = String::from_utf8_lossy(&bytes);
    assert!(raw.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    let ParsedMail { text, html, .. } = english(items);
    for part in [
        "Mon 3 May 2027, 10.00 a.m. (2 days left)",
        "your alert “Tyres” looks for “supply”",
        "https://portal.example/unsubscribe/abc",
        "https://portal.example/tenders/00000000-0000-0000-0000-000000000005",
        "https://portal.example/alert-settings?alert=00000000-0000-0000-0000-000000000009",
    ] {
        assert!(text.contains(part), "{part} in {text}");
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(text.contains("Supply of <b>tyres</b> & tubes") && text.contains("Ports & <Harbours>"));
    assert!(!html.contains("<b>tyres") && !html.contains("<Harbours>"), "{html}");
    assert!(text.contains("[Supply] of"), "{text}");
}

#[test]
fn tenders_beyond_the_limit_are_counted_and_linked_to_their_alert() {
    let items: Vec<DigestItem> =
        (0..60).map(|nth| new_match(tender(nth, &format!("Supply of lot {nth}")))).collect();
    let mail = english(items);
    assert_eq!(mail.subject, "60 new tenders: Supply of lot 0 and 59 more");
    assert!(
        mail.text.contains("… and 40 more: see all matches https://portal.example/alert-settings?alert=00000000-0000-0000-0000-000000000009"),
        "{}",
        mail.text
    );
    assert_eq!(mail.text.matches("View the tender").count(), 20);
}

#[test]
fn each_alert_of_a_digest_has_a_share_and_each_tender_appears_once() {
    let mut items: Vec<DigestItem> =
        (0..40).map(|nth| new_match(tender(nth, &format!("Supply of lot {nth}")))).collect();
    let both = DigestItem { alert: alert(10, "Wheels"), ..items[0].clone() };
    items.extend([both, DigestItem { alert: alert(10, "Wheels"), ..new_match(tender(50, "Wheels alone")) }]);
    let mail = render(Language::English, items, true);
    assert_eq!(mail.subject, "41 new tenders: Supply of lot 0 and 40 more");
    assert!(mail.text.contains("== Tyres ==") && mail.text.contains("== Wheels =="), "{}", mail.text);
    assert_eq!(mail.text.matches("\nSupply of lot 0\n").count(), 1);
    assert!(mail.text.contains("your alert “Wheels” looks for"), "{}", mail.text);
    assert!(mail.text.contains("Wheels alone") && mail.text.contains("… and 21 more"), "{}", mail.text);
    assert!(
        mail.text.contains("41 new tenders match 2 of your alerts since the last mail."),
        "{}",
        mail.text
    );
}

#[test]
fn alerts_beyond_the_limit_are_counted() {
    let items = (0..30)
        .map(|nth| DigestItem { alert: alert(nth, &format!("A{nth}")), ..new_match(tender(nth, "Supply")) });
    let mail = render(Language::English, items.collect(), true);
    assert!(
        mail.text.contains(
            "… and 10 more in other alerts: open your alerts https://portal.example/alert-settings\n"
        ),
        "{}",
        mail.text
    );
}

#[test]
fn line_breaks_in_names_add_no_header() {
    let mut item = new_match(tender(5, "Supply\r\nBcc: everyone@example.test"));
    item.alert = alert(9, "Tyres\r\nBcc: x@example.test");
    let news = news_of(vec![item]);
    let bytes = with_envelope(Language::English, |envelope| {
        compose(envelope, &news, &Excerpts::new(), &mut clips(), false).unwrap()
    });
    assert!(MessageParser::default().parse(&bytes).unwrap().bcc().is_none());
}
