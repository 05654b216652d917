//! Mails about changed tenders and about tenders that close soon.

use super::{NOW, change, english, new_match, news_of, reminder, saved, tender, with_closing, with_status};
use tender_model::{deduplication::PORTAL, tender::FieldChange, vocabulary::TenderStatus};

#[test]
fn a_change_shows_the_old_and_the_new_value() {
    let before = tender(5, "Supply of tyres");
    let later = with_closing(before.clone(), "2027-05-10T14:30:00+05:30");
    let mail = english(vec![change(before.clone(), later.clone(), 2)]);
    assert_eq!(mail.subject, "Closing date changed: Supply of tyres");
    let line = "Closing date: was Mon 3 May 2027, 10.00 a.m., now Mon 10 May 2027, 2.30 p.m.";
    assert!(mail.text.contains("(9 days left)") && !mail.text.contains("Closes Mon"), "{}", mail.text);
    assert!(mail.text.contains(line) && mail.text.contains("it matched your alert “Tyres”"), "{}", mail.text);
    assert!(mail.text.contains("One tender that matched your alert “Tyres” has changed."), "{}", mail.text);

    let cancelled = with_status(&later, TenderStatus::Cancelled);
    let mail = english(vec![change(before.clone(), later.clone(), 2), change(later.clone(), cancelled, 3)]);
    assert_eq!(mail.subject, "Cancelled: Supply of tyres");
    assert!(
        mail.text.contains("Status: was open, now Cancelled") && mail.text.contains(line),
        "{}",
        mail.text
    );

    let withdrawn = with_status(&before, TenderStatus::Withdrawn);
    let mail = english(vec![change(before.clone(), withdrawn.clone(), 2)]);
    assert_eq!(mail.subject, "Withdrawn: Supply of tyres");
    assert!(!mail.text.contains("/tenders/"), "a withdrawn tender has no page: {}", mail.text);
    let mut taken_down = withdrawn.clone();
    taken_down.changes.push(FieldChange {
        at: NOW.parse().unwrap(),
        field: "status".into(),
        from: "published".into(),
        to: "withdrawn".into(),
        source: PORTAL.into(),
    });
    let mail = english(vec![change(before.clone(), taken_down.clone(), 2)]);
    assert_eq!(mail.subject, "Taken down by the portal: Supply of tyres");
    assert!(!mail.text.contains("/tenders/"), "{}", mail.text);
    let mail = english(vec![change(taken_down, before.clone(), 3)]);
    assert_eq!(mail.subject, "Open again: Supply of tyres");
    let mail = english(vec![change(with_status(&before, TenderStatus::Cancelled), before.clone(), 3)]);
    assert_eq!(mail.subject, "Open again: Supply of tyres");
}

#[test]
fn a_tender_changed_before_its_first_mail_is_shown_as_it_is_now() {
    let first = tender(5, "Supply of tyres");
    let cancelled = with_status(&first, TenderStatus::Cancelled);
    let mail = english(vec![new_match(cancelled)]);
    assert!(mail.subject.starts_with("New tender: ") && mail.text.contains("Cancelled"), "{}", mail.text);
    assert!(news_of(vec![new_match(with_status(&first, TenderStatus::Withdrawn))]).is_empty());
    // The change was undone before a mail reported it.
    let later = with_closing(first.clone(), "2027-05-10T14:30:00+05:30");
    assert!(news_of(vec![change(first.clone(), later.clone(), 2), change(later, first, 3)]).is_empty());
}

#[test]
fn a_reminder_lists_only_tenders_that_still_close_on_its_day() {
    let one = tender(5, "Supply of tyres");
    let mail = english(vec![reminder(one.clone(), "2027-05-03")]);
    assert_eq!(mail.subject, "2 days left: Supply of tyres");
    assert!(mail.text.contains("One of your saved tenders closes soon."), "{}", mail.text);
    assert!(
        mail.text.contains("you have saved this tender")
            && mail.text.contains("Stop e-mails about saved tenders")
    );
    let moved = with_closing(one.clone(), "2027-05-10T14:30:00+05:30");
    for gone in [
        moved.clone(),
        with_status(&one, TenderStatus::Cancelled),
        with_closing(one.clone(), "2027-05-01T08:00:00+05:30"),
    ] {
        assert!(news_of(vec![reminder(gone, "2027-05-03")]).is_empty());
    }
    let changed = saved(change(one.clone(), moved, 2));
    let mail =
        english(vec![reminder(one, "2027-05-03"), changed, reminder(tender(6, "Chairs"), "2027-05-03")]);
    // Tenders are sorted by closing, and the first now closes later.
    assert_eq!(mail.subject, "1 changed tender, 1 closing soon: Chairs and 1 more");
}
