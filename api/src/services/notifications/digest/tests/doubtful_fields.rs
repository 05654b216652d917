//! Fields that are doubtful, unread, or checked later.

use super::{
    ParsedMail, change, doubtful_tender, english, new_match, news_of, reminder, tender, with_closing,
};
use crate::domain::digest::DigestItem;
use tender_model::tender::{FieldState, Tender};

#[test]
fn uncertain_fields_are_named_and_doubtful_ones_shown_as_printed() {
    let ParsedMail { subject, text, html, pictures } = english(vec![new_match(doubtful_tender(5))]);
    assert_eq!(
        subject, "New tender: Invitation for Bids, Department of Irrigation",
        "the subject shows no days left if the closing is doubtful"
    );
    assert!(
        text.contains("Closes Mon 3 May 2027, 10.00 a.m. (2 days left); not certain: check the notice"),
        "{text}"
    );
    let named = "Not certain: closing, title, reference, place. Check the notice.";
    assert!(text.contains(named) && html.contains(named), "{text}");
    let printed = "Printed in the notice for the closing: “02:00 pm on Sth of June 2027”";
    assert!(text.contains(printed), "{text}");
    assert_eq!(pictures.len(), 2);
    for (id, picture) in &pictures {
        assert!(html.contains(&format!("src=\"cid:{id}\"")), "{id}");
        assert!(picture.len() <= 12_000 && image::load_from_memory(picture).is_ok());
    }
    assert!(html.contains("alt=\"02:00 pm on Sth of June 2027\""));
}

#[test]
fn an_unread_closing_refers_to_the_notice() {
    let mut tender = tender(5, "Supply of tyres");
    tender.dates.closing = None;
    tender.field_states = Some([("dates.closing".to_owned(), FieldState::NotRead)].into());
    let mail = english(vec![new_match(tender)]);
    assert!(mail.text.contains("Closing: see the notice\nNot certain: closing."), "{}", mail.text);
    assert!(mail.pictures.is_empty());
}

#[test]
fn pictures_beyond_the_size_limit_are_linked() {
    let items: Vec<DigestItem> = (0..20).map(|nth| new_match(doubtful_tender(nth))).collect();
    let mail = english(items);
    let bytes: usize = mail.pictures.iter().map(|(_, picture)| picture.len()).sum();
    assert!(bytes <= 100_000 && mail.pictures.len() >= 8, "{bytes} in {}", mail.pictures.len());
    assert_eq!(mail.html.matches("see it on the clip").count(), 40 - mail.pictures.len());
    // The HTML shows the pictures.
    assert_eq!(mail.pictures.len().min(20), mail.html.matches("<img").count().min(20));
}

#[test]
fn a_checked_closing_shows_the_old_reading_and_the_notice() {
    let before = doubtful_tender(5);
    let mut after = with_closing(before.clone(), "2027-05-08T14:00:00+05:30");
    after.field_states = Some(Default::default());
    let mail = english(vec![change(before.clone(), after.clone(), 2)]);
    assert!(mail.subject.starts_with("Closing date checked: "), "{}", mail.subject);
    let told = "Closing date: we had read Mon 3 May 2027, 10.00 a.m., the notice says Sat 8 May 2027, 2.00 p.m. (7 days left)";
    assert!(mail.text.contains(told), "{}", mail.text);
    let mut unread = before;
    unread.dates.closing = None;
    unread.field_states = Some([("dates.closing".to_owned(), FieldState::NotRead)].into());
    let mail = english(vec![change(unread, after, 2)]);
    assert!(mail.text.contains("we had not read it, the notice says Sat 8 May 2027"), "{}", mail.text);
}

#[test]
fn a_reminder_uses_the_earlier_of_two_closings_and_says_so() {
    let mut tender = doubtful_tender(5);
    tender.other_readings.insert(
        "dates.closing".into(),
        vec![tender_model::tender::OtherReading {
            value: serde_json::json!("2027-05-02T14:00:00+05:30"),
            reader: "classifier".into(),
            confidence: 0.6,
            evidence: None,
        }],
    );
    assert!(
        news_of(vec![reminder(tender.clone(), "2027-05-03")]).is_empty(),
        "the later closing is not used"
    );
    let mail = english(vec![reminder(tender, "2027-05-02")]);
    assert!(mail.subject.starts_with("1 day left: "), "{}", mail.subject);
    let both = "Two closings were read (Sun 2 May 2027, 2.00 p.m. and Mon 3 May 2027, 10.00 a.m.). Reminders use the earlier one.";
    assert!(mail.text.contains(both), "{}", mail.text);
}

#[test]
fn each_tender_of_a_mail_says_what_is_not_certain() {
    let doubt = |nth: u128, fields: &[&str]| {
        let states = fields.iter().map(|field| ((*field).to_owned(), FieldState::Doubtful));
        new_match(Tender { field_states: Some(states.collect()), ..tender(nth, &format!("Lot {nth}")) })
    };
    let mail = english(vec![doubt(1, &["title"]), doubt(2, &[]), doubt(3, &["category"])]);
    for part in [&mail.text, &mail.html] {
        let places = ["Lot 1", "Not certain: title.", "Lot 2", "Lot 3", "Not certain: category."]
            .map(|text| part.find(text).unwrap_or_else(|| panic!("{text} is not in {part}")));
        assert!(places.is_sorted(), "{part}");
    }
}
