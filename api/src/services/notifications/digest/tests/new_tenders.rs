//! Mails about new tenders: both parts, the limits of a mail, and harmful names.

use super::{
    ParsedMail, alert, change, clips, english, full_tender, new_match, news_of, parse_mail, render, tender,
    with_closing, with_envelope, with_status,
};
use crate::{
    domain::{
        coverage::{Holiday, HolidayKind},
        deadlines::OfficeDays,
        digest::DigestItem,
    },
    services::notifications::{
        digest::{Excerpts, compose},
        mail_frame::Envelope,
    },
};
use mail_parser::MessageParser;
use tender_model::{
    tender::{DocumentFee, Tender},
    vocabulary::{Language, TenderStatus},
};

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

#[test]
fn titles_in_capitals_and_amounts_are_shown_as_on_the_screens() {
    let title = "SUPPLY OF TYRES AND TUBES TO CEB";
    let mail = english(vec![new_match(full_tender(5, title, "MAHAWELI AUTHORITY OF SRI LANKA"))]);
    assert_eq!(mail.subject, "New tender: Supply of Tyres and Tubes to CEB (2 days left)");
    for part in [mail.text, mail.html] {
        assert!(part.contains("Supply of Tyres and Tubes to CEB"), "{part}");
        assert!(part.contains("Mahaweli Authority of Sri Lanka"), "{part}");
        assert!(part.contains("Bid security LKR 250,000 · Document fee LKR 7,500"), "{part}");
        assert!(!part.contains("Rs."), "{part}");
    }
}

/// The mail with these items, if the 2nd and the 3rd of May 2027 are holidays.
fn mail_near_holidays(items: Vec<DigestItem>) -> ParsedMail {
    let holiday = |day: &str, kind| Holiday { day: day.parse().unwrap(), name: "H".into(), kind };
    let offices = OfficeDays::new(vec![
        holiday("2027-05-02", HolidayKind::Public),
        holiday("2027-05-03", HolidayKind::Poya),
    ]);
    with_envelope(Language::English, |envelope| {
        let envelope = Envelope { offices: Some(&offices), ..envelope.clone() };
        let news = news_of(items);
        parse_mail(&compose(&envelope, &news, &Excerpts::new(), &mut clips(), false).unwrap())
    })
}

#[test]
fn a_closing_near_a_holiday_has_a_warning() {
    let tender = tender(5, "Supply of tyres");
    let mail = mail_near_holidays(vec![new_match(tender.clone())]);
    let on_day = "(2 days left)\nOffices are closed on this day (Poya day). Offices are closed on the day before (public holiday); the last open day before it is Fri 30 Apr 2027.\n";
    assert!(mail.text.contains(on_day), "{}", mail.text);
    assert!(mail.html.contains("Offices are closed on this day (Poya day)."), "{}", mail.html);
    let before = with_closing(tender.clone(), "2027-05-04T10:00:00+05:30");
    let mail = mail_near_holidays(vec![change(tender.clone(), before, 2)]);
    let warning =
        "Offices are closed on the day before (Poya day); the last open day before it is Fri 30 Apr 2027.";
    assert!(mail.text.contains(warning) && !mail.text.contains("on this day"), "{}", mail.text);
    let later = with_closing(tender.clone(), "2027-05-07T10:00:00+05:30");
    let cancelled = with_status(&tender, TenderStatus::Cancelled);
    for items in [vec![new_match(later)], vec![change(tender, cancelled, 2)]] {
        let mail = mail_near_holidays(items);
        assert!(!mail.text.contains("Offices are closed"), "{}", mail.text);
    }
}

#[test]
fn a_mail_has_one_button_for_its_main_action() {
    let one = english(vec![new_match(tender(5, "Supply of tyres"))]).html;
    assert_eq!((one.matches("View the tender").count(), one.matches("See all matches").count()), (1, 0));
    let two = [5, 6].map(|nth| new_match(tender(nth, "Supply of tyres")));
    let several = english(two.to_vec()).html;
    let button = several.split("See all matches").collect::<Vec<_>>();
    // Each tender has a link of its own, which is no button.
    assert_eq!((several.matches("View the tender").count(), button.len()), (2, 2), "{several}");
    let link = button[0].rsplit("href=\"").next().unwrap();
    assert!(link.starts_with("https://portal.example/alert-settings?alert="), "{link}");
    let other = DigestItem { alert: alert(10, "Wheels"), ..new_match(tender(50, "Wheels alone")) };
    let digest = render(Language::English, [two.to_vec(), vec![other]].concat(), true).html;
    assert_eq!(digest.matches("Open your alerts").count(), 1, "{digest}");
}

#[test]
fn the_sale_of_documents_is_told_while_the_tender_is_open() {
    let sold = |from: Option<&str>, until: &str| {
        let day = |day: &str| day.parse().ok();
        let (sale_from, sale_until) = (from.and_then(day), day(until));
        let fee = DocumentFee { sale_from, sale_until, ..DocumentFee::default() };
        english(vec![new_match(Tender { document_fee: Some(fee), ..tender(5, "Supply of tyres") })])
    };
    let ended = sold(None, "2027-04-29");
    for part in [&ended.text, &ended.html] {
        assert!(part.contains("Documents are no longer sold; the last day was Thu 29 Apr 2027."), "{part}");
    }
    // It comes last, though it closes first.
    let fee = DocumentFee { sale_until: "2027-04-29".parse().ok(), ..DocumentFee::default() };
    let sold_out = with_closing(tender(6, "Sold out"), "2027-05-02T10:00:00+05:30");
    let sold_out = Tender { document_fee: Some(fee), ..sold_out };
    let mail = english(vec![new_match(sold_out), new_match(tender(5, "Supply of tyres"))]).text;
    assert!(mail.find("Supply of tyres").unwrap() < mail.find("Sold out").unwrap(), "{mail}");
    let going_on = sold(Some("2027-04-01"), "2027-05-02").text;
    assert!(going_on.contains("\nDocuments are sold until Sun 2 May 2027.\n"), "{going_on}");
    let printed: Tender = serde_json::from_value(serde_json::json!({
        "documentFee": {"saleUntil": "2027-05-02"},
        "fullTextMarkdown": "Documents are issued till 3.00 p.m. on 02.05.2027.",
        "evidence": {"documentFee.saleUntil": {"text": "02.05.2027"}},
    }))
    .unwrap();
    let at_hour = Tender {
        document_fee: printed.document_fee,
        evidence: printed.evidence,
        full_text_markdown: printed.full_text_markdown,
        ..tender(5, "Supply of tyres")
    };
    let at_hour = english(vec![new_match(at_hour)]).text;
    assert!(at_hour.contains("\nDocuments are sold until Sun 2 May 2027, 3.00 p.m.\n"), "{at_hour}");
    let later = sold(Some("2027-05-02"), "2027-05-03").text;
    assert!(later.contains("Documents are sold from Sun 2 May 2027 until Mon 3 May 2027."), "{later}");
}
